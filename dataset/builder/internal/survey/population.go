package survey

import (
	"context"
	"iter"
	"math"
	"strconv"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
)

// Count counts the people and homes of ZIP Codes, and the people of counties and places,
// in the United States. A ZIP Code has the counts of the ZCTA of the same code. The newest
// year that counts an area decides.
func Count(ctx context.Context, e *plan.Env, d *draft.Draft) error {
	people, homes := draft.SurveyCounts{}, draft.SurveyCounts{}
	for _, t := range [...]struct {
		id, table string
		counts    draft.SurveyCounts
	}{
		{catalog.OlderPeople, "B01003", people},
		{catalog.People, "B01003", people},
		{catalog.OlderHousing, "B25001", homes},
		{catalog.Housing, "B25001", homes},
	} {
		if err := readSummary(ctx, e, t.id, t.table, t.counts); err != nil {
			return err
		}
	}
	d.People.Counts = people
	newest := 0
	for _, p := range people {
		newest = max(newest, p.Year)
	}
	if newest == 0 {
		e.Applied("no population of the United States: an automatic radius takes a default density", "add "+catalog.People+" to the mirror")
	}
	for _, z := range d.ZIPs.List {
		area := draft.SurveyArea{Level: source.ZCTALevel, GEOID: z.Row.ZIP.String()}
		if p, ok := people[area]; ok {
			z.Detail.Population, z.Quality.PopulationYear, z.Quality.PopulationSource = &p.N, p.Year, p.Source
			if p.Year < newest {
				e.Applied("population of an older survey, for want of a newer one", area.GEOID+", "+strconv.Itoa(p.Year))
			}
		}
		if h, ok := homes[area]; ok {
			z.Detail.Housing, z.Quality.HousingSource = &h.N, h.Source
		}
	}
	return nil
}

// readSummary reads the counts of a table of the summary file.
func readSummary(ctx context.Context, e *plan.Env, id, table string, counts draft.SurveyCounts) error {
	if !e.Has(id) {
		return nil
	}
	year, seen := e.File(id).Year(), map[draft.SurveyArea]bool{}
	rows := func(in *format.Input) iter.Seq2[source.SummaryRow, error] { return source.SummaryFile(in, table) }
	return plan.ReadText(ctx, e, id, rows, func(r source.SummaryRow) error {
		area := draft.SurveyArea{Level: r.Level, GEOID: r.GEOID}
		switch {
		case r.Level == source.OtherLevel:
			e.Applied("rows of other geographies in "+id+", passed over", e.At(id, r.Line)+r.GEOID)
		case seen[area]:
			return plan.Refused("duplicate area", r.Line, r.GEOID)
		case r.Count != nil && *r.Count <= math.MaxInt32:
			seen[area] = true
			counts.Put(area, draft.SurveyCount{N: int32(*r.Count), Year: year, Source: id})
		}
		return nil
	})
}
