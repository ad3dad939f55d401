package postgeo

import (
	"context"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/radius"
)

// ACSProfile returns the profiles of tags for an area. Five digits identify
// the ZIP Code Tabulation Area of that code, eleven digits a census tract. The error
// matches [ErrInvalidCode] for another area, and [ErrInvalidParam] for a tag that is not
// valid. It is not part of the HTTP contract.
func (db *DB) ACSProfile(ctx context.Context, area string, tags []acs.Tag, opt acs.Options) (*acs.Result, error) {
	return read(db, func(g *generation) (*acs.Result, error) {
		l, _, err := acs.ParseArea(area)
		if err != nil {
			return nil, err
		}
		if err := g.reader.ACS().CheckTags(l, tags); err != nil {
			return nil, err
		}
		if l == acs.Tract {
			return g.reader.ACS().Area(ctx, acs.Tract, area, tags, opt)
		}
		return g.reader.ACS().Area(ctx, acs.ZCTA, area, tags, opt)
	})
}

// ACSSeries returns survey fields of areas over the years: a line for each
// field of each area, with margins of error. Areas have the form of
// [DB.ACSProfile]. Fields are full names, such as
// "economic.income.median_household_income".
//
// A figure that the dataset lacks is not an error: its Status has the reason, also of an
// unknown area or year. Errors match [ErrInvalidCode] for text that is not an area, and
// [ErrInvalidParam] for an unknown field or, with [acs.ErrNoPriceIndex], for a year of
// dollars without a price index.
func (db *DB) ACSSeries(ctx context.Context, areas, fields []string, opt acs.SeriesOptions) ([]acs.Line, error) {
	list, err := acs.ParseFields(fields...)
	if err != nil {
		return nil, err
	}
	return read(db, func(g *generation) ([]acs.Line, error) { return g.reader.ACS().Series(ctx, areas, list, opt) })
}

// ACSAggregate computes survey fields over several areas together, with
// margins of error and the covered share of people. It interpolates medians in
// the combined distributions.
//
// It returns the errors of [DB.ACSSeries], [DB.InPolygon] and [DB.Radius], or
// one that matches [ErrInvalidParam].
func (db *DB) ACSAggregate(ctx context.Context, where radius.Areas, fields []string, opt acs.SeriesOptions) (*acs.Combined, error) {
	list, err := acs.ParseFields(fields...)
	if err != nil {
		return nil, err
	}
	return read(db, func(g *generation) (*acs.Combined, error) { return g.engine.Aggregate(ctx, &where, list, opt) })
}

// ACSCompare tests whether a field differs between two areas, or two years of
// one area, by more than sampling explains. percent compares percentages. It
// returns the errors of [DB.ACSSeries]. If a figure or its margin of error is missing, or a
// figure is a bound, the error matches [acs.ErrNotComparable] and [ErrInvalidParam].
func (db *DB) ACSCompare(ctx context.Context, a, b acs.Side, field string, percent bool, opt acs.FigureOptions) (*acs.Comparison, error) {
	fields, err := acs.ParseFields(field)
	if err != nil {
		return nil, err
	}
	return read(db, func(g *generation) (*acs.Comparison, error) {
		return g.reader.ACS().Compare(ctx, a, b, fields[0], percent, opt)
	})
}
