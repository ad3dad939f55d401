package format

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"path"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/rings"
)

// ShapefileOptions configures the reading of a zipped shapefile.
type ShapefileOptions struct {
	// Required are attributes that the file must have.
	Required []string
	// Lines means that the shapes are lines; without it they are polygons.
	Lines bool
	// Bare means that the file is an attribute table that is published without outlines
	// (dBASE III, UTF-8).
	Bare bool
}

// A Shapefile reads the polygons or lines of a zipped ESRI shapefile (ESRI
// Shapefile Technical Description, 1998).
type Shapefile struct {
	archive    *Archive
	shp        *Input
	left       *io.LimitedReader // of the main file, up to the length in its header
	length     int64             // bytes of the main file
	content    []byte            // of the last record
	dbf        *dbfReader
	projection Projection
	kind       uint32
}

// Types of shapes without heights and measures. Types with heights are larger by
// 10, with measures by 20.
const (
	nullShape    = 0
	lineShape    = 3
	polygonShape = 5
	kindBase     = 10
)

// mostRecord is the most bytes that the geometry of one record may have: a
// polygon of sixteen million vertices.
const mostRecord = 256 << 20

// OpenShapefile opens the shapefile at the path: a .shp file, or the one in a zip.
// It checks the projection and the attributes. It reads degrees on NAD83 or WGS84, and the
// projection of Statistics Canada, which is turned into degrees. Others are
// refused with an error that matches [ErrProjection]. Text is in the encoding
// of the .cpg member.
func OpenShapefile(path string, o ShapefileOptions) (*Shapefile, error) {
	if o.Bare {
		return openBare(path, o)
	}
	open := OpenArchive
	if strings.EqualFold(filepath.Ext(path), ".shp") {
		open = besides
	}
	a, err := open(path, 0)
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

func openBare(path string, o ShapefileOptions) (*Shapefile, error) {
	in, err := Open(path, OpenOptions{})
	if err != nil {
		return nil, err
	}
	d, err := newDBF(in, UTF8, o.Required)
	if err != nil {
		return nil, errors.Join(err, in.Close())
	}
	return &Shapefile{dbf: d}, nil
}

func (s *Shapefile) open(o ShapefileOptions) (err error) {
	if s.shp, err = s.member(".shp"); err != nil {
		return err
	}
	name, text, err := s.small(".prj")
	if err != nil {
		return err
	}
	if s.projection, err = ParseProjection(text); err != nil {
		return &Error{File: name, Reason: err.Error(), Err: ErrProjection}
	}
	name, text, err = s.small(".cpg")
	charset, known := ParseEncoding(text)
	if err == nil && !known {
		return &Error{File: name, Reason: "unknown encoding " + excerpt(text) + ", expected UTF-8, ISO-8859-1 or windows-1252", Err: ErrEncoding}
	}
	in, err := s.member(".dbf")
	if err != nil {
		return err
	}
	if s.dbf, err = newDBF(in, charset, o.Required); err != nil {
		return errors.Join(err, in.Close())
	}
	return s.header(o)
}

// member opens the only member with an extension.
func (s *Shapefile) member(ext string) (*Input, error) {
	found, names := []string(nil), s.archive.Names()
	for _, n := range names {
		if strings.EqualFold(path.Ext(n), ext) {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		return nil, &Error{File: s.archive.path, Reason: fmt.Sprintf("expected one %s member, found %d among %d files", ext, len(found), len(names)), Err: ErrMember}
	}
	return s.archive.Open(found[0])
}

// small reads a member of a few bytes.
func (s *Shapefile) small(ext string) (name, text string, err error) {
	in, err := s.member(ext)
	if err != nil {
		return "", "", err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in, 1<<17))
	return in.name, string(b), err
}

// header reads the main file's header of 100 bytes.
func (s *Shapefile) header(o ShapefileOptions) error {
	h := make([]byte, 100)
	if _, err := io.ReadFull(s.shp, h); err != nil {
		return readFault(s.shp.name, 0, err)
	}
	s.kind, s.length = binary.LittleEndian.Uint32(h[32:]), 2*int64(binary.BigEndian.Uint32(h[24:]))
	s.left = &io.LimitedReader{R: s.shp, N: s.length - int64(len(h))}
	base := s.kind % kindBase
	switch {
	case binary.BigEndian.Uint32(h) != 9994 || binary.LittleEndian.Uint32(h[28:]) != 1000 || s.left.N < 0 || s.kind >= 3*kindBase:
		return s.fault(ErrSyntax, "no header of a shapefile")
	case base == nullShape:
	case o.Lines && s.kind != lineShape:
		return s.fault(ErrGeometry, "shapes of type %d, expected lines (3)", s.kind)
	case !o.Lines && base != polygonShape:
		return s.fault(ErrGeometry, "shapes of type %d, expected polygons (5, 15 or 25)", s.kind)
	}
	return nil
}

// Shapes reads the records, leaving out deleted ones. The sequence ends with
// the file or after its first error, and can be run once.
func (s *Shapefile) Shapes() iter.Seq2[Shape, error] {
	return func(yield func(Shape, error) bool) {
		for {
			values, deleted, err := s.dbf.next()
			if errors.Is(err, io.EOF) {
				if err = s.end(); err != nil {
					yield(Shape{}, err)
				}
				return
			}
			shape := Shape{file: s.dbf.in.name, record: s.dbf.record, names: s.dbf.names, values: values}
			if err == nil && s.shp != nil {
				shape.file = s.shp.name
				err = s.geometry(&shape)
			}
			if deleted && err == nil {
				continue
			}
			if err != nil {
				shape = Shape{}
			}
			if !yield(shape, err) || err != nil {
				return
			}
		}
	}
}

// next reads the content of the next record; io.EOF after the last.
func (s *Shapefile) next() ([]byte, error) {
	var head [8]byte
	if _, err := io.ReadFull(s.left, head[:]); err != nil {
		return nil, err
	}
	number, length := int(binary.BigEndian.Uint32(head[:])), 2*int64(binary.BigEndian.Uint32(head[4:]))
	switch {
	case length < 4 || length > min(mostRecord, s.length):
		return nil, s.fault(ErrSyntax, "invalid content length %d", length)
	case int64(cap(s.content)) < length:
		s.content = make([]byte, length)
	}
	b := s.content[:length]
	if _, err := io.ReadFull(s.left, b); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if number != s.dbf.record {
		return nil, s.fault(ErrSyntax, "invalid record number %d", number)
	}
	return b, nil
}

// geometry reads the next record of the main file into the shape.
func (s *Shapefile) geometry(shape *Shape) error {
	b, err := s.next()
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return s.fault(ErrTruncated, "the attribute table has %d records, the geometry ends early; fetch the file again", s.dbf.records)
	case err != nil:
		return readFault(s.shp.name, s.dbf.record, err)
	}
	switch kind := binary.LittleEndian.Uint32(b); {
	case kind == nullShape:
		return nil
	case kind != s.kind:
		return s.fault(ErrGeometry, "shape of type %d in a file of type %d", kind, s.kind)
	}
	parts, err := s.parts(b)
	if err != nil {
		return err
	}
	if s.kind%kindBase != polygonShape {
		for _, p := range parts {
			shape.Lines = append(shape.Lines, p)
		}
		return nil
	}
	list := make([]orb.Ring, len(parts))
	points := 0
	for i, r := range parts {
		if r[0] != r[len(r)-1] {
			r = append(r, r[0])
			shape.Closed++
		}
		if list[i] = orb.Ring(r); rings.Area(list[i]) == 0 {
			return s.fault(ErrGeometry, "ring %d of %d points has no area", i+1, len(r))
		}
		points += len(r)
	}
	var ok bool
	if shape.Polygon, ok = polygons(list); !ok {
		return s.fault(ErrTooLong, "%d rings with %d points are too many to separate holes from islands", len(list), points)
	}
	return nil
}

// parts returns the rings or lines of a record in degrees.
func (s *Shapefile) parts(b []byte) ([]orb.LineString, error) {
	const counts = 4 + 32 // where numbers follow the type and the box
	number := func(at int) int64 {
		if at+4 > len(b) {
			return 0
		}
		return int64(binary.LittleEndian.Uint32(b[at:]))
	}
	least := int64(4)
	if s.kind%kindBase == lineShape {
		least = 2
	}
	count, points := number(counts), number(counts+4)
	first := counts + 8 + 4*count
	size := first + 16*points
	if extra := int64(s.kind / kindBase); extra > 0 { // measures, and heights
		size += []int64{0, 2, 1}[extra] * (16 + 8*points)
	}
	switch {
	case count == 0:
		return nil, s.fault(ErrSyntax, "invalid number of parts")
	case int64(len(b)) != size:
		return nil, s.fault(ErrSyntax, "invalid content length")
	}
	all := make([]orb.Point, points)
	for i := range all {
		at := b[first+16*int64(i):]
		x, y := math.Float64frombits(binary.LittleEndian.Uint64(at)), math.Float64frombits(binary.LittleEndian.Uint64(at[8:]))
		lng, lat := s.projection.Inverse(x, y)
		if all[i] = (orb.Point{lng, lat}); !onEarth(all[i]) {
			return nil, s.fault(ErrGeometry, "point %d at %v, %v is not on the map of %v", i+1, x, y, s.projection)
		}
	}
	out := make([]orb.LineString, count)
	for i := range out {
		from, to := number(counts+8+4*i), points
		if i+1 < len(out) {
			to = number(counts + 12 + 4*i)
		}
		if i == 0 && from != 0 || to-from < least || to > points {
			return nil, s.fault(ErrSyntax, "part %d has the points %d to %d of %d; too few points in ring or line", i+1, from, to, points)
		}
		out[i] = all[from:to:to]
	}
	return out, nil
}

// end checks that no shapes follow, that the geometry is as long as in its
// header, and that the checksums of both members are right.
func (s *Shapefile) end() error {
	if s.shp == nil {
		_, err := io.Copy(io.Discard, s.dbf.in)
		return err
	}
	var more [1]byte
	if n, _ := io.ReadFull(s.left, more[:]); n > 0 {
		return s.fault(ErrRagged, "more shapes than the %d records of the attribute table", s.dbf.records)
	}
	if s.left.N > 0 {
		return s.fault(ErrTruncated, "ends %d bytes before the length in its header; fetch the file again", s.left.N)
	}
	for _, in := range []*Input{s.shp, s.dbf.in} {
		if _, err := io.Copy(io.Discard, in); err != nil {
			return err
		}
	}
	return nil
}

func (s *Shapefile) fault(cause error, format string, args ...any) error {
	return &Error{File: s.shp.name, Record: s.dbf.record, Reason: fmt.Sprintf(format, args...), Err: cause}
}

// Close closes the file. It may be called again.
func (s *Shapefile) Close() error {
	if s.shp != nil {
		s.shp.Close()
	}
	if s.dbf != nil {
		s.dbf.in.Close()
	}
	if s.archive == nil {
		return nil
	}
	return s.archive.Close()
}
