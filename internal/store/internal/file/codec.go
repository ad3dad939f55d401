package file

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"
)

// An encoder appends values. Numbers are varints (signed ones [Zigzag]), and texts carry
// their length in front.
type encoder struct{ b []byte }

func (e *encoder) byte(v byte)     { e.b = append(e.b, v) }
func (e *encoder) uint(v uint64)   { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)     { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) float(v float64) { e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v)) }
func (e *encoder) text(v string)   { e.uint(uint64(len(v))); e.b = append(e.b, v...) }

// The errors of decoding.
var (
	errShort    = errors.New("it ends too early")
	errTrailing = errors.New("it has bytes after its end")
	// ErrRange means that a number is out of range.
	ErrRange = errors.New("a number is out of range")
)

// A decoder reads the output of an encoder. After an error every read returns a zero value,
// so callers check once.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
	d.b = nil
}

// take reads so many bytes.
func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.fail(errShort)
		return nil
	}
	v := d.b[:n]
	d.b = d.b[n:]
	return v
}

func (d *decoder) byte() byte {
	if v := d.take(1); v != nil {
		return v[0]
	}
	return 0
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail(errShort)
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) int() int64 { return Unzigzag(d.uint()) }

// max reads a number that is at most limit.
func (d *decoder) max(limit int) int {
	v := d.uint()
	if v > uint64(limit) {
		d.fail(ErrRange)
		return 0
	}
	return int(v)
}

// Zigzag maps signed numbers to unsigned ones, small to small.
func Zigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

// Unzigzag reverses [Zigzag].
func Unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }

// packed are numbers as their least value and the differences to it. Each difference takes
// as many bits as the greatest one. Equal numbers take no bits at all, and any number can be
// read alone. Varints would often be smaller, but have to be read from the first on; columns are
// searched and read row by row without being unpacked.
type packed struct {
	base  uint64
	mask  uint64
	width uint   // bits, at most maxPackedWidth
	data  []byte // and up to seven bytes behind them, so that most numbers are one load
}

// maxPackedWidth lets any number be read from one unaligned 64-bit load: it begins up to seven
// bits into a byte. Finish reads back the caches that it wrote, and refuses a column that
// needs more.
const maxPackedWidth = 56

func (e *encoder) packed(values []uint64) {
	base, top := values[0], values[0]
	for _, v := range values {
		base, top = min(base, v), max(top, v)
	}
	width := uint(bits.Len64(top - base))
	e.uint(base)
	e.byte(byte(width))
	var acc uint64
	var have uint
	for _, v := range values {
		acc |= (v - base) << have
		for have += width; have >= 8; have -= 8 {
			e.byte(byte(acc))
			acc >>= 8
		}
	}
	if have > 0 {
		e.byte(byte(acc))
	}
}

func (d *decoder) packed(n int) packed {
	p := packed{base: d.uint(), width: uint(d.byte())}
	if p.width > maxPackedWidth || p.base > 1<<maxPackedWidth {
		d.fail(ErrRange)
		return packed{}
	}
	// The bytes behind the column belong to the next one. They are only masked away.
	all := d.b
	size := len(d.take((uint64(n)*uint64(p.width) + 7) / 8))
	p.data, p.mask = all[:min(size+7, len(all))], 1<<p.width-1
	return p
}

func (p *packed) at(i int) uint64 {
	bit := uint(i) * p.width
	if at := int(bit / 8); at+8 <= len(p.data) {
		return p.base + binary.LittleEndian.Uint64(p.data[at:])>>(bit%8)&p.mask
	}
	return p.nearEnd(bit)
}

// nearEnd returns the number at a bit in the last bytes.
func (p *packed) nearEnd(bit uint) uint64 {
	v := uint64(0)
	for j := len(p.data) - 1; j >= int(bit/8); j-- {
		v = v<<8 | uint64(p.data[j])
	}
	return p.base + v>>(bit%8)&p.mask
}
