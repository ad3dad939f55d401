package lookup

import (
	"context"
	"fmt"
	"math"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/fault"
)

// residents spread the people of census tracts over codes and areas. It is
// used by one goroutine.
type residents struct {
	r      *Reader
	id     dataset.LayerID
	tracts *dataset.Layer
	people []float64          // by tract; NaN where it was not read yet
	inArea map[string]float64 // of the requested areas
	areas  map[string][]int   // tracts of each area that is made of whole ones
	cut    *cutTracts         // nil for a layer that is made of whole tracts
}

// noPopulation returns the error of a crosswalk by population that the dataset
// does not have the data for.
func noPopulation(id dataset.LayerID, detail string) error {
	return &fault.Error{
		Op: "crosswalk", Kind: fault.Unavailable, Thing: fault.Layer, Input: id.String(), Lacks: "population of census tracts",
		Detail: "no population of census tracts: " + detail,
	}
}

// newResidents prepares the tracts of a layer's areas.
func (r *Reader) newResidents(ctx context.Context, id dataset.LayerID) (*residents, error) {
	p := &residents{r: r, id: id, tracts: r.data.Layer(dataset.LayerTract), inArea: map[string]float64{}, areas: map[string][]int{}}
	const of = dataset.SectionSurvey | dataset.SectionZIPAreas
	if err := r.data.Load(ctx, of|dataset.LayerTract.Section()|id.Section()); err != nil {
		return nil, fmt.Errorf("lookup: population of the layer %s: %w", id, err)
	}
	layer := r.data.Layer(id)
	switch {
	case id.Country() != dataset.US:
		return nil, noPopulation(id, fmt.Sprintf("the layer %s; expected one of the United States, whose tracts have profiles", id))
	case p.tracts == nil:
		return nil, noPopulation(id, fmt.Sprintf("the dataset does not have the layer %s; build one that does", dataset.LayerTract))
	case !p.r.acs.Has(acs.Tract, acs.Demographic, p.r.acs.Newest(acs.Tract)):
		return nil, noPopulation(id, "the dataset has no demographic profiles of tracts; build it with the tables of the American Community Survey")
	case !p.tracts.Info().FitForShares || !layer.Info().FitForShares:
		return nil, noPopulation(id, fmt.Sprintf("the outlines of the layer %s or of tracts are too coarse to measure with; build with the publisher's files", id))
	}
	p.people = make([]float64, p.tracts.Len())
	whole := ofWholeTracts(id)
	for i := range p.people {
		p.people[i] = math.NaN()
		if !whole {
			continue
		}
		if area := p.areaOf(p.tracts.GEOID(i)); area != "" {
			p.areas[area] = append(p.areas[area], i)
		}
	}
	if whole {
		return p, ctx.Err()
	}
	var err error
	p.cut, err = p.cutTracts(ctx, layer)
	return p, err
}

// ofWholeTracts reports whether the areas of a layer consist of whole tracts, by
// their codes.
func ofWholeTracts(id dataset.LayerID) bool {
	switch id {
	case dataset.LayerCounty, dataset.LayerCBSA, dataset.LayerMetropolitanDivision, dataset.LayerTract:
		return true
	default:
		return false
	}
}

// areaOf returns the area of the layer that a tract belongs to, or "".
func (p *residents) areaOf(tract string) string {
	const countyDigits = 5
	if p.id == dataset.LayerTract || len(tract) < countyDigits {
		return tract
	}
	fips := tract[:countyDigits]
	if p.id == dataset.LayerCounty {
		return fips
	}
	county, _ := p.r.data.CountyByFIPS(fips)
	row := p.r.data.County(county)
	if p.id == dataset.LayerCBSA {
		return p.r.data.CBSA(row.CBSA).Code
	}
	return p.r.data.Division(row.Division).Code
}

// of returns the people of a tract, or 0 if unknown.
func (p *residents) of(ctx context.Context, i int) (float64, error) {
	if v := p.people[i]; !math.IsNaN(v) {
		return v, nil
	}
	geoid := p.tracts.GEOID(i)
	res, err := p.r.acs.Tract(ctx, geoid, []acs.Tag{{Profile: acs.Demographic}}, acs.Options{})
	if err != nil {
		return 0, fmt.Errorf("lookup: population of tract %s: %w", geoid, err)
	}
	p.people[i] = 0
	if len(res.Years) > 0 {
		p.people[i], _ = res.Years[0].Metric(totalPopulation).Estimate.Float64()
	}
	return p.people[i], nil
}

// covers reports whether the people of a ZIP can be measured. If areas cut
// tracts that takes its outline, which PO Box, unique and military ZIPs do not
// have in the dataset.
func (p *residents) covers(code Code) bool {
	_, ok := p.r.data.ZIPAreas().Find(code.ZIP())
	return ok || p.cut == nil
}

// fill adds the people of a row: of every tract of the area as large a part as
// the code has of what lies in the area.
func (p *residents) fill(ctx context.Context, row *CrosswalkRow, code Code, area int, overlaps dataset.CodeOverlaps) error {
	var both, ofCode float64
	for _, o := range overlaps.Of(dataset.LayerTract) {
		people, err := p.of(ctx, o.Area)
		if err != nil {
			return err
		}
		if people == 0 {
			continue
		}
		inCode, inBoth := max(0, min(o.PercentOfArea, 100))/100, 0.0
		if p.cut != nil {
			if inCode, inBoth, err = p.cut.parts(ctx, code, o.Area, area); err != nil {
				return err
			}
		} else if p.areaOf(p.tracts.GEOID(o.Area)) == row.GEOID {
			inBoth = inCode
		}
		ofCode += people * inCode
		both += people * inBoth
	}
	ofArea, err := p.ofArea(ctx, row.GEOID)
	if err != nil {
		return err
	}
	n := int(math.Round(both))
	row.Population = &n
	row.PctOfPopulation = part(both, ofCode)
	row.PctOfAreaPeople = part(both, ofArea)
	return nil
}

func (p *residents) ofArea(ctx context.Context, geoid string) (float64, error) {
	if sum, ok := p.inArea[geoid]; ok {
		return sum, nil
	}
	sum := 0.0
	for _, i := range p.areas[geoid] {
		people, err := p.of(ctx, i)
		if err != nil {
			return 0, err
		}
		sum += people
	}
	p.inArea[geoid] = sum
	return sum, nil
}

// part returns a percentage, nil of nothing.
func part(of, whole float64) *float64 {
	if !(whole > 0) {
		return nil
	}
	v := geo.Round(100*min(of/whole, 1), crosswalkDecimals)
	return &v
}
