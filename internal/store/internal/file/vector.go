package file

import (
	"database/sql/driver"
	"encoding/binary"
	"math"
	"reflect"
	"sort"
)

// The forms of a column. Absent values are the zero value of a field. The encoder chooses the
// form by the values of the whole column: populations are packed numbers, GEOIDs are digits, the
// places of rows in lists ascend, and names that repeat are a dictionary. Numbers that share a
// divisor, such as payrolls in thousands, are kept as steps.
//
// Every form reads any row in constant time. For that, the differences of ascending numbers
// are added up once, when the column is decoded.
const (
	vectorNumbers   = iota // packed: steps above the least, plus 1; 0 is NULL
	vectorAscending        // packed: differences of numbers; no NULL
	vectorMicro            // as numbers, millionths
	vectorFloats           // eight bytes each; NULL is NaN
	vectorTexts            // a dictionary, and packed numbers from 1; 0 is NULL
	vectorDigits           // texts of so many digits, as numbers
	vectorLists            // as ascending: the ends of lists in the table that follows
)

const mostDigits = 15 // of a text that is kept as a number

// A builder collects the values of a column.
type builder struct {
	form    byte
	numbers []int64 // of texts their positions in the dictionary
	known   []bool
	floats  []float64 // if there is one
	texts   []string
	ids     map[string]int64
}

func (b *builder) add(n int64, known bool) {
	b.numbers, b.known = append(b.numbers, n), append(b.known, known)
	if b.floats != nil {
		b.floats = append(b.floats, math.NaN())
	}
}

// micro adds a number of millionths.
func (b *builder) micro(n int64, known bool) {
	b.form = max(b.form, vectorMicro)
	b.add(n, known)
}

// float adds a number, which is kept as millionths if all of the column can be.
func (b *builder) float(v float64) {
	const most = 1e9 // whose millionths can be packed
	if b.floats == nil {
		b.floats = make([]float64, len(b.numbers))
		for i := range b.floats {
			b.floats[i] = math.NaN()
		}
	}
	n := int64(math.Round(v * 1e6))
	b.add(n, true)
	if b.floats[len(b.floats)-1] = v; b.form != vectorFloats {
		if b.form = vectorMicro; float64(n)/1e6 != v || math.Abs(v) > most {
			b.form = vectorFloats
		}
	}
}

func (b *builder) text(s string) {
	n, ok := b.ids[s]
	if !ok {
		if b.ids == nil {
			b.ids = map[string]int64{}
		}
		n = int64(len(b.texts))
		b.ids[s], b.texts = n, append(b.texts, s)
	}
	b.form = vectorTexts
	b.add(n, true)
}

func (b *builder) value(v driver.Value) {
	switch v := v.(type) {
	case int64:
		b.add(v, true)
	case float64:
		b.float(v)
	case string:
		b.text(v)
	case []byte:
		b.text(string(v))
	default:
		b.add(0, false)
	}
}

// encode appends the column.
func (b *builder) encode(e *encoder) {
	if len(b.numbers) == 0 {
		e.byte(b.form)
		return
	}
	if b.form == vectorFloats {
		e.byte(b.form)
		for _, v := range b.floats {
			e.float(v)
		}
		return
	}
	// Texts that repeat are smaller in a dictionary even if all are digits, as county codes are.
	digits := 0
	if b.form == vectorTexts && 2*len(b.texts) > len(b.numbers) {
		digits = b.digits()
	}
	least, ascending := int64(math.MaxInt64), b.form == vectorNumbers || b.form == vectorLists
	for i, n := range b.numbers {
		if b.known[i] {
			least = min(least, n)
		}
		ascending = ascending && b.known[i] && (i == 0 || n >= b.numbers[i-1])
	}
	values := make([]uint64, len(b.numbers))
	if ascending {
		e.byte(max(b.form, vectorAscending))
		e.int(b.numbers[0])
		for i := range b.numbers[1:] {
			values[i+1] = uint64(b.numbers[i+1] - b.numbers[i])
		}
		e.packed(values)
		return
	}
	e.byte(b.form)
	if b.form == vectorDigits {
		e.byte(byte(digits))
	}
	step := int64(1)
	if b.form == vectorTexts {
		least = 0
		e.uint(uint64(len(b.texts)))
		for _, s := range b.texts {
			e.text(s)
		}
	} else {
		if least == math.MaxInt64 {
			least = 0
		}
		step = b.step(least)
		e.int(least)
		e.uint(uint64(step))
	}
	for i, n := range b.numbers {
		if b.known[i] {
			values[i] = uint64((n-least)/step) + 1
		}
	}
	e.packed(values)
}

// digits returns the length of texts of digits that have the same one, else 0, and makes
// numbers of them.
func (b *builder) digits() int {
	n := len(b.texts[0])
	values := make([]int64, len(b.texts))
	for i, s := range b.texts {
		var ok bool
		if values[i], ok = digitsValue(s, n); !ok || n > mostDigits {
			return 0
		}
	}
	for i, k := range b.numbers {
		if b.known[i] {
			b.numbers[i] = values[k]
		}
	}
	b.form = vectorDigits
	return n
}

// step returns the greatest number that divides the distances from the least number (Euclid's
// algorithm, which ends early once it is 1).
func (b *builder) step(least int64) int64 {
	step := int64(0)
	for i, n := range b.numbers {
		if n -= least; b.known[i] && step != 1 {
			for n != 0 {
				step, n = n, step%n
			}
		}
	}
	return max(step, 1)
}

// digitsValue returns the value of a text of exactly n decimal digits.
func digitsValue(s string, n int) (v int64, ok bool) {
	if len(s) != n || n == 0 {
		return 0, false
	}
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		v = v*10 + int64(c)
	}
	return v, true
}

// A vector is a decoded column.
type vector struct {
	form   byte
	digits byte
	base   int64 // a step below the least number
	step   int64
	packed packed
	values []int64  // of ascending numbers
	floats []byte   // eight bytes a row
	texts  []string // the dictionary, with "" for NULL in front
	lists  *Table   // the elements of all lists, one after the other
}

// vector decodes a column. text holds the bytes of all of d.
func (d *decoder) vector(text string, rows int, f *place) (v vector) {
	v.form = d.byte()
	if d.err == nil && (v.form == vectorLists) != (f.kind == reflect.Slice) {
		d.fail(ErrRange)
	}
	if rows == 0 && v.form != vectorLists {
		return v
	}
	switch v.form {
	case vectorAscending, vectorLists:
		v.ascending(d, rows)
		if v.form == vectorLists && d.err == nil {
			v.lists = d.table(text, f.parts, 0)
			v.checkLists(d)
		}
	case vectorDigits:
		if v.digits = d.byte(); v.digits > mostDigits {
			d.fail(ErrRange)
		}
		fallthrough
	case vectorNumbers, vectorMicro:
		// Packed numbers count from 1, so that 0 is NULL.
		v.base, v.step = d.int(), int64(d.uint())
		v.base -= v.step
		v.packed = d.packed(rows)
	case vectorTexts:
		v.texts = d.texts(text)
		v.packed, v.step = d.packed(rows), 1
	case vectorFloats:
		v.floats = d.take(8 * uint64(rows))
	default:
		d.fail(ErrRange)
	}
	return v
}

func (v *vector) ascending(d *decoder, rows int) {
	if rows == 0 {
		return
	}
	n := d.int()
	steps := d.packed(rows)
	v.values = make([]int64, rows)
	for i := 0; i < rows && d.err == nil; i++ {
		n += int64(steps.at(i))
		v.values[i] = n
	}
}

// checkLists refuses ends of lists that are not in order.
func (v *vector) checkLists(d *decoder) {
	last := int64(0)
	for _, end := range v.values {
		if end < last {
			d.fail(ErrRange)
		}
		last = end
	}
	if d.err == nil && last != int64(v.lists.Rows) {
		d.fail(ErrRange)
	}
}

// texts reads a dictionary, whose texts are parts of text. The first is that of NULL.
func (d *decoder) texts(text string) []string {
	n := d.max(len(d.b))
	list := make([]string, 1, n+1)
	for i := 0; i < n && d.err == nil; i++ {
		size := d.uint()
		from := len(text) - len(d.b)
		if d.take(size); d.err == nil {
			list = append(list, text[from:from+int(size)])
		}
	}
	return list
}

// number returns value i of a column of numbers, and whether it is known.
func (v *vector) number(i int) (int64, bool) {
	if v.values != nil {
		return v.values[i], true
	}
	n := v.packed.at(i)
	return v.base + v.step*int64(n), n > 0
}

// numberOr returns value i of a column of numbers, null for NULL.
func (v *vector) numberOr(null int64, i int) int64 {
	if v.values != nil {
		return v.values[i]
	}
	if n := v.packed.at(i); n > 0 {
		return v.base + v.step*int64(n)
	}
	return null
}

// coordinate returns value i in millionths of a degree; NULL and others are no coordinate.
func (v *vector) coordinate(i int) int32 {
	const none = 1 << 30
	if n := v.numberOr(none, i); n > -none && n < none {
		return int32(n)
	}
	return none
}

// text returns value i of a column of texts, "" for NULL and for other columns.
func (v *vector) text(i int) string {
	switch v.form {
	case vectorTexts:
		if n := v.packed.at(i); n < uint64(len(v.texts)) {
			return v.texts[n]
		}
	case vectorDigits:
		if n, ok := v.number(i); ok {
			var b [mostDigits]byte
			for k := int(v.digits) - 1; k >= 0; k-- {
				b[k] = byte('0' + uint64(n)%10)
				n = int64(uint64(n) / 10)
			}
			return string(b[:v.digits])
		}
	}
	return ""
}

// find searches ascending texts.
func (v *vector) find(text string, rows int) (row int, ok bool) {
	if n, digits := digitsValue(text, int(v.digits)); v.form == vectorDigits && digits {
		row = sort.Search(rows, func(i int) bool {
			m, _ := v.number(i)
			return m >= n
		})
	} else {
		row = sort.Search(rows, func(i int) bool { return v.text(i) >= text })
	}
	return row, row < rows && v.text(row) == text
}

// float returns value i of a column of numbers or floats, 0 for NULL.
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
