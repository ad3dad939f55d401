package survey

import (
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
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
	acsPageBytes = store.PageSize/2 - 64
	maxACSRows   = 1 << 16 // of a page
)

var acsRows = &store.RowKind{Name: "acs", Noun: func(id int64) string {
	return fmt.Sprintf("page %d of the tables of the American Community Survey", id)
}}

var acsTable = store.RowTable[*Reader]{
	RowKind: acsRows,
	Ids: func(d *Reader) iter.Seq[int64] {
		return func(yield func(int64) bool) {
			for id := range d.acsPages {
				if !yield(int64(id)) {
					return
				}
			}
		}
	},
	Check: func(d *Reader, id int64, payload []byte) error {
		for i := range d.acsTables {
			t := &d.acsTables[i]
			at, ok := slices.BinarySearchFunc(t.pages, uint32(id), func(p acsPage, id uint32) int { return int(int64(p.id) - int64(id)) })
			if !ok {
				continue
			}
			end := uint32(d.acsAreas[t.Level-1].len())
			if at+1 < len(t.pages) {
				end = t.pages[at+1].first
			}
			return t.checkPage(payload, t.pages[at].first, end)
		}
		return fmt.Errorf("no table has a page %d", id)
	},
}

// checkPage decodes every row of a page, whose areas lie before end.
func (t *Table) checkPage(payload []byte, first, end uint32) error {
	cells := make([]Cell, len(t.Columns))
	return t.Walk(payload, first, func(position uint32, r *Row) (bool, error) {
		if position >= end {
			return false, fmt.Errorf("it holds position %d, expected less than %d", position, end)
		}
		return true, r.Cells(cells)
	})
}

// Walk calls f with each row of a page until f returns false.
func (t *Table) Walk(payload []byte, first uint32, f func(position uint32, r *Row) (bool, error)) error {
	count, n := uvarint(payload, 0)
	if n < 0 || count == 0 || count > maxACSRows || count > uint64(len(payload)) {
		return store.ErrShort
	}
	// The sizes are read twice: once for where the rows begin.
	head, size, firsts := n, uint64(0), uint64(0)
	for range count {
		var a, b uint64
		_, n = uvarint(payload, n)
		a, n = uvarint(payload, n)
		b, n = uvarint(payload, n)
		if n < 0 {
			return store.ErrShort
		}
		firsts += a
		size += a + b
	}
	if size != uint64(len(payload)-n) {
		return store.ErrTrailing
	}
	at, rest := uint64(n), uint64(n)+firsts
	position := uint64(first)
	row := Row{columns: t.Columns}
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
			return store.ErrRange
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
func (t *Table) eachRow(payload []byte, first uint32, positions []uint32, base int, f func(i int, r *Row) error) error {
	next := 0
	return t.Walk(payload, first, func(position uint32, r *Row) (bool, error) {
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

// An AcsPager cuts the rows of one table into pages.
type AcsPager struct {
	Add         func(first uint32, payload []byte) error
	first, last uint32
	count       uint64
	head        []byte
	firsts      []byte
	rests       []byte
}

// Row adds the row of a position.
func (p *AcsPager) Row(position uint32, first, rest []byte) error {
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
func (p *AcsPager) Flush() error {
	if p.count == 0 {
		return nil
	}
	b := make([]byte, 0, len(p.head)+len(p.firsts)+len(p.rests)+16)
	b = binary.AppendUvarint(b, p.count)
	b = append(append(append(b, p.head...), p.firsts...), p.rests...)
	p.count, p.head, p.firsts, p.rests = 0, p.head[:0], p.firsts[:0], p.rests[:0]
	return p.Add(p.first, b)
}

// The size of an AcsCache: sets times ways pages of at most acsCachedBytes
// each, 8 MiB in all.
const (
	acsCacheBits   = 7
	acsCacheSets   = 1 << acsCacheBits
	AcsCacheWays   = 8
	acsCachedBytes = store.PageSize/2 - 4 // of a page without its checksum
)

// An AcsCache keeps the most recently read pages with correct checksums.
// Neighboring areas share pages: a batch of a hundred ZIP Codes of one region
// needs about five hundred pages for all profiles of all years. Each page
// belongs to one set, and replaces its least recently used page. The zero
// AcsCache is empty. It is safe for concurrent use.
type AcsCache struct{ Sets [acsCacheSets]acsCacheSet }

type acsCacheSet struct {
	mu    sync.Mutex
	Pages [AcsCacheWays]CachedACSPage // the last used first
}

// A CachedACSPage is a page that nobody changes any more; without a payload it
// is none.
type CachedACSPage struct {
	id      uint32
	Payload []byte
}

// set spreads the pages of one area, which lie at equal distances in tables of
// equal size, over all sets (Fibonacci hashing).
func (c *AcsCache) set(id uint32) *acsCacheSet { return &c.Sets[id*0x9e3779b1>>(32-acsCacheBits)] }

// Get returns the payload of a page, or nil if it is not cached.
func (c *AcsCache) Get(id uint32) []byte {
	s := c.set(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.Pages {
		if p := s.Pages[i]; p.id == id && p.Payload != nil {
			s.toFront(i, p)
			return p.Payload
		}
	}
	return nil
}

// Add keeps a page, unless it is one of those that a single long row made
// larger than others.
func (c *AcsCache) Add(id uint32, payload []byte) {
	if len(payload) > acsCachedBytes {
		return
	}
	s := c.set(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	at := AcsCacheWays - 1
	for i := range s.Pages {
		if s.Pages[i].id == id { // another goroutine read it too
			at = i
			break
		}
	}
	s.toFront(at, CachedACSPage{id, payload})
}

// toFront moves a page to the front of the pages before i and drops the one at
// i.
func (s *acsCacheSet) toFront(i int, p CachedACSPage) {
	copy(s.Pages[1:i+1], s.Pages[:i])
	s.Pages[0] = p
}

// acsPayload returns a page, which must not be changed, and caches it if keep is
// true.
func (d *Reader) acsPayload(ctx context.Context, id uint32, keep bool) ([]byte, error) {
	if payload := d.acsCache.Get(id); payload != nil {
		return payload, ctx.Err()
	}
	payload, err := d.file.Row(ctx, acsRows, int64(id))
	if err == nil && keep {
		d.acsCache.Add(id, payload)
	}
	return payload, err
}
