package radius

import (
	"context"
	"fmt"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/lookup"
)

// Parts returns all US ZIP Codes around a center as parts of a survey aggregate,
// with their shares, and the search itself. It finds the same codes as
// [Engine.Search] with the same options and returns the same errors.
func (e *Engine) Parts(ctx context.Context, center string, opt Options) ([]acs.Part, *Search, error) {
	res, at, err := e.begin(ctx, center, &opt)
	if err != nil {
		return nil, nil, err
	}
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	if opt.Mode == Spatial {
		if _, err := e.spatial(s, at, &opt); err != nil {
			return nil, nil, fmt.Errorf("radius: %w", err)
		}
	}
	return e.surveyParts(s, at, &opt), &res.Search, nil
}

// PolygonParts returns the US ZIP Codes inside a polygon or multipolygon as
// parts of a survey aggregate, with their shares. It finds the same codes as
// [Engine.InPolygon] and returns the same errors.
func (e *Engine) PolygonParts(ctx context.Context, g orb.Geometry, mode Mode) ([]acs.Part, error) {
	res, err := e.InPolygon(ctx, g, PolygonOptions{Mode: mode})
	if err != nil {
		return nil, err
	}
	var parts []acs.Part
	for i := range res.Matches {
		m := &res.Matches[i]
		if m.CodeType != lookup.ZIP {
			continue
		}
		_, geoid, err := acs.ParseArea(m.Code)
		if err != nil {
			return nil, err
		}
		part := acs.Part{GEOID: geoid, Percent: 100}
		if m.PctInside != nil {
			part.Percent = geo.Round(*m.PctInside, 1)
		}
		parts = append(parts, part)
	}
	return parts, nil
}
