package lookup

import (
	"context"
	"reflect"
	"slices"

	"github.com/postgeo/postgeo/internal/store"
)

// A Quality records the sources of the data of a code, of a full postal code
// those of its FSA. Sources are named by title and vintage.
type Quality struct {
	PointSource         string         `json:"point_source,omitzero"`         // source of the code's point; absent for postal codes
	OutlineSource       string         `json:"outline_source,omitzero"`       // source of the outline
	OutlineAreaRatio    *float64       `json:"outline_area_ratio,omitzero"`   // drawn area divided by the stated one; 1 if it lies between the stated land and the whole
	CoveredPct          *float64       `json:"covered_pct,omitzero"`          // part of the outline that counties or census divisions cover, 0 to 100, if the rest is water; shares are of this part
	PopulationYear      *int           `json:"population_year,omitzero"`      // last year of the survey, or the census year
	PopulationSource    string         `json:"population_source,omitzero"`    // source of the population
	BusinessYear        *int           `json:"business_year,omitzero"`        // year of the figures of businesses; US
	HousingUnits        *int           `json:"housing_units,omitzero"`        // homes, occupied or vacant; US
	HousingSource       string         `json:"housing_source,omitzero"`       // source of the housing units; US
	CountySources       []CountySource `json:"county_sources,omitzero"`       // county that each source names, if they differ; US
	ClassificationBasis string         `json:"classification_basis,omitzero"` // what decided the classification; US
	Notes               []string       `json:"notes,omitzero"`                // anything else to keep in mind, in English
}

// A CountySource is the county that one source names for a ZIP Code.
type CountySource struct {
	Source     string `json:"source"`      // title and vintage
	County     string `json:"county"`      // official name; "" of a former county
	CountyFIPS string `json:"county_fips"` // five digits
	Chosen     bool   `json:"chosen"`      // whether it is the county of record
}

// quality returns nil if the dataset has no qualities.
func (r *Reader) quality(ctx context.Context, s *subject) (*Quality, error) {
	q := s.quality
	if q == nil || reflect.ValueOf(*q).IsZero() {
		return nil, nil
	}
	of, land := fsaCode(s.fsa), store.LayerCensusDivision
	switch {
	case s.zip != nil:
		of, land = zipCode(s.zip.ZIP), store.LayerCounty
	case s.postal != nil:
		of = fsaCode(s.postal.Code.FSA())
	}
	o, err := r.overlapsOf(ctx, of, land)
	if err != nil {
		return nil, err
	}
	out := &Quality{
		OutlineSource: r.sourceName(q.OutlineSource), ClassificationBasis: r.sourceName(q.ClassBasis), Notes: slices.Clone(q.Notes),
	}
	out.PopulationSource, out.HousingSource = r.sourceName(q.PopulationSource), r.sourceName(q.HousingSource)
	if s.detail != nil {
		out.HousingUnits = count(s.detail.Housing)
		if b := s.detail.Business; b != nil {
			out.BusinessYear = new(int(b.Year))
		}
	}
	if s.postal == nil {
		out.PointSource = r.sourceName(q.PointSource)
	}
	if q.OutlineAreaRatio != 0 {
		out.OutlineAreaRatio = new(q.OutlineAreaRatio)
	}
	if q.PopulationYear != 0 {
		out.PopulationYear = new(q.PopulationYear)
	}
	if o.Covered > 0 {
		covered := percent(100 * o.Covered)
		out.CoveredPct = &covered
	}
	for _, c := range q.Counties {
		id, _ := r.data.CountyByFIPS(c.FIPS)
		out.CountySources = append(out.CountySources, CountySource{
			Source: r.sourceName(c.Source), County: r.data.County(id).Name, CountyFIPS: c.FIPS, Chosen: c.Chosen,
		})
	}
	return out, nil
}

// sourceName returns the title and vintage of the source of the manifest with
// the identifier. It returns any other text unchanged.
func (r *Reader) sourceName(id string) string {
	sources := r.data.Manifest().Sources
	for i := range sources {
		if s := &sources[i]; s.ID == id {
			if s.Vintage == "" {
				return s.Title
			}
			return s.Title + ", " + s.Vintage
		}
	}
	return id
}
