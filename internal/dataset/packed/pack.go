package packed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// Names are the names of the packs of a file, in their order.
var Names = []string{"identity", "timezones", "boundaries", "districts", "survey", "streets"}

const (
	packIdentity = iota
	packZones
	packBoundaries
	packDistricts
	packSurvey
	packStreets
)

// packOf returns the pack of a table or a column.
func packOf(name string) uint32 {
	for _, p := range [...]struct {
		prefix string
		pack   uint32
	}{
		{"zone", packZones},
		{"zip_zones", packZones},
		{"fsa_zones", packZones},
		{"layer", packDistricts},
		{"school", packDistricts},
		{"survey", packSurvey},
		{"acs", packSurvey},
		{"zip4", packStreets},
		{"street", packStreets},
		{"road", packStreets},
	} {
		if strings.HasPrefix(name, p.prefix) {
			return p.pack
		}
	}
	if strings.Contains(name, "_areas") || strings.Contains(name, "_overlaps") {
		return packBoundaries
	}
	return packIdentity
}

// Zones is the number of the pack of time zones, whose sources have a separate
// license.
const Zones = packZones

// segmentBytes is the size of a segment of several rows.
const segmentBytes = 4 << 20

// arrange cuts the tables into segments, ordered by pack. The rows of the table of
// columns are segments by themselves.
func (s *File) arrange() error {
	columns, err := s.columns()
	if err != nil {
		return err
	}
	for i := range s.tables {
		t := &s.tables[i]
		if t.name == store.ColumnRows.Name {
			for row, c := range columns {
				s.segments = append(s.segments, segment{packOf(c.Name), uint32(i), uint32(row), uint32(row + 1)})
			}
			continue
		}
		for from := 0; from < len(t.ids); {
			to, size := from+1, int(t.sizes[from])
			for to < len(t.ids) && size+int(t.sizes[to]) <= segmentBytes {
				size += int(t.sizes[to])
				to++
			}
			s.segments = append(s.segments, segment{packOf(t.name), uint32(i), uint32(from), uint32(to)})
			from = to
		}
	}
	slices.SortStableFunc(s.segments, func(a, b segment) int { return int(a.pack) - int(b.pack) })
	return nil
}

// columns returns the columns of the file by row. The directory is row 0, without a
// name.
func (s *File) columns() ([]store.Column, error) {
	for i := range s.tables {
		if t := &s.tables[i]; t.name == store.ColumnRows.Name && len(t.ids) > 0 {
			payload, err := s.row(t, 0)
			if err != nil {
				return nil, err
			}
			list, err := store.DecodeDirectory(payload)
			if list = append([]store.Column{{}}, list...); err == nil && len(list) != len(t.ids) {
				err = errFrame
			}
			return list, err
		}
	}
	return nil, errFrame
}

// payload returns the rows of a segment, one behind another.
func (s *File) payload(g segment) ([]byte, error) {
	t := &s.tables[g.table]
	if g.to == g.from+1 {
		return s.row(t, int(g.from))
	}
	var all []byte
	for row := g.from; row < g.to; row++ {
		b, err := s.row(t, int(row))
		if err != nil {
			return nil, err
		}
		all = append(all, b...)
	}
	return all, nil
}

// filtered returns the filtered form of a segment.
func (s *File) filtered(g segment, columns []store.Column) ([]byte, error) {
	data, err := s.payload(g)
	if err != nil {
		return nil, err
	}
	width := 0
	if s.tables[g.table].name == store.ColumnRows.Name {
		width = columns[g.from].Width
	}
	if g.to != g.from+1 {
		return append([]byte{filterNone}, data...), nil
	}
	return filter(data, width, &s.coder), nil
}

// Uses reports whether the file has rows in the pack.
func (f *frame) Uses(pack int) bool {
	return slices.ContainsFunc(f.segments, func(g segment) bool { return g.pack == uint32(pack) })
}

// WriteFrame writes the compressed frame, after [File.Predict].
func (s *File) WriteFrame(w io.Writer) error {
	return s.coder.pack(w, func(z *zstd.Encoder) error { _, err := z.Write(s.append(nil)); return err })
}

// WritePack writes the rows of a pack of [Names].
func (s *File) WritePack(w io.Writer, pack int) error {
	return s.coder.pack(w, func(z *zstd.Encoder) error {
		return s.writeSegments(z, func(g segment) bool { return g.pack == uint32(pack) })
	})
}

// Write writes the frame and all rows.
func (s *File) Write(w io.Writer) error {
	return s.coder.pack(w, func(z *zstd.Encoder) error {
		if _, err := z.Write(s.append(nil)); err != nil {
			return err
		}
		return s.writeSegments(z, func(segment) bool { return true })
	})
}

func (s *File) writeSegments(z *zstd.Encoder, chosen func(segment) bool) error {
	columns, err := s.columns()
	if err != nil {
		return err
	}
	for _, g := range s.segments {
		if !chosen(g) {
			continue
		}
		b, err := s.filtered(g, columns)
		if err != nil {
			return err
		}
		if _, err := z.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// Pack reads a pack of [Names] and writes its rows.
func (j *Joiner) Pack(in io.Reader, pack int) error {
	r, done, err := unpack(in)
	if err != nil {
		return err
	}
	defer done()
	for _, g := range j.segments {
		if g.pack == uint32(pack) {
			if err := j.segment(r, g); err != nil {
				return err
			}
		}
	}
	return r.end()
}

// Unpack returns the dataset file that [File.Write] wrote. It refuses a file of more
// than most bytes.
func Unpack(data []byte, most int64) ([]byte, error) {
	r, done, err := unpack(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	defer done()
	f, err := readFrame(r, -1)
	if err != nil {
		return nil, fmt.Errorf("packed: %w", err)
	}
	size := int64(f.pages) * pageSize
	if size > most {
		return nil, fmt.Errorf("packed: the dataset has %d bytes, expected at most %d", size, most)
	}
	file := make(memory, size)
	j := newJoiner(f, file)
	for _, g := range j.segments {
		if err := j.segment(r, g); err != nil {
			return nil, fmt.Errorf("packed: %w", err)
		}
	}
	if err := errors.Join(j.Finish(), r.end()); err != nil {
		return nil, fmt.Errorf("packed: %w", err)
	}
	return file, nil
}

// A memory is a file in memory, of a fixed size.
type memory []byte

// WriteAt implements io.WriterAt.
func (m memory) WriteAt(b []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(b)) > int64(len(m)) {
		return 0, io.ErrShortWrite
	}
	return copy(m[at:], b), nil
}

// ReadAt implements io.ReaderAt.
func (m memory) ReadAt(b []byte, at int64) (int, error) {
	if at < 0 || at > int64(len(m)) {
		return 0, io.EOF
	}
	n := copy(b, m[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// segment writes the rows of a filtered segment.
func (j *Joiner) segment(r *reader, g segment) error {
	t := &j.tables[g.table]
	return unfilter(r, t.sizes[g.from:g.to], func(i int) (sink, error) { return j.row(t, int(g.from)+i) }, j.copying())
}

const frameMagic = "PGFRAME1"

// append appends the encoded frame: the pages that no rule predicts, the tables and
// the segments.
func (f *frame) append(b []byte) []byte {
	b = append(b, frameMagic...)
	u := func(v uint64) { b = binary.AppendUvarint(b, v) }
	i := func(v int64) { b = binary.AppendVarint(b, v) }
	u(uint64(f.pages))
	u(uint64(len(f.tables)))
	for k := range f.tables {
		t := &f.tables[k]
		u(uint64(len(t.name)))
		b = append(b, t.name...)
		u(uint64(len(t.ids)))
		last := int64(0)
		for _, id := range t.ids {
			i(id - last)
			last = id
		}
		for _, n := range t.sizes {
			u(uint64(n))
		}
		u(uint64(len(t.leaves)))
		last = 0
		for _, l := range t.leaves {
			i(int64(l.page) - last)
			last = int64(l.page)
		}
		for _, l := range t.leaves {
			u(uint64(l.cells))
		}
		u(uint64(len(t.chains)))
		last = 0
		for _, c := range t.chains {
			i(int64(c) - last)
			last = int64(c)
		}
	}
	u(uint64(len(f.segments)))
	for _, g := range f.segments {
		u(uint64(g.pack))
		u(uint64(g.table))
		u(uint64(g.from))
		u(uint64(g.to - g.from))
	}
	u(uint64(len(f.raw)))
	last := uint32(0)
	for _, p := range f.raw {
		u(uint64(p.page - last))
		b = append(b, p.data...)
		last = p.page
	}
	return b
}

// readFrame reads the encoded frame of a file of so many bytes; -1 allows any. Every
// row belongs to exactly one segment.
func readFrame(r *reader, size int64) (*frame, error) {
	f := &frame{}
	if magic := r.take(len(frameMagic)); r.err == nil && string(magic) != frameMagic {
		return nil, errFrame
	}
	f.pages = uint32(r.uint(maxPages))
	if r.err == nil && size >= 0 && int64(f.pages)*pageSize != size {
		return nil, errFrame
	}
	for range r.uint(1000) {
		t := table{name: string(r.take(int(r.uint(100))))}
		rows := r.uint(maxRows)
		last := int64(0)
		for n := uint64(0); n < rows && r.err == nil; n++ {
			last += r.int()
			t.ids = append(t.ids, last)
		}
		for n := uint64(0); n < rows && r.err == nil; n++ {
			t.sizes = append(t.sizes, uint32(r.uint(maxRow)))
		}
		leaves := r.uint(maxPages)
		last = 0
		for n := uint64(0); n < leaves && r.err == nil; n++ {
			last += r.int()
			t.leaves = append(t.leaves, leaf{page: f.number(r, last)})
		}
		for n := range t.leaves {
			t.leaves[n].cells = uint32(r.uint(pageSize))
		}
		chains := r.uint(rows)
		last = 0
		for n := uint64(0); n < chains && r.err == nil; n++ {
			last += r.int()
			t.chains = append(t.chains, f.number(r, last))
		}
		if r.err != nil {
			return nil, r.fault()
		}
		if err := t.index(); err != nil {
			return nil, err
		}
		f.tables = append(f.tables, t)
	}
	if err := f.readSegments(r); err != nil {
		return nil, err
	}
	page := uint64(0)
	for range r.uint(maxPages) {
		page += r.uint(maxPages)
		p := rawPage{f.number(r, int64(page)), r.take(pageSize)}
		if r.err != nil {
			return nil, r.fault()
		}
		f.raw = append(f.raw, p)
	}
	return f, r.fault()
}

// number checks the number of a page.
func (f *frame) number(r *reader, n int64) uint32 {
	if r.err == nil && (n < 1 || n > int64(f.pages)) {
		r.err = errStream
	}
	return uint32(n)
}

// readSegments reads the segments. Those of each table follow one another, by pack.
func (f *frame) readSegments(r *reader) error {
	rows := make([][]segment, len(f.tables))
	pack := uint64(0)
	for n := r.uint(maxRows); n > 0 && r.err == nil; n-- {
		p, t, from, length := r.uint(uint64(len(Names)-1)), r.uint(maxRows), r.uint(maxRows), r.uint(maxRows)
		if r.err == nil && (p < pack || t >= uint64(len(f.tables)) || length == 0 || from+length > uint64(len(f.tables[t].ids))) {
			return errFrame
		}
		if r.err != nil {
			break
		}
		g := segment{uint32(p), uint32(t), uint32(from), uint32(from + length)}
		pack, rows[t], f.segments = p, append(rows[t], g), append(f.segments, g)
	}
	if r.err != nil {
		return r.fault()
	}
	for t, list := range rows {
		slices.SortFunc(list, func(a, b segment) int { return int(a.from) - int(b.from) })
		next := uint32(0)
		for _, g := range list {
			if g.from != next {
				return errFrame
			}
			next = g.to
		}
		if int(next) != len(f.tables[t].ids) {
			return errFrame
		}
	}
	return nil
}
