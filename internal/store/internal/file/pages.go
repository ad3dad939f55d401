package file

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"unsafe"
)

// A pageReader reads the pages of a dataset file past SQLite and its caches. It
// supports the part of SQLite's format that a dataset uses: tables with integer
// keys, no indexes, no reserved bytes.
// See https://www.sqlite.org/fileformat2.html.
type pageReader struct {
	path  string // for errors
	file  readable
	size  int64                         // in bytes, when it was opened
	fresh io.ReaderAt                   // past the system's page cache too; nil: there is no such way
	seen  func(number uint32, b []byte) // is called for each page of a tree; nil: nothing is
}

// Types of pages, their first byte.
const (
	interiorPage = 0x05
	leafPage     = 0x0d
)

// maxDepth is more than the levels of any table.
const maxDepth = 20

// newPage returns a buffer for one page, at an address that direct reads take.
func newPage() []byte {
	const align = 4096
	b := make([]byte, PageSize+align)
	skip := 0
	if n := int(uintptr(unsafe.Pointer(&b[0])) % align); n != 0 {
		skip = align - n
	}
	return b[skip : skip+PageSize : skip+PageSize]
}

// read fills b, which newPage made, with the page of a number, counted from 1.
func (p *pageReader) read(b []byte, number uint32) error {
	at := (int64(number) - 1) * PageSize
	if number == 0 || at+PageSize > p.size {
		return damaged(p.path, "it refers to its page %d of %d", number, p.size/PageSize)
	}
	n, err := p.readAt(b, at)
	switch {
	case n == len(b):
		return nil
	case errors.Is(err, io.EOF), err == nil:
		return damaged(p.path, "page %d ends after %d bytes, expected %d", number, n, len(b))
	}
	return unreadable(p.path, fmt.Sprintf("page %d", number), err)
}

func (p *pageReader) readAt(b []byte, at int64) (int, error) {
	if p.fresh != nil {
		n, err := p.fresh.ReadAt(b, at)
		if n == len(b) || !isUnsupported(err) {
			return n, err
		}
		p.fresh = nil // the file can be opened in this way, but not read
	}
	return p.file.ReadAt(b, at)
}

// A treePage is a page of a table.
type treePage struct {
	b     []byte
	kind  byte
	cells int
	at    int // of the cell pointers
	right uint32
}

func (p *pageReader) tree(b []byte, number uint32) (treePage, error) {
	if err := p.read(b, number); err != nil {
		return treePage{}, err
	}
	if p.seen != nil {
		p.seen(number, b)
	}
	at := 0
	if number == 1 {
		at = headerSize
	}
	t := treePage{b: b, kind: b[at], cells: int(binary.BigEndian.Uint16(b[at+3:])), at: at + 8}
	if t.kind == interiorPage {
		t.right, t.at = binary.BigEndian.Uint32(b[at+8:]), at+12
	}
	if t.kind != interiorPage && t.kind != leafPage || t.at+2*t.cells > PageSize {
		return treePage{}, damaged(p.path, "page %d is not a page of a table", number)
	}
	return t, nil
}

var errCell = errors.New("a cell is malformed")

func (t *treePage) cell(i int) ([]byte, error) {
	at := int(binary.BigEndian.Uint16(t.b[t.at+2*i:]))
	if at < t.at+2*t.cells || at+5 > PageSize {
		return nil, errCell
	}
	return t.b[at:], nil
}

// child returns child i of an interior page and the largest key below it.
func (t *treePage) child(i int) (page uint32, last int64, err error) {
	if i == t.cells {
		return t.right, math.MaxInt64, nil
	}
	c, err := t.cell(i)
	if err != nil {
		return 0, 0, err
	}
	key, n := Varint(c[4:])
	if n == 0 {
		return 0, 0, errCell
	}
	return binary.BigEndian.Uint32(c), int64(key), nil
}

// A leafCell is a row as a leaf holds it.
type leafCell struct {
	id       int64
	size     int64  // of the whole record
	local    []byte // its beginning
	overflow uint32 // the page with the rest; 0: there is none
}

func (t *treePage) row(i int) (leafCell, error) {
	c, err := t.cell(i)
	if err != nil {
		return leafCell{}, err
	}
	size, n := Varint(c)
	id, m := Varint(c[n:])
	if n == 0 || m == 0 || size > math.MaxInt32 {
		return leafCell{}, errCell
	}
	row := leafCell{id: int64(id), size: int64(size)}
	c = c[n+m:]
	local := LocalBytes(int(size))
	if local > len(c) {
		return leafCell{}, errCell
	}
	row.local = c[:local]
	if int64(local) < row.size {
		if local+4 > len(c) {
			return leafCell{}, errCell
		}
		row.overflow = binary.BigEndian.Uint32(c[local:])
	}
	return row, nil
}

// LocalBytes returns how much of a record a leaf holds; the rest is in overflow
// pages.
func LocalBytes(size int) int {
	const (
		most  = PageSize - 35
		least = (PageSize-12)*32/255 - 23
	)
	if size <= most {
		return size
	}
	if k := least + (size-least)%(PageSize-4); k <= most {
		return k
	}
	return least
}

// Varint reads a number of SQLite of one to nine bytes, 0 bytes if it is cut off.
func Varint(b []byte) (v uint64, n int) {
	for i := range min(len(b), 9) {
		if i == 8 {
			return v<<8 | uint64(b[i]), 9
		}
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}

// leaf fills b with the leaf of a table that holds its first row from an id on.
// It returns the place of that row. If no such row exists, found is false.
func (p *pageReader) leaf(b []byte, root uint32, id int64) (t treePage, first int, found bool, err error) {
	last := true // only right-most children so far
	for range maxDepth {
		if t, err = p.tree(b, root); err != nil {
			return t, 0, false, err
		}
		if t.kind == leafPage {
			for i := range t.cells {
				row, err := t.row(i)
				if err != nil {
					return t, 0, false, damaged(p.path, "page %d: %v", root, err)
				}
				if row.id >= id {
					return t, i, true, nil
				}
			}
			if !last {
				err = damaged(p.path, "page %d lacks a row that the page above it promises", root)
			}
			return t, 0, false, err
		}
		page := root
		for i := 0; i <= t.cells; i++ {
			child, key, err := t.child(i)
			if err != nil {
				return t, 0, false, damaged(p.path, "page %d: %v", page, err)
			}
			if key >= id {
				root, last = child, last && i == t.cells
				break
			}
		}
	}
	return t, 0, false, damaged(p.path, "a table has more than %d levels of pages", maxDepth)
}

// recordTypes returns the serial types of a record's n columns and where their
// values begin.
func recordTypes(b []byte, n int) (types []uint64, at int, err error) {
	size, at := Varint(b)
	if at == 0 || size > uint64(len(b)) {
		return nil, 0, errCell
	}
	for b = b[:size]; len(types) < n; {
		v, m := Varint(b[at:])
		if m == 0 {
			return nil, 0, errCell
		}
		types, at = append(types, v), at+m
	}
	if at != len(b) {
		return nil, 0, errCell
	}
	return types, at, nil
}

// typeSize is how many bytes a value of a serial type has.
func typeSize(t uint64) uint64 {
	switch {
	case t <= 4:
		return t
	case t == 5:
		return 6
	case t == 6, t == 7:
		return 8
	case t < 12:
		return 0
	}
	return (t - 12) / 2
}

// leaves calls f with each leaf of a table and the place of the first row that
// no leaf before it has.
func (p *pageReader) leaves(root uint32, f func(t *treePage, first int) error) error {
	b := newPage()
	for next := int64(math.MinInt64); ; {
		t, i, found, err := p.leaf(b, root, next)
		if err == nil && found {
			err = f(&t, i)
		}
		if err != nil || !found {
			return err
		}
		row, err := t.row(t.cells - 1)
		if err != nil || row.id < next {
			return damaged(p.path, "the table at page %d: %v", root, errCell)
		}
		next = row.id + 1
	}
}

// roots returns the root pages of all tables by name. Their schema is short
// enough to need no overflow pages.
func (p *pageReader) roots() (map[string]uint32, error) {
	const columns = 5 // type, name, tbl_name, rootpage, sql
	roots := map[string]uint32{}
	err := p.leaves(1, func(t *treePage, i int) error {
		for ; i < t.cells; i++ {
			row, err := t.row(i)
			var values []any
			if err == nil {
				values, err = recordValues(row.local, columns)
			}
			if err != nil {
				return damaged(p.path, "the schema: %v", err)
			}
			name, _ := values[1].(string)
			root, _ := values[3].(int64)
			roots[name] = uint32(root)
		}
		return nil
	})
	return roots, err
}

// recordValues reads the texts and integers of a record of n columns.
func recordValues(b []byte, n int) ([]any, error) {
	types, at, err := recordTypes(b, n)
	if err != nil {
		return nil, err
	}
	values, _, err := readValues(b[at:], types)
	return values, err
}

// readValues reads texts and integers and returns what follows them.
func readValues(b []byte, types []uint64) ([]any, []byte, error) {
	values := make([]any, len(types))
	for i, t := range types {
		n := typeSize(t)
		if n > uint64(len(b)) {
			return nil, nil, errCell
		}
		v := b[:n]
		b = b[n:]
		switch {
		case t >= 13 && t%2 == 1:
			values[i] = string(v)
		case t >= 1 && t <= 6:
			n := int64(int8(v[0]))
			for _, c := range v[1:] {
				n = n<<8 | int64(c)
			}
			values[i] = n
		case t == 8, t == 9:
			values[i] = int64(t - 8)
		}
	}
	return values, b, nil
}
