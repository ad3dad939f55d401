package format

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/internal/rings"
)

// A geoJSON reads the features of a feature collection (RFC 7946), or one feature after
// the other. They are polygons, multipolygons or points in degrees of longitude and
// latitude. A null geometry gives an empty row. Open rings are closed, and rings are
// oriented as in [Row]. Properties that are numbers or truth values give their text.
type geoJSON struct {
	*Input
	o      *Options
	dec    *json.Decoder
	left   *io.LimitedReader // of the next feature
	header *header           // of the last feature
	single bool              // there is no collection
	begun  bool
}

// firstType recognizes a feature in place of a collection.
var firstType = regexp.MustCompile(`"features"\s*:|"type"\s*:\s*"Feature"\s*[,}]`)

func newGeoJSON(in *Input, o *Options, text string) *geoJSON {
	o.MaxRow = cmp.Or(o.MaxRow, 256<<20)
	g := &geoJSON{Input: in, o: o, left: &io.LimitedReader{R: &blankReader{in, 0}, N: int64(o.MaxRow)}}
	g.dec = json.NewDecoder(g.left)
	g.single = strings.HasPrefix(firstType.FindString(text), `"type"`)
	return g
}

// A blankReader refuses long runs of blanks, which a decoder looks at again with every
// read. A zip of a few hundred kilobytes that holds megabytes of them took minutes.
type blankReader struct {
	*Input
	blanks int // that the last bytes are
}

func (b *blankReader) Read(p []byte) (int, error) {
	const most = 1 << 20
	n, err := b.Input.Read(p)
	if kept := len(bytes.TrimRight(p[:n], " \t\r\n")); kept > 0 {
		b.blanks = n - kept
	} else {
		b.blanks += n
	}
	if b.blanks > most {
		return 0, &Error{File: b.Name, Reason: fmt.Sprintf("more than %d blanks in a row", most), Err: ErrTooLong}
	}
	return n, err
}

// next turns errors of the decoder into errors of this package. io.EOF itself is the end
// of the file; within the JSON it has been replaced by io.ErrUnexpectedEOF, see
// unexpected. An *Error of the Input below, such as a failing checksum, passes as it is.
func (g *geoJSON) next() (Row, error) {
	row, err := g.nextFeature()
	var e *Error
	switch {
	case err == nil || err == io.EOF || errors.As(err, &e): //nolint:errorlint // not an EOF of the decoder
		return row, err
	case g.left.N == 0:
		err = g.fault(ErrTooLong, "feature of more than %d bytes", g.o.MaxRow)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = g.fault(ErrTruncated, "ends after %d bytes; fetch the file again", g.dec.InputOffset())
	default:
		err = g.fault(ErrSyntax, "at byte %d: %v", g.dec.InputOffset(), err)
	}
	return Row{}, err
}

// nextFeature reads the next feature. Members before and after the features are read and
// checked, but the features are decoded one by one, as a file may have gigabytes. Each
// feature gets the whole budget of bytes (left), by which memory is bounded.
func (g *geoJSON) nextFeature() (Row, error) {
	if !g.begun && !g.single {
		g.begun = true
		if err := g.expect('{', "of a FeatureCollection"); err != nil {
			return Row{}, err
		}
		if found, err := g.members(); err != nil {
			return Row{}, err
		} else if !found {
			return Row{}, g.fault(ErrSyntax, "no features, expected a FeatureCollection")
		}
	}
	if g.dec.More() {
		g.record++
		g.left.N = int64(g.o.MaxRow)
		var raw json.RawMessage
		if err := g.dec.Decode(&raw); err != nil {
			return Row{}, unexpected(err)
		}
		return g.feature(raw)
	}
	if !g.single {
		if err := g.expect(']', "after the features"); err != nil {
			return Row{}, err
		}
		if again, err := g.members(); err != nil {
			return Row{}, err
		} else if again {
			return Row{}, g.fault(ErrSyntax, "features are there twice")
		}
	}
	g.record = 0
	t, err := g.dec.Token() // the end of the file verifies a checksum
	if err == nil {
		err = g.fault(ErrSyntax, "found %v after the end of the features", t)
	}
	return Row{}, err
}

// unexpected returns an error for the end of the file within the JSON.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (g *geoJSON) expect(d json.Delim, of string) error {
	t, err := g.dec.Token()
	if err == nil && t != d {
		err = g.fault(ErrSyntax, "found %v, expected %v %s", t, d, of)
	}
	return unexpected(err)
}

// members reads the members of a collection up to its features, or to its end.
func (g *geoJSON) members() (features bool, err error) {
	for err == nil && g.dec.More() {
		g.left.N = int64(g.o.MaxRow)
		var key json.Token
		if key, err = g.dec.Token(); err != nil {
			break
		}
		switch key {
		case "type":
			var kind string
			if err = g.dec.Decode(&kind); err == nil && kind != "FeatureCollection" {
				err = g.fault(ErrSyntax, "type is %s, expected FeatureCollection", excerpt(kind))
			}
		case "crs":
			err = g.crs()
		case "features":
			return true, g.expect('[', "of its features")
		default:
			err = g.dec.Decode(new(json.RawMessage))
		}
	}
	if err == nil {
		_, err = g.dec.Token()
	}
	return false, unexpected(err)
}

// feature decodes a feature and checks its geometry.
func (g *geoJSON) feature(raw json.RawMessage) (Row, error) {
	var parts struct {
		Type       string
		Properties map[string]json.RawMessage
		Geometry   json.RawMessage
	}
	if err := geojson.Unmarshal(raw, &parts); err != nil {
		return Row{}, g.fault(ErrSyntax, "%v", err)
	}
	if parts.Type != "Feature" {
		return Row{}, g.fault(ErrSyntax, "type is %s, expected Feature", excerpt(parts.Type))
	}
	names := slices.Sorted(maps.Keys(parts.Properties))
	// Each feature may have properties of its own. Mostly all have the same, sorted by
	// name, and share a header.
	if g.header == nil || !slices.Equal(g.header.names, names) {
		h, err := g.o.newHeader(g.Name, 0, names)
		if e := (*Error)(nil); errors.As(err, &e) {
			e.Record = g.record
			return Row{}, err
		}
		g.header, h.records = h, true
	}
	r := Row{header: g.header, Number: g.record}
	for _, name := range names {
		r.fields = append(r.fields, propertyText(parts.Properties[name]))
	}
	if len(parts.Geometry) == 0 || string(parts.Geometry) == "null" {
		return r, nil
	}
	var shape struct {
		Type        string
		Coordinates json.RawMessage
	}
	if err := json.Unmarshal(parts.Geometry, &shape); err == nil && (shape.Type == "Point" || shape.Type == "MultiPoint") {
		err := r.setPoint(shape.Type, shape.Coordinates)
		return r, err
	}
	var err error
	if r.Polygon, err = geojson.ParsePolygons(parts.Geometry); err != nil {
		return r, r.Errorf("outline", "%v", err)
	}
	err = r.tidy()
	return r, err
}

// setPoint reads the coordinates of a Point, or of a MultiPoint with one.
func (r *Row) setPoint(kind string, coordinates json.RawMessage) error {
	points := make([][]float64, 1)
	into := any(&points[0])
	if kind == "MultiPoint" {
		into = &points
	}
	if err := geojson.Unmarshal(coordinates, into); err != nil || len(points) != 1 || len(points[0]) < 2 || !onEarth(orb.Point(points[0][:2])) {
		return r.Errorf("geometry", "%.100s is not a point in degrees of longitude and latitude", coordinates)
	}
	r.Lines = orb.MultiLineString{{orb.Point(points[0][:2])}}
	return nil
}

func onEarth(p orb.Point) bool {
	return p[0] >= -180 && p[0] <= 180 && p[1] >= -90 && p[1] <= 90
}

// tidy closes the rings and orients them: the first, which is the outer one, runs
// counter-clockwise and the holes clockwise. Unlike shapefiles, GeoJSON has no dependable
// orientation. It returns the fault of a malformed ring.
func (r *Row) tidy() error {
	for _, p := range r.Polygon {
		if len(p) == 0 {
			return r.Errorf("outline", "polygon without rings")
		}
		for i, ring := range p {
			if len(ring) >= 3 && !ring.Closed() {
				ring = append(ring, ring[0])
				p[i] = ring
				r.Closed++
			}
			if len(ring) < 4 {
				return r.Errorf("outline", "ring of %d points has no area", len(ring))
			}
			if at := slices.IndexFunc(ring, func(v orb.Point) bool { return !onEarth(v) }); at >= 0 {
				return r.Errorf("outline", "position %v, %v is not a longitude and latitude in degrees", ring[at][0], ring[at][1])
			}
			if (rings.Area(ring) < 0) == (i == 0) {
				slices.Reverse(ring)
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

// crs accepts the reference systems that are in degrees on WGS84 or NAD83. RFC 7946 has
// no such member, but the format before it had, and GDAL writes it still. Coordinates in
// meters would be refused later as positions off the Earth, with a message that helps
// less.
func (g *geoJSON) crs() error {
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
