package file

import (
	"reflect"
	"slices"
	"unsafe"

	"github.com/postgeo/postgeo/geo"
)

// EncodeRows encodes structs column by column. A list has a column with the ends of its
// elements, which are the rows of a table of their own. Columns of one kind of value take few
// bits, and a search reads one column of a page without decoding the others.
func EncodeRows[T any](rows []T) []byte {
	var e encoder
	e.rows(layoutOf(reflect.TypeFor[T]()), []reflect.Value{reflect.ValueOf(rows)})
	return e.b
}

// rows encodes the elements of lists.
func (e *encoder) rows(layout []place, lists []reflect.Value) {
	n := 0
	for _, l := range lists {
		n += l.Len()
	}
	e.uint(uint64(n))
	e.uint(uint64(widthOf(layout)))
	for _, f := range layout {
		var of [2]builder
		var inner []reflect.Value
		elements, isList := int64(0), f.kind == reflect.Slice
		if isList {
			of[0].form = vectorLists
		}
		for _, l := range lists {
			for i := range l.Len() {
				v := f.of(l.Index(i))
				switch {
				case isList:
					inner, elements = append(inner, v), elements+int64(v.Len())
					of[0].add(elements, true)
				case f.point:
					p := v.Interface().(geo.LatLng)
					of[0].micro(int64(MicroDegrees(p.Lat())), p.IsValid())
					of[1].micro(int64(MicroDegrees(p.Lng())), p.IsValid())
				default:
					of[0].field(v)
				}
			}
		}
		if of[0].encode(e); f.point {
			of[1].encode(e)
		}
		if isList {
			e.rows(f.parts, inner)
		}
	}
}

// field adds the value of a field.
func (b *builder) field(v reflect.Value) {
	switch {
	case v.CanInt():
		b.add(v.Int(), true)
	case v.CanUint():
		b.add(int64(v.Uint()), true)
	case v.CanFloat():
		b.float(v.Float())
	case v.Kind() == reflect.Bool && v.Bool():
		b.add(1, true)
	case v.Kind() == reflect.String && v.Len() > 0:
		b.text(v.String())
	default:
		b.add(0, v.Kind() == reflect.Bool)
	}
}

// A Table is decoded rows whose values are read one by one. It takes little more memory
// than its bytes in the file: numbers stay packed, and texts are parts of them.
type Table struct {
	Rows int
	// layout is of the struct that the table was decoded as; nil behind After. Looking it up by
	// type took a quarter of the time of a row.
	layout  []place
	columns []vector // two for a point
}

// DecodeTable decodes what [EncodeRows] has made of structs, but not its rows.
func DecodeTable[T any](data []byte) (*Table, error) {
	const alike = 1 << 16
	t, err := decodeTable(data, layoutOf(reflect.TypeFor[T]()), alike)
	if err == nil && !t.hasTexts() {
		return nil, ErrRange
	}
	return t, err
}

// hasTexts reports whether the dictionaries have all texts, also those of lists. A number
// beyond one would read as an empty text, a wrong answer. Caches are not looked through at
// Open: Verify compares all their bytes.
func (t *Table) hasTexts() bool {
	for i := range t.columns {
		v := &t.columns[i]
		if v.lists != nil && !v.lists.hasTexts() {
			return false
		}
		rows := t.Rows
		if v.packed.width == 0 {
			rows = min(rows, 1)
		}
		for k := 0; v.form == vectorTexts && k < rows; k++ {
			if v.packed.at(k) >= uint64(len(v.texts)) {
				return false
			}
		}
	}
	return true
}

// DecodeRows decodes structs that [EncodeRows] has encoded.
func DecodeRows[T any](data []byte) ([]T, error) { return allRows[T](DecodeTable[T](data)) }

func allRows[T any](t *Table, err error) ([]T, error) {
	if err != nil || t.Rows == 0 {
		return nil, err
	}
	return AppendRows[T](nil, t, 0, t.Rows), nil
}

// decodeTable decodes a table. Up to alike rows may take no bytes.
func decodeTable(data []byte, layout []place, alike int) (*Table, error) {
	d := decoder{b: data}
	t := d.table(string(data), layout, alike)
	switch {
	case d.err != nil:
		return nil, d.err
	case len(d.b) > 0:
		return nil, errTrailing
	}
	return t, nil
}

// table decodes a table whose columns are those of a layout. An empty table may have none.
// Rows take at least a bit each, but for alike of them or 64 for each byte of short tables.
// Without such a bound a page of a hundred bytes could claim a million rows.
func (d *decoder) table(text string, layout []place, alike int) *Table {
	const mostOfByte, ofShort, mostOfShort = 8, 64, 1 << 16
	t := &Table{layout: layout, Rows: d.max(max(alike, mostOfByte*len(d.b), min(ofShort*len(d.b), mostOfShort)))}
	columns := widthOf(layout)
	t.columns = make([]vector, columns)
	switch n := d.max(len(d.b)); {
	case d.err != nil, n == 0 && t.Rows == 0:
		return t
	case n != columns:
		d.fail(ErrRange)
	}
	rest := t.columns
	for i := 0; i < len(layout) && d.err == nil; i++ {
		rest[0] = d.vector(text, t.Rows, &layout[i])
		if rest = rest[1:]; layout[i].point {
			rest[0] = d.vector(text, t.Rows, &layout[i])
			rest = rest[1:]
		}
	}
	return t
}

// After returns the columns behind one.
func (t *Table) After(column int) *Table { return &Table{Rows: t.Rows, columns: t.columns[column+1:]} }

// Text returns a value of a column of texts, "" for NULL.
func (t *Table) Text(column, row int) string { return t.columns[column].text(row) }

// Number returns a value of a column of numbers, and whether it is known.
func (t *Table) Number(column, row int) (int64, bool) { return t.columns[column].number(row) }

// Float returns a value of a column of numbers or floats, 0 for NULL.
func (t *Table) Float(column, row int) float64 { return t.columns[column].float(row) }

// Find returns the row of a text in a column of ascending texts, or the row before which
// it would come.
func (t *Table) Find(column int, text string) (row int, ok bool) {
	if t.Rows == 0 {
		return 0, false
	}
	return t.columns[column].find(text, t.Rows)
}

// AppendRows appends structs with the rows of a table from one to before another. Their
// fields are its columns. Lists use the memory of the lists behind into.
func AppendRows[T any](into []T, t *Table, from, to int) []T {
	at := len(into)
	into = slices.Grow(into, to-from)[:at+to-from]
	if rows := into[at:]; len(rows) > 0 {
		s := span{unsafe.Pointer(unsafe.SliceData(rows)), unsafe.Sizeof(rows[0]), from, len(rows)}
		s.set(layoutOf(reflect.TypeFor[T]()), t.columns)
	}
	return into
}

// RowOf returns a row of a table as the struct that it was decoded as.
func RowOf[T any](t *Table, row int) (v T) {
	s := span{unsafe.Pointer(&v), 0, row, 1}
	s.set(t.layout, t.columns)
	return v
}

// A List is a list in a row of a table, whose elements are decoded one by one.
type List[T any] struct {
	table    *Table // of the elements of all rows
	from, to int
}

// ListOf returns the list of a row in a column of lists.
func ListOf[T any](t *Table, column, row int) (l List[T]) {
	v := &t.columns[column]
	if row > 0 {
		l.from = int(v.values[row-1])
	}
	l.table, l.to = v.lists, int(v.values[row])
	return l
}

// Len returns the number of elements.
func (l *List[T]) Len() int { return l.to - l.from }

// At decodes an element.
func (l *List[T]) At(i int) T { return RowOf[T](l.table, l.from+i) }

// Append appends all elements. It uses the memory of the lists behind into.
func (l *List[T]) Append(into []T) []T { return AppendRows(into, l.table, l.from, l.to) }

// Text returns a value of a column of texts, "" for NULL.
func (l *List[T]) Text(column, i int) string { return l.table.Text(column, l.from+i) }

// Number returns a value of a column of numbers, 0 for NULL.
func (l *List[T]) Number(column, i int) int64 {
	return l.table.columns[column].numberOr(0, l.from+i)
}

// Behind returns the fields of all elements behind a column.
func Behind[F, T any](l *List[T], column int) []F {
	return AppendRows[F](nil, l.table.After(column), l.from, l.to)
}

// Rows are set column by column through pointers into the structs, without reflection for each
// value. That is sound for three reasons. Offsets, sizes and kinds come from reflect through
// layoutOf. The memory belongs to a slice or variable of that type, so the garbage collector
// finds its pointers. A number is stored as an unsigned one of its size, whatever its type.

// A span is a run of fields or structs, stride bytes apart, for n rows of a table.
type span struct {
	p       unsafe.Pointer
	stride  uintptr
	from, n int
}

func (s *span) at(i int) unsafe.Pointer { return unsafe.Add(s.p, uintptr(i)*s.stride) }

// set sets structs to the values of columns.
func (s *span) set(layout []place, columns []vector) {
	for i := range layout {
		f, v := &layout[i], &columns[0]
		x := span{unsafe.Add(s.p, f.offset), s.stride, s.from, s.n}
		columns = columns[1:]
		switch {
		case f.point:
			x.points(v, &columns[0])
			columns = columns[1:]
		case f.kind == reflect.Slice:
			x.lists(v, f)
		case f.kind == reflect.String:
			x.texts(v)
		case f.kind == reflect.Float32:
			for i := range x.n {
				*(*float32)(x.at(i)) = float32(v.float(x.from + i))
			}
		case f.kind == reflect.Float64:
			for i := range x.n {
				*(*float64)(x.at(i)) = v.float(x.from + i)
			}
		case f.kind == reflect.Bool:
			for i := range x.n {
				*(*bool)(x.at(i)) = v.numberOr(0, x.from+i) == 1
			}
		case f.size == 1:
			setNumbers[uint8](&x, v, f.null)
		case f.size == 2:
			setNumbers[uint16](&x, v, f.null)
		case f.size == 4:
			setNumbers[uint32](&x, v, f.null)
		default:
			setNumbers[uint64](&x, v, f.null)
		}
	}
}

// setNumbers sets numbers. A column without bits has one value, which is decoded once.
func setNumbers[N uint8 | uint16 | uint32 | uint64](s *span, v *vector, null int64) {
	first := v.numberOr(null, s.from)
	for i := range s.n {
		if i > 0 && (v.values != nil || v.packed.width > 0) {
			first = v.numberOr(null, s.from+i)
		}
		*(*N)(s.at(i)) = N(first)
	}
}

func (s *span) texts(v *vector) {
	first := v.text(s.from)
	for i := range s.n {
		if i > 0 && v.packed.width > 0 {
			first = v.text(s.from + i)
		}
		*(*string)(s.at(i)) = first
	}
}

func (s *span) points(lat, lng *vector) {
	for i := range s.n {
		*(*geo.LatLng)(s.at(i)) = geo.LatLngFromMicrodegrees(lat.coordinate(s.from+i), lng.coordinate(s.from+i))
	}
}

// A sliceHeader is a list of any type, as Go lays it out in memory.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

func (s *span) lists(v *vector, f *place) {
	begin := 0
	if s.from > 0 {
		begin = int(v.values[s.from-1])
	}
	for i := range s.n {
		end := int(v.values[s.from+i])
		list := (*sliceHeader)(s.at(i))
		// Memory that the caller used before is taken again, as searches decode many roads into one buffer.
		if n := end - begin; n > list.cap {
			*list = sliceHeader{reflect.MakeSlice(f.t, n, n).UnsafePointer(), n, n}
		} else {
			list.len = n
		}
		x := span{list.data, f.size, begin, end - begin}
		if begin = end; x.n > 0 {
			x.set(f.parts, v.lists.columns)
		}
	}
}
