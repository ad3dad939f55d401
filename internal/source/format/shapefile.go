package format

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"
)

// ShapefileOptions configures the reading of a zipped shapefile.
type ShapefileOptions struct {
	// Required are attributes that the file must have.
	Required []string
	// CloseRings closes rings whose last point is not the first. Without it
	// they are refused.
	CloseRings bool
	// Lines means that the shapes are lines; without it they are polygons.
	Lines bool
	// Any means that the shapes may be polygons, lines or points.
	Any bool
	// Limits bound the expansion; the zero value is a good choice.
	Limits Limits
}

// A Shapefile reads the polygons or lines of a zipped ESRI shapefile.
type Shapefile struct {
	archive    *Archive
	shp        *Input
	left       *io.LimitedReader // of the main file, up to the length in its header
	longest    int64             // bytes that the content of a record may have
	content    []byte            // of the last record
	numbers    uint32            // of the last record
	dbf        *dbfReader
	projection Projection
	kind       shapeKind
	closeRings bool
	lines      bool // or points
	closed     int  // rings of the record that were closed
	record     int
}

const shpHeaderSize = 100

// mostRecord is the most bytes that the geometry of one record may have: a
// polygon of sixteen million vertices.
const mostRecord = 256 << 20

// OpenShapefile opens the shapefile at the path: a .shp file, or the one in a zip.
// It checks the projection and the attributes. It reads degrees on NAD83 or WGS84, and the
// projection of Statistics Canada, which is turned into degrees. Others are
// refused with an error that matches [ErrProjection]. Text is in the encoding
// of the .cpg member.
func OpenShapefile(path string, o ShapefileOptions) (*Shapefile, error) {
	open := OpenArchive
	if strings.EqualFold(filepath.Ext(path), ".shp") {
		open = besides
	}
	a, err := open(path, o.Limits)
	if err != nil {
		return nil, err
	}
	s := &Shapefile{archive: a, closeRings: o.CloseRings, lines: o.Lines}
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
	if err := s.dbf.require(o.Required); err != nil {
		return err
	}
	if s.shp, err = s.archive.Open(shp); err != nil {
		return err
	}
	return s.header(o.Any)
}

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
func (s *Shapefile) header(everyKind bool) error {
	h := make([]byte, shpHeaderSize)
	if _, err := io.ReadFull(s.shp, h); err != nil {
		return readFault(s.shp.name, 0, err)
	}
	s.kind = shapeKind(binary.LittleEndian.Uint32(h[32:]))
	if everyKind {
		s.lines = s.kind.hasLines() || s.kind.hasPoints()
	}
	length := 2 * int64(binary.BigEndian.Uint32(h[24:]))
	switch {
	case binary.BigEndian.Uint32(h[0:]) != 9994 || binary.LittleEndian.Uint32(h[28:]) != 1000 || length < shpHeaderSize:
		return s.fault(ErrSyntax, "no header of a shapefile")
	case everyKind && s.lines:
	case s.lines && s.kind != polyLine && s.kind != nullShape:
		return s.fault(ErrGeometry, "shapes of type %d, expected lines (3)", s.kind)
	case !s.lines && s.kind != polygonShape && s.kind != polygonShapeZ && s.kind != polygonShapeM && s.kind != nullShape:
		return s.fault(ErrGeometry, "shapes of type %d, expected polygons (5, 15 or 25)", s.kind)
	}
	s.left = &io.LimitedReader{R: s.shp, N: length - shpHeaderSize}
	s.longest = min(mostRecord, length)
	return nil
}

// Projection returns the projection of the file. Shapes are in degrees in any
// case.
func (s *Shapefile) Projection() Projection { return s.projection }

// Shapes reads the records, leaving out deleted ones. The sequence ends with
// the file or after its first error, and can be run once.
func (s *Shapefile) Shapes() iter.Seq2[Shape, error] {
	return func(yield func(Shape, error) bool) {
		for {
			values, deleted, err := s.dbf.next()
			if errors.Is(err, io.EOF) {
				if err := s.end(); err != nil {
					yield(Shape{}, err)
				}
				return
			}
			var mp orb.MultiPolygon
			var lines orb.MultiLineString
			if err == nil {
				s.record++
				if s.lines {
					lines, err = s.polylines()
				} else {
					mp, err = s.geometry()
				}
			}
			if err != nil {
				yield(Shape{}, err)
				return
			}
			if deleted {
				continue
			}
			if !yield(Shape{Polygon: mp, Lines: lines, Closed: s.closed, file: s.shp.name, record: s.record, names: s.dbf.names, values: values}, nil) {
				return
			}
		}
	}
}

// end checks that no shapes follow, that the geometry is as long as in its
// header, and that the checksums of both members are right.
func (s *Shapefile) end() error {
	if rec, err := s.scan(); rec != nil {
		return s.fault(ErrRagged, "more shapes than the %d records of the attribute table", s.dbf.records)
	} else if !errors.Is(err, io.EOF) {
		return readFault(s.shp.name, s.record+1, err)
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
	return &Error{File: s.shp.name, Record: s.record, Reason: fmt.Sprintf(format, args...), Err: cause}
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
