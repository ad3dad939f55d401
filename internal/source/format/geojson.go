package format

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/paulmach/orb"
	orbjson "github.com/paulmach/orb/geojson"

	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/internal/rings"
)

// GeoJSONOptions configures the reading of a feature collection.
type GeoJSONOptions struct {
	// Required are properties that every feature must have.
	Required []string
	// Points means that the features are points; without it they are areas. One feature
	// after the other may then stand in place of a collection.
	Points bool
	// MaxFeature is the most bytes that one feature may have. Zero means
	// 256 MiB.
	MaxFeature int64
}

// GeoJSON reads the features of a feature collection (RFC 7946).
type GeoJSON struct {
	in     *Input
	o      GeoJSONOptions
	dec    *json.Decoder
	left   *io.LimitedReader // of the next feature
	record int
}

// NewGeoJSON returns a reader of the feature collection.
func NewGeoJSON(in *Input, o GeoJSONOptions) *GeoJSON {
	if o.MaxFeature <= 0 {
		o.MaxFeature = 256 << 20
	}
	left := &io.LimitedReader{R: in, N: o.MaxFeature}
	return &GeoJSON{in: in, o: o, left: left, dec: json.NewDecoder(left)}
}

// Shapes reads the features in degrees of longitude and latitude: polygons and
// multipolygons, or points. A null geometry gives an empty shape. Open rings are closed,
// and rings are oriented as in [Shape]. Properties that are numbers or truth values give
// their text. A feature with another or a malformed geometry has an error that matches
// [ErrValue]. The sequence ends with the file or after its first other error, and can be
// run once.
func (g *GeoJSON) Shapes() iter.Seq2[Shape, error] {
	return func(yield func(Shape, error) bool) {
		stopped, err := g.collection(yield)
		if err == nil && !stopped { // the end of the file verifies a checksum
			g.record = 0
			var t json.Token
			if t, err = g.dec.Token(); errors.Is(err, io.EOF) {
				return
			} else if err == nil {
				err = g.fault(ErrSyntax, "found %v after the end of the features", t)
			}
		}
		if err != nil && !stopped {
			yield(Shape{}, g.wrap(err))
		}
	}
}

// collectionType recognizes a collection by the beginning of its text.
var collectionType = regexp.MustCompile(`"type"\s*:\s*"FeatureCollection"`)

// collection reads the features of a collection, or one after the other. It reports
// whether the caller has enough.
func (g *GeoJSON) collection(each func(Shape, error) bool) (stopped bool, err error) {
	if head, _ := g.in.Peek(inputBuffer); g.o.Points && !collectionType.Match(head) {
		return g.features(each)
	}
	t, err := g.dec.Token()
	if err == nil && t != json.Delim('{') {
		err = g.fault(ErrSyntax, "found %v, expected { of a FeatureCollection", t)
	}
	features := false
	for err == nil && g.dec.More() {
		g.left.N = g.o.MaxFeature
		var kind string
		if t, err = g.dec.Token(); err != nil {
			break
		}
		switch t {
		case "type":
			if err = g.dec.Decode(&kind); err == nil && kind != "FeatureCollection" {
				err = g.fault(ErrSyntax, "type is %s, expected FeatureCollection", excerpt(kind))
			}
		case "crs":
			err = g.crs()
		case "features":
			features = true
			if t, err = g.dec.Token(); err == nil && t != json.Delim('[') {
				err = g.fault(ErrSyntax, "found %v, expected [ of its features", t)
			}
			if err == nil {
				stopped, err = g.features(each)
			}
			if err == nil && !stopped {
				_, err = g.dec.Token()
			}
		default:
			err = g.dec.Decode(new(json.RawMessage))
		}
		if stopped {
			return true, nil
		}
	}
	if err == nil {
		_, err = g.dec.Token()
	}
	if err == nil && !features {
		g.record = 0
		err = g.fault(ErrSyntax, "no features, expected a FeatureCollection")
	}
	return false, err
}

func (g *GeoJSON) features(each func(Shape, error) bool) (stopped bool, err error) {
	for g.dec.More() {
		g.record++
		g.left.N = g.o.MaxFeature
		var raw json.RawMessage
		if err := g.dec.Decode(&raw); err != nil {
			return false, err
		}
		s, err := g.shape(raw)
		if err != nil && !errors.Is(err, ErrValue) {
			return false, err
		}
		if !each(s, err) {
			return true, nil
		}
	}
	return false, nil
}

// shape decodes a feature and checks its geometry.
func (g *GeoJSON) shape(raw json.RawMessage) (Shape, error) {
	s := Shape{file: g.in.name, record: g.record}
	var parts struct {
		Type       string
		Properties map[string]json.RawMessage
		Geometry   json.RawMessage
	}
	if err := geojson.Unmarshal(raw, &parts); err != nil {
		return s, g.fault(ErrSyntax, "%v", err)
	}
	if parts.Type != "Feature" {
		return s, g.fault(ErrSyntax, "type is %s, expected Feature", excerpt(parts.Type))
	}
	s.names = make(map[string]int, len(parts.Properties))
	for name, v := range parts.Properties {
		s.names[name] = len(s.values)
		s.values = append(s.values, propertyText(v))
	}
	for _, name := range g.o.Required {
		if !s.Has(name) {
			return s, &Error{File: g.in.name, Record: g.record, Column: name, Reason: "no such property", Err: ErrColumns}
		}
	}
	if len(parts.Geometry) == 0 || string(parts.Geometry) == "null" {
		return s, nil
	}
	if g.o.Points {
		err := s.setPoint(parts.Geometry)
		return s, err
	}
	var err error
	if s.Polygon, err = geojson.ParsePolygons(parts.Geometry); err != nil {
		return s, s.Errorf("outline", "%v", err)
	}
	err = s.tidy()
	return s, err
}

// setPoint reads a point.
func (s *Shape) setPoint(geometry json.RawMessage) error {
	g, err := orbjson.UnmarshalGeometry(geometry)
	if err != nil {
		return s.Errorf("geometry", "%v", err)
	}
	p, ok := g.Geometry().(orb.Point)
	if several, is := g.Geometry().(orb.MultiPoint); is && len(several) == 1 {
		p, ok = several[0], true
	}
	if !ok || !onEarth(p) {
		return s.Errorf("geometry", "%v is not a point in degrees of longitude and latitude", g.Geometry())
	}
	s.Lines = orb.MultiLineString{{p}}
	return nil
}

func onEarth(p orb.Point) bool {
	return p[0] >= -180 && p[0] <= 180 && p[1] >= -90 && p[1] <= 90
}

// tidy closes the rings and orients them: the first, which is the outer one, runs
// counter-clockwise and the holes clockwise. Unlike shapefiles, GeoJSON has no dependable
// orientation. It returns the fault of a malformed ring.
func (s *Shape) tidy() error {
	for _, p := range s.Polygon {
		if len(p) == 0 {
			return s.Errorf("outline", "polygon without rings")
		}
		for i, r := range p {
			if len(r) >= 3 && !r.Closed() {
				r = append(r, r[0])
				p[i] = r
				s.Closed++
			}
			if len(r) < 4 {
				return s.Errorf("outline", "ring of %d points has no area", len(r))
			}
			if at := slices.IndexFunc(r, func(v orb.Point) bool { return !onEarth(v) }); at >= 0 {
				return s.Errorf("outline", "position %v, %v is not a longitude and latitude in degrees", r[at][0], r[at][1])
			}
			if (rings.Area(r) < 0) == (i == 0) {
				slices.Reverse(r)
			}
		}
	}
	return nil
}

// propertyText returns the text of a string, number or truth value, "" for
// null, and the JSON of anything else.
func propertyText(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil {
		return strings.TrimSpace(s)
	}
	if string(v) == "null" {
		return ""
	}
	return string(v)
}

// crs accepts the reference systems that are in degrees on WGS84 or NAD83.
func (g *GeoJSON) crs() error {
	var crs *struct {
		Properties struct{ Name string }
	}
	if err := g.dec.Decode(&crs); err != nil {
		return err
	}
	known := []string{"urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84", "urn:ogc:def:crs:OGC:1.3:CRS83", "urn:ogc:def:crs:EPSG::4326", "urn:ogc:def:crs:EPSG::4269", "EPSG:4326", "EPSG:4269"}
	if crs != nil && !slices.Contains(known, crs.Properties.Name) {
		return g.fault(ErrProjection, "reference system %s, expected degrees on WGS84 or NAD83", excerpt(crs.Properties.Name))
	}
	return nil
}

// wrap adds the place and the reason of a decoding error.
func (g *GeoJSON) wrap(err error) error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return err
	case g.left.N == 0:
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
