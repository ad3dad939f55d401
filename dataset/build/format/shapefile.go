package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path"
	"strings"

	"github.com/paulmach/orb"
)

// ShapefileOptions say how to read a zipped shapefile.
type ShapefileOptions struct {
	// Required are attributes that the file must have.
	Required []string
	// Limits bound the expansion; the zero value is a good choice.
	Limits Limits
}

// A Shapefile reads the polygons of a zipped ESRI shapefile.
type Shapefile struct {
	archive    *Archive
	shp        *Input
	dbf        *dbfReader
	projection Projection
	kind       uint32
	left       int64 // bytes of the .shp that were not read yet
	record     int
	buf        bytes.Buffer
}

// The shape types of the ESRI white paper that hold areas.
const (
	shapeNull     = 0
	shapePolygon  = 5
	shapePolygonZ = 15
	shapePolygonM = 25
)

// mostRecord is the most bytes that the geometry of one record may have: a
// polygon of sixteen million vertices.
const mostRecord = 256 << 20

// OpenShapefile opens the one shapefile in the zip at the path and checks its
// projection and attributes. Degrees on NAD83 or WGS84, and the projection of
// Statistics Canada, which is turned into degrees, are read; others are
// refused with an error that matches [ErrProjection]. Text is in the encoding
// that the .cpg member names.
func OpenShapefile(path string, o ShapefileOptions) (*Shapefile, error) {
	a, err := OpenArchive(path, o.Limits)
	if err != nil {
		return nil, err
	}
	s := &Shapefile{archive: a}
	if err := s.open(o); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Shapefile) open(o ShapefileOptions) error {
	shp, err := s.member(".shp")
	if err != nil {
		return err
	}
	if err := s.openProjection(); err != nil {
		return err
	}
	charset, err := s.openCharset()
	if err != nil {
		return err
	}
	dbf, err := s.member(".dbf")
	if err != nil {
		return err
	}
	in, err := s.archive.Open(dbf)
	if err != nil {
		return err
	}
	if s.dbf, err = newDBF(in, charset); err != nil {
		in.Close()
		return err
	}
	for _, name := range o.Required {
		if _, ok := s.dbf.names[name]; !ok {
			have := make([]string, len(s.dbf.fields))
			for i, f := range s.dbf.fields {
				have[i] = f.name
			}
			return &Error{File: in.name, Column: name, Reason: "no such attribute; found " + list(have), Err: ErrColumns}
		}
	}
	if s.shp, err = s.archive.Open(shp); err != nil {
		return err
	}
	return s.header()
}

// member returns the name of the one member with the extension.
func (s *Shapefile) member(ext string) (string, error) {
	var found []string
	names := s.archive.Names()
	for _, n := range names {
		if strings.EqualFold(path.Ext(n), ext) {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		return "", &Error{File: s.archive.path, Reason: fmt.Sprintf("expected one %s member, found %d among %d files", ext, len(found), len(names)), Err: ErrMember}
	}
	return found[0], nil
}

// small reads a member of a few bytes.
func (s *Shapefile) small(name string) (string, *Input, error) {
	in, err := s.archive.Open(name)
	if err != nil {
		return "", nil, err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, 1<<17))
	return string(b), in, err
}

func (s *Shapefile) openProjection() error {
	name, err := s.member(".prj")
	if err != nil {
		return err
	}
	text, in, err := s.small(name)
	if err != nil {
		return err
	}
	if s.projection, err = ParseProjection(text); err != nil {
		return &Error{File: in.name, Reason: err.Error(), Err: ErrProjection}
	}
	return nil
}

func (s *Shapefile) openCharset() (*Encoding, error) {
	name, err := s.member(".cpg")
	if err != nil {
		return nil, nil // the member is optional
	}
	text, in, err := s.small(name)
	if err != nil {
		return nil, err
	}
	e, ok := ParseEncoding(text)
	if !ok {
		return nil, &Error{File: in.name, Reason: "unknown encoding " + excerpt(text) + ", expected UTF-8, ISO-8859-1 or windows-1252", Err: ErrEncoding}
	}
	return &e, nil
}

// header reads the main file's header of 100 bytes.
func (s *Shapefile) header() error {
	var h [100]byte
	if err := readFull(s.shp, h[:]); err != nil {
		return err
	}
	s.kind = binary.LittleEndian.Uint32(h[32:])
	s.left = 2*int64(binary.BigEndian.Uint32(h[24:])) - 100
	switch {
	case binary.BigEndian.Uint32(h[0:]) != 9994 || binary.LittleEndian.Uint32(h[28:]) != 1000 || s.left < 0:
		return &Error{File: s.shp.name, Reason: "no header of a shapefile", Err: ErrSyntax}
	case s.kind != shapePolygon && s.kind != shapePolygonZ && s.kind != shapePolygonM && s.kind != shapeNull:
		return &Error{File: s.shp.name, Reason: fmt.Sprintf("shapes of type %d, expected polygons (5, 15 or 25)", s.kind), Err: ErrGeometry}
	}
	return nil
}

// Projection returns the projection of the file. Shapes are in degrees
// whatever it is.
func (s *Shapefile) Projection() Projection { return s.projection }

// Len returns the number of records that the attribute table announces.
func (s *Shapefile) Len() int { return s.dbf.records }

// Shapes reads the records, leaving out deleted ones. The sequence ends with
// the file or after its first error, and can be run once.
func (s *Shapefile) Shapes() iter.Seq2[Shape, error] {
	return func(yield func(Shape, error) bool) {
		for {
			values, deleted, err := s.dbf.next()
			if errors.Is(err, io.EOF) {
				if s.left > 0 {
					yield(Shape{}, s.fault(ErrRagged, "more shapes than the %d records of the attribute table", s.dbf.records))
				} else if err := s.drain(); err != nil {
					yield(Shape{}, err)
				}
				return
			}
			var mp orb.MultiPolygon
			if err == nil {
				s.record++
				mp, err = s.geometry()
			}
			if err != nil {
				yield(Shape{}, err)
				return
			}
			if deleted {
				continue
			}
			if !yield(Shape{Polygon: mp, file: s.shp.name, record: s.record, names: s.dbf.names, values: values}, nil) {
				return
			}
		}
	}
}

// drain reads both members to their ends, so that their checksums are
// verified.
func (s *Shapefile) drain() error {
	for _, in := range []*Input{s.shp, s.dbf.in} {
		if _, err := io.Copy(io.Discard, in); err != nil {
			return err
		}
	}
	return nil
}

func (s *Shapefile) fault(cause error, format string, args ...any) error {
	return &Error{File: s.shp.name, Record: s.record, Reason: fmt.Sprintf(format, args...), Err: cause}
}

// geometry reads the next record of the main file.
func (s *Shapefile) geometry() (orb.MultiPolygon, error) {
	var h [8]byte
	if s.left < int64(len(h)) {
		return nil, s.fault(ErrTruncated, "the attribute table has %d records, the geometry ends before", s.dbf.records)
	}
	if err := s.read(h[:]); err != nil {
		return nil, err
	}
	number, size := int64(binary.BigEndian.Uint32(h[0:])), 2*int64(binary.BigEndian.Uint32(h[4:]))
	s.left -= int64(len(h)) + size
	switch {
	case number != int64(s.record):
		return nil, s.fault(ErrSyntax, "has the number %d", number)
	case size > mostRecord:
		return nil, s.fault(ErrTooLong, "%d bytes, at most %d allowed", size, mostRecord)
	case s.left < 0:
		return nil, s.fault(ErrTruncated, "%d bytes, which go beyond the length in the header", size)
	}
	s.buf.Reset()
	n, err := io.CopyN(&s.buf, s.shp, size)
	if errors.Is(err, io.EOF) {
		return nil, s.fault(ErrTruncated, "ends after %d of %d bytes; fetch the file again", n, size)
	}
	if err != nil {
		return nil, err
	}
	return s.polygon(s.buf.Bytes())
}

func (s *Shapefile) read(b []byte) error {
	err := readFull(s.shp, b)
	var e *Error
	if errors.As(err, &e) && e.Record == 0 {
		at := *e
		at.Record = s.record
		return &at
	}
	return err
}

// polygon decodes a record: type, box, number of parts, number of points, the
// parts' first points, the points, then z and m values that are not read.
func (s *Shapefile) polygon(b []byte) (orb.MultiPolygon, error) {
	const fixed = 44
	if len(b) < 4 {
		return nil, s.fault(ErrSyntax, "%d bytes, expected a shape", len(b))
	}
	kind := binary.LittleEndian.Uint32(b)
	if kind == shapeNull {
		return nil, nil
	}
	if kind != s.kind {
		return nil, s.fault(ErrGeometry, "shape of type %d in a file of type %d", kind, s.kind)
	}
	if len(b) < fixed {
		return nil, s.fault(ErrSyntax, "%d bytes, expected at least %d", len(b), fixed)
	}
	parts, n := int64(binary.LittleEndian.Uint32(b[36:])), int64(binary.LittleEndian.Uint32(b[40:]))
	if need := fixed + 4*parts + 16*n; need > int64(len(b)) || kind == shapePolygon && need != int64(len(b)) {
		return nil, s.fault(ErrSyntax, "%d bytes, but %d parts with %d points need %d", len(b), parts, n, need)
	}
	if parts > n/4 || parts == 0 && n > 0 {
		return nil, s.fault(ErrGeometry, "%d rings of %d points, expected at least four points a ring", parts, n)
	}
	starts, xy := b[fixed:fixed+4*parts], b[fixed+4*parts:]
	points := make([]orb.Point, n)
	for i := range points {
		x := math.Float64frombits(binary.LittleEndian.Uint64(xy[16*i:]))
		y := math.Float64frombits(binary.LittleEndian.Uint64(xy[16*i+8:]))
		lng, lat := s.projection.Inverse(x, y)
		if !(lng >= -180 && lng <= 180 && lat >= -90 && lat <= 90) {
			return nil, s.fault(ErrGeometry, "point %d at %v, %v is not on the map of %v", i+1, x, y, s.projection)
		}
		points[i] = orb.Point{lng, lat}
	}
	rings := make([]orb.Ring, parts)
	for i := range rings {
		from, to := int64(binary.LittleEndian.Uint32(starts[4*i:])), n
		if i+1 < len(rings) {
			to = int64(binary.LittleEndian.Uint32(starts[4*i+4:]))
		}
		if from > to || to > n || i == 0 && from != 0 {
			return nil, s.fault(ErrSyntax, "part %d from point %d to %d of %d", i+1, from, to, n)
		}
		r := orb.Ring(points[from:to:to])
		if len(r) < 4 || r[0] != r[len(r)-1] {
			return nil, s.fault(ErrGeometry, "ring %d of %d points is not closed or has no area", i+1, len(r))
		}
		rings[i] = r
	}
	mp, ok := polygons(rings)
	if !ok {
		return nil, s.fault(ErrTooLong, "%d rings with %d points are too many to tell holes from islands", parts, n)
	}
	return mp, nil
}

// Close closes the file. It may be called again.
func (s *Shapefile) Close() error {
	if s.shp != nil {
		s.shp.Close()
	}
	if s.dbf != nil {
		s.dbf.in.Close()
	}
	return s.archive.Close()
}
