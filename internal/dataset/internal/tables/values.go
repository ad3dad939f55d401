package tables

import (
	"errors"
	"math"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// A column of values begins with its form: the number of decimals of numbers that
// are packed as integers, or one of these.
const (
	maxDecimals = 6
	asFloats    = 254
	asTexts     = 255
)

// MaxNumber is the largest absolute number of a column. Sums over all areas stay
// finite and nearly exact.
const MaxNumber = 1e15

// unknownBits mark an unknown number among floats.
var unknownBits = math.Float64bits(math.NaN())

var errColumn = errors.New("a column of values is malformed")

// A reader reads the values of a column.
type reader struct {
	packed store.Packed // 0 unknown; else above the integer base or the position of a text
	base   int64
	scale  float64
	texts  []string
	floats []byte
}

func (r *reader) number(row int) (float64, bool) {
	if r.floats != nil {
		d := store.Decoder{B: r.floats[row*8 : row*8+8]}
		v := d.Bits()
		if v != v {
			return 0, false
		}
		return v, true
	}
	n := r.packed.At(row)
	if n == 0 {
		return 0, false
	}
	return float64(r.base+int64(n-1)) / r.scale, true
}

// encode appends the coded values.
func (v Values) encode() []byte {
	var e store.Encoder
	if v.Texts != nil {
		v.texts(&e)
		return e.B
	}
	decimals, low := integers(v.Numbers)
	if decimals > maxDecimals {
		e.Byte(asFloats)
		for _, n := range v.Numbers {
			if n != n {
				n = math.NaN() // one coding
			}
			e.Float(n)
		}
		return e.B
	}
	e.Byte(byte(decimals))
	e.Int(low)
	list := make([]uint64, len(v.Numbers))
	for i, n := range v.Numbers {
		if n == n {
			list[i] = uint64(int64(math.Round(n*scales[decimals]))-low) + 1
		}
	}
	e.Packed(list)
	return e.B
}

func (v Values) texts(e *store.Encoder) {
	e.Byte(asTexts)
	sorted := slices.Sorted(slices.Values(v.Texts))
	sorted = slices.Compact(sorted)
	if len(sorted) > 0 && sorted[0] == "" {
		sorted = sorted[1:]
	}
	e.Dictionary(sorted)
	list := make([]uint64, len(v.Texts))
	for i, s := range v.Texts {
		if s != "" {
			at, _ := slices.BinarySearch(sorted, s)
			list[i] = uint64(at) + 1
		}
	}
	e.Packed(list)
}

var scales = [...]float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6}

// integers returns the least number of decimals with which all numbers are exact,
// and the least integer. It returns more than maxDecimals without any.
func integers(list []float64) (decimals int, low int64) {
	for ; decimals <= maxDecimals; decimals++ {
		low = MaxNumber
		exact := true
		for _, n := range list {
			if n != n {
				continue
			}
			m := math.Round(n * scales[decimals])
			if math.Abs(m) > MaxNumber || m/scales[decimals] != n || m == 0 && math.Signbit(n) {
				exact = false
				break
			}
			low = min(low, int64(m))
		}
		if exact {
			break
		}
	}
	return decimals, low
}

// decode reads the coded values of n rows of a column. text has the bytes of all
// columns if one is a category.
func decode(d *store.Decoder, text string, c *Column, n int) (r reader, err error) {
	form := d.Byte()
	switch {
	case form == asFloats && c.Meaning != Category:
		if r.floats = d.Take(uint64(n) * 8); r.floats == nil {
			return r, d.End()
		}
		for e := (&store.Decoder{B: r.floats}); len(e.B) > 0; {
			if v := e.Bits(); math.Abs(v) > MaxNumber || v != v && math.Float64bits(v) != unknownBits {
				return r, store.ErrRange
			}
		}
		return r, d.Err
	case form == asTexts && c.Meaning == Category:
		r.texts, _ = d.Dictionary(nil, text)
	case form <= maxDecimals && c.Meaning != Category:
		r.base, r.scale = d.Int(), scales[form]
		if r.base < -MaxNumber || r.base > MaxNumber {
			return r, store.ErrRange
		}
	default:
		return r, errColumn
	}
	r.packed = d.Packed(n)
	if d.Err != nil {
		return r, d.Err
	}
	limit := uint64(MaxNumber-r.base) + 1
	if c.Meaning == Category {
		limit = uint64(len(r.texts))
	}
	for i := range n {
		if r.packed.At(i) > limit {
			return r, store.ErrRange
		}
	}
	return r, nil
}
