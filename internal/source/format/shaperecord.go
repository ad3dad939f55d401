package format

import (
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/rings"
)

// A shapeKind is the type of shapes, by its number in the ESRI white paper.
type shapeKind uint32

const (
	nullShape     shapeKind = 0
	pointShape    shapeKind = 1
	polyLine      shapeKind = 3
	polygonShape  shapeKind = 5
	multiPoint    shapeKind = 8
	polygonShapeZ shapeKind = 15
	polygonShapeM shapeKind = 25
)

// The kinds with heights, and those with measures, have numbers that are larger by
// these.
const (
	withHeights  shapeKind = 10
	withMeasures shapeKind = 20
)

func (k shapeKind) of(base shapeKind) bool {
	return k == base || k == base+withHeights || k == base+withMeasures
}

func (k shapeKind) hasLines() bool  { return k.of(polyLine) }
func (k shapeKind) hasPoints() bool { return k.of(pointShape) || k.of(multiPoint) }

// A shapeRecord is the geometry of a record in the coordinates of the file.
type shapeRecord struct {
	kind shapeKind
	ends []int // of the parts, as positions in data
	data []byte
}

const (
	partsAt   = 4 + 32 // position of the number of parts, after kind and box
	pointSize = 16
)

// scan reads the next record; io.EOF after the last.
func (s *Shapefile) scan() (*shapeRecord, error) {
	var head [8]byte
	if _, err := io.ReadFull(s.left, head[:]); err != nil {
		return nil, err
	}
	number, length := binary.BigEndian.Uint32(head[:]), 2*int64(binary.BigEndian.Uint32(head[4:]))
	switch {
	case length < 4:
		return nil, s.fault(ErrSyntax, "content length too short")
	case length > s.longest:
		return nil, s.fault(ErrSyntax, "content length too large")
	}
	if int64(cap(s.content)) < length {
		s.content = make([]byte, length)
	}
	b := s.content[:length]
	if _, err := io.ReadFull(s.left, b); err != nil {
		return nil, noEOF(err)
	}
	s.numbers++
	if number != s.numbers {
		return nil, s.fault(ErrSyntax, "invalid record number %d", number)
	}
	rec := &shapeRecord{kind: shapeKind(binary.LittleEndian.Uint32(b)), data: b}
	if rec.kind == nullShape || rec.kind != s.kind {
		if rec.kind == nullShape && length != 4 {
			return nil, s.fault(ErrSyntax, "invalid content length")
		}
		return rec, nil
	}
	if rec.kind.hasPoints() {
		return rec, s.dots(rec)
	}
	return rec, s.parts(rec)
}

// dots finds the points of a record of one or several.
func (s *Shapefile) dots(rec *shapeRecord) error {
	first, count := 4, 1
	if rec.kind.of(multiPoint) {
		first = partsAt + 4
		if len(rec.data) < first {
			return s.fault(ErrSyntax, "invalid content length")
		}
		count = int(min(mostRecord, binary.LittleEndian.Uint32(rec.data[partsAt:])))
	}
	if count == 0 || len(rec.data) < first+pointSize*count {
		return s.fault(ErrSyntax, "invalid content length")
	}
	for i := range count {
		rec.ends = append(rec.ends, i+1)
	}
	rec.data = rec.data[first : first+pointSize*count]
	return nil
}

// noEOF returns an error of a read that began, so that an end is not taken for
// that of the file.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// parts finds the ends of a record's rings or lines.
func (s *Shapefile) parts(rec *shapeRecord) error {
	b := rec.data
	if len(b) < partsAt+8 {
		return s.fault(ErrSyntax, "invalid content length")
	}
	parts, points := int64(binary.LittleEndian.Uint32(b[partsAt:])), int64(binary.LittleEndian.Uint32(b[partsAt+4:]))
	want := partsAt + 8 + 4*parts + pointSize*points
	extra := int64(0)
	switch rec.kind { // measures, and heights
	case polygonShapeM, polyLine + withMeasures:
		extra = 16 + 8*points
	case polygonShapeZ, polyLine + withHeights:
		extra = 2 * (16 + 8*points)
	default:
	}
	switch {
	case parts == 0:
		return s.fault(ErrSyntax, "invalid number of parts")
	case int64(len(b)) != want+extra:
		return s.fault(ErrSyntax, "invalid content length")
	}
	first := partsAt + 8 + 4*int(parts)
	rec.ends = make([]int, parts)
	for i := range rec.ends {
		from, to := binary.LittleEndian.Uint32(b[partsAt+8+4*i:]), uint32(points)
		if i+1 < len(rec.ends) {
			to = binary.LittleEndian.Uint32(b[partsAt+12+4*i:])
		}
		switch least := map[bool]uint32{true: 2, false: 4}[s.lines]; {
		case i == 0 && from != 0:
			return s.fault(ErrSyntax, "%d: invalid part", from)
		case to < from || to-from < least || int64(to) > points:
			return s.fault(ErrSyntax, "too few points in ring or line %d", i+1)
		}
		rec.ends[i] = int(to)
	}
	rec.data = b[first : first+pointSize*int(points)]
	return nil
}

// nextRecord reads the next record; nil if it has no geometry.
func (s *Shapefile) nextRecord() (*shapeRecord, error) {
	rec, err := s.scan()
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, s.fault(ErrTruncated, "the attribute table has %d records, the geometry ends early; fetch the file again", s.dbf.records)
	case err != nil:
		return nil, readFault(s.shp.name, s.record, err)
	case rec.kind == nullShape:
		return nil, nil
	case rec.kind != s.kind:
		return nil, s.fault(ErrGeometry, "shape of type %d in a file of type %d", rec.kind, s.kind)
	}
	return rec, nil
}

func (s *Shapefile) polylines() (orb.MultiLineString, error) {
	rec, err := s.nextRecord()
	if rec == nil || err != nil {
		return nil, err
	}
	points, err := s.points(rec)
	if err != nil {
		return nil, err
	}
	var lines orb.MultiLineString
	from := 0
	for _, to := range rec.ends {
		lines = append(lines, orb.LineString(points[from:to:to]))
		from = to
	}
	return lines, nil
}

// geometry reads the next record of the main file.
func (s *Shapefile) geometry() (orb.MultiPolygon, error) {
	s.closed = 0
	rec, err := s.nextRecord()
	if rec == nil || err != nil {
		return nil, err
	}
	rings, err := s.rings(rec)
	if err != nil {
		return nil, err
	}
	mp, ok := polygons(rings)
	if !ok {
		return nil, s.fault(ErrTooLong, "%d rings with %d points are too many to separate holes from islands", len(rings), len(rec.data)/pointSize)
	}
	return mp, nil
}

// rings returns the rings of a record in degrees, in the order of the file.
func (s *Shapefile) rings(rec *shapeRecord) ([]orb.Ring, error) {
	points, err := s.points(rec)
	if err != nil {
		return nil, err
	}
	var list []orb.Ring
	from := 0
	for _, to := range rec.ends {
		r := orb.Ring(points[from:to:to])
		if s.closeRings && r[0] != r[len(r)-1] {
			r = append(r, r[0])
			s.closed++
		}
		if r[0] != r[len(r)-1] {
			return nil, s.fault(ErrGeometry, "ring %d of %d points is not closed", len(list)+1, len(r))
		}
		if rings.Area(r) == 0 {
			return nil, s.fault(ErrGeometry, "ring %d of %d points has no area", len(list)+1, len(r))
		}
		list = append(list, r)
		from = to
	}
	return list, nil
}

// points returns the points of a record in degrees.
func (s *Shapefile) points(rec *shapeRecord) ([]orb.Point, error) {
	points := make([]orb.Point, len(rec.data)/pointSize)
	for i := range points {
		b := rec.data[i*pointSize:]
		x, y := math.Float64frombits(binary.LittleEndian.Uint64(b)), math.Float64frombits(binary.LittleEndian.Uint64(b[8:]))
		lng, lat := s.projection.Inverse(x, y)
		if !(lng >= -180 && lng <= 180 && lat >= -90 && lat <= 90) {
			return nil, s.fault(ErrGeometry, "point %d at %v, %v is not on the map of %v", i+1, x, y, s.projection)
		}
		points[i] = orb.Point{lng, lat}
	}
	return points, nil
}
