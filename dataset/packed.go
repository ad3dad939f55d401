package dataset

import (
	"encoding/binary"
	"math/bits"
)

// A packed column of a page holds n numbers as their least value and, for
// each, the difference to it in as many bits as the greatest takes. Equal
// numbers take no bits at all, and any of them can be read alone.
type packed struct {
	base  uint64
	width uint // bits, at most maxPackedWidth
	data  []byte
}

// maxPackedWidth lets any number be read from one unaligned 64-bit load.
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
		have += width
		for have >= 8 {
			e.byte(byte(acc))
			acc >>= 8
			have -= 8
		}
	}
	if have > 0 {
		e.byte(byte(acc))
	}
}

func (d *decoder) packed(n int) packed {
	p := packed{base: d.uint(), width: uint(d.byte())}
	if p.width > maxPackedWidth || p.base > 1<<maxPackedWidth {
		d.fail(errRange)
		return packed{}
	}
	p.data = d.take((uint64(n)*uint64(p.width) + 7) / 8)
	return p
}

func (p *packed) at(i int) uint64 {
	if p.width == 0 {
		return p.base
	}
	bit := uint(i) * p.width
	at := int(bit / 8)
	var v uint64
	if at+8 <= len(p.data) {
		v = binary.LittleEndian.Uint64(p.data[at:])
	} else {
		for j := len(p.data) - 1; j >= at; j-- {
			v = v<<8 | uint64(p.data[j])
		}
	}
	return p.base + v>>(bit%8)&(1<<p.width-1)
}

// A dictionary is the texts of a page that belong to one column. All columns
// of a page share one slice.
type dictionary struct{ start, end int }

// A packedText is a column of texts as positions in its dictionary.
type packedText struct {
	packed
	dictionary
}

type textPacker struct {
	list []string
	ids  map[string]uint64
}

func (t *textPacker) id(s string) uint64 {
	i, ok := t.ids[s]
	if !ok {
		i = uint64(len(t.list))
		if t.ids == nil {
			t.ids = map[string]uint64{}
		}
		t.ids[s] = i
		t.list = append(t.list, s)
	}
	return i
}

func (e *encoder) dictionary(list []string) {
	e.uint(uint64(len(list)))
	for _, s := range list {
		e.string(s)
	}
}

// dictionary appends the texts of a dictionary, as parts of text, which holds
// the same bytes as the page.
func (d *decoder) dictionary(list []string, text string) ([]string, dictionary) {
	start := len(list)
	for range d.count() {
		size := d.uint()
		from := len(text) - len(d.b)
		d.take(size)
		if d.err != nil {
			break
		}
		list = append(list, text[from:from+int(size)])
	}
	return list, dictionary{start, len(list)}
}

// digitsValue returns the value of a text of exactly n decimal digits.
func digitsValue(s string, n int) (uint64, bool) {
	if len(s) != n || n == 0 {
		return 0, false
	}
	var v uint64
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		v = v*10 + uint64(c)
	}
	return v, true
}

// digitsText writes numbers with n digits each, at most 10, one behind the
// other; at most two of them.
func digitsText(v uint64, n int, more ...uint64) string {
	var b [20]byte
	write := func(v uint64, from int) {
		for i := from + n - 1; i >= from; i-- {
			b[i] = byte('0' + v%10)
			v /= 10
		}
	}
	write(v, 0)
	end := n
	for _, v := range more {
		write(v, end)
		end += n
	}
	return string(b[:end])
}

func zigzag(v int64) uint64   { return uint64(v)<<1 ^ uint64(v>>63) }
func unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
