package draft

import (
	"context"
	"iter"
	"math"
	"strconv"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
)

// CountPeople counts the people and homes of ZIP Codes, and the people of counties and places,
// in the United States. A ZIP Code has the counts of the ZCTA of the same code. The newest
// year that counts an area decides.
func (d *Draft) CountPeople(ctx context.Context) error {
	people, homes := SurveyCounts{}, SurveyCounts{}
	for _, t := range [...]struct {
		id, table string
		counts    SurveyCounts
	}{
		{catalog.OlderPeople, "B01003", people},
		{catalog.People, "B01003", people},
		{catalog.OlderHousing, "B25001", homes},
		{catalog.Housing, "B25001", homes},
	} {
		if err := d.readSummary(ctx, t.id, t.table, t.counts); err != nil {
			return err
		}
	}
	d.People.Counts = people
	newest := 0
	for _, p := range people {
		newest = max(newest, p.Year)
	}
	if newest == 0 {
		d.Applied("no population of the United States: an automatic radius takes a default density", "add "+catalog.People+" to the mirror")
	}
	for _, z := range d.ZIPs.List {
		area := SurveyArea{Level: source.ZCTALevel, GEOID: z.Row.ZIP.String()}
		if p, ok := people[area]; ok {
			z.Detail.Population, z.Quality.PopulationYear, z.Quality.PopulationSource = &p.N, p.Year, p.Source
			if p.Year < newest {
				d.Applied("population of an older survey, for want of a newer one", area.GEOID+", "+strconv.Itoa(p.Year))
			}
		}
		if h, ok := homes[area]; ok {
			z.Detail.Housing, z.Quality.HousingSource = &h.N, h.Source
		}
	}
	return nil
}

// readSummary reads the counts of a table of the summary file.
func (d *Draft) readSummary(ctx context.Context, id, table string, counts SurveyCounts) error {
	if !d.Has(id) {
		return nil
	}
	year, seen := d.File(id).Year(), map[SurveyArea]bool{}
	rows := func(f format.File) iter.Seq2[source.SummaryRow, error] { return source.SummaryFile(f, table) }
	return plan.Read(ctx, d.Env, id, rows, func(r source.SummaryRow) error {
		area := SurveyArea{Level: r.Level, GEOID: r.GEOID}
		switch {
		case r.Level == source.OtherLevel:
			d.Applied("rows of other geographies in "+id+", passed over", d.At(id, r.Line)+r.GEOID)
		case seen[area]:
			return plan.Refused("duplicate area", r.Line, r.GEOID)
		case r.Count != nil && *r.Count <= math.MaxInt32:
			seen[area] = true
			counts.Put(area, SurveyCount{N: int32(*r.Count), Year: year, Source: id})
		}
		return nil
	})
}
