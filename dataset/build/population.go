package build

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset"
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
		b.readSummary(ctx, srcPeople2023, tablePeople, 2023, people),
		b.readSummary(ctx, srcPeople, tablePeople, 2024, people),
		b.readSummary(ctx, srcHousing2023, tableHousing, 2023, homes),
		b.readSummary(ctx, srcHousing, tableHousing, 2024, homes),
	)
	if err != nil {
		return err
	}
	others, err := b.readPopulationTables(ctx, people, homes)
	if err != nil {
		return err
	}
	for _, other := range others {
		b.report.applied("ACS tables without a population by ZCTA, left alone", other)
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
			c.countPeople(&z.detail, &z.quality)
			if c.year < newest {
				b.report.applied("population of an older survey, for want of a newer one", z.row.ZIP.String()+", "+strconv.Itoa(c.year))
			}
		}
		if c, ok := homes[area]; ok {
			c.countHomes(&z.detail, &z.quality)
		}
	}
	return nil
}

func (c surveyCount) countPeople(d *dataset.ZIPDetail, q *dataset.Quality) {
	d.Population, q.PopulationYear, q.PopulationSource = &c.n, c.year, c.source
}

func (c surveyCount) countHomes(d *dataset.ZIPDetail, q *dataset.Quality) {
	d.Housing, q.HousingSource = &c.n, c.source
}

// put sets the count of an area unless a newer one is there.
func (s surveyCounts) put(area surveyArea, c surveyCount) {
	if s[area].year <= c.year {
		s[area] = c
	}
}

// Tables of the summary file.
const (
	tablePeople  = "B01003"
	tableHousing = "B25001"
)

// readSummary adds the counts of a table of the summary file.
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
			counts.put(area, surveyCount{int32(*r.Count), year, id})
		}
		return nil
	})
}

// peopleOf returns the people of an area.
func (t *tables) peopleOf(level source.SummaryLevel, geoid string) (int32, bool) {
	c, ok := t.people[surveyArea{level, geoid}]
	return c.n, ok
}

// summaryName matches the name of a table of the summary file.
var summaryName = regexp.MustCompile(`(?i)^acsdt5y([0-9]{4})-(b01003|b25001)\.dat`)

// readPopulationTables reads the user's tables of people and homes, unless an
// area has a count of a newer year. It returns the names of the tables that are
// neither these nor tables of a profile.
func (b *builder) readPopulationTables(ctx context.Context, people, homes surveyCounts) (others []string, err error) {
	for i := range b.o.ACS {
		id := acsID(i)
		if b.tables.survey.profiles[id] {
			continue
		}
		if m := summaryName.FindStringSubmatch(b.fileName(id)); m != nil {
			table, counts := strings.ToUpper(m[2]), people
			if table == tableHousing {
				counts = homes
			}
			year, _ := strconv.Atoi(m[1]) // four digits
			if err := b.readSummary(ctx, id, table, year, counts); err != nil {
				return nil, err
			}
			b.describe(id, "American Community Survey, summary file, table "+table, fmt.Sprintf("%d-%d", year-4, year))
			continue
		}
		year, rows, err := b.readACS(ctx, id)
		var e *format.Error
		switch {
		case errors.As(err, &e) && errors.Is(err, format.ErrColumns):
			others = append(others, b.fileName(id)+": "+e.Reason)
			continue
		case err != nil:
			return nil, err
		}
		b.setVintage(id, strconv.Itoa(year))
		for zcta, n := range rows {
			people.put(surveyArea{source.ZCTALevel, zcta}, surveyCount{n, year, id})
		}
	}
	return others, nil
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
