package source

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/source/format"
)

// A pointFeature is a feature of GeoJSON with a point, null or another geometry.
type pointFeature struct {
	Type       string
	Properties map[string]any
	Geometry   *struct {
		Type        string
		Coordinates json.RawMessage
	}
}

// geoJSONPoints reads features with points: a feature collection, or one feature
// after the other.
func geoJSONPoints(in *format.Input) iter.Seq2[AddressPoint, error] {
	return func(yield func(AddressPoint, error) bool) {
		failure := func(record int, err error) error {
			return &format.Error{File: in.Name(), Record: record, Reason: err.Error(), Err: format.ErrSyntax}
		}
		dec, err := featureDecoder(in)
		if err != nil {
			yield(AddressPoint{}, failure(0, err))
			return
		}
		var heads map[string]string
		names := roadNames{}
		for record := 1; dec.More(); record++ {
			var f pointFeature
			if err := dec.Decode(&f); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				yield(AddressPoint{}, failure(record, err))
				return
			}
			fields := featureFields{file: in.Name(), record: record, feature: &f}
			if heads == nil {
				if heads = featureHeads(f.Properties); !complete(heads) {
					yield(AddressPoint{}, lacksColumns(in.Name()))
					return
				}
			}
			fields.heads = heads
			var p AddressPoint
			var err error
			if fields.lng, fields.lat, err = f.point(); err != nil {
				err = fields.Errorf("geometry", "%v", err)
			} else {
				p, err = addressPoint(fields, names)
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// featureDecoder returns a decoder at the first feature.
func featureDecoder(in *format.Input) (*json.Decoder, error) {
	collection, err := isCollection(in)
	dec := json.NewDecoder(bufio.NewReaderSize(in, 1<<16))
	if err == nil && collection {
		err = enterFeatures(dec)
	}
	return dec, err
}

func isCollection(in *format.Input) (bool, error) {
	const enough = 1 << 16
	head, err := in.Peek(enough)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return strings.Contains(strings.ReplaceAll(string(head), " ", ""), `"type":"FeatureCollection"`), nil
}

func enterFeatures(dec *json.Decoder) error {
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return err
		}
		if name == "features" {
			_, err := dec.Token()
			return err
		}
		var other json.RawMessage
		if err := dec.Decode(&other); err != nil {
			return err
		}
	}
	return errors.New("no features")
}

// featureHeads returns the property of each known column.
func featureHeads(properties map[string]any) map[string]string {
	heads := pointHeads(slices.Collect(maps.Keys(properties)))
	heads["geometry"] = "geometry"
	return heads
}

// point returns the position of a feature as text, "" without a geometry.
func (f *pointFeature) point() (lng, lat string, err error) {
	if f.Geometry == nil {
		return "", "", nil
	}
	var at []float64
	if f.Geometry.Type != "Point" || json.Unmarshal(f.Geometry.Coordinates, &at) != nil || len(at) < 2 {
		return "", "", fmt.Errorf("%s, expected a point", f.Geometry.Type)
	}
	return strconv.FormatFloat(at[0], 'f', -1, 64), strconv.FormatFloat(at[1], 'f', -1, 64), nil
}

// featureFields are the known columns of a feature.
type featureFields struct {
	file     string
	record   int
	feature  *pointFeature
	heads    map[string]string
	lng, lat string
}

// Get returns a property, or the position of the geometry.
func (f featureFields) Get(name string) string {
	switch name {
	case "lat":
		return f.lat
	case "lng":
		return f.lng
	case "both", "east", "north", "block", "blocky":
		return ""
	}
	if head := f.heads[name]; head != "" {
		return propertyText(f.feature.Properties[head])
	}
	return ""
}

// Errorf returns an error about a property.
func (f featureFields) Errorf(name, reason string, args ...any) error {
	return &format.Error{File: f.file, Record: f.record, Column: name, Reason: fmt.Sprintf(reason, args...), Err: format.ErrValue}
}

func (f featureFields) line() int { return f.record }

func propertyText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}
