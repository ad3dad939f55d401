package data

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// A finding is a weakness of a dataset: missing, inferred or doubtful data of a
// code or province.
type finding struct {
	Problem string    `json:"problem"` // e.g. "outline area" or "no point"
	Code    string    `json:"code"`    // ZIP or FSA, or letters of a province
	City    string    `json:"city,omitzero"`
	State   string    `json:"state,omitzero"` // two letters of a state or province
	People  int64     `json:"people"`         // affected residents; 0 unknown
	Ratio   float64   `json:"outline_area_ratio,omitzero"`
	Outside geo.Miles `json:"miles_outside,omitzero"` // distance of the point from the outline, 2 decimals
	Detail  string    `json:"detail"`                 // one sentence
}

// examine returns the weaknesses of the dataset, sorted by affected people in
// descending order. It reads the detail of every ZIP and FSA.
func examine(ctx context.Context, d *store.Dataset) ([]finding, error) {
	if err := d.Load(ctx, store.SectionPostalCodes|store.SectionZIPAreas|store.SectionCountyAreas|store.SectionFSAAreas); err != nil {
		return nil, err
	}
	var x examination
	for row := range d.ZIPs() {
		t, err := d.ZIPDetail(ctx, row.ZIP)
		if err != nil {
			return nil, err
		}
		x.zip(d, &row, t)
	}
	without := map[store.StateID]int64{} // residents of provinces without postal codes
	for row := range d.FSAs() {
		t, err := d.FSADetail(ctx, row.FSA)
		if err != nil {
			return nil, err
		}
		x.fsa(d, &row, t)
		without[row.Province] += people(t.Population)
	}
	for row := range d.PostalCodes() { // the provinces that remain have FSAs and no postal codes
		delete(without, row.Province)
	}
	for province, residents := range without {
		s := d.State(province)
		x.code = finding{Code: s.Abbr, State: s.Abbr, People: residents}
		x.add("no postal codes", "The dataset has no postal codes of %s.", s.Name)
	}
	slices.SortFunc(x.list, func(a, b finding) int {
		return cmp.Or(cmp.Compare(b.People, a.People), strings.Compare(a.Code, b.Code), strings.Compare(a.Problem, b.Problem))
	})
	return x.list, nil
}

// An examination collects findings.
type examination struct {
	code finding // the examined code
	list []finding
}

func (x *examination) add(problem, format string, args ...any) {
	f := x.code
	f.Problem, f.Detail = problem, fmt.Sprintf(format, args...)
	x.list = append(x.list, f)
}

func people(n *int32) int64 {
	if n == nil {
		return 0
	}
	return int64(*n)
}

func (x *examination) zip(d *store.Dataset, row *store.ZIPRow, t *store.ZIPDetail) {
	x.code = finding{Code: row.ZIP.String(), City: row.City, State: d.State(row.State).Abbr, People: people(t.Population)}
	if row.Class == store.Military {
		return // has neither point nor county
	}
	area, drawn := d.ZIPAreas().Find(row.ZIP)
	general := row.Class == store.General
	if general {
		x.outline(&t.Quality, drawn, d.ZIPAreas().Len() > 0)
		x.population(t.Population, t.LandArea != nil)
	}
	if x.point(row.Location.IsValid()) && general && drawn {
		x.inside(d.ZIPAreas().Index(), area, row.Location, "point outside outline", "the code's outline")
	}
	county := d.County(row.County)
	switch area, drawn := d.CountyAreas().Find(row.County); {
	case row.County == 0:
		x.add("no county", "The code has no county.")
	case row.Location.IsValid() && drawn:
		x.inside(d.CountyAreas().Index(), area, row.Location, "point outside county", "the outline of "+county.Name)
	}
	if list := t.Quality.Counties; len(list) > 0 {
		var named []string
		for _, c := range list {
			named = append(named, c.Source+" "+c.FIPS)
		}
		x.add("county disagreement", "Sources name different counties: %s; the county of record is %s.", strings.Join(named, ", "), county.FIPS)
	}
	if t.Quality.ClassBasis == store.ClassInferred {
		x.add("class inferred", "The class %s is inferred: no source states it.", row.Class.Name())
	}
}

func (x *examination) fsa(d *store.Dataset, row *store.FSARow, t *store.FSADetail) {
	x.code = finding{Code: row.FSA.String(), City: row.City, State: d.State(row.Province).Abbr, People: people(t.Population)}
	area, drawn := d.FSAAreas().Find(row.FSA)
	x.outline(&t.Quality, drawn, d.FSAAreas().Len() > 0)
	x.population(t.Population, true)
	if x.point(row.Location.IsValid()) && drawn {
		x.inside(d.FSAAreas().Index(), area, row.Location, "point outside outline", "the code's outline")
	}
}

// inside finds a point outside an area, with its distance from the outline.
func (x *examination) inside(areas *spatial.PolygonIndex, area int, p geo.LatLng, problem, outline string) {
	if areas.Covers(area, p) {
		return
	}
	far, _ := areas.DistanceToBoundary(area, p)
	off := geo.Miles(geo.Round(float64(far.Miles()), 2))
	x.add(problem, "The point lies %.2f miles outside %s.", off, outline)
	x.list[len(x.list)-1].Outside = off
}

// outline finds a missing outline and one with a different area.
func (x *examination) outline(q *store.Quality, drawn, loaded bool) {
	switch {
	case !drawn && loaded:
		x.add("no outline", "The code has no outline; searches treat it as a point.")
	case q.OutlineDiffers():
		x.add("outline area", "The outline is %.2f times the stated area.", q.OutlineAreaRatio)
		x.list[len(x.list)-1].Ratio = q.OutlineAreaRatio
	}
}

func (x *examination) population(n *int32, expected bool) {
	if n == nil && expected {
		x.add("no population", "The code has an area and no population.")
	}
}

func (x *examination) point(have bool) bool {
	if !have {
		x.add("no point", "The code has no point.")
	}
	return have
}
