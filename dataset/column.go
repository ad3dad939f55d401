package dataset

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// A column is a resident blob: rows of width bytes each, little-endian; width
// 0 if the rows differ in length.
type column struct {
	id    int64  // in the file; 0 while it is written
	crc   uint32 // as the file has it
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

// A columnSet holds the columns of a file, or reads those that are taken.
type columnSet struct {
	list  []column
	taken []column                       // in their order
	last  int                            // place of the last one taken: columns are in the order of the tables
	fill  func(*column) error            // reads the data of a column; nil: list has it
	next  func(id int64) (column, error) // reads columns in their order; nil: list has them

	failed error // of fill or next
}

func (s *columnSet) add(c column) {
	if c.data == nil {
		c.data = []byte{} // SQLite would take nil for NULL
	}
	s.list = append(s.list, c)
}

func (s *columnSet) index(name string) int {
	return slices.IndexFunc(s.list, func(c column) bool { return c.name == name })
}

// has reports whether the file has the column, which some files lack.
func (s *columnSet) has(name string) bool { return s.index(name) >= 0 }

// take returns the column with the name, which must have the width.
func (s *columnSet) take(name string, width int) (column, error) {
	c, err := s.find(name)
	if err != nil {
		return column{}, err
	}
	s.taken = append(s.taken, c)
	if c.width != width {
		return column{}, fmt.Errorf("column %s has rows of %d bytes, expected %d", name, c.width, width)
	}
	if c.rows < 0 || width > 0 && (len(c.data)%width != 0 || len(c.data)/width != c.rows) {
		return column{}, fmt.Errorf("column %s has %d bytes, expected %d rows of %d bytes", name, len(c.data), c.rows, width)
	}
	return c, nil
}

func (s *columnSet) find(name string) (c column, err error) {
	if s.next != nil {
		if c, s.failed = s.next(int64(len(s.taken) + 1)); s.failed == nil && c.name != name {
			err = fmt.Errorf("found column %q, expected %q", c.name, name)
		}
		return c, cmp.Or(s.failed, err)
	}
	i := s.index(name)
	if i < 0 {
		return c, fmt.Errorf("column %s is missing", name)
	}
	if i < s.last {
		return c, fmt.Errorf("column %s comes before %s, expected after", name, s.list[s.last].name)
	}
	s.last, c = i, s.list[i]
	if s.fill != nil {
		s.failed = s.fill(&c)
	}
	return c, s.failed
}

// end reports columns that no table took.
func (s *columnSet) end() error {
	if n := len(s.list); len(s.taken) != n {
		return fmt.Errorf("found %d columns, expected %d", n, len(s.taken))
	}
	return nil
}

// Points are stored as two int32 in 1e-6 degree. The latitude noPoint marks a
// missing point.
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
