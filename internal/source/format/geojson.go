package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
)

// GeoJSONOptions configures the reading of a feature collection.
type GeoJSONOptions struct {
	// Required are properties that every feature must have.
	Required []string
	// CloseRings closes rings whose last point is not the first. Without it
	// they are refused.
	CloseRings bool
	// Features continues after a feature with malformed geometry, whose error then
	// matches [ErrValue].
	Features bool
	// Lines accepts points and lines, too.
	Lines bool
	// Sequence accepts one feature after the other in place of a collection.
	Sequence bool
	// MaxFeature is the most bytes that one feature may have. Zero means
	// 256 MiB.
	MaxFeature int64
}

// GeoJSON reads the areas of a feature collection (RFC 7946).
type GeoJSON struct {
	in     *Input
	o      GeoJSONOptions
	dec    *json.Decoder
	gate   *gate
	record int
}

// NewGeoJSON returns a reader of the feature collection.
func NewGeoJSON(in *Input, o GeoJSONOptions) *GeoJSON {
	if o.MaxFeature <= 0 {
		o.MaxFeature = 256 << 20
	}
	g := &gate{r: in, left: o.MaxFeature}
	return &GeoJSON{in: in, o: o, gate: g, dec: json.NewDecoder(g)}
}

// Shapes reads the features, which must be polygons or multipolygons in degrees
// of longitude and latitude. A null geometry gives an empty polygon. Rings are
// oriented as in [Shape]. Properties that are numbers or truth values give
// their text. The sequence ends with the file or after its first error, and can
// be run once.
func (g *GeoJSON) Shapes() iter.Seq2[Shape, error] {
	return func(yield func(Shape, error) bool) {
		stopped := false
		err := g.collection(func(s Shape, err error) bool {
			stopped = !yield(s, err)
			return !stopped
		})
		if err != nil && !stopped && !errors.Is(err, errStop) {
			yield(Shape{}, err)
		}
	}
}

var errStop = errors.New("the caller has enough")

func (g *GeoJSON) collection(each func(Shape, error) bool) error {
	if head, _ := g.in.Peek(inputBuffer); g.o.Sequence && !collectionType.Match(head) {
		return g.features(each)
	}
	if err := g.delim('{'); err != nil {
		return err
	}
	features := false
	for g.dec.More() {
		key, err := g.dec.Token()
		if err != nil {
			return g.wrap(err)
		}
		switch key {
		case "type":
			var kind string
			if err := g.decode(&kind); err != nil {
				return err
			}
			if kind != "FeatureCollection" {
				return g.fault(ErrSyntax, "type is %s, expected FeatureCollection", excerpt(kind))
			}
		case "crs":
			if err := g.crs(); err != nil {
				return err
			}
		case "features":
			features = true
			err := g.delim('[')
			if err == nil {
				err = g.features(each)
			}
			if err == nil {
				err = g.delim(']')
			}
			if err != nil {
				return err
			}
		default:
			var skip json.RawMessage
			if err := g.decode(&skip); err != nil {
				return err
			}
		}
		g.gate.left = g.o.MaxFeature
	}
	if err := g.delim('}'); err != nil {
		return err
	}
	g.record = 0
	if !features {
		return g.fault(ErrSyntax, "no features, expected a FeatureCollection")
	}
	switch t, err := g.dec.Token(); { // reading on to the end verifies the checksum
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return g.wrap(err)
	default:
		return g.fault(ErrSyntax, "found %v after the end of the FeatureCollection", t)
	}
}

// collectionType recognizes a collection by the beginning of its text.
var collectionType = regexp.MustCompile(`"type"\s*:\s*"FeatureCollection"`)

func (g *GeoJSON) features(each func(Shape, error) bool) error {
	for g.dec.More() {
		g.record++
		g.gate.left = g.o.MaxFeature
		var raw json.RawMessage
		if err := g.decode(&raw); err != nil {
			return err
		}
		s, err := g.shape(raw)
		if bad := (*Error)(nil); g.o.Features && errors.Is(err, ErrGeometry) && errors.As(err, &bad) {
			err = s.Errorf("outline", "%s", bad.Reason)
		} else if err != nil {
			return err
		}
		if !each(s, err) {
			return errStop
		}
	}
	return nil
}

// crs accepts the reference systems that are in degrees on WGS84 or NAD83.
func (g *GeoJSON) crs() error {
	var crs *struct {
		Properties struct{ Name string }
	}
	if err := g.decode(&crs); err != nil {
		return err
	}
	known := []string{"urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84", "urn:ogc:def:crs:OGC:1.3:CRS83", "urn:ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:EPSG::4269", "EPSG:4326", "EPSG:4269"}
	if crs != nil && !slices.Contains(known, crs.Properties.Name) {
		return g.fault(ErrProjection, "reference system %s, expected degrees on WGS84 or NAD83", excerpt(crs.Properties.Name))
	}
	return nil
}

func (g *GeoJSON) decode(v any) error {
	if err := g.dec.Decode(v); err != nil {
		return g.wrap(err)
	}
	return nil
}

func (g *GeoJSON) delim(want json.Delim) error {
	t, err := g.dec.Token()
	if err != nil {
		return g.wrap(err)
	}
	if t != want {
		return g.fault(ErrSyntax, "found %v, expected %v of a FeatureCollection", t, want)
	}
	return nil
}

// wrap adds the place and the reason of a decoding error.
func (g *GeoJSON) wrap(err error) error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return err
	case errors.Is(err, errGate):
		return g.fault(ErrTooLong, "feature of more than %d bytes", g.o.MaxFeature)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return g.fault(ErrTruncated, "ends after %d bytes; fetch the file again", g.dec.InputOffset())
	default:
		return g.fault(ErrSyntax, "at byte %d: %v", g.dec.InputOffset(), err)
	}
}

func (g *GeoJSON) fault(cause error, format string, args ...any) error {
	return &Error{File: g.in.name, Record: g.record, Reason: fmt.Sprintf(format, args...), Err: cause}
}
