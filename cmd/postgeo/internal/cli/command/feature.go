package command

import (
	"errors"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/radius"
)

// A Located item reports its own geometry.
type Located interface{ Feature() output.Feature }

// Feature returns the geometry of an item: its area and the file that it comes
// from, or its point if it has no area.
func (c *Call) Feature(item any) output.Feature {
	switch item := item.(type) {
	case *lookup.QuickRecord:
		return c.place(item.CodeType, item.Code, item.Location)
	case *lookup.Record:
		return c.place(item.CodeType, item.Code, item.Location)
	case *radius.Match:
		return c.place(item.CodeType, item.Code, item.Location)
	case *lookup.CodeShare:
		return c.place(item.CodeType, item.Code, item.Location)
	case *lookup.Neighbor:
		return c.place(item.CodeType, item.Code, item.Location)
	case Located:
		return item.Feature()
	default: // an input that failed
		return output.Feature{}
	}
}

func (c *Call) place(kind lookup.CodeType, code string, at geo.LatLng) output.Feature {
	m := c.Outline(kind, code)
	if m == nil {
		return output.Feature{Geometry: geojson.AppendPoint(nil, at), ID: code}
	}
	source, err := c.DB.CodeOutlineSource(c.Context, code)
	c.outlineErr = errors.Join(c.outlineErr, err)
	return output.Feature{Geometry: geojson.AppendPolygons(nil, m), ID: code, Source: source}
}

// Outline returns the outline of a code that is an area itself, or nil. The
// command fails if the dataset is damaged.
func (c *Call) Outline(kind lookup.CodeType, code string) orb.MultiPolygon {
	if kind != lookup.ZIP && kind != lookup.FSA {
		return nil
	}
	m, err := c.DB.CodeOutline(c.Context, code)
	c.outlineErr = errors.Join(c.outlineErr, err)
	return m
}
