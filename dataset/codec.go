package dataset

import (
	"encoding/binary"
	"errors"
	"math"
	"unicode/utf8"
)

// An encoder appends values to a blob. Integers are varints (signed ones
// zigzag), strings and lists carry their length in front.
type encoder struct{ b []byte }

func (e *encoder) byte(v byte)     { e.b = append(e.b, v) }
func (e *encoder) uint(v uint64)   { e.b = binary.AppendUvarint(e.b, v) }
func (e *encoder) int(v int64)     { e.b = binary.AppendVarint(e.b, v) }
func (e *encoder) float(v float64) { e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v)) }
func (e *encoder) string(v string) { e.uint(uint64(len(v))); e.b = append(e.b, v...) }

func (e *encoder) bool(v bool) {
	if v {
		e.byte(1)
	} else {
		e.byte(0)
	}
}

var (
	errShort    = errors.New("it ends too early")
	errVarint   = errors.New("a number is malformed")
	errRange    = errors.New("a number is out of range")
	errText     = errors.New("a text is not UTF-8")
	errTrailing = errors.New("it has bytes after its end")
)

// A decoder reads what an encoder wrote. After an error every read gives a
// zero value, so that callers check once, with end. It never allocates more
// than a small multiple of the bytes it was given.
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

// end reports the first error, or bytes that nothing has read.
func (d *decoder) end() error {
	if d.err == nil && len(d.b) > 0 {
		return errTrailing
	}
	return d.err
}

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.fail(errShort)
		return nil
	}
	v := d.b[:n:n]
	d.b = d.b[n:]
	return v
}

func (d *decoder) byte() byte {
	if v := d.take(1); v != nil {
		return v[0]
	}
	return 0
}

func (d *decoder) bool() bool {
	v := d.byte()
	if v > 1 {
		d.fail(errRange)
	}
	return v == 1
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail(errVarint)
		return 0
	}
	d.b = d.b[n:]
	return v
}

// max reads a number that is at most limit.
func (d *decoder) max(limit uint64) uint64 {
	v := d.uint()
	if v > limit {
		d.fail(errRange)
		return 0
	}
	return v
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail(errVarint)
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) int32() int32 {
	v := d.int()
	if v < math.MinInt32 || v > math.MaxInt32 {
		d.fail(errRange)
		return 0
	}
	return int32(v)
}

func (d *decoder) float() float64 {
	b := d.take(8)
	if b == nil {
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(b))
	if math.IsNaN(v) || math.IsInf(v, 0) {
		d.fail(errRange)
		return 0
	}
	return v
}

func (d *decoder) string() string {
	b := d.take(d.uint())
	if !utf8.Valid(b) {
		d.fail(errText)
		return ""
	}
	return string(b)
}

// count reads the length of a list whose elements take at least one byte.
func (d *decoder) count() int { return int(d.max(uint64(len(d.b)))) }

// The optional values of a detail are written where they are known, behind a
// set of bits that says which are.

func optionalInt[T int32 | int64](e *encoder, v *T) {
	if v != nil {
		e.int(int64(*v))
	}
}

func (d *decoder) optionalInt32(known bool) *int32 {
	if !known {
		return nil
	}
	v := d.int32()
	return &v
}

func (d *decoder) optionalInt64(known bool) *int64 {
	if !known {
		return nil
	}
	v := d.int()
	return &v
}

// flagBits packs flags, the first in the lowest bit.
func flagBits(flags ...bool) uint64 {
	var v uint64
	for i, f := range flags {
		if f {
			v |= 1 << i
		}
	}
	return v
}
