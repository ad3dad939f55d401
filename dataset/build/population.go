package build

import (
	"context"
	"errors"
	"iter"
	"strconv"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/format"
	"github.com/postgeo/postgeo/dataset/build/source"
)

// derivePopulation gives general ZIP Codes the population of the ZCTA of the
// same code, of the newest year among the tables of the American Community
// Survey that the user has.
func derivePopulation(ctx context.Context, b *builder) error {
	newest, found := 0, map[string]int64{}
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
		if year > newest {
			newest, found = year, rows
		}
	}
	if newest == 0 {
		b.report.applied("no population of ZIP Codes: the automatic radius by density is a constant", "give a table with --acs")
		return nil
	}
	for _, z := range b.tables.zips {
		if n, ok := found[z.row.ZIP.String()]; ok && z.row.Class == dataset.General {
			z.detail.Population = narrow(&n)
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
func (b *builder) readACS(ctx context.Context, id string) (year int, byZCTA map[string]int64, err error) {
	byZCTA = map[string]int64{}
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
		if r.Population != nil {
			byZCTA[r.ZCTA] = *r.Population
		}
		return nil
	})
	return year, byZCTA, errors.Join(other, err)
}
