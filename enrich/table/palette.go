package table

import (
	"encoding/binary"
	"math"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/cache"
)

// The workers of a run have sharedResults. A run with a columnTable replaces them when
// its results take too much memory.
type sharedResults struct {
	*cache.Cache[outcome]
	table *columnTable // of the columns that are added to a copy, else nil
}

// paletteBytes is the memory of distinct values at which they are replaced. A test
// lowers it.
var paletteBytes int64 = 64 << 20

func newShared(columns int) *sharedResults {
	s := &sharedResults{Cache: cache.New[outcome](maxResults)}
	if columns > 0 {
		s.table = &columnTable{columns: make([][]uint32, columns), palettes: make([]palette, columns)}
	}
	return s
}

// A columnTable numbers the results of keys from 0 and has the values of each column.
type columnTable struct {
	sync.RWMutex
	columns  [][]uint32 // by result: number of the value in the palette
	palettes []palette
	size     atomic.Int64 // bytes
	zips     [1000]atomic.Pointer[[100]atomic.Uint64]
}

// number adds a result that consists of the numbers of its values.
func (t *columnTable) number(values []uint32) uint32 {
	t.Lock()
	defer t.Unlock()
	n := uint32(len(t.columns[0]))
	for i, v := range values {
		t.columns[i] = append(t.columns[i], v)
	}
	const bytes = 4
	t.size.Add(int64(bytes * len(values)))
	return n
}

// column returns a column by result, of as many as there are now.
func (t *columnTable) column(i int) []uint32 {
	t.RLock()
	defer t.RUnlock()
	return t.columns[i]
}

// zip returns the place of the result of rows whose key is a ZIP Code alone, nil for
// other keys. Tables have most of these, and a place is found without a search.
func (t *columnTable) zip(key []byte) *atomic.Uint64 {
	const digits = 5
	if len(key) != digits+1 || key[digits] != digits {
		return nil
	}
	n := uint32(0)
	for _, c := range key[:digits] {
		if c < '0' || c > '9' {
			return nil
		}
		n = 10*n + uint32(c-'0')
	}
	first, last := n/100, n%100
	list := t.zips[first].Load()
	if list == nil {
		t.zips[first].CompareAndSwap(nil, new([100]atomic.Uint64))
		list = t.zips[first].Load()
	}
	return &list[last]
}

// A palette numbers the distinct values of an added column from 1; 0 is null.
type palette struct {
	sync.RWMutex
	numbers map[string]uint32
	values  []string // by their numbers; texts, or eight bytes of a number
}

// number returns the number of a value, which is new at its first use.
func (p *palette) number(value []byte, size *atomic.Int64) uint32 {
	p.RLock()
	n := p.numbers[string(value)]
	p.RUnlock()
	if n > 0 {
		return n
	}
	p.Lock()
	defer p.Unlock()
	if n = p.numbers[string(value)]; n > 0 {
		return n
	}
	if p.numbers == nil {
		p.numbers, p.values = make(map[string]uint32), []string{""}
	}
	const entry = 64 // bytes
	size.Add(int64(len(value)) + entry)
	text := string(value)
	n = uint32(len(p.values))
	p.numbers[text], p.values = n, append(p.values, text)
	return n
}

// all returns the values by their numbers, as many as there are now.
func (p *palette) all() []string {
	p.RLock()
	defer p.RUnlock()
	return p.values
}

// columnEncoder makes a column of the numbers of results.
type columnEncoder struct {
	table   *columnTable
	added   []enrich.Column
	scratch []byte
	numbers []uint32
}

// render appends the number of the result that consists of the values, four bytes.
func (e *columnEncoder) render(dst []byte, values []enrich.Value) []byte {
	e.numbers = e.numbers[:0]
	for i, v := range values {
		n := uint32(0)
		if !v.IsNull() {
			e.scratch = appendPlain(e.scratch[:0], e.added[i].Type, v)
			n = e.table.palettes[i].number(e.scratch, &e.table.size)
		}
		e.numbers = append(e.numbers, n)
	}
	return binary.LittleEndian.AppendUint32(dst, e.table.number(e.numbers))
}

func (e *columnEncoder) row(out *chunk, _ decoder, a *result) error {
	out.results = append(out.results, binary.LittleEndian.Uint32(a.cells))
	out.n++
	return nil
}

// A brief is a result of a columnTable in brief: its outcome and its number. It is 0 if
// there is no result.
type brief uint64

func briefOf(a *result) brief {
	b := brief(binary.LittleEndian.Uint32(a.cells))<<32 | brief(a.status)<<16 | brief(uint8(a.key))<<8 | 1
	if a.zeros {
		b |= 2
	}
	if a.mended {
		b |= 4
	}
	return b
}

// result sets a to the result.
func (b brief) result(a *result) {
	a.outcome = outcome{status: enrich.Status(b >> 16 & 0xff), key: int8(b >> 8), zeros: b&2 != 0, mended: b&4 != 0}
	a.cells = binary.LittleEndian.AppendUint32(a.room[:0], uint32(b>>32))
}

// appendPlain appends a value that is not null: a text, or the eight bytes of a
// number.
func appendPlain(dst []byte, t enrich.Type, v enrich.Value) []byte {
	switch t {
	case enrich.Int:
		return binary.LittleEndian.AppendUint64(dst, uint64(v.Int()))
	case enrich.Float:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.Float()))
	case enrich.Bool:
		if v.Bool() {
			return append(dst, 1)
		}
		return append(dst, 0)
	case enrich.Bytes:
		return append(dst, v.Bytes()...)
	default:
		return v.AppendText(dst)
	}
}
