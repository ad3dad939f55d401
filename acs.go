package postgeo

import (
	"cmp"
	"context"
	"fmt"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/radius"
)

// ACSProfile returns the profiles of tags for an area. Five digits identify
// the ZIP Code Tabulation Area of that code, eleven digits a census tract. Errors
// match [ErrInvalidCode]. Like the methods below it is not part of the HTTP
// contract.
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
// Errors match [ErrInvalidCode] for an area, and [ErrInvalidParam] for a field or
// a year.
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
	return read(db, func(g *generation) (*acs.Combined, error) {
		a := &acs.Combined{}
		level, parts, err := areaParts(ctx, g, &where, a)
		if err != nil {
			return nil, err
		}
		a.Level, a.Areas = level.String(), len(parts)
		a.Lines, err = g.reader.ACS().SeriesOf(ctx, a.Name, level, parts, list, opt)
		return a, err
	})
}

// areaParts finds the areas and names them.
func areaParts(ctx context.Context, g *generation, w *radius.Areas, a *acs.Combined) (level acs.Level, parts []acs.Part, err error) {
	ways := 0
	for _, given := range [...]bool{len(w.Codes) > 0, w.Polygon != nil, w.Center != ""} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return 0, nil, &Error{
			Op: "survey", Kind: envelope.KindInvalidParam, Param: "where",
			Detail: fmt.Sprintf("invalid areas of the survey: %d of codes, polygon and center are given; give one of them", ways),
		}
	}
	level = acs.ZCTA
	switch {
	case len(w.Codes) > 0:
		level, parts, err = acs.ParseParts(w.Codes...)
		a.Name = fmt.Sprintf("%d areas", len(parts))
		if len(parts) == 1 {
			a.Name = w.Codes[0]
		}
	case w.Polygon != nil:
		parts, err = g.engine.PolygonParts(ctx, w.Polygon, w.Mode)
		a.Name = "polygon"
	default:
		var s *radius.Search
		if parts, s, err = g.engine.Parts(ctx, w.Center, w.Radius); err == nil {
			a.Name = fmt.Sprintf("%v miles around %s", float64(s.Max), w.Center)
		}
	}
	return level, parts, err
}

// CompareACS tests whether a field differs between two areas, or two years of
// one area, by more than sampling explains. percent compares percentages. It
// returns the errors of [DB.ACSSeries], or one that matches [ErrInvalidParam].
func (db *DB) CompareACS(ctx context.Context, a, b acs.Side, field string, percent bool, opt acs.FigureOptions) (*acs.Comparison, error) {
	fields, err := acs.ParseFields(field)
	if err != nil {
		return nil, err
	}
	return read(db, func(g *generation) (*acs.Comparison, error) {
		r := g.reader.ACS()
		var figures [2]acs.Figure
		for i, side := range [...]acs.Side{a, b} {
			l, parts, err := acs.ParseParts(side.Area)
			if err != nil {
				return nil, err
			}
			side.Year = cmp.Or(side.Year, r.Newest(l))
			list, err := r.Figures(ctx, l, parts, fields, []int{side.Year}, opt)
			if err != nil {
				return nil, err
			}
			figures[i] = list[0]
		}
		return acs.Compare(figures[0], figures[1], a.Area == b.Area, percent)
	})
}
