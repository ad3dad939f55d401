package file

import (
	"encoding/binary"
	"math/bits"
)

// A Packed column of a page holds n numbers as their least value and the
// differences to it. Each difference takes as many bits as the greatest one.
// Equal numbers take no bits at all, and any number can be read alone.
type Packed struct {
	base  uint64
	width uint // bits, at most maxPackedWidth
	data  []byte
}

// maxPackedWidth lets any number be read from one unaligned 64-bit load.
const maxPackedWidth = 56

// Packed appends a packed column.
func (e *Encoder) Packed(values []uint64) {
	base, top := values[0], values[0]
	for _, v := range values {
		base, top = min(base, v), max(top, v)
	}
	width := uint(bits.Len64(top - base))
	e.Uint(base)
	e.Byte(byte(width))
	var acc uint64
	var have uint
	for _, v := range values {
		acc |= (v - base) << have
		have += width
		for have >= 8 {
			e.Byte(byte(acc))
			acc >>= 8
			have -= 8
		}
	}
	if have > 0 {
		e.Byte(byte(acc))
	}
}

// Packed reads a packed column of n numbers.
func (d *Decoder) Packed(n int) Packed {
	p := Packed{base: d.Uint(), width: uint(d.Byte())}
	if p.width > maxPackedWidth || p.base > 1<<maxPackedWidth {
		d.Fail(ErrRange)
		return Packed{}
	}
	p.data = d.Take((uint64(n)*uint64(p.width) + 7) / 8)
	return p
}

// At returns number i.
func (p *Packed) At(i int) uint64 {
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

// below reports whether the first n numbers are below a limit.
func (p *Packed) below(limit uint64, n int) bool {
	if p.width == 0 {
		n = min(n, 1)
	}
	for i := range n {
		if p.At(i) >= limit {
			return false
		}
	}
	return true
}

// A TextPacker numbers distinct texts in the order of their first use.
type TextPacker struct {
	List []string
	ids  map[string]uint64
}

// Id returns the number of a text.
func (t *TextPacker) Id(s string) uint64 {
	i, ok := t.ids[s]
	if !ok {
		i = uint64(len(t.List))
		if t.ids == nil {
			t.ids = map[string]uint64{}
		}
		t.ids[s] = i
		t.List = append(t.List, s)
	}
	return i
}

// Dictionary appends the texts of a dictionary.
func (e *Encoder) Dictionary(list []string) {
	e.Uint(uint64(len(list)))
	for _, s := range list {
		e.Text(s)
	}
}

// texts appends the texts of a dictionary, as parts of text, which holds the same bytes.
func (d *Decoder) texts(list []string, text string) []string {
	for range d.Count() {
		size := d.Uint()
		from := len(text) - len(d.B)
		d.Take(size)
		if d.Err != nil {
			break
		}
		list = append(list, text[from:from+int(size)])
	}
	return list
}

// DigitsValue returns the value of a text of exactly n decimal digits.
func DigitsValue(s string, n int) (uint64, bool) {
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

// DigitsText writes a number with n digits.
func DigitsText(v uint64, n int) string {
	var b [mostDigits]byte
	for i := n - 1; i >= 0; i-- {
		b[i] = byte('0' + v%10)
		v /= 10
	}
	return string(b[:n])
}

// Zigzag maps signed numbers to unsigned ones, small to small.
func Zigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

// Unzigzag reverses [Zigzag].
func Unzigzag(v uint64) int64 { return int64(v>>1) ^ -int64(v&1) }
