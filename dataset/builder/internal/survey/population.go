package survey

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
)

// population counts the people and homes of ZIP Codes, and the people of counties
// and places, in the United States. A ZIP Code has the counts of the ZCTA of the
// same code. The newest year that counts an area decides; of the same year a table
// of the user's comes before the summary file.
type population struct {
	*plan.Env
	*draft.Draft
	Tables *Tables
}

// Count counts the people and homes of ZIP Codes.
func (t *Tables) Count(ctx context.Context, e *plan.Env, d *draft.Draft) error {
	b := &population{Env: e, Draft: d, Tables: t}
	c := countReader{env: b.Env, people: draft.SurveyCounts{}, homes: draft.SurveyCounts{}}
	err := errors.Join(
		c.readEdition(ctx, catalog.OlderPeople, tablePeople, c.people),
		c.readEdition(ctx, catalog.People, tablePeople, c.people),
		c.readEdition(ctx, catalog.OlderHousing, tableHousing, c.homes),
		c.readEdition(ctx, catalog.Housing, tableHousing, c.homes),
	)
	if err != nil {
		return err
	}
	others, err := c.readTables(ctx, b.Tables.Profiles)
	if err != nil {
		return err
	}
	for _, other := range others {
		b.Applied("ACS tables without a population by ZCTA, left alone", other)
	}
	b.People.Counts = c.people
	newest := 0
	for _, p := range c.people {
		newest = max(newest, p.Year)
	}
	if newest == 0 {
		b.Applied("no population of the United States: an automatic radius takes a default density", "add "+catalog.People+" to the mirror or give a table with --acs")
	}
	for _, z := range b.ZIPs.List {
		if counted := c.count(z); counted != 0 && counted < newest {
			b.Applied("population of an older survey, for want of a newer one", z.Row.ZIP.String()+", "+strconv.Itoa(counted))
		}
	}
	return nil
}

// A countReader reads counts of people and homes.
type countReader struct {
	env           *plan.Env
	people, homes draft.SurveyCounts
}

// count sets the counts of a ZIP Code and returns the year of its people, 0 for none.
func (c *countReader) count(z *draft.ZIP) (year int) {
	area := draft.SurveyArea{Level: source.ZCTALevel, GEOID: z.Row.ZIP.String()}
	if p, ok := c.people[area]; ok {
		z.Detail.Population, z.Quality.PopulationYear, z.Quality.PopulationSource = &p.N, p.Year, p.Source
		year = p.Year
	}
	if h, ok := c.homes[area]; ok {
		z.Detail.Housing, z.Quality.HousingSource = &h.N, h.Source
	}
	return year
}

// Tables of the summary file.
const (
	tablePeople  = "B01003"
	tableHousing = "B25001"
)

func (c *countReader) readEdition(ctx context.Context, id, table string, counts draft.SurveyCounts) error {
	if !c.env.Has(id) {
		return nil
	}
	return c.readSummary(ctx, id, table, c.env.File(id).Year(), counts)
}

func (c *countReader) readSummary(ctx context.Context, id, table string, year int, counts draft.SurveyCounts) error {
	seen := map[draft.SurveyArea]bool{}
	rows := func(in *format.Input) iter.Seq2[source.SummaryRow, error] { return source.SummaryFile(in, table) }
	return plan.ReadText(ctx, c.env, id, rows, func(r source.SummaryRow) error {
		area := draft.SurveyArea{Level: r.Level, GEOID: r.GEOID}
		switch {
		case r.Level == source.OtherLevel:
			c.env.Applied("rows of other geographies in "+id+", passed over", c.env.At(id, r.Line)+r.GEOID)
		case seen[area]:
			return plan.Refused("duplicate area", r.Line, r.GEOID)
		case r.Count != nil && *r.Count <= math.MaxInt32:
			seen[area] = true
			counts.Put(area, draft.SurveyCount{N: int32(*r.Count), Year: year, Source: id})
		}
		return nil
	})
}

// summaryName matches the name of a table of the summary file.
var summaryName = regexp.MustCompile(`(?i)^acsdt5y([0-9]{4})-(b01003|b25001)\.dat`)

// readTables reads the user's tables of people and homes, unless an area has a
// count of a newer year. It returns the names of the tables that are neither
// these nor tables of a profile.
func (c *countReader) readTables(ctx context.Context, profiles map[string]bool) (others []string, err error) {
	for _, id := range c.env.Files(catalog.ACS) {
		if profiles[id] {
			continue
		}
		if m := summaryName.FindStringSubmatch(c.env.FileName(id)); m != nil {
			table, counts := strings.ToUpper(m[2]), c.people
			if table == tableHousing {
				counts = c.homes
			}
			year, _ := strconv.Atoi(m[1]) // four digits
			if err := c.readSummary(ctx, id, table, year, counts); err != nil {
				return nil, err
			}
			c.env.Describe(id, "American Community Survey, summary file, table "+table, fmt.Sprintf("%d-%d", year-4, year))
			continue
		}
		year, rows, err := c.readACS(ctx, id)
		var e *format.Error
		switch {
		case errors.As(err, &e) && errors.Is(err, format.ErrColumns):
			others = append(others, c.env.FileName(id)+": "+e.Reason)
			continue
		case err != nil:
			return nil, err
		}
		c.env.Describe(id, "", strconv.Itoa(year))
		for zcta, n := range rows {
			c.people.Put(draft.SurveyArea{Level: source.ZCTALevel, GEOID: zcta}, draft.SurveyCount{N: n, Year: year, Source: id})
		}
	}
	return others, nil
}

func (c *countReader) readACS(ctx context.Context, id string) (year int, byZCTA map[string]int32, err error) {
	byZCTA = map[string]int32{}
	var other error
	err = plan.ReadText(ctx, c.env, id, func(in *format.Input) iter.Seq2[source.ACSPopulationRow, error] {
		y, rows, err := source.ACSPopulation(in)
		if err != nil {
			other = err
			return func(func(source.ACSPopulationRow, error) bool) {}
		}
		year = y
		return rows
	}, func(r source.ACSPopulationRow) error {
		if _, have := byZCTA[r.ZCTA]; have {
			return plan.Refused("duplicate ZCTA", r.Line, r.ZCTA)
		}
		if n := draft.Count32(r.Population); n != nil {
			byZCTA[r.ZCTA] = *n
		}
		return nil
	})
	return year, byZCTA, errors.Join(other, err)
}
