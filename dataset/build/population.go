package build

import (
	"context"
	"errors"
	"iter"
	"math"
	"strconv"

	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// A surveyCount is a number of people or homes from the American Community
// Survey of the five years that end with year.
type surveyCount struct {
	n      int32
	year   int
	source string // identifier
}

// surveyCounts holds counts of areas by level and GEOID.
type surveyCounts map[surveyArea]surveyCount

type surveyArea struct {
	level source.SummaryLevel
	geoid string
}

// derivePopulation counts the people and homes of ZIP Codes, and the people of
// counties and places, in the United States. A ZIP Code has the counts of the
// ZCTA of the same code. The newest year that counts an area decides; of the
// same year a table of the user's comes before the summary file.
func derivePopulation(ctx context.Context, b *builder) error {
	people, homes := surveyCounts{}, surveyCounts{}
	err := errors.Join(
		b.readSummary(ctx, srcPeople, "B01003", 2024, people),
		b.readSummary(ctx, srcPeople2023, "B01003", 2023, people),
		b.readSummary(ctx, srcHousing, "B25001", 2024, homes),
		b.readSummary(ctx, srcHousing2023, "B25001", 2023, homes),
		b.readPopulationTables(ctx, people),
	)
	if err != nil {
		return err
	}
	b.tables.people = people
	newest := 0
	for _, c := range people {
		newest = max(newest, c.year)
	}
	if newest == 0 {
		b.report.applied("no population of the United States: an automatic radius takes a default density", "add "+srcPeople+" to the mirror or give a table with --acs")
	}
	for _, z := range b.tables.zips {
		area := surveyArea{source.ZCTALevel, z.row.ZIP.String()}
		if c, ok := people[area]; ok {
			z.detail.Population, z.quality.PopulationYear, z.quality.PopulationSource = &c.n, c.year, c.source
			if c.year < newest {
				b.report.applied("population of an older survey, for want of a newer one", z.row.ZIP.String()+", "+strconv.Itoa(c.year))
			}
		}
		if c, ok := homes[area]; ok {
			z.detail.Housing, z.quality.HousingSource = &c.n, c.source
		}
	}
	return nil
}

// readSummary adds the counts of a table of the summary file for areas that
// have none.
func (b *builder) readSummary(ctx context.Context, id, table string, year int, counts surveyCounts) error {
	seen := map[surveyArea]bool{}
	rows := func(in *format.Input) iter.Seq2[source.SummaryRow, error] { return source.SummaryFile(in, table) }
	return readText(ctx, b, id, rows, func(r source.SummaryRow) error {
		area := surveyArea{r.Level, r.GEOID}
		switch {
		case r.Level == source.OtherLevel:
			b.report.applied("rows of other geographies in "+id+", passed over", b.at(id, r.Line)+r.GEOID)
		case seen[area]:
			return refusal{"duplicate area", r.Line, r.GEOID}
		case r.Count != nil && *r.Count <= math.MaxInt32:
			seen[area] = true
			if _, have := counts[area]; !have {
				counts[area] = surveyCount{int32(*r.Count), year, id}
			}
		}
		return nil
	})
}

// peopleOf returns the people of an area.
func (t *tables) peopleOf(level source.SummaryLevel, geoid string) (int32, bool) {
	c, ok := t.people[surveyArea{level, geoid}]
	return c.n, ok
}

// readPopulationTables takes the tables of population by ZCTA among those of
// the user, unless a ZCTA has a count of a newer year.
func (b *builder) readPopulationTables(ctx context.Context, people surveyCounts) error {
	for i := range b.o.ACS {
		id := acsID(i)
		if b.tables.survey.profiles[id] {
			continue
		}
		year, rows, err := b.readACS(ctx, id)
		var e *format.Error
		switch {
		case errors.As(err, &e) && errors.Is(err, format.ErrColumns):
			b.report.applied("ACS tables without a population by ZCTA, left alone", b.fileName(id)+": "+e.Reason)
			continue
		case err != nil:
			return err
		}
		b.setVintage(id, strconv.Itoa(year))
		for zcta, n := range rows {
			area := surveyArea{source.ZCTALevel, zcta}
			if people[area].year <= year {
				people[area] = surveyCount{n, year, id}
			}
		}
	}
	return nil
}

// setVintage notes what was seen of a source while it was read.
func (b *builder) setVintage(id, vintage string) {
	for i := range b.order {
		if b.order[i].ID == id {
			b.order[i].Vintage, b.report.Sources[i].Vintage = vintage, vintage
		}
	}
}

// readACS reads one table and returns its newest year and population by ZCTA.
func (b *builder) readACS(ctx context.Context, id string) (year int, byZCTA map[string]int32, err error) {
	byZCTA = map[string]int32{}
	var other error
	err = readText(ctx, b, id, func(in *format.Input) iter.Seq2[source.ACSPopulationRow, error] {
		y, rows, err := source.ACSPopulation(in)
		if err != nil {
			other = err
			return func(func(source.ACSPopulationRow, error) bool) {}
		}
		year = y
		return rows
	}, func(r source.ACSPopulationRow) error {
		if _, have := byZCTA[r.ZCTA]; have {
			return refusal{"duplicate ZCTA", r.Line, r.ZCTA}
		}
		if n := narrow(r.Population); n != nil {
			byZCTA[r.ZCTA] = *n
		}
		return nil
	})
	return year, byZCTA, errors.Join(other, err)
}
