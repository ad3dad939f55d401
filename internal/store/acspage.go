package store

import (
	"context"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A page holds the rows of consecutive areas of one table:
//
//	count   rows
//	rows    for each the gap between the positions of the area before and its
//	        own, less one, and the bytes of its two parts; the first gap counts
//	        from the page's first area and is 0
//	first   the first parts of all rows
//	rest    their second parts
//
// Pages are cut by bytes so that two fill a page of SQLite. Their numbers in
// the file run from 0 on, table after table.
const (
	acsPageBytes = file.PageSize/2 - 64
	maxACSRows   = 1 << 16 // of a page
)

var acsRows = &file.RowKind{Name: "acs_page", Noun: func(id int64) string {
	return fmt.Sprintf("page %d of the tables of the American Community Survey", id)
}}

// checkACSPage decodes every row of a page.
func (d *Dataset) checkACSPage(row []driver.Value) error {
	table, _ := row[1].(int64)
	first, _ := row[2].(int64)
	data, _ := row[3].([]byte)
	t := &d.acsTables[table]
	cells := make([]ACSCell, len(t.Columns))
	return t.Walk(data, uint32(first), func(position uint32, r *ACSRow) (bool, error) {
		if int(position) >= len(d.acsAreas[t.Level-1]) {
			return false, file.ErrRange
		}
		return true, r.Cells(cells)
	})
}

// Walk calls f with each row of a page until f returns false.
func (t *ACSTable) Walk(payload []byte, first uint32, f func(position uint32, r *ACSRow) (bool, error)) error {
	count, n := uvarint(payload, 0)
	if n < 0 || count == 0 || count > maxACSRows || count > uint64(len(payload)) {
		return file.ErrShort
	}
	// The sizes are read twice: first to find the beginning of the rows.
	head, size, firsts := n, uint64(0), uint64(0)
	for range count {
		var a, b uint64
		_, n = uvarint(payload, n)
		a, n = uvarint(payload, n)
		b, n = uvarint(payload, n)
		if n < 0 {
			return file.ErrShort
		}
		firsts += a
		size += a + b
	}
	if size != uint64(len(payload)-n) {
		return file.ErrTrailing
	}
	at, rest := uint64(n), uint64(n)+firsts
	position := uint64(first)
	row := ACSRow{columns: t.Columns}
	n = head
	for i := range count {
		var gap, a, b uint64
		gap, n = uvarint(payload, n)
		a, n = uvarint(payload, n)
		b, n = uvarint(payload, n)
		if i > 0 {
			position += gap + 1
		}
		if i == 0 && gap != 0 || position > math.MaxUint32 {
			return file.ErrRange
		}
		row.first, row.rest = payload[at:at+a:at+a], payload[rest:rest+b:rest+b]
		at, rest = at+a, rest+b
		if more, err := f(uint32(position), &row); err != nil || !more {
			return err
		}
	}
	return nil
}

// eachRow calls f for those of the ascending positions that the page holds;
// base is the index of the first.
func (t *ACSTable) eachRow(payload []byte, first uint32, positions []uint32, base int, f func(i int, r *ACSRow) error) error {
	next := 0
	return t.Walk(payload, first, func(position uint32, r *ACSRow) (bool, error) {
		for next < len(positions) && positions[next] < position {
			next++
		}
		for next < len(positions) && positions[next] == position { // positions can repeat
			if err := f(base+next, r); err != nil {
				return false, err
			}
			next++
		}
		return next < len(positions), nil
	})
}

// An acsPager cuts the rows of one table into pages.
type acsPager struct {
	Add         func(first uint32, payload []byte) error
	first, last uint32
	count       uint64
	head        []byte
	firsts      []byte
	rests       []byte
}

// Row adds the row of a position.
func (p *acsPager) Row(position uint32, first, rest []byte) error {
	if p.count > 0 && len(p.head)+len(p.firsts)+len(p.rests)+len(first)+len(rest)+16 > acsPageBytes {
		if err := p.Flush(); err != nil {
			return err
		}
	}
	gap := uint32(0)
	if p.count == 0 {
		p.first = position
	} else {
		gap = position - p.last - 1
	}
	p.last = position
	p.count++
	p.head = binary.AppendUvarint(p.head, uint64(gap))
	p.head = binary.AppendUvarint(p.head, uint64(len(first)))
	p.head = binary.AppendUvarint(p.head, uint64(len(rest)))
	p.firsts = append(p.firsts, first...)
	p.rests = append(p.rests, rest...)
	return nil
}

// Flush writes the last page.
func (p *acsPager) Flush() error {
	if p.count == 0 {
		return nil
	}
	b := make([]byte, 0, len(p.head)+len(p.firsts)+len(p.rests)+16)
	b = binary.AppendUvarint(b, p.count)
	b = append(append(append(b, p.head...), p.firsts...), p.rests...)
	p.count, p.head, p.firsts, p.rests = 0, p.head[:0], p.firsts[:0], p.rests[:0]
	return p.Add(p.first, b)
}

// acsPayload returns a page, which must not be changed, and caches it if keep is
// true.
func (d *Dataset) acsPayload(ctx context.Context, id uint32, keep bool) ([]byte, error) {
	read := func() ([]byte, int64, error) {
		payload, err := d.file.Row(ctx, acsRows, int64(id))
		return payload, int64(len(payload)), err
	}
	if keep {
		return d.acsPages.Get(ctx, id, read)
	}
	payload, err := d.acsPages.Get(ctx, id, nil)
	if payload == nil && err == nil {
		payload, _, err = read()
	}
	return payload, err
}
