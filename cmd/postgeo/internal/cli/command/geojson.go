package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A Feature is a GeoJSON feature. Values of properties are kept as they are
// written, so that a long number keeps its digits.
type Feature struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Geometry   json.RawMessage            `json:"geometry"`
}

// maxGeoJSON bounds the size of a file of polygons in bytes.
const maxGeoJSON = 64 << 20

// ReadPolygon reads a file that holds a polygon; - is standard input.
func ReadPolygon(path string, stdin io.Reader) (orb.Geometry, error) {
	data, err := ReadGeoJSON(path, stdin)
	if err != nil {
		return nil, err
	}
	g, err := parsePolygon(data)
	if err != nil {
		if path == "-" {
			path = "standard input"
		}
		return nil, Failure(`%s: %w`, path, err)
	}
	return g, nil
}

// ReadGeoJSON reads a whole file without its byte order mark. The path "-"
// means stdin; a nil stdin makes it a file like others.
func ReadGeoJSON(path string, stdin io.Reader) ([]byte, error) {
	name, in := "standard input", stdin
	if path != "-" || stdin == nil {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		name, in = path, f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxGeoJSON+1))
	if err != nil {
		return nil, Failure(`read %s: %w`, name, err)
	}
	if len(data) > maxGeoJSON {
		return nil, Failure(`%s has more than %d MiB; simplify its outlines`, name, maxGeoJSON>>20)
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// parsePolygon reads the only geometry of a GeoJSON object, which must be a
// polygon or multipolygon.
func parsePolygon(data []byte) (orb.Geometry, error) {
	var object struct {
		Type     string            `json:"type"`
		Geometry json.RawMessage   `json:"geometry"`
		Features []json.RawMessage `json:"features"`
	}
	if err := geojson.Unmarshal(data, &object); err != nil {
		return nil, Failure(`not valid GeoJSON: %w`, err)
	}
	switch object.Type {
	case "FeatureCollection":
		if n := len(object.Features); n != 1 {
			return nil, Failure(`the collection has %d features; must have one polygon`, n)
		}
		var only Feature
		if err := geojson.Unmarshal(object.Features[0], &only); err != nil {
			return nil, Failure(`not valid GeoJSON: %w`, err)
		}
		return PolygonsOf(only.Geometry)
	case "Feature":
		return PolygonsOf(object.Geometry)
	default:
		return PolygonsOf(data)
	}
}

// PolygonsOf reads the geometry of a feature.
func PolygonsOf(geometry []byte) (orb.MultiPolygon, error) {
	if len(geometry) == 0 || string(geometry) == "null" {
		return nil, Failure(`missing geometry; must be a polygon or multipolygon`)
	}
	return geojson.ParsePolygons(geometry)
}

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
		if layer, ok := lookup.ParseLayer(item.Layer); ok {
			area, m, err := c.DB.AreaOutline(c.Context, layer, item.Code)
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
