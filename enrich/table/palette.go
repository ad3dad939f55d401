package table

import (
	"encoding/binary"
	"math"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/cache"
)

// The workers of a run have sharedResults. A run with palettes replaces them when the
// distinct values take too much memory.
type sharedResults struct {
	*cache.Cache[outcome]
	palettes []palette // of the columns that are added to a copy, else nil
	size     atomic.Int64
}

// paletteBytes is the memory of distinct values at which they are replaced. A test
// lowers it.
var paletteBytes int64 = 64 << 20

func newShared(palettes int) *sharedResults {
	return &sharedResults{Cache: cache.New[outcome](maxResults), palettes: make([]palette, palettes)}
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

// columnEncoder makes columns of numbers of values.
type columnEncoder struct {
	shared  *sharedResults
	added   []enrich.Column
	scratch []byte
}

// render appends the numbers of the values, four bytes each.
func (e *columnEncoder) render(dst []byte, values []enrich.Value) []byte {
	for i, v := range values {
		n := uint32(0)
		if !v.IsNull() {
			e.scratch = appendPlain(e.scratch[:0], e.added[i].Type, v)
			n = e.shared.palettes[i].number(e.scratch, &e.shared.size)
		}
		dst = binary.LittleEndian.AppendUint32(dst, n)
	}
	return dst
}

func (e *columnEncoder) row(out *chunk, _ decoder, a *result) error {
	if len(out.numbers) == 0 {
		out.numbers = make([][]uint32, len(e.added))
	}
	for i := range out.numbers {
		out.numbers[i] = append(out.numbers[i], binary.LittleEndian.Uint32(a.cells[4*i:]))
	}
	out.n++
	return nil
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
