package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo/geojson"
)

// areasFrom reads the areas of --areas-from; nil without it.
func areasFrom(path string) (*enrich.Areas, error) {
	if path == "" {
		return nil, nil
	}
	data, err := readGeoJSON(path, nil)
	if err != nil {
		return nil, err
	}
	areas, err := parseAreas(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return areas, nil
}

// maxAreaCells bounds how many cells the properties of all features make: a
// column for each name, a cell in it for each feature, whether it has the
// property or not.
const maxAreaCells = 20_000_000

// A collection is a GeoJSON feature collection. Values are kept as they are
// written, so that a long number keeps its digits.
type collection struct {
	Type     string     `json:"type"`
	Features []*feature `json:"features"`
}

// A feature is one area: its properties and its outline.
type feature struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Geometry   json.RawMessage            `json:"geometry"`
}

// parseAreas reads a feature collection of polygons.
func parseAreas(data []byte) (*enrich.Areas, error) {
	var all collection
	if err := geojson.Unmarshal(data, &all); err != nil {
		return nil, fmt.Errorf("not a GeoJSON feature collection: %w", err)
	}
	if all.Type != "FeatureCollection" {
		return nil, fmt.Errorf("not a GeoJSON feature collection: the type is %q", all.Type)
	}
	names := map[string]bool{}
	for i, f := range all.Features {
		if f == nil {
			return nil, fmt.Errorf("feature %d is null; expected a feature with a polygon", i+1)
		}
		for name := range f.Properties {
			names[name] = true
		}
	}
	if n := len(names); n > 0 && len(all.Features) > maxAreaCells/n {
		return nil, fmt.Errorf("the properties of its %d features have %d names; expected at most %d cells, the one times the other: leave properties out that are not needed", len(all.Features), n, maxAreaCells)
	}
	columns := slices.Sorted(maps.Keys(names))
	return enrich.NewAreas(columns, features(all.Features, columns))
}

// features yields the features as areas, with their properties as cells.
func features(list []*feature, columns []string) iter.Seq2[enrich.Area, error] {
	return func(yield func(enrich.Area, error) bool) {
		for i, f := range list {
			area := enrich.Area{Cells: make([]string, len(columns))}
			var err error
			for c, name := range columns {
				value, cellErr := propertyText(f.Properties[name])
				area.Cells[c], err = value, errors.Join(err, cellErr)
			}
			outline, shapeErr := polygonsOf(f.Geometry)
			area.Outline, err = outline, errors.Join(err, shapeErr)
			if err != nil {
				err = fmt.Errorf("feature %d: %w", i+1, err)
			}
			if !yield(area, err) {
				return
			}
		}
	}
}

// propertyText is a property as a cell: text as it is, numbers as they are
// written, nothing for null, objects and lists as JSON.
func propertyText(value json.RawMessage) (string, error) {
	switch {
	case len(value) == 0, string(value) == "null":
		return "", nil
	case value[0] == '"':
		var text string
		err := json.Unmarshal(value, &text)
		return text, err
	default:
		var text bytes.Buffer
		err := json.Compact(&text, value)
		return text.String(), err
	}
}
