package format

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/rings"
)

// A shapefile reads the polygons or lines of an ESRI shapefile (ESRI Shapefile Technical
// Description, 1998). It reads degrees on NAD83 or WGS84, and the projection of Statistics
// Canada, which is turned into degrees. Text is in the encoding of the .cpg member.
//
// A record has its attributes in the .dbf and its geometry in the .shp. Both are read
// from front to back, side by side, so that a member of a zip can be streamed; the index
// (.shx) is not needed for that. Deleted records of the table have a geometry too, which
// is read and dropped. File code, record numbers and lengths, which count words of 16
// bits, are big-endian; all else is little-endian.
//
// Nothing in a header is believed. Record numbers, lengths, counts and positions are
// compared with each other and with the bytes that come. mostRecord bounds the memory of
// a record.
type shapefile struct {
	shp        *Input
	left       *io.LimitedReader // of the main file, up to the length in its header
	length     int64             // bytes of the main file
	room       []byte            // of the last record
	dbf        *dbf
	header     *header // of rows, which name the main file
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

// mostRecord is the most bytes that the geometry of one record may have: a polygon of
// sixteen million vertices, of 16 bytes each. The most detailed coasts have half a
// million.
const mostRecord = 256 << 20

// beside returns a function that opens the files that belong to a .shp file.
func beside(name string) func(ext string) (*Input, error) {
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	return func(ext string) (in *Input, err error) {
		for _, path := range []string{name, stem + ext, stem + strings.ToUpper(ext)} {
			if path != name || ext == ".shp" {
				if in, err = (File{Path: path}).Open(); !errors.Is(err, os.ErrNotExist) {
					return in, err
				}
			}
		}
		return nil, &Error{File: name, Reason: "no file with the extension " + ext + " beside it", Err: ErrMember}
	}
}

// newShapefile opens the files of a shapefile by their extensions and checks the
// projection and the attributes. Other projections are refused with an error that matches
// [ErrProjection].
func newShapefile(open func(ext string) (*Input, error), o *Options) (*shapefile, error) {
	s := &shapefile{}
	if err := s.open(open, o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *shapefile) open(open func(ext string) (*Input, error), o *Options) (err error) {
	if s.shp, err = open(".shp"); err != nil {
		return err
	}
	texts, names := [2]string{}, [2]string{}
	for i, ext := range []string{".prj", ".cpg"} {
		in, err := open(ext)
		if errors.Is(err, ErrMember) && ext == ".cpg" {
			continue // the table has the charset
		}
		if err != nil {
			return err
		}
		b, err := io.ReadAll(io.LimitReader(in, 1<<17))
		if err := errors.Join(err, in.Close()); err != nil {
			return err
		}
		texts[i], names[i] = string(b), in.Name
	}
	if s.projection, err = ParseProjection(texts[0]); err != nil {
		return &Error{File: names[0], Reason: err.Error(), Err: ErrProjection}
	}
	charset, known := ParseEncoding(texts[1])
	if names[1] != "" && !known {
		return &Error{File: names[1], Reason: "unknown encoding " + excerpt(texts[1]) + ", expected UTF-8, ISO-8859-1 or windows-1252", Err: ErrEncoding}
	}
	in, err := open(".dbf")
	if err != nil {
		return err
	}
	if s.dbf, err = newDBF(in, charset, o); err != nil {
		return errors.Join(err, in.Close())
	}
	of := *s.dbf.header // errors of rows name the .shp, not the .dbf
	of.file = s.shp.Name
	s.header = &of
	return s.readHeader(o)
}

// readHeader reads the main file's header of 100 bytes.
func (s *shapefile) readHeader(o *Options) error {
	h := make([]byte, 100)
	if _, err := io.ReadFull(s.shp, h); err != nil {
		return readFault(s.shp.Name, 0, err)
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

// next leaves out deleted records.
func (s *shapefile) next() (Row, error) {
	for {
		row, deleted, err := s.dbf.nextRecord()
		if errors.Is(err, io.EOF) {
			return row, s.end()
		}
		if err == nil {
			row.header = s.header
			err = s.geometry(&row)
		}
		if err != nil {
			return Row{}, err
		}
		if !deleted {
			return row, nil
		}
	}
}

// content reads the next record of the main file; io.EOF after the last. The memory is
// that of the record before if that was as long, so that it is valid until the next call.
func (s *shapefile) content() ([]byte, error) {
	var head [8]byte
	if _, err := io.ReadFull(s.left, head[:]); err != nil {
		return nil, err
	}
	number, length := int(binary.BigEndian.Uint32(head[:])), 2*int64(binary.BigEndian.Uint32(head[4:]))
	switch {
	case length < 4 || length > min(mostRecord, s.length):
		return nil, s.fault(ErrSyntax, "invalid content length %d", length)
	case int64(cap(s.room)) < length:
		s.room = make([]byte, length)
	}
	b := s.room[:length]
	if _, err := io.ReadFull(s.left, b); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if number != s.dbf.record {
		return nil, s.fault(ErrSyntax, "invalid record number %d", number)
	}
	return b, nil
}

// geometry reads the next record of the main file into the shape.
func (s *shapefile) geometry(shape *Row) error {
	b, err := s.content()
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return s.fault(ErrTruncated, "the attribute table has %d records, the geometry ends early; fetch the file again", s.dbf.records)
	case err != nil:
		return readFault(s.shp.Name, s.dbf.record, err)
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
func (s *shapefile) parts(b []byte) ([]orb.LineString, error) {
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
	// Type, box, counts, the first point of each part, the points, and with heights or
	// measures a range and a value for each point. Measures may be left out. Counts have
	// 32 bits, and sums are taken in 64, so that they can't wrap around.
	count, points := number(counts), number(counts+4)
	first := counts + 8 + 4*count
	size := first + 16*points
	extra := 16 + 8*points // of heights, and of measures, which may be missing
	most := size + []int64{0, 2, 1}[s.kind/kindBase]*extra
	if s.kind/kindBase == 1 {
		size += extra
	}
	switch {
	case count == 0:
		return nil, s.fault(ErrSyntax, "invalid number of parts")
	case int64(len(b)) != size && int64(len(b)) != most:
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
// header, and that its checksum is right. It returns io.EOF.
func (s *shapefile) end() error {
	var more [1]byte
	if n, _ := io.ReadFull(s.left, more[:]); n > 0 {
		return s.fault(ErrRagged, "more shapes than the %d records of the attribute table", s.dbf.records)
	}
	if s.left.N > 0 {
		return s.fault(ErrTruncated, "ends %d bytes before the length in its header; fetch the file again", s.left.N)
	}
	if _, err := io.Copy(io.Discard, s.shp); err != nil {
		return err
	}
	return io.EOF
}

func (s *shapefile) fault(cause error, format string, args ...any) error {
	s.shp.record = s.dbf.record
	return s.shp.fault(cause, format, args...)
}

// Close closes the files.
func (s *shapefile) Close() (err error) {
	if s.shp != nil {
		err = s.shp.Close()
	}
	if s.dbf != nil {
		err = errors.Join(err, s.dbf.Close())
	}
	return err
}
