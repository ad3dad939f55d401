// Package mirrortest writes small mirrors of the publishers' files from text, for tests
// and benchmarks of builds.
package mirrortest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/tzif"
	"github.com/postgeo/postgeo/internal/xlsx"
)

// A Mirror holds files by their addresses without the scheme.
type Mirror struct {
	Files map[string][]byte
	Rows  map[string]int // of those that the list of files has
}

// New returns a mirror with the zones of the sample in the layout of python/tzdata.
func New() *Mirror {
	m := &Mirror{Files: map[string][]byte{}, Rows: map[string]int{}}
	var clocks bytes.Buffer
	t := tar.NewWriter(&clocks)
	put := func(name, content string) {
		err := t.WriteHeader(&tar.Header{Name: "tzdata-2026.6/src/tzdata/zoneinfo/" + name, Mode: 0o644, Size: int64(len(content)), Format: tar.FormatUSTAR})
		if err == nil {
			_, err = io.WriteString(t, content)
		}
		if err != nil {
			panic(err) // a buffer takes everything
		}
	}
	for _, name := range tzif.Names() {
		put(name, tzif.Zone(name))
	}
	put("Pacific/Pohnpei", tzif.Zone("Pacific/Guam")) // has no outline
	put("tzdata.zi", "# version 2025b\n")
	if err := t.Close(); err != nil {
		panic(err)
	}
	m.put("github.com/python/tzdata/archive/refs/tags/2026.6.tar.gz", compressed(clocks.Bytes()), len(tzif.Names())+1)
	return m
}

func (m *Mirror) put(name string, data []byte, rows int) { m.Files[name], m.Rows[name] = data, rows }

// Text adds a delimited text. A .zip has it as its member, and a .gz is compressed.
func (m *Mirror) Text(name, member, header string, rows ...string) {
	lines := rows
	if header != "" {
		lines = append([]string{header}, rows...)
	}
	data := []byte(strings.Join(lines, "\n") + "\n")
	switch path.Ext(name) {
	case ".zip":
		data = Zip(member, string(data))
	case ".gz":
		data = compressed(data)
	}
	m.put(name, data, len(rows))
}

// Sheet adds a workbook with rows below two lines of title, above a note.
func (m *Mirror) Sheet(name string, rows ...[]string) {
	m.put(name, Workbook(slices.Concat([][]string{{"List 1"}, {"July 2023"}}, rows, [][]string{{"Note: the end"}})...), len(rows)-1)
}

// Workbook returns an Excel file with a sheet of rows. Empty texts leave their cells out.
func Workbook(rows ...[]string) []byte {
	var out bytes.Buffer
	w, err := xlsx.Create(zip.NewWriter(&out))
	for _, row := range rows {
		line := []byte("<row>")
		for _, text := range row {
			var failed error
			line, failed = xlsx.AppendText(line, "", text)
			err = errors.Join(err, failed)
		}
		failed := w.Write(append(line, "</row>"...), 1)
		err = errors.Join(err, failed)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// Shapes adds a zipped shapefile.
func (m *Mirror) Shapes(name, columns string, shapes ...Shape) {
	m.put(name, Shapefile(strings.TrimSuffix(path.Base(name), ".zip"), NAD83, columns, shapes...), len(shapes))
}

// Write writes the files below a folder. It adds the numbers of rows, which builds
// compare, to the list of the mirror's files, if it has one.
func (m *Mirror) Write(dir string) error {
	const list = "ACTUAL.csv"
	actual := m.Files[list]
	if actual == nil {
		actual = []byte("path,vintage,rows,official_rows,fit_for_shares,note\n")
	}
	for _, name := range slices.Sorted(maps.Keys(m.Rows)) {
		if !bytes.Contains(actual, []byte("\n"+name+",")) {
			actual = fmt.Appendf(actual, "%s,,%d,,,\n", name, m.Rows[name])
		}
	}
	for name, data := range m.Files {
		if err := write(dir, name, data); err != nil {
			return err
		}
	}
	return write(dir, list, actual)
}

func write(dir, name string, data []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

// Zip packs members, name and text by turns.
func Zip(members ...string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(members); i += 2 {
		w, err := z.Create(members[i])
		if err == nil {
			_, err = w.Write([]byte(members[i+1]))
		}
		if err != nil {
			panic(err)
		}
	}
	z.Close()
	return out.Bytes()
}

func compressed(data []byte) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(data); err != nil {
		panic(err)
	}
	z.Close()
	return out.Bytes()
}

// A Shape is a polygon or a line with the values of its columns.
type Shape struct {
	orb.Geometry
	Values []string
}

// Box is the rectangle between two corners.
func Box(west, south, east, north float64, values ...string) Shape {
	return Shape{orb.Bound{Min: orb.Point{west, south}, Max: orb.Point{east, north}}.ToPolygon(), values}
}

// NAD83 is the coordinate system of the Census Bureau's files.
const NAD83 = `GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`

// Shapefile packs shapes of one kind with the files of a shapefile (ESRI White Paper
// J-7855, July 1998). Columns are divided by blanks and have 60 bytes.
func Shapefile(name, system, columns string, shapes ...Shape) []byte {
	const polyLine, polygon, width, head = 3, 5, 60, 100
	be, le := binary.BigEndian, binary.LittleEndian
	kind := uint32(polygon)
	var shp, shx, dbf []byte
	for i, s := range shapes {
		var parts [][]orb.Point
		switch g := s.Geometry.(type) {
		case orb.Polygon:
			for _, r := range g { // outer rings run clockwise here
				r = slices.Clone(r)
				r.Reverse()
				parts = append(parts, r)
			}
		case orb.LineString:
			kind, parts = polyLine, [][]orb.Point{g}
		}
		points := slices.Concat(parts...)
		size := 44 + 4*len(parts) + 16*len(points)
		shx = be.AppendUint32(be.AppendUint32(shx, uint32(head+len(shp))/2), uint32(size)/2)
		shp = be.AppendUint32(be.AppendUint32(shp, uint32(i+1)), uint32(size)/2)
		shp = le.AppendUint32(shp, kind)
		bound := s.Bound()
		for _, v := range [...]float64{bound.Min[0], bound.Min[1], bound.Max[0], bound.Max[1]} {
			shp = le.AppendUint64(shp, math.Float64bits(v))
		}
		shp = le.AppendUint32(le.AppendUint32(shp, uint32(len(parts))), uint32(len(points)))
		start := 0
		for _, p := range parts {
			shp = le.AppendUint32(shp, uint32(start))
			start += len(p)
		}
		for _, p := range points {
			shp = le.AppendUint64(le.AppendUint64(shp, math.Float64bits(p[0])), math.Float64bits(p[1]))
		}
		dbf = append(dbf, ' ')
		for _, v := range s.Values {
			dbf = fmt.Appendf(dbf, "%-60s", v)
		}
	}
	header := func(size int) []byte {
		h := make([]byte, head)
		be.PutUint32(h, 9994)
		be.PutUint32(h[24:], uint32(head+size)/2)
		le.PutUint32(h[28:], 1000)
		le.PutUint32(h[32:], kind)
		return h
	}
	names := strings.Fields(columns)
	table := append([]byte(nil), make([]byte, 32)...)
	table[0], table[1], table[2], table[3] = 3, 125, 1, 1
	le.PutUint32(table[4:], uint32(len(shapes)))
	le.PutUint16(table[8:], uint16(33+32*len(names)))
	le.PutUint16(table[10:], uint16(1+width*len(names)))
	for _, n := range names {
		var d [32]byte
		copy(d[:11], n)
		d[11], d[16] = 'C', width
		table = append(table, d[:]...)
	}
	return Zip(name+".shp", string(header(len(shp)))+string(shp), name+".shx", string(header(len(shx)))+string(shx),
		name+".dbf", string(table)+"\r"+string(dbf)+"\x1a", name+".prj", system, name+".cpg", "UTF-8")
}
