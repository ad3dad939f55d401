package command

import (
	"errors"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A Located item reports its own geometry.
type Located interface{ Feature(c *Call) output.Feature }

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
		if item.Layer != "" {
			area, m, err := c.DB.AreaOutline(c.Context, item.Layer, item.Code)
			c.outlineErr = errors.Join(c.outlineErr, err)
			return output.Feature{Geometry: geojson.AppendPolygons(nil, m), ID: item.Code, Source: area.Source}
		}
		return c.place(item.CodeType, item.Code, item.Location)
	case output.Row:
		i := slices.IndexFunc(item, func(cell output.Cell) bool { return cell.Name == "" })
		return c.Feature(item[i].Value)
	case Located:
		return item.Feature(c)
	default: // an input that failed
		return output.Feature{}
	}
}

func (c *Call) place(kind lookup.CodeType, code string, at geo.LatLng) output.Feature {
	m, source := c.Outline(kind, code)
	if m == nil {
		return output.Feature{Geometry: geojson.AppendPoint(nil, at), ID: code}
	}
	return output.Feature{Geometry: geojson.AppendPolygons(nil, m), ID: code, Source: source}
}

// Outline returns the outline of a code that is an area itself and its source, or nil.
// The command fails if the dataset is damaged.
func (c *Call) Outline(kind lookup.CodeType, code string) (m orb.MultiPolygon, source string) {
	if kind != lookup.ZIP && kind != lookup.FSA {
		return nil, ""
	}
	m, source, err := c.DB.CodeOutline(c.Context, code)
	c.outlineErr = errors.Join(c.outlineErr, err)
	return m, source
}

// ParseLayer reads the name of a layer.
func ParseLayer(name string) (lookup.Layer, error) {
	if id, ok := lookup.ParseLayer(name); ok {
		return id, nil
	}
	var names []string
	for _, layer := range lookup.Layers() {
		names = append(names, string(layer))
	}
	if near := NearName(strings.ToLower(name), names); near != "" {
		return "", Usage(`unknown layer %q; did you mean %s?`, name, near)
	}
	return "", Usage(`unknown layer %q; available: %s`, name, strings.Join(names, ", "))
}

// JoinText joins two texts unless one is empty.
func JoinText(a, between, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + between + b
}
