package synth

import (
	"archive/zip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// A field is a column of a shapefile's attribute table. Numbers are
// right-justified.
type field struct {
	name     string
	size     int
	numeric  bool
	decimals int
}

// fieldsOf parses columns, as in "NAME:100 ALAND:N14 LANDAREA:N12.4": the name,
// the size, N for a number, and its decimals.
func fieldsOf(columns string) []field {
	var list []field
	for column := range strings.FieldsSeq(columns) {
		name, size, _ := strings.Cut(column, ":")
		f := field{name: name}
		size, f.numeric = strings.CutPrefix(size, "N")
		if _, err := fmt.Sscanf(size+".0", "%d.%d", &f.size, &f.decimals); err != nil {
			panic("synth: malformed column " + column)
		}
		list = append(list, f)
	}
	return list
}

// The types of shapes.
const (
	lineShape    = 3
	polygonShape = 5
)

// A shapefile gathers polygons or lines with attributes and writes them as
// the five files of an ESRI shapefile (ESRI White Paper J-7855, July 1998).
type shapefile struct {
	kind    uint32
	fields  []field
	project func(vertex) (x, y float64)
	wkt     string
	latin   bool // attributes in Windows-1252, else UTF-8

	shp, shx, dbf []byte // without headers
	bounds        [4]float64
	records       int
	err           error
}

// newShapefile returns an empty shapefile. Canadian ones are projected to
// Statistics Canada Lambert and encoded in Windows-1252.
func newShapefile(fields []field, canada bool) *shapefile {
	s := &shapefile{
		kind: polygonShape, fields: fields, wkt: nad83WKT,
		project: func(v vertex) (float64, float64) { return v.lng(), v.lat() },
		bounds:  [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)},
	}
	if canada {
		l := newLambert()
		s.project = func(v vertex) (float64, float64) { return l.forward(v.lng(), v.lat()) }
		s.wkt, s.latin = lambertWKT, true
	}
	return s
}

// add appends a record of polygons. Errors are reported by write.
func (s *shapefile) add(polygons []polygon, values ...string) {
	var rings [][]vertex
	for _, p := range polygons {
		for _, r := range append([][]vertex{p.Outer}, p.Holes...) {
			ring := append(slices.Clone(r), r[0])
			slices.Reverse(ring) // outer rings run clockwise here
			rings = append(rings, ring)
		}
	}
	s.addParts(rings, values)
}

// addParts appends a record of lines or closed rings.
func (s *shapefile) addParts(parts [][]vertex, values []string) {
	points := 0
	for _, r := range parts {
		points += len(r)
	}
	content := 44 + 4*len(parts) + 16*points
	s.records++
	be, le := binary.BigEndian, binary.LittleEndian
	s.shx = be.AppendUint32(s.shx, uint32(100+len(s.shp))/2)
	s.shx = be.AppendUint32(s.shx, uint32(content)/2)
	s.shp = be.AppendUint32(s.shp, uint32(s.records))
	s.shp = be.AppendUint32(s.shp, uint32(content)/2)
	s.shp = le.AppendUint32(s.shp, s.kind)
	boxAt := len(s.shp)
	s.shp = append(s.shp, make([]byte, 32)...)
	s.shp = le.AppendUint32(s.shp, uint32(len(parts)))
	s.shp = le.AppendUint32(s.shp, uint32(points))
	start := 0
	for _, r := range parts {
		s.shp = le.AppendUint32(s.shp, uint32(start))
		start += len(r)
	}
	box := [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, r := range parts {
		for _, v := range r {
			x, y := s.project(v)
			s.shp = le.AppendUint64(s.shp, math.Float64bits(x))
			s.shp = le.AppendUint64(s.shp, math.Float64bits(y))
			box = [4]float64{min(box[0], x), min(box[1], y), max(box[2], x), max(box[3], y)}
		}
	}
	for i, v := range box {
		le.PutUint64(s.shp[boxAt+8*i:], math.Float64bits(v))
	}
	b := s.bounds
	s.bounds = [4]float64{min(b[0], box[0]), min(b[1], box[1]), max(b[2], box[2]), max(b[3], box[3])}
	s.attributes(values)
}

func (s *shapefile) attributes(values []string) {
	s.dbf = append(s.dbf, ' ')
	for i, f := range s.fields {
		v := values[i]
		if s.latin {
			encoded, err := charmap.Windows1252.NewEncoder().String(v)
			if err != nil {
				s.err = fmt.Errorf("field %s: %q cannot be encoded in Windows-1252: %w", f.name, v, err)
			}
			v = encoded
		} else if !utf8.ValidString(v) {
			s.err = fmt.Errorf("field %s: %q is not UTF-8", f.name, v)
		}
		if len(v) > f.size {
			s.err = fmt.Errorf("field %s: %q is longer than %d bytes", f.name, v, f.size)
			v = v[:f.size]
		}
		padding := strings.Repeat(" ", f.size-len(v))
		if f.numeric {
			s.dbf = append(append(s.dbf, padding...), v...)
		} else {
			s.dbf = append(append(s.dbf, v...), padding...)
		}
	}
}

// header returns the head of a .shp or .shx file with size bytes of content.
func (s *shapefile) header(size int) []byte {
	var h [100]byte
	binary.BigEndian.PutUint32(h[0:], 9994)
	binary.BigEndian.PutUint32(h[24:], uint32(100+size)/2)
	binary.LittleEndian.PutUint32(h[28:], 1000)
	binary.LittleEndian.PutUint32(h[32:], s.kind)
	if s.records > 0 {
		for i, v := range s.bounds {
			binary.LittleEndian.PutUint64(h[36+8*i:], math.Float64bits(v))
		}
	}
	return h[:]
}

func (s *shapefile) tableHeader() []byte {
	size := 1
	for _, f := range s.fields {
		size += f.size
	}
	h := make([]byte, 32, 32*len(s.fields)+33)
	h[0], h[1], h[2], h[3] = 3, byte(stamp.Year()-1900), byte(stamp.Month()), byte(stamp.Day())
	binary.LittleEndian.PutUint32(h[4:], uint32(s.records))
	binary.LittleEndian.PutUint16(h[8:], uint16(cap(h)))
	binary.LittleEndian.PutUint16(h[10:], uint16(size))
	if s.latin {
		h[29] = 87 // code page of Windows ANSI
	}
	for _, f := range s.fields {
		var d [32]byte
		copy(d[:11], f.name)
		d[11] = 'C'
		if f.numeric {
			d[11] = 'N'
		}
		d[16], d[17] = byte(f.size), byte(f.decimals)
		h = append(h, d[:]...)
	}
	return append(h, '\r')
}

// write writes the zipped files, named base.shp and so on.
func (s *shapefile) write(w io.Writer, base string) error {
	if s.err != nil {
		return s.err
	}
	encoding := "UTF-8"
	if s.latin {
		encoding = "windows-1252"
	}
	z := zip.NewWriter(w)
	for _, f := range []struct {
		extension string
		parts     [][]byte
	}{
		{".cpg", [][]byte{[]byte(encoding)}},
		{".dbf", [][]byte{s.tableHeader(), s.dbf, {0x1a}}},
		{".prj", [][]byte{[]byte(s.wkt)}},
		{".shp", [][]byte{s.header(len(s.shp)), s.shp}},
		{".shx", [][]byte{s.header(len(s.shx)), s.shx}},
	} {
		m, err := zipMember(z, base+f.extension)
		if err != nil {
			return err
		}
		for _, p := range f.parts {
			if _, err := m.Write(p); err != nil {
				return err
			}
		}
	}
	return z.Close()
}
