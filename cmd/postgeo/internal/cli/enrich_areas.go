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
	"strconv"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

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

// parseAreas reads a feature collection of polygons.
func parseAreas(data []byte) (*enrich.Areas, error) {
	collection, err := geojson.UnmarshalFeatureCollection(bytes.TrimPrefix(data, []byte("\ufeff")))
	if err != nil {
		return nil, fmt.Errorf("this is no GeoJSON feature collection: %w", err)
	}
	names := map[string]bool{}
	for i, f := range collection.Features {
		if f == nil {
			return nil, fmt.Errorf("feature %d is null; expected a feature with a polygon", i+1)
		}
		for name := range f.Properties {
			names[name] = true
		}
	}
	columns := slices.Sorted(maps.Keys(names))
	return enrich.NewAreas(columns, features(collection.Features, columns))
}

// features yields the features as areas, with their properties as cells.
func features(list []*geojson.Feature, columns []string) iter.Seq2[enrich.Area, error] {
	return func(yield func(enrich.Area, error) bool) {
		for i, f := range list {
			area := enrich.Area{Cells: make([]string, len(columns))}
			var err error
			for c, name := range columns {
				value, cellErr := propertyText(f.Properties[name])
				area.Cells[c], err = value, errors.Join(err, cellErr)
			}
			switch g := f.Geometry.(type) {
			case orb.Polygon:
				area.Outline = orb.MultiPolygon{g}
			case orb.MultiPolygon:
				area.Outline = g
			case nil:
				err = errors.New("it has no geometry; expected a polygon or multipolygon")
			default:
				err = fmt.Errorf("its geometry is a %s; expected a polygon or multipolygon", g.GeoJSONType())
			}
			if err != nil {
				err = fmt.Errorf("feature %d: %w", i+1, err)
			}
			if !yield(area, err) {
				return
			}
		}
	}
}

// propertyText is a property as a cell: text as it is, numbers with the digits
// they need, nothing for null, objects and lists as JSON.
func propertyText(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), nil
	default:
		text, err := json.Marshal(v)
		return string(text), err
	}
}
