package dataset

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/postgeo/postgeo/geo"
)

// A column is a resident blob: rows of width bytes each, little-endian; width
// 0 where the rows differ in length.
type column struct {
	name  string
	width int
	rows  int
	data  []byte
}

func (c column) checksum() uint32 {
	e := encoder{}
	e.string(c.name)
	e.uint(uint64(c.width))
	e.uint(uint64(c.rows))
	return crc32.Update(crc32.Checksum(e.b, castagnoli()), castagnoli(), c.data)
}

// row returns the bytes of row i of a column of fixed width.
func (c column) row(i int) []byte { return c.data[i*c.width : (i+1)*c.width] }

// A columnSet holds the columns of a file in their order.
type columnSet struct{ list []column }

func (s *columnSet) add(c column) {
	if c.data == nil {
		c.data = []byte{} // SQLite would take nil for NULL
	}
	s.list = append(s.list, c)
}

// follows reports whether the next column has the name. It tells whether a
// table that a file may lack is there.
func (s *columnSet) follows(name string) bool { return len(s.list) > 0 && s.list[0].name == name }

// take returns the next column, which must have the name and width.
func (s *columnSet) take(name string, width int) (column, error) {
	if len(s.list) == 0 {
		return column{}, fmt.Errorf("column %s is missing", name)
	}
	c := s.list[0]
	s.list = s.list[1:]
	if c.name != name {
		return column{}, fmt.Errorf("found column %q, expected %q", c.name, name)
	}
	if c.width != width {
		return column{}, fmt.Errorf("column %s has rows of %d bytes, expected %d", name, c.width, width)
	}
	if c.rows < 0 || width > 0 && (len(c.data)%width != 0 || len(c.data)/width != c.rows) {
		return column{}, fmt.Errorf("column %s has %d bytes, expected %d rows of %d bytes", name, len(c.data), c.rows, width)
	}
	return c, nil
}

// Points are stored as two int32 in 1e-6 degree; noPoint as latitude stands
// for none.
const noPoint = math.MinInt32

func appendPoint(b []byte, p geo.LatLng) []byte {
	lat, lng := int32(noPoint), int32(0)
	if p.IsValid() {
		lat, lng = microDegrees(p.Lat()), microDegrees(p.Lng())
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(lat))
	return binary.LittleEndian.AppendUint32(b, uint32(lng))
}

func microDegrees(v float64) int32 { return int32(math.Round(v * 1e6)) }

func pointAt(b []byte) geo.LatLng {
	return pointFromMicro(int32(binary.LittleEndian.Uint32(b)), int32(binary.LittleEndian.Uint32(b[4:])))
}

func pointFromMicro(lat, lng int32) geo.LatLng {
	return geo.LatLngFromMicrodegrees(lat, lng) // noPoint is out of range; Open refuses all else that is
}

func checkPoint(b []byte) error {
	lat, lng := int32(binary.LittleEndian.Uint32(b)), int32(binary.LittleEndian.Uint32(b[4:]))
	return checkMicro(lat, lng)
}

func checkMicro(lat, lng int32) error {
	if lat == noPoint {
		if lng != 0 {
			return fmt.Errorf("it has longitude %d but no latitude", lng)
		}
		return nil
	}
	if lat < -90e6 || lat > 90e6 || lng < -180e6 || lng > 180e6 {
		return fmt.Errorf("its point %d,%d (1e-6 degree) is not on the Earth", lat, lng)
	}
	return nil
}
