package cli

import (
	"errors"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// circleCorners is how many corners the circle of a search has in GeoJSON.
const circleCorners = 360

// A featurer finds the geometry of items.
type featurer struct {
	db  *postgeo.DB
	err error // the first failure of the dataset
}

// feature tells where an item is: its area and the file that this comes from,
// or its point where it has none.
func (f *featurer) feature(item any) output.Feature {
	switch item := item.(type) {
	case *lookup.QuickRecord:
		return f.place(item.CodeType, item.Code, item.Location)
	case *lookup.Record:
		return f.place(item.CodeType, item.Code, item.Location)
	case *radius.Match:
		return f.place(item.CodeType, item.Code, item.Location)
	case *lookup.CodeShare:
		return f.place(item.CodeType, item.Code, item.Location)
	case *lookup.Neighbor:
		return f.place(item.CodeType, item.Code, item.Location)
	case *outlined:
		return item.feature()
	case *searched:
		return output.Feature{Geometry: geojson.AppendPolygons(nil, item.outline), ID: item.id}
	default: // an input that failed
		return output.Feature{}
	}
}

func (f *featurer) place(kind lookup.CodeType, code string, at geo.LatLng) output.Feature {
	m := f.outline(kind, code)
	if m == nil {
		return output.Feature{Geometry: geojson.AppendPoint(nil, at), ID: code}
	}
	source, err := f.db.OutlineSource(code)
	f.err = errors.Join(f.err, err)
	return output.Feature{Geometry: geojson.AppendPolygons(nil, m), ID: code, Source: source}
}

// outline returns the outline of a code that is an area itself, or nil.
func (f *featurer) outline(kind lookup.CodeType, code string) orb.MultiPolygon {
	if kind != lookup.ZIP && kind != lookup.FSA {
		return nil
	}
	m, err := f.db.Outline(code)
	if err != nil {
		f.err = errors.Join(f.err, err)
	}
	return m
}

// A searched is what a search covered, as the first features of its GeoJSON.
type searched struct {
	Search  *radius.Search    `json:"search,omitzero"`
	Summary *radius.Summary   `json:"summary,omitzero"`
	Stats   *radius.Stats     `json:"stats,omitzero"`
	Notices []envelope.Notice `json:"notices,omitempty"`
	Miles   geo.Miles         `json:"miles,omitzero"` // of a circle

	id      string
	outline orb.MultiPolygon
}

// circles returns the features of the circle of a search and of the circle
// that it leaves out.
func circles(r *radius.Result) ([]*searched, error) {
	var out []*searched
	add := func(id string, miles geo.Miles) (*searched, error) {
		circle, err := geo.NewCircle(r.Search.Center.Location, miles.Meters())
		if err != nil {
			return nil, err
		}
		s := &searched{id: id, Miles: miles, outline: geojson.Circle(circle, circleCorners)}
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
