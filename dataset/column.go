package dataset

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// A column is a resident blob: rows of width bytes each, little-endian; width
// 0 if the rows differ in length.
type column struct {
	name  string
	width int
	rows  int
	data  []byte
}

// row returns the bytes of row i of a column of fixed width.
func (c column) row(i int) []byte { return c.data[i*c.width : (i+1)*c.width] }

// A columnSet collects the columns of a new file, or reads those of a file.
// Column i of the directory is row i+1 of the table of columns.
type columnSet struct {
	heads []column // without data while reading
	read  func(id int64) ([]byte, error)

	taken  []column // in their order
	last   int      // place of the last one taken: columns are in the order of the tables
	failed error    // of read
}

func (s *columnSet) add(c column) { s.heads = append(s.heads, c) }

func (s *columnSet) index(name string) int {
	return slices.IndexFunc(s.heads, func(c column) bool { return c.name == name })
}

// has reports whether the file has the column, which some files lack.
func (s *columnSet) has(name string) bool { return s.index(name) >= 0 }

// take returns the column with the name, which must have the width.
func (s *columnSet) take(name string, width int) (column, error) {
	i := s.index(name)
	if i < 0 {
		return column{}, fmt.Errorf("column %s is missing", name)
	}
	if i < s.last {
		return column{}, fmt.Errorf("column %s comes before %s, expected after", name, s.heads[s.last].name)
	}
	s.last = i
	c := s.heads[i]
	if s.read != nil {
		if c.data, s.failed = s.read(int64(i + 1)); s.failed != nil {
			return column{}, s.failed
		}
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

// end reports columns that no table took.
func (s *columnSet) end() error {
	if n := len(s.heads); len(s.taken) != n {
		return fmt.Errorf("found %d columns, expected %d", n, len(s.taken))
	}
	return nil
}

// directory encodes the names, widths and numbers of rows of the columns.
func (s *columnSet) directory() []byte {
	var e encoder
	for _, c := range s.heads {
		e.string(c.name)
		e.uint(uint64(c.width))
		e.uint(uint64(c.rows))
	}
	return e.b
}

// readDirectory reads the columns of a file without their data. The table has
// one more row than there are columns.
func readDirectory(c *connection, rows int64) ([]column, error) {
	payload, err := c.row(columnRows, directoryID)
	if err != nil {
		return nil, err
	}
	heads, err := decodeDirectory(payload)
	if err != nil {
		return nil, damaged(c.path, "%s: %v", columnRows.noun(directoryID), err)
	}
	if n := int64(len(heads)) + 1; n != rows {
		return nil, damaged(c.path, "it has %d columns, the manifest lists %d", n-1, rows-1)
	}
	return heads, nil
}

func decodeDirectory(payload []byte) (heads []column, err error) {
	for d := (decoder{b: payload}); len(d.b) > 0 || d.err != nil; {
		head := column{name: d.string(), width: int(d.max(math.MaxInt32)), rows: int(d.max(math.MaxInt32))}
		if d.err == nil && slices.ContainsFunc(heads, func(c column) bool { return c.name == head.name }) {
			d.err = fmt.Errorf("column %q is listed twice", head.name)
		}
		if d.err != nil {
			return nil, d.err
		}
		heads = append(heads, head)
	}
	return heads, nil
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
