package query

import (
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/radius"
)

// circleCorners is the number of corners of a circle in GeoJSON.
const circleCorners = 360

// A searched is the circle of a search, the first feature of its GeoJSON.
type searched struct {
	Search  *radius.Search    `json:"search,omitzero"`
	Summary *radius.Summary   `json:"summary,omitzero"`
	Stats   *radius.Stats     `json:"stats,omitzero"`
	Notices []envelope.Notice `json:"notices,omitempty"`
	Miles   geo.Miles         `json:"miles,omitzero"` // of a circle

	id      string
	outline orb.MultiPolygon
}

// Feature implements [command.Located].
func (s *searched) Feature(*command.Call) output.Feature {
	return output.Feature{Geometry: geojson.AppendPolygons(nil, s.outline), ID: s.id}
}

// circles returns the features of the circle of a search and of the circle
// that it skips.
func circles(r *radius.Result) ([]any, error) {
	var out []any
	add := func(id string, miles geo.Miles) (*searched, error) {
		outline, err := geojson.Circle(r.Search.Center.Location, miles.Meters(), circleCorners)
		if err != nil {
			return nil, err
		}
		s := &searched{id: id, Miles: miles, outline: outline}
		out = append(out, s)
		return s, nil
	}
	s, err := add("search", r.Search.Max)
	if err != nil {
		return nil, err
	}
	s.Search, s.Summary, s.Stats, s.Notices = &r.Search, &r.Summary, r.Stats, r.Notices
	if low := r.Search.Min; low != nil && *low > 0 {
		if _, err := add("search-min", *low); err != nil {
			return nil, err
		}
	}
	return out, nil
}
