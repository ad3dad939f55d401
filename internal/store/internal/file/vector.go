package file

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"unsafe"

	"github.com/postgeo/postgeo/geo"
)

// A Query is a cache: the result of a query over the tables of the file, column by column.
type Query struct{ Name, SQL string }

// The forms of a column of a cache. Absent values are the zero value of a field.
const (
	vectorNumbers   = iota // packed: each less the least, plus 1; 0 is NULL
	vectorAscending        // packed: differences of numbers; no NULL
	vectorMicro            // as numbers, millionths
	vectorFloats           // eight bytes each; NULL is NaN
	vectorTexts            // a dictionary, and packed numbers from 1; 0 is NULL
)

// cache returns the result of a query as a column.
func (c *Connection) cache(q Query) (Column, error) {
	var columns [][]driver.Value
	rows := 0
	err := c.query(q.SQL, nil, func(values []driver.Value) error {
		if columns == nil {
			columns = make([][]driver.Value, len(values))
		}
		for i, v := range values {
			columns[i] = append(columns[i], v)
		}
		rows++
		return nil
	})
	return Column{Name: q.Name, Rows: rows, Data: encodeVectors(columns, rows)}, err
}

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
				if form = vectorMicro; float64(numbers[i])/1e6 != v {
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

// A vector is a decoded column.
type vector struct {
	form   byte
	least  int64
	packed Packed
	floats []byte
	texts  []string
}

func decodeVector(d *Decoder, text string, rows int) (v vector) {
	if v.form = d.Byte(); rows == 0 {
		return v
	}
	switch v.form {
	case vectorNumbers, vectorAscending, vectorMicro:
		v.least = d.Int()
		v.packed = d.Packed(rows)
	case vectorTexts:
		v.texts, _ = d.Dictionary([]string{""}, text)
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
		v.least += int64(v.packed.At(i)) // values are read in their order
		return v.least, true
	}
	n := v.packed.At(i)
	return v.least + int64(n) - 1, n > 0
}

// TakeRows reads a cache into structs, whose fields are its columns.
func TakeRows[T any](c *Columns, name string) ([]T, error) {
	col, err := c.Take(name, 0)
	if err != nil {
		return nil, err
	}
	rows, err := decodeRows[T](col)
	if err != nil {
		return nil, fmt.Errorf("column %s: %w", name, err)
	}
	return rows, nil
}

func decodeRows[T any](col Column) ([]T, error) {
	const mostOfByte, mostAlike = 64, 1 << 20 // rows
	t := reflect.TypeFor[T]()
	d, text := Decoder{B: col.Data}, string(col.Data)
	if n := d.Uint(); n != uint64(col.Rows) || col.Rows > max(mostAlike, mostOfByte*len(col.Data)) { // rows alike take no bytes
		return nil, ErrRange
	}
	switch n := d.Uint(); {
	case n == 0 && col.Rows == 0: // a result without rows has no columns
		return nil, d.End()
	case n != uint64(width(t)):
		return nil, ErrRange
	}
	rows := make([]T, col.Rows)
	decodeFields(&d, text, t, unsafe.Pointer(unsafe.SliceData(rows)), t.Size(), len(rows))
	return rows, d.End()
}

// decodeFields sets the field of a type at p in so many rows, which lie stride bytes apart.
func decodeFields(d *Decoder, text string, t reflect.Type, p unsafe.Pointer, stride uintptr, rows int) {
	if isPlain(t) {
		fields(t, func(f reflect.StructField) {
			decodeFields(d, text, f.Type, unsafe.Add(p, f.Offset), stride, rows)
		})
		return
	}
	v := decodeVector(d, text, rows)
	var w vector
	if t == pointType {
		w = decodeVector(d, text, rows)
	}
	if d.Err != nil {
		return
	}
	at := func(i int) unsafe.Pointer { return unsafe.Add(p, uintptr(i)*stride) }
	switch {
	case t == pointType:
		setPoints(&v, &w, at, rows)
	case t.Kind() == reflect.String:
		for i := range rows {
			n, ok := v.number(i)
			if !ok {
				continue
			}
			if n < 0 || n+1 >= int64(len(v.texts)) {
				d.Fail(ErrRange)
				return
			}
			*(*string)(at(i)) = v.texts[n+1]
		}
	case t.Kind() == reflect.Float32, t.Kind() == reflect.Float64:
		for i := range rows {
			f := v.float(i)
			if t.Kind() == reflect.Float32 {
				*(*float32)(at(i)) = float32(f)
			} else {
				*(*float64)(at(i)) = f
			}
		}
	case t.Kind() == reflect.Bool:
		for i := range rows {
			n, _ := v.number(i)
			*(*bool)(at(i)) = n == 1
		}
	default:
		setNumbers(&v, t.Size(), at, rows)
	}
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

func setPoints(lat, lng *vector, at func(int) unsafe.Pointer, rows int) {
	const none = math.MaxInt32 // of a coordinate
	clip := func(v *vector, i int) int32 {
		n, ok := v.number(i)
		if !ok || n < -180e6 || n > 180e6 {
			return none
		}
		return int32(n)
	}
	for i := range rows {
		*(*geo.LatLng)(at(i)) = geo.LatLngFromMicrodegrees(clip(lat, i), clip(lng, i))
	}
}

func setNumbers(v *vector, size uintptr, at func(int) unsafe.Pointer, rows int) {
	for i := range rows {
		n, ok := v.number(i)
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
