package postgeo

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/radius"
)

type (
	// SeriesOptions say which years a series has, and how its figures are
	// worked out.
	SeriesOptions = acs.SeriesOptions
	// SurveyLine is one field of an area, or of several together, over the
	// years.
	SurveyLine = acs.Line
	// SurveyFigure is a field of one year with what is known of its error.
	SurveyFigure = acs.Figure
	// SurveyComparison is the test whether two figures differ.
	SurveyComparison = acs.Comparison
)

// SurveyProfile reads the profiles that tags ask for of an area: the five
// digits of a ZIP Code stand for the ZIP Code Tabulation Area of the same code,
// eleven digits for a census tract. Errors match [ErrInvalidCode]. Like the
// methods below it is not part of the HTTP contract.
func (db *DB) SurveyProfile(ctx context.Context, area string, tags []acs.Tag, opt acs.Options) (*acs.Result, error) {
	return read(db, func(g *generation) (*acs.Result, error) {
		l, _, err := acs.ParseArea(area)
		if err != nil {
			return nil, err
		}
		if err := g.reader.ACS().CheckTags(l, tags); err != nil {
			return nil, err
		}
		if l == dataset.ACSTract {
			return g.reader.ACS().Tract(ctx, area, tags, opt)
		}
		return g.reader.ACS().ZCTA(ctx, area, tags, opt)
	})
}

// SurveySeries returns fields of the American Community Survey of areas over
// the years: a line for each field of each area, with margins of error. Areas
// are those of [DB.SurveyProfile], fields full names such as
// "economic.income.median_household_income".
//
// Errors match [ErrInvalidCode] for an area, and [ErrInvalidParam] for a field or
// a year.
func (db *DB) SurveySeries(ctx context.Context, areas, fields []string, opt SeriesOptions) ([]SurveyLine, error) {
	list, err := acs.ParseFields(fields...)
	if err != nil {
		return nil, err
	}
	return read(db, func(g *generation) ([]SurveyLine, error) { return g.reader.ACS().Series(ctx, areas, list, opt) })
}

// SurveyAreas say which areas an aggregate is of: a list of codes, a polygon,
// or a circle.
type SurveyAreas struct {
	// Codes are ZIP Codes, or census tracts, each counted once and in full.
	Codes []string
	// Polygon is an [orb.Polygon] or [orb.MultiPolygon].
	Polygon orb.Geometry
	// Center and Radius are a search as [DB.Radius] takes it; of the options
	// those that say what lies inside.
	Center string
	Radius RadiusOptions
	// Mode says how ZIP Codes count that lie in a polygon: Spatial by the share
	// of their area, Centroid in full where their point is inside.
	Mode RadiusMode
}

// A SurveyAggregate is fields of several areas together.
type SurveyAggregate struct {
	Name  string       `json:"name"`            // e.g. "3 areas" or "5 miles around 90210"
	Level string       `json:"geography_level"` // "zcta" or "tract"
	Areas int          `json:"areas"`           // how many there are, with figures or without
	Lines []SurveyLine `json:"lines"`           // one for each field
}

// SurveyAggregate works out fields of the American Community Survey over
// several areas together, with margins of error, medians from the counts of
// their distributions, and how much of the people is covered.
//
// Errors match [ErrInvalidParam], or are those of [DB.SurveySeries],
// [DB.InPolygon] or [DB.Radius].
func (db *DB) SurveyAggregate(ctx context.Context, where SurveyAreas, fields []string, opt SeriesOptions) (*SurveyAggregate, error) {
	list, err := acs.ParseFields(fields...)
	if err != nil {
		return nil, err
	}
	return read(db, func(g *generation) (*SurveyAggregate, error) {
		a := &SurveyAggregate{}
		level, parts, err := where.parts(ctx, g, a)
		if err != nil {
			return nil, err
		}
		a.Level, a.Areas = level.String(), len(parts)
		a.Lines, err = g.reader.ACS().SeriesOf(ctx, a.Name, level, parts, list, opt)
		return a, err
	})
}

// parts finds the areas and names them.
func (w *SurveyAreas) parts(ctx context.Context, g *generation, a *SurveyAggregate) (level dataset.ACSLevel, parts []acs.Part, err error) {
	ways := 0
	for _, given := range [...]bool{len(w.Codes) > 0, w.Polygon != nil, w.Center != ""} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return 0, nil, &Error{
			Op: "survey", Kind: fault.InvalidParam, Param: "where",
			Detail: fmt.Sprintf("invalid areas of the survey: %d of codes, polygon and center are given; give one of them", ways),
		}
	}
	level = dataset.ACSZCTA
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

// A SurveySide is one side of a comparison.
type SurveySide struct {
	Area string // as [DB.SurveyProfile] takes it
	Year int    // last of the five years; 0: the newest of the dataset
}

// CompareSurvey tests whether a field differs between two areas, or between two
// years of one area, by more than sampling explains; percent has percentages
// compared. Errors are those of [DB.SurveySeries], or match
// [ErrInvalidParam].
func (db *DB) CompareSurvey(ctx context.Context, a, b SurveySide, field string, percent bool, opt acs.FigureOptions) (*SurveyComparison, error) {
	fields, err := acs.ParseFields(field)
	if err != nil {
		return nil, err
	}
	return read(db, func(g *generation) (*SurveyComparison, error) {
		r := g.reader.ACS()
		var figures [2]acs.Figure
		for i, side := range [...]SurveySide{a, b} {
			l, parts, err := acs.ParseParts(side.Area)
			if err != nil {
				return nil, err
			}
			if side.Year == 0 {
				side.Year = r.Newest(l)
			}
			list, err := r.Figures(ctx, l, parts, fields, []int{side.Year}, opt)
			if err != nil {
				return nil, err
			}
			figures[i] = list[0]
		}
		return acs.Compare(figures[0], figures[1], a.Area == b.Area, percent)
	})
}
