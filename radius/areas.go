package radius

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
)

// Areas selects the areas of an aggregate of the survey: a list of codes, a polygon or a
// circle. Exactly one of Codes, Polygon and Center must be set.
type Areas struct {
	// Codes are ZIP Codes, or census tracts, each counted once and in full.
	Codes []string
	// Polygon is an [orb.Polygon] or [orb.MultiPolygon].
	Polygon orb.Geometry
	// Center and Radius are a search. Of the options, only those that select codes have an
	// effect.
	Center string
	Radius Options
	// Mode is the weight of ZIP Codes in a polygon: Spatial is the share of their
	// area, Centroid is in full if their point is inside.
	Mode Mode
}

// Aggregate computes survey fields over areas together. It returns the errors of
// [Engine.Search], [Engine.InPolygon] and [acs.Reader.Series].
func (e *Engine) Aggregate(ctx context.Context, where *Areas, fields []*acs.Field, opt acs.SeriesOptions) (*acs.Combined, error) {
	a := &acs.Combined{}
	level, parts, err := e.areaParts(ctx, where, a)
	if err != nil {
		return nil, err
	}
	a.Level, a.Areas = level.String(), len(parts)
	a.Lines, err = e.reader.ACS().SeriesOf(ctx, a.Name, level, parts, fields, opt)
	return a, err
}

// areaParts finds the areas and names them.
func (e *Engine) areaParts(ctx context.Context, w *Areas, a *acs.Combined) (level acs.Level, parts []acs.Part, err error) {
	ways := 0
	for _, given := range [...]bool{len(w.Codes) > 0, w.Polygon != nil, w.Center != ""} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		return 0, nil, &envelope.Failure{
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
		parts, err = e.polygonParts(ctx, w.Polygon, w.Mode)
		a.Name = "polygon"
	default:
		var s *Search
		if parts, s, err = e.parts(ctx, w.Center, w.Radius); err == nil {
			a.Name = fmt.Sprintf("%v miles around %s", float64(s.Max), w.Center)
		}
	}
	return level, parts, err
}
