package tables

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"maps"
	"slices"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo/geojson"
)

// areasFrom reads the areas of --areas-from; nil without it.
func areasFrom(path string) (*enrich.Areas, error) {
	if path == "" {
		return nil, nil
	}
	data, err := command.ReadGeoJSON(path, nil)
	if err != nil {
		return nil, err
	}
	areas, err := ParseAreas(data)
	if err != nil {
		return nil, command.Failure(message.InFile, path, err)
	}
	return areas, nil
}

// maxAreaCells bounds the cells of the properties: a column for each name with a
// cell for each feature.
const maxAreaCells = 20_000_000

// A collection is a GeoJSON feature collection.
type collection struct {
	Type     string             `json:"type"`
	Features []*command.Feature `json:"features"`
}

// ParseAreas reads a feature collection of polygons.
func ParseAreas(data []byte) (*enrich.Areas, error) {
	var all collection
	if err := geojson.Unmarshal(data, &all); err != nil {
		return nil, command.Failure(message.NotCollection, err)
	}
	if all.Type != "FeatureCollection" {
		return nil, command.Failure(message.NotCollectionType, all.Type)
	}
	names := map[string]bool{}
	for i, f := range all.Features {
		if f == nil {
			return nil, command.Failure(message.NullFeature, i+1)
		}
		for name := range f.Properties {
			names[name] = true
		}
	}
	if n := len(names); n > 0 && len(all.Features) > maxAreaCells/n {
		return nil, command.Failure(message.ManyProperties, len(all.Features), n, maxAreaCells)
	}
	columns := slices.Sorted(maps.Keys(names))
	return enrich.NewAreas(columns, features(all.Features, columns))
}

// features yields the features as areas, with their properties as cells.
func features(list []*command.Feature, columns []string) iter.Seq2[enrich.Area, error] {
	return func(yield func(enrich.Area, error) bool) {
		for i, f := range list {
			area := enrich.Area{Cells: make([]string, len(columns))}
			var err error
			for c, name := range columns {
				value, cellErr := propertyText(f.Properties[name])
				area.Cells[c], err = value, errors.Join(err, cellErr)
			}
			outline, shapeErr := command.PolygonsOf(f.Geometry)
			area.Outline, err = outline, errors.Join(err, shapeErr)
			if err != nil {
				err = command.Failure(message.InFeature, i+1, err)
			}
			if !yield(area, err) {
				return
			}
		}
	}
}

// propertyText returns a property as a cell: text and numbers as they are written,
// nothing for null, objects and lists as JSON.
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
