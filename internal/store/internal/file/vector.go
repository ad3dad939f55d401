package file

import (
	"database/sql/driver"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"sort"
	"unsafe"

	"github.com/postgeo/postgeo/geo"
)

// The forms of a column of a cache. Absent values are the zero value of a field.
const (
	vectorNumbers   = iota // packed: each less the least, plus 1; 0 is NULL
	vectorAscending        // packed: differences of numbers; no NULL
	vectorMicro            // as numbers, millionths
	vectorFloats           // eight bytes each; NULL is NaN
	vectorTexts            // a dictionary, and packed numbers from 1; 0 is NULL
	vectorDigits           // texts of so many digits, as numbers
)

const mostDigits = 15 // of a text that is kept as a number

// encodeVectors encodes the rows of a result.
func encodeVectors(columns [][]driver.Value, rows int) []byte {
	var e Encoder
	e.Uint(uint64(rows))
	e.Uint(uint64(len(columns)))
	for _, c := range columns {
		encodeVector(&e, c)
	}
	return e.B
}

func encodeVector(e *Encoder, values []driver.Value) {
	if len(values) == 0 {
		e.Byte(vectorNumbers)
		return
	}
	var texts TextPacker
	numbers := make([]int64, len(values))
	known := make([]bool, len(values))
	form := byte(vectorNumbers)
	for i, v := range values {
		known[i] = v != nil
		switch v := v.(type) {
		case int64:
			numbers[i] = v
		case float64:
			if numbers[i] = int64(math.Round(v * 1e6)); form != vectorFloats {
				const most = 1e9 // whose millionths can be packed
				if form = vectorMicro; float64(numbers[i])/1e6 != v || math.Abs(v) > most {
					form = vectorFloats
				}
			}
		case string:
			form, numbers[i] = vectorTexts, int64(texts.Id(v))
		case []byte:
			form, numbers[i] = vectorTexts, int64(texts.Id(string(v)))
		}
	}
	if form == vectorFloats {
		e.Byte(form)
		for _, v := range values {
			f, ok := v.(float64)
			if !ok {
				f = math.NaN()
			}
			e.Float(f)
		}
		return
	}
	digits := 0
	if form == vectorTexts && 2*len(texts.List) > len(values) {
		if digits = digitsOf(texts.List); digits > 0 {
			form = vectorDigits
			for i, n := range numbers {
				if known[i] {
					v, _ := DigitsValue(texts.List[n], digits)
					numbers[i] = int64(v)
				}
			}
		}
	}
	least, ascending := int64(math.MaxInt64), form == vectorNumbers
	for i, n := range numbers {
		if known[i] {
			least = min(least, n)
		}
		ascending = ascending && known[i] && (i == 0 || n >= numbers[i-1])
	}
	packed := make([]uint64, len(values))
	if ascending {
		e.Byte(vectorAscending)
		e.Int(numbers[0])
		for i := range numbers[1:] {
			packed[i+1] = uint64(numbers[i+1] - numbers[i])
		}
		e.Packed(packed)
		return
	}
	e.Byte(form)
	if form == vectorDigits {
		e.Byte(byte(digits))
	}
	switch {
	case form == vectorTexts:
		least = 0
		e.Dictionary(texts.List)
	case least == math.MaxInt64:
		least = 0
		e.Int(0)
	default:
		e.Int(least)
	}
	for i, n := range numbers {
		if known[i] {
			packed[i] = uint64(n-least) + 1
		}
	}
	e.Packed(packed)
}

// digitsOf returns the length of texts of digits that have the same one, else 0.
func digitsOf(list []string) int {
	n := len(list[0])
	for _, s := range list {
		if _, ok := DigitsValue(s, n); !ok || n > mostDigits {
			return 0
		}
	}
	return n
}

// A vector is a decoded column.
type vector struct {
	form   byte
	digits byte
	least  int64
	packed Packed
	values []int64 // of ascending numbers
	floats []byte
	texts  []string
}

func decodeVector(d *Decoder, text string, rows int) (v vector) {
	if v.form = d.Byte(); rows == 0 {
		return v
	}
	switch v.form {
	case vectorAscending:
		n := d.Int()
		steps := d.Packed(rows)
		v.values = make([]int64, rows)
		for i := 0; i < rows && d.Err == nil; i++ {
			n += int64(steps.At(i))
			v.values[i] = n
		}
	case vectorNumbers, vectorMicro:
		v.least = d.Int()
		v.packed = d.Packed(rows)
	case vectorDigits:
		if v.digits = d.Byte(); v.digits > mostDigits {
			d.Fail(ErrRange)
		}
		v.least = d.Int()
		v.packed = d.Packed(rows)
	case vectorTexts:
		v.texts = d.texts([]string{""}, text)
		v.packed = d.Packed(rows)
	case vectorFloats:
		v.floats = d.Take(8 * uint64(rows))
	default:
		d.Fail(ErrRange)
	}
	return v
}

// number returns value i of a column of numbers, and whether it is known.
func (v *vector) number(i int) (int64, bool) {
	if v.form == vectorAscending {
		return v.values[i], true
	}
	n := v.packed.At(i)
	return v.least + int64(n) - 1, n > 0
}

// AppendRows appends structs with the rows of a table from one to before another. Their
// fields are its columns.
func AppendRows[T any](into []T, t *Table, from, to int) []T {
	at := len(into)
	into = slices.Grow(into, to-from)[:at+to-from]
	rows := into[at:]
	clear(rows)
	if len(rows) == 0 {
		return into
	}
	columns := t.columns
	for _, f := range layoutOf(reflect.TypeFor[T]()) {
		p := unsafe.Add(unsafe.Pointer(unsafe.SliceData(rows)), f.offset)
		columns = f.set(columns, p, unsafe.Sizeof(rows[0]), from, len(rows))
	}
	return into
}

// set sets a field at p in n structs, which lie stride bytes apart, to the values of the
// first columns from a row on. It returns the columns behind them.
func (f *place) set(columns []vector, p unsafe.Pointer, stride uintptr, from, n int) []vector {
	v := &columns[0]
	at := func(i int) unsafe.Pointer { return unsafe.Add(p, uintptr(i)*stride) }
	switch {
	case f.point:
		setPoints(v, &columns[1], at, from, n)
		return columns[2:]
	case f.kind == reflect.String:
		for i := range n {
			*(*string)(at(i)) = v.text(from + i)
		}
	case f.kind == reflect.Float32:
		for i := range n {
			*(*float32)(at(i)) = float32(v.float(from + i))
		}
	case f.kind == reflect.Float64:
		for i := range n {
			*(*float64)(at(i)) = v.float(from + i)
		}
	case f.kind == reflect.Bool:
		for i := range n {
			b, _ := v.number(from + i)
			*(*bool)(at(i)) = b == 1
		}
	default:
		setNumbers(v, f.size, at, from, n)
	}
	return columns[1:]
}

// text returns value i of a column of texts, "" for NULL.
func (v *vector) text(i int) string {
	n, ok := v.number(i)
	switch {
	case !ok, v.form == vectorTexts && (n < 0 || n+1 >= int64(len(v.texts))):
		return ""
	case v.form == vectorDigits:
		return DigitsText(uint64(n), int(v.digits))
	case v.form != vectorTexts:
		return ""
	}
	return v.texts[n+1]
}

// find searches ascending texts.
func (v *vector) find(text string, rows int) (row int, ok bool) {
	if n, digits := DigitsValue(text, int(v.digits)); v.form == vectorDigits && digits {
		row = sort.Search(rows, func(i int) bool {
			m, _ := v.number(i)
			return m >= int64(n)
		})
	} else {
		row = sort.Search(rows, func(i int) bool { return v.text(i) >= text })
	}
	return row, row < rows && v.text(row) == text
}

// float returns value i of a column of numbers or floats.
func (v *vector) float(i int) float64 {
	if v.form == vectorFloats {
		if f := math.Float64frombits(binary.LittleEndian.Uint64(v.floats[8*i:])); !math.IsNaN(f) {
			return f
		}
		return 0
	}
	n, ok := v.number(i)
	switch {
	case !ok:
		return 0
	case v.form == vectorMicro:
		return float64(n) / 1e6
	default:
		return float64(n)
	}
}

func setPoints(lat, lng *vector, at func(int) unsafe.Pointer, from, rows int) {
	const none = math.MaxInt32 // of a coordinate
	clip := func(v *vector, i int) int32 {
		n, ok := v.number(i)
		if !ok || n < -180e6 || n > 180e6 {
			return none
		}
		return int32(n)
	}
	for i := range rows {
		*(*geo.LatLng)(at(i)) = geo.LatLngFromMicrodegrees(clip(lat, from+i), clip(lng, from+i))
	}
}

func setNumbers(v *vector, size uintptr, at func(int) unsafe.Pointer, from, rows int) {
	for i := range rows {
		n, ok := v.number(from + i)
		if !ok {
			continue
		}
		switch size {
		case 1:
			*(*uint8)(at(i)) = uint8(n)
		case 2:
			*(*uint16)(at(i)) = uint16(n)
		case 4:
			*(*uint32)(at(i)) = uint32(n)
		default:
			*(*uint64)(at(i)) = uint64(n)
		}
	}
}
