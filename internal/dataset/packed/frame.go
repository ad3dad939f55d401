package packed

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// A frame is a dataset file without the contents of its rows. It has the place of each
// row in the pages of SQLite, and the pages that no rule predicts.
type frame struct {
	pages    uint32
	tables   []table
	segments []segment
	raw      []rawPage // ascending
}

// A table lists the rows of a table and the pages that hold them.
type table struct {
	name   string
	ids    []int64
	sizes  []uint32 // of payloads, without the checksum
	leaves []leaf
	chains []uint32 // first overflow page of each row that has one, in order

	first []int    // number of the first row of each leaf
	chain []uint32 // first overflow page of each row; 0: none
}

type leaf struct{ page, cells uint32 }

// A segment is a run of rows that a pack stores together.
type segment struct{ pack, table, from, to uint32 }

type rawPage struct {
	page uint32
	data []byte
}

var (
	errFrame = errors.New("the frame of the file is malformed")
	errRows  = errors.New("a row of the file is malformed")
)

const (
	pageSize     = store.PageSize
	overflowSize = pageSize - 4
	sealSize     = 4
	// lockPage is the page that SQLite leaves unused for its locks.
	lockPage = 1<<30/pageSize + 1
	maxRows  = 1 << 26
	maxPages = 1 << 22 // 64 GiB
	// maxRow is the longest row in bytes.
	maxRow = 1 << 30
)

func after(page uint32) uint32 {
	if page+1 == lockPage {
		return page + 2
	}
	return page + 1
}

// A cell describes the place of a row in its leaf.
type cell struct {
	record int // bytes of the record before the payload
	head   int // bytes before the payload in the leaf
	local  int // bytes of payload and checksum in the leaf
	whole  bool
	length int // in the leaf, with the number of the first overflow page
}

func (t *table) cell(row int) cell {
	n := uint64(t.sizes[row]) + sealSize
	c := cell{record: 2 + varintSize(2*n+12)}
	size := c.record + int(n)
	c.head = varintSize(uint64(size)) + varintSize(uint64(t.ids[row])) + c.record
	c.local = store.LocalBytes(size) - c.record
	c.whole = c.local == int(n)
	if c.length = max(c.head+c.local, 4); !c.whole {
		c.length += 4
	}
	return c
}

// appendHead appends the bytes of a cell before its payload.
func (t *table) appendHead(b []byte, row int) []byte {
	n := uint64(t.sizes[row]) + sealSize
	record := 2 + varintSize(2*n+12)
	b = appendVarint(appendVarint(b, uint64(record)+n), uint64(t.ids[row]))
	return appendVarint(append(b, byte(record), 0), 2*n+12)
}

// varintSize returns the bytes of a number as SQLite stores it.
func varintSize(v uint64) int { return min(max(1, (bits.Len64(v)+6)/7), 9) }

// appendVarint appends a number as SQLite stores it.
func appendVarint(b []byte, v uint64) []byte {
	n := varintSize(v)
	if n == 9 {
		b = appendVarint(b, v>>8)
		b[len(b)-1] |= 0x80
		return append(b, byte(v))
	}
	for i := n - 1; i > 0; i-- {
		b = append(b, byte(v>>(7*i))|0x80)
	}
	return append(b, byte(v&0x7f))
}

// index finds the first row of each leaf and the chain of each row. It checks that
// leaves and chains fit the rows.
func (t *table) index() error {
	row, chains := 0, t.chains
	t.first, t.chain = make([]int, len(t.leaves)), make([]uint32, len(t.ids))
	for i, l := range t.leaves {
		t.first[i] = row
		if uint64(row)+uint64(l.cells) > uint64(len(t.ids)) || l.cells > pageSize/2 {
			return errFrame
		}
		for end := row + int(l.cells); row < end; row++ {
			if t.cell(row).whole {
				continue
			}
			if len(chains) == 0 {
				return errFrame
			}
			t.chain[row], chains = chains[0], chains[1:]
		}
	}
	if row != len(t.ids) || len(chains) > 0 {
		return errFrame
	}
	return nil
}

// leaf returns the number of a row's leaf.
func (t *table) leaf(row int) int {
	leaf, found := slices.BinarySearch(t.first, row)
	if !found {
		return leaf - 1
	}
	for t.leaves[leaf].cells == 0 { // an empty leaf begins at the same row
		leaf++
	}
	return leaf
}

// A File is an open dataset file with its frame. It keeps the last page and the buffers
// of its encoders, so only one goroutine may use it at a time.
type File struct {
	frame
	file  io.ReaderAt
	size  int64
	last  rawPage // that a row was read from
	coder coder
}

// Open reads the frame of a dataset file. The pages that no rule predicts are
// missing; see [File.Predict].
func Open(file io.ReaderAt, size int64) (*File, error) {
	s, err := readFile(file, size)
	if err == nil {
		err = s.arrange()
	}
	if err != nil {
		return nil, fmt.Errorf("packed: %w", err)
	}
	return s, nil
}

func readFile(file io.ReaderAt, size int64) (*File, error) {
	s := &File{file: file, size: size, frame: frame{pages: uint32(size / pageSize)}}
	if size%pageSize != 0 || size == 0 || s.pages > maxPages {
		return nil, errFrame
	}
	page, err := s.page(1)
	if err != nil {
		return nil, err
	}
	type root struct {
		name string
		page uint32
	}
	var roots []root
	cells := int(binary.BigEndian.Uint16(page[103:]))
	for i := range min(cells, 1000) {
		name, sql, number, err := schemaRow(page, i)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(sql, "(id INTEGER PRIMARY KEY, data BLOB NOT NULL)") {
			roots = append(roots, root{name, number})
		}
	}
	for _, r := range roots {
		t := table{name: r.name}
		if err := s.walk(&t, r.page, 0); err != nil {
			return nil, fmt.Errorf("table %s: %w", r.name, err)
		}
		if err := t.index(); err != nil {
			return nil, err
		}
		s.tables = append(s.tables, t)
	}
	return s, nil
}

func (s *File) page(number uint32) ([]byte, error) {
	if number == 0 || number > s.pages {
		return nil, errFrame
	}
	b := make([]byte, pageSize)
	_, err := s.file.ReadAt(b, int64(number-1)*pageSize)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b, err
}

// schemaRow reads the name, the statement and the root page of a table.
func schemaRow(page []byte, i int) (name, sql string, root uint32, err error) {
	at := int(binary.BigEndian.Uint16(page[108+2*i:]))
	b := page[min(at, pageSize):]
	_, n := store.Varint(b)
	b = b[n:]
	_, n = store.Varint(b)
	b = b[n:]
	header, n := store.Varint(b)
	if n == 0 || header > uint64(len(b)) {
		return "", "", 0, errFrame
	}
	kinds, values := b[n:header], b[header:]
	for column := range 5 {
		kind, n := store.Varint(kinds)
		size := int(kind)
		switch {
		case kind >= 13 && kind%2 == 1 && kind < pageSize*2:
			size = int(kind-13) / 2
		case kind > 4:
			return "", "", 0, errFrame
		}
		if n == 0 || size > len(values) {
			return "", "", 0, errFrame
		}
		v := values[:size]
		switch column {
		case 1:
			name = string(v)
		case 3:
			for _, x := range v {
				root = root<<8 | uint32(x)
			}
		case 4:
			sql = string(v)
		}
		kinds, values = kinds[n:], values[size:]
	}
	return name, sql, root, nil
}

// walk appends the rows below a page to the table.
func (s *File) walk(t *table, number uint32, depth int) error {
	page, err := s.page(number)
	if err != nil {
		return err
	}
	cells := int(binary.BigEndian.Uint16(page[3:]))
	at := 8
	if page[0] == 5 {
		at = 12
	}
	if page[0] != 5 && page[0] != 13 || at+2*cells > pageSize || depth > 20 {
		return errFrame
	}
	if page[0] == 13 {
		t.leaves = append(t.leaves, leaf{number, uint32(cells)})
	}
	for i := range cells {
		c := int(binary.BigEndian.Uint16(page[at+2*i:]))
		if c+4 > pageSize {
			return errFrame
		}
		if page[0] == 5 {
			err = s.walk(t, binary.BigEndian.Uint32(page[c:]), depth+1)
		} else {
			err = t.addCell(page[c:])
		}
		if err != nil {
			return err
		}
	}
	if page[0] == 5 {
		return s.walk(t, binary.BigEndian.Uint32(page[8:]), depth+1)
	}
	return nil
}

func (t *table) addCell(b []byte) error {
	size, n := store.Varint(b)
	id, m := store.Varint(b[n:])
	header, k := store.Varint(b[min(n+m, len(b)):])
	if n == 0 || m == 0 || k == 0 || header < 3 || header > 12 || size < header+sealSize || size > maxRow {
		return errRows
	}
	payload := uint32(size - header - sealSize)
	t.ids, t.sizes = append(t.ids, int64(id)), append(t.sizes, payload)
	if c := t.cell(len(t.ids) - 1); !c.whole {
		at := c.length - 4
		if at+4 > len(b) {
			return errRows
		}
		t.chains = append(t.chains, binary.BigEndian.Uint32(b[at:]))
	}
	return nil
}

// A place is the place of a row's payload and checksum in the file.
type place struct {
	head  int64 // offset of the local part in the file
	local int64 // its bytes
	chain uint32
	size  int64
}

// span returns the offset of a byte of the row and the bytes left in its page. The
// result begins reports the first byte of an overflow page.
func (p place) span(at int64) (from, room int64, begins bool) {
	if at < p.local {
		return p.head + at, p.local - at, false
	}
	skip := (at - p.local) % overflowSize
	return (p.page(at)-1)*pageSize + 4 + skip, overflowSize - skip, skip == 0
}

// page returns the overflow page of a byte of the row.
func (p place) page(at int64) int64 {
	page := int64(p.chain) + (at-p.local)/overflowSize
	if p.chain < lockPage && page >= lockPage {
		page++
	}
	return page
}

// A rowReader reads the payload of a row in place.
type rowReader struct {
	place
	file io.ReaderAt
}

func (s *File) rowReader(t *table, row int) (*rowReader, error) {
	l, c := t.leaf(row), t.cell(row)
	if s.last.page != t.leaves[l].page {
		page, err := s.page(t.leaves[l].page)
		if err != nil {
			return nil, err
		}
		s.last = rawPage{t.leaves[l].page, page}
	}
	at := int64(binary.BigEndian.Uint16(s.last.data[8+2*(row-t.first[l]):])) + int64(c.head)
	head := int64(t.leaves[l].page-1)*pageSize + at
	return &rowReader{place{head, int64(c.local), t.chain[row], int64(t.sizes[row]) + sealSize}, s.file}, nil
}

// ReadAt implements io.ReaderAt, for chains of pages that follow one another.
func (r *rowReader) ReadAt(b []byte, at int64) (n int, err error) {
	for n < len(b) && at < r.size {
		from, room, _ := r.span(at)
		part := b[n:min(len(b), n+int(min(room, r.size-at)))]
		if m, err := r.file.ReadAt(part, from); m < len(part) {
			return n + m, err
		}
		n, at = n+len(part), at+int64(len(part))
	}
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

// row returns the payload of a row.
func (s *File) row(t *table, row int) ([]byte, error) {
	r, err := s.rowReader(t, row)
	if err != nil {
		return nil, err
	}
	b := make([]byte, r.size)
	if _, err := r.ReadAt(b, 0); err != nil {
		return nil, err
	}
	if _, err := store.Unseal(t.name, t.ids[row], b); err != nil {
		return nil, fmt.Errorf("table %s, row %d: %w", t.name, t.ids[row], err)
	}
	return b[:len(b)-sealSize], nil
}

// Predict adds to the frame the pages that differ from those that a joiner writes.
// The scratch file must be empty.
func (s *File) Predict(scratch Target) error {
	j := newJoiner(&s.frame, scratch)
	for i := range s.tables {
		t := &s.tables[i]
		for row := range t.ids {
			b, err := s.row(t, row)
			if err == nil {
				err = j.write(t, row, bytes.NewReader(b))
			}
			if err != nil {
				return err
			}
		}
	}
	if err := j.flush(); err != nil {
		return err
	}
	s.raw = nil
	b := make([]byte, pageSize)
	for number := uint32(1); number <= s.pages; number++ {
		want, err := s.page(number)
		if err != nil {
			return err
		}
		clear(b)
		if _, err := scratch.ReadAt(b, int64(number-1)*pageSize); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if !slices.Equal(b, want) {
			s.raw = append(s.raw, rawPage{number, want})
		}
	}
	return nil
}
