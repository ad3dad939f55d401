package file

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// A Column is a resident blob: rows of width bytes each, little-endian; width
// 0 if the rows differ in length.
type Column struct {
	Name  string
	Width int
	Rows  int
	Data  []byte
}

// Row returns the bytes of row i of a column of fixed width.
func (c Column) Row(i int) []byte { return c.Data[i*c.Width : (i+1)*c.Width] }

// A Columns collects the columns of a new file, or reads those of a file.
// Column i of the directory is row i+1 of the table of columns.
type Columns struct {
	Heads []Column // without data while reading
	read  func(id int64) ([]byte, error)

	taken  []Column // in their order
	last   int      // place of the last one taken: columns are in the order of the tables
	failed error    // of read
}

// Add appends a column of a new file.
func (s *Columns) Add(c Column) { s.Heads = append(s.Heads, c) }

// Index returns the position of the column with the name, or -1.
func (s *Columns) Index(name string) int {
	return slices.IndexFunc(s.Heads, func(c Column) bool { return c.Name == name })
}

// Has reports whether the file has the column, which some files lack.
func (s *Columns) Has(name string) bool { return s.Index(name) >= 0 }

// Take returns the column with the name, which must have the width.
func (s *Columns) Take(name string, width int) (Column, error) {
	i := s.Index(name)
	if i < 0 {
		return Column{}, fmt.Errorf("column %s is missing", name)
	}
	if i < s.last {
		return Column{}, fmt.Errorf("column %s comes before %s, expected after", name, s.Heads[s.last].Name)
	}
	s.last = i
	c := s.Heads[i]
	if s.read != nil {
		if c.Data, s.failed = s.read(int64(i + 1)); s.failed != nil {
			return Column{}, s.failed
		}
	}
	s.taken = append(s.taken, c)
	if c.Width != width {
		return Column{}, fmt.Errorf("column %s has rows of %d bytes, expected %d", name, c.Width, width)
	}
	if c.Rows < 0 || width > 0 && (len(c.Data)%width != 0 || len(c.Data)/width != c.Rows) {
		return Column{}, fmt.Errorf("column %s has %d bytes, expected %d rows of %d bytes", name, len(c.Data), c.Rows, width)
	}
	return c, nil
}

func (s *Columns) end() error {
	if n := len(s.Heads); len(s.taken) != n {
		return fmt.Errorf("found %d columns, expected %d", n, len(s.taken))
	}
	return nil
}

// Directory encodes the names, widths and numbers of rows of the columns.
func (s *Columns) Directory() []byte {
	var e Encoder
	for _, c := range s.Heads {
		e.Text(c.Name)
		e.Uint(uint64(c.Width))
		e.Uint(uint64(c.Rows))
	}
	return e.B
}

// readDirectory reads the columns of a file without their data. The table has
// one more row than there are columns.
func readDirectory(c *Connection, rows int64) ([]Column, error) {
	payload, err := c.Row(ColumnRows, directoryID)
	if err != nil {
		return nil, err
	}
	heads, err := DecodeDirectory(payload)
	if err != nil {
		return nil, damaged(c.path, "%s: %v", ColumnRows.Noun(directoryID), err)
	}
	if n := int64(len(heads)) + 1; n != rows {
		return nil, damaged(c.path, "it has %d columns, the manifest lists %d", n-1, rows-1)
	}
	return heads, nil
}

// DecodeDirectory decodes the columns without their data.
func DecodeDirectory(payload []byte) (heads []Column, err error) {
	for d := (Decoder{B: payload}); len(d.B) > 0 || d.Err != nil; {
		head := Column{Name: d.Text(), Width: int(d.Max(math.MaxInt32)), Rows: int(d.Max(math.MaxInt32))}
		if d.Err == nil && slices.ContainsFunc(heads, func(c Column) bool { return c.Name == head.Name }) {
			d.Err = fmt.Errorf("column %q is listed twice", head.Name)
		}
		if d.Err != nil {
			return nil, d.Err
		}
		heads = append(heads, head)
	}
	return heads, nil
}

// Points are stored as two Int32 in 1e-6 degree. The latitude noPoint marks a
// missing point.
const noPoint = math.MinInt32

// AppendPoint appends the eight bytes of a point.
func AppendPoint(b []byte, p geo.LatLng) []byte {
	lat, lng := int32(noPoint), int32(0)
	if p.IsValid() {
		lat, lng = MicroDegrees(p.Lat()), MicroDegrees(p.Lng())
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(lat))
	return binary.LittleEndian.AppendUint32(b, uint32(lng))
}

// MicroDegrees returns an angle in units of 1e-6 degree.
func MicroDegrees(v float64) int32 { return int32(math.Round(v * 1e6)) }

// PointAt returns the point at the beginning of the bytes.
func PointAt(b []byte) geo.LatLng {
	return PointFromMicro(int32(binary.LittleEndian.Uint32(b)), int32(binary.LittleEndian.Uint32(b[4:])))
}

// PointFromMicro returns the point with the coordinates in 1e-6 degree.
func PointFromMicro(lat, lng int32) geo.LatLng {
	return geo.LatLngFromMicrodegrees(lat, lng) // noPoint is out of range; Open refuses all else that is
}

// CheckPoint returns an error for bytes that are not a point.
func CheckPoint(b []byte) error {
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
