package command

import (
	"bytes"
	"encoding/json"
	"io"
	"os"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/geo/geojson"
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
		return nil, Failure(message.InFile, path, err)
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
		return nil, Failure(message.ReadFile, name, err)
	}
	if len(data) > maxGeoJSON {
		return nil, Failure(message.LargeGeoJSON, name, maxGeoJSON>>20)
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
		return nil, Failure(message.NotGeoJSON, err)
	}
	switch object.Type {
	case "FeatureCollection":
		if n := len(object.Features); n != 1 {
			return nil, Failure(message.ManyFeatures, n)
		}
		var only Feature
		if err := geojson.Unmarshal(object.Features[0], &only); err != nil {
			return nil, Failure(message.NotGeoJSON, err)
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
		return nil, Failure(message.NoGeometry)
	}
	return geojson.ParsePolygons(geometry)
}
