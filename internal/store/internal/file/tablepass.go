package file

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// A tablePass reads one table from end to end, a page at a time, and checks the
// checksum of every row. It holds two pages, regardless of the size of a row.
type tablePass struct {
	p    *pageReader
	name string
	root uint32
	noun func(id int64) string

	next int64 // the smallest id that was not read
	hash *TableHash

	page []byte // a leaf
	leaf treePage
	cell int // the next of leaf

	over []byte // an overflow page
	rest uint32 // the next overflow page of the open row; 0: no row is open
	row  openRow
}

// An openRow is a row whose blob is being read.
type openRow struct {
	id   int64
	left uint64 // bytes of the blob to come
	body uint64 // bytes of them before the checksum
	crc  uint32 // of the row's place and of the bytes read so far
	end  []byte // the part of the checksum that was read
}

// rowCells counts the columns of a table of sealed rows: id, data.
const rowCells = 2

func newPass(p *pageReader, name string, root uint32, noun func(int64) string) *tablePass {
	t := &tablePass{p: p, name: name, root: root, noun: noun, page: newPage(), over: newPage()}
	t.restart(math.MinInt64)
	return t
}

// restart moves the pass to the first row from an id on.
func (t *tablePass) restart(id int64) {
	t.next, t.hash, t.rest, t.leaf, t.cell = id, newTableHash(), 0, treePage{}, 0
}

// advance reads one page: the next overflow page of the open row, or the next
// leaf. It checks the rows that end there. ended reports the end of the table.
func (t *tablePass) advance() (ended bool, err error) {
	if t.rest == 0 {
		var found bool
		if t.leaf, t.cell, found, err = t.p.leaf(t.page, t.root, t.next); err != nil || !found {
			return err == nil, err
		}
	} else {
		if err := t.p.read(t.over, t.rest); err != nil {
			return false, err
		}
		t.rest = binary.BigEndian.Uint32(t.over)
		if err := t.add(t.over[4:]); err != nil {
			return false, err
		}
	}
	for t.rest == 0 && t.cell < t.leaf.cells {
		row, err := t.leaf.row(t.cell)
		if err == nil && row.id < t.next {
			err = errCell
		}
		if err != nil {
			return false, damaged(t.p.path, "table %s: %v", t.name, err)
		}
		t.cell++
		t.next = row.id
		if err := t.open(row); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (t *tablePass) open(row leafCell) error {
	t.row = openRow{id: row.id}
	types, at, err := recordTypes(row.local, rowCells)
	if err != nil {
		return t.broken(err)
	}
	_, blob, err := readValues(row.local[at:], types[:rowCells-1])
	kind := types[rowCells-1]
	if err == nil && (kind < 12 || kind%2 != 0 || row.size-int64(len(row.local)-len(blob)) != int64(typeSize(kind))) {
		err = errCell
	}
	if err == nil && typeSize(kind) < sealBytes {
		err = fmt.Errorf("it has %d bytes, too few for a checksum", typeSize(kind))
	}
	if err != nil {
		return t.broken(err)
	}
	t.row.left, t.row.body = typeSize(kind), typeSize(kind)-sealBytes
	t.row.crc = rowChecksum(t.name, row.id, nil)
	var e Encoder
	e.rowHead(row.id, t.row.left)
	t.hash.hash.Write(e.B)
	t.rest = row.overflow
	return t.add(blob)
}

func (t *tablePass) broken(err error) error {
	return damaged(t.p.path, "%s: %v", t.noun(t.row.id), err)
}

// add takes the next bytes of the open row, and closes it behind its last.
func (t *tablePass) add(b []byte) error {
	r := &t.row
	b = b[:min(uint64(len(b)), r.left)]
	r.left -= uint64(len(b))
	t.hash.hash.Write(b)
	n := min(uint64(len(b)), r.body)
	r.body -= n
	r.crc = crc32.Update(r.crc, castagnoli(), b[:n])
	r.end = append(r.end, b[n:]...)
	if (r.left == 0) != (t.rest == 0) {
		return t.broken(errCell)
	}
	if r.left > 0 {
		return nil
	}
	if want := binary.LittleEndian.Uint32(r.end); r.crc != want {
		return t.broken(fmt.Errorf("its CRC-32C is %08x, expected %08x", r.crc, want))
	}
	t.hash.rows++
	t.next = r.id + 1
	return nil
}
