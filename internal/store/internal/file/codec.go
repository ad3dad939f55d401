package file

import (
	"encoding/binary"
	"errors"
	"math"
	"unicode/utf8"
)

// An Encoder appends values to a Blob. Integers are varints (signed ones
// Zigzag), strings and lists carry their length in front.
type Encoder struct{ B []byte }

// Byte appends a byte.
func (e *Encoder) Byte(v byte) { e.B = append(e.B, v) }

// Uint appends a varint.
func (e *Encoder) Uint(v uint64) { e.B = binary.AppendUvarint(e.B, v) }

// Int appends a zigzag varint.
func (e *Encoder) Int(v int64) { e.B = binary.AppendVarint(e.B, v) }

// Float appends the eight bytes of a number.
func (e *Encoder) Float(v float64) { e.B = binary.LittleEndian.AppendUint64(e.B, math.Float64bits(v)) }

// Text appends the length of a text and its bytes.
func (e *Encoder) Text(v string) { e.Uint(uint64(len(v))); e.B = append(e.B, v...) }

// The errors of decoding.
var (
	ErrShort    = errors.New("it ends too early")
	ErrVarint   = errors.New("a number is malformed")
	ErrRange    = errors.New("a number is out of range")
	ErrText     = errors.New("a text is not UTF-8")
	ErrTrailing = errors.New("it has bytes after its end")
)

// A Decoder reads the output of an Encoder. After an error every read returns a
// zero value, so callers check once, with end. A Decoder never allocates more
// than a small multiple of its input.
type Decoder struct {
	B   []byte
	Err error
}

// Fail ends the decoding with an error.
func (d *Decoder) Fail(err error) {
	if d.Err == nil {
		d.Err = err
	}
	d.B = nil
}

// End reports the first error, or bytes that nothing has read.
func (d *Decoder) End() error {
	if d.Err == nil && len(d.B) > 0 {
		return ErrTrailing
	}
	return d.Err
}

// Take reads so many bytes.
func (d *Decoder) Take(n uint64) []byte {
	if n > uint64(len(d.B)) {
		d.Fail(ErrShort)
		return nil
	}
	v := d.B[:n:n]
	d.B = d.B[n:]
	return v
}

// Byte reads a byte.
func (d *Decoder) Byte() byte {
	if v := d.Take(1); v != nil {
		return v[0]
	}
	return 0
}

// Uint reads a varint.
func (d *Decoder) Uint() uint64 {
	if b := d.B; len(b) > 1 && b[0]&b[1] < 0x80 { // most numbers have one byte or two
		if b[0] < 0x80 {
			d.B = b[1:]
			return uint64(b[0])
		}
		d.B = b[2:]
		return uint64(b[0]&0x7f) | uint64(b[1])<<7
	}
	v, n := binary.Uvarint(d.B)
	if n <= 0 {
		d.Fail(ErrVarint)
		return 0
	}
	d.B = d.B[n:]
	return v
}

// ShortUints reads three numbers of one byte or two, without branches for their
// lengths. Without three such numbers, or near the end, it returns 0 bytes.
func ShortUints(b []byte) (v [3]uint64, bytes int) {
	if len(b) < 8 {
		return v, 0
	}
	in, long := binary.LittleEndian.Uint64(b), uint64(0)
	for i := range v {
		two := in >> 7 & 1
		long |= in & (in >> 8) & 0x80
		v[i] = in&0x7f | in>>1&0x3f80&-two
		in >>= 8 << two
		bytes += 1 + int(two)
	}
	if long != 0 {
		return v, 0
	}
	return v, bytes
}

// Max reads a number that is at most limit.
func (d *Decoder) Max(limit uint64) uint64 {
	v := d.Uint()
	if v > limit {
		d.Fail(ErrRange)
		return 0
	}
	return v
}

// Int reads a zigzag varint.
func (d *Decoder) Int() int64 { return Unzigzag(d.Uint()) }

func (d *Decoder) int32() int32 {
	v := d.Int()
	if v < math.MinInt32 || v > math.MaxInt32 {
		d.Fail(ErrRange)
		return 0
	}
	return int32(v)
}

// text reads a UTF-8 text.
func (d *Decoder) text() []byte {
	b := d.Take(d.Uint())
	if !utf8.Valid(b) {
		d.Fail(ErrText)
		return nil
	}
	return b
}

// Count reads the length of a list whose elements take at least one byte.
func (d *Decoder) Count() int {
	n := d.Uint()
	if n > uint64(len(d.B)) {
		d.Fail(ErrRange)
		return 0
	}
	return int(n)
}

// FlagBits packs flags, the first in the lowest bit.
func FlagBits(flags ...bool) uint64 {
	var v uint64
	for i, f := range flags {
		if f {
			v |= 1 << i
		}
	}
	return v
}
