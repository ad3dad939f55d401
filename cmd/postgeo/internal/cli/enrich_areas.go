package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/enrich"
)

// areasFrom reads the areas of --areas-from; nil without it.
func areasFrom(path string) (*enrich.Areas, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxGeoJSON+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if len(data) > maxGeoJSON {
		return nil, fmt.Errorf("%s has more than %d MiB; simplify its outlines", path, maxGeoJSON>>20)
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

// A feature has what it is called and where it is.
type feature struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Geometry   *struct {
		Type        string          `json:"type"`
		Coordinates json.RawMessage `json:"coordinates"`
	} `json:"geometry"`
}

// parseAreas reads a feature collection of polygons.
func parseAreas(data []byte) (*enrich.Areas, error) {
	var all collection
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &all); err != nil {
		return nil, fmt.Errorf("this is no GeoJSON feature collection: %w", err)
	}
	if all.Type != "FeatureCollection" {
		return nil, fmt.Errorf("this is no GeoJSON feature collection: its type is %q", all.Type)
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
			outline, shapeErr := f.outline()
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

// outline reads the geometry.
func (f *feature) outline() (outline orb.MultiPolygon, err error) {
	if f.Geometry == nil {
		return nil, errors.New("it has no geometry; expected a polygon or multipolygon")
	}
	kind, coordinates := f.Geometry.Type, f.Geometry.Coordinates
	if kind != "Polygon" && kind != "MultiPolygon" {
		return nil, fmt.Errorf("its geometry is a %q; expected a polygon or multipolygon", kind)
	}
	if err := checkPositions(coordinates); err != nil {
		return nil, err
	}
	if kind == "MultiPolygon" {
		err = json.Unmarshal(coordinates, &outline)
		return outline, err
	}
	outline = make(orb.MultiPolygon, 1)
	err = json.Unmarshal(coordinates, &outline[0])
	return outline, err
}

// checkPositions refuses positions that lack a number, which would be read as
// 0. The coordinates are valid JSON, or nothing.
func checkPositions(coordinates []byte) error {
	if len(coordinates) == 0 {
		return errors.New("its geometry has no coordinates")
	}
	begun, commas := -1, 0 // of the innermost array
	for i, c := range coordinates {
		switch c {
		case 'n':
			return errors.New("its coordinates hold a null; expected numbers")
		case '[':
			begun, commas = i, 0
		case ',':
			commas++
		case ']':
			if begun >= 0 && commas == 0 && len(bytes.TrimSpace(coordinates[begun+1:i])) > 0 {
				return fmt.Errorf("it has the position %.40s; expected a longitude and a latitude", coordinates[begun:i+1])
			}
			begun = -1
		}
	}
	return nil
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
