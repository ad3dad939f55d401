package source

import (
	"iter"
	"strconv"

	"github.com/postgeo/postgeo/internal/source/format"
)

// geoJSONPoints reads features with points: a feature collection, or one feature
// after the other.
func geoJSONPoints(in *format.Input) iter.Seq2[AddressPoint, error] {
	var heads map[string]string
	names := roadNames{}
	return parsed(featuresIn(in), func(s format.Shape) (AddressPoint, error) {
		if heads == nil {
			if heads = pointHeads(s.Names()); heads["number"] == "" || heads["name"]+heads["street"] == "" {
				return AddressPoint{}, lacksColumns(in.Name())
			}
		}
		if len(s.Polygon) > 0 || len(s.Lines) > 1 || len(s.Lines) == 1 && len(s.Lines[0]) > 1 {
			return AddressPoint{}, s.Errorf("geometry", "lines or areas, expected a point")
		}
		return addressPoint(featureFields{s, heads}, names)
	})
}

func featuresIn(in *format.Input) iter.Seq2[format.Shape, error] {
	return format.NewGeoJSON(in, format.GeoJSONOptions{Features: true, Lines: true, Sequence: true}).Shapes()
}

// featureFields are the known columns of a feature.
type featureFields struct {
	format.Shape
	heads map[string]string
}

// Get returns a property, or the position of the geometry.
func (f featureFields) Get(name string) string {
	switch name {
	case "lat", "lng":
		if len(f.Lines) == 0 {
			return ""
		}
		v := f.Lines[0][0].Lon()
		if name == "lat" {
			v = f.Lines[0][0].Lat()
		}
		return strconv.FormatFloat(v, 'f', -1, 64)
	case "both", "east", "north", "block", "blocky":
		return ""
	}
	return f.Shape.Get(f.heads[name])
}

func (f featureFields) line() int { return f.Record() }
