package file

import (
	"database/sql/driver"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/geo"
)

// A place is the place of columns in a struct: those of a field, or of a point.
type place struct {
	index  []int // of the field
	offset uintptr
	t      reflect.Type
	kind   reflect.Kind
	size   uintptr // of the type, or of the elements of a list
	width  int     // columns
	point  bool
	omit   bool
	null   int64   // the number that is NULL if omit is set
	parts  []place // of the elements of a list, or of the target of a pointer
}

var pointType = reflect.TypeFor[geo.LatLng]()

var layouts sync.Map // of places by type, which only grows by the types of the program

// layoutOf returns the places of a struct in order. Nested structs are flattened, and fields
// with the tag `sql:"-"` are left out. Those with `sql:"omitzero"` are NULL instead of zero,
// and those with `sql:"omitunknown"` instead of -1. Any other type is its only column.
func layoutOf(t reflect.Type) []place {
	if list, ok := layouts.Load(t); ok {
		return list.([]place)
	}
	var list []place
	var add func(p place)
	add = func(p place) {
		p.kind, p.size, p.width, p.point = p.t.Kind(), p.t.Size(), 1, p.t == pointType
		switch {
		case p.point:
			p.width = 2
		case p.kind == reflect.Struct:
			for i := range p.t.NumField() {
				f := p.t.Field(i)
				tag, null := f.Tag.Get("sql"), int64(0)
				if tag == "omitunknown" {
					null = -1
				}
				if tag != "-" {
					add(place{index: append(slices.Clone(p.index), i), offset: p.offset + f.Offset, t: f.Type, omit: tag != "", null: null})
				}
			}
			return
		case p.kind == reflect.Pointer:
			p.parts = layoutOf(p.t.Elem())
			p.width = widthOf(p.parts)
		case p.kind == reflect.Slice:
			p.parts, p.size = layoutOf(p.t.Elem()), p.t.Elem().Size()
		}
		list = append(list, p)
	}
	add(place{t: t})
	layouts.Store(t, list)
	return list
}

// of returns the field in a struct, or the value itself.
func (f *place) of(v reflect.Value) reflect.Value {
	if len(f.index) == 0 {
		return v
	}
	return v.FieldByIndex(f.index)
}

// widthOf returns the number of columns of a layout.
func widthOf(layout []place) (n int) {
	for i := range layout {
		n += layout[i].width
	}
	return n
}

// Flag returns 1 for true and 0 for false.
func Flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Scan sets a zero value from its columns and returns the columns behind them. A column of
// another type is zero.
func Scan[T any](row *T, from []driver.Value) []driver.Value {
	layout := layoutOf(reflect.TypeFor[T]())
	scan(reflect.ValueOf(row).Elem(), layout, from)
	return from[widthOf(layout):]
}

// Into returns a function that appends the rows of a query to a list of structs. Their fields
// are the columns after the first skip ones.
func Into[T any](list *[]T, skip int) func([]driver.Value) error {
	return func(v []driver.Value) error {
		*list = append(*list, *new(T))
		Scan(&(*list)[len(*list)-1], v[skip:])
		return nil
	}
}

func scan(v reflect.Value, layout []place, from []driver.Value) {
	for i := range layout {
		f := &layout[i]
		x, columns := f.of(v), from[:f.width]
		from = from[f.width:]
		switch {
		case f.point:
			x.Set(reflect.ValueOf(pointOf(columns[0], columns[1])))
		case f.kind != reflect.Pointer:
			setField(x, columns[0])
		case slices.ContainsFunc(columns, func(c driver.Value) bool { return c != nil }):
			x.Set(reflect.New(f.t.Elem()))
			scan(x.Elem(), f.parts, columns)
		}
	}
}

// setField sets a field from a column, if their types fit. NULL and a value of another type
// leave the zero value: the schema has no strict types, and a reader must not panic for them.
func setField(v reflect.Value, column driver.Value) {
	switch x := column.(type) {
	case int64:
		switch {
		case v.CanInt():
			v.SetInt(x)
		case v.CanUint():
			v.SetUint(uint64(x))
		case v.CanFloat():
			v.SetFloat(float64(x))
		case v.Kind() == reflect.Bool:
			v.SetBool(x != 0)
		}
	case float64:
		if v.CanFloat() {
			v.SetFloat(x)
		}
	case string:
		if v.Kind() == reflect.Slice {
			splitList(v, x)
		} else if v.Kind() == reflect.String {
			v.SetString(x)
		}
	}
}

// pointOf returns a point, an invalid one for NULL or numbers that are not on the Earth. It
// rounds again: 1e-6 degree has no exact float64, and a point from SQL equals the one from a cache.
func pointOf(lat, lng driver.Value) geo.LatLng {
	a, ok := lat.(float64)
	b, also := lng.(float64)
	if !ok || !also || math.Abs(a) > 90 || math.Abs(b) > 180 {
		return geo.LatLng{}
	}
	return geo.LatLngFromMicrodegrees(MicroDegrees(a), MicroDegrees(b))
}

func splitList(v reflect.Value, text string) {
	if v.Type().Elem().Kind() == reflect.String {
		v.Set(reflect.ValueOf(strings.Split(text, "\n")))
		return
	}
	for part := range strings.SplitSeq(text, ",") {
		n, _ := strconv.ParseUint(part, 10, 16)
		e := reflect.New(v.Type().Elem()).Elem()
		e.SetUint(n)
		v.Set(reflect.Append(v, e))
	}
}

// AppendColumns appends the columns of a value. Zero texts, nil pointers, empty lists and
// invalid points are NULL. other returns the column of a value of a named type that has another
// form in the file.
func AppendColumns(into []driver.Value, v reflect.Value, other func(any) (column driver.Value, ok bool, err error)) ([]driver.Value, error) {
	layout := layoutOf(v.Type())
	for i := range layout {
		f := &layout[i]
		x := f.of(v)
		var column driver.Value
		var found bool
		var err error
		switch {
		case f.omit && f.null == 0 && x.IsZero(), f.omit && f.null != 0 && x.Int() == f.null:
			found = true
		case f.point:
			into = appendPoint(into, x.Interface().(geo.LatLng))
			continue
		case f.kind == reflect.Pointer && x.IsNil():
			into = append(into, make([]driver.Value, f.width)...)
			continue
		case f.kind == reflect.Pointer:
			if into, err = AppendColumns(into, x.Elem(), other); err != nil {
				return nil, err
			}
			continue
		case f.t.PkgPath() != "":
			if column, found, err = other(x.Interface()); err != nil {
				return nil, err
			}
		}
		if !found {
			column = columnOf(x)
		}
		into = append(into, column)
	}
	return into, nil
}

func columnOf(v reflect.Value) driver.Value {
	switch {
	case v.CanInt():
		return v.Int()
	case v.CanUint():
		return int64(v.Uint())
	case v.CanFloat():
		return v.Float()
	case v.Kind() == reflect.Bool:
		return int64(Flag(v.Bool()))
	case v.Kind() == reflect.Slice:
		return OrNull(joinList(v))
	default:
		return OrNull(v.String())
	}
}

func appendPoint(into []driver.Value, p geo.LatLng) []driver.Value {
	if !p.IsValid() {
		return append(into, nil, nil)
	}
	return append(into, float64(MicroDegrees(p.Lat()))/1e6, float64(MicroDegrees(p.Lng()))/1e6)
}

// OrNull returns a text, nil if it is empty.
func OrNull(s string) driver.Value {
	if s == "" {
		return nil
	}
	return s
}

// joinList joins numbers by commas and texts by line feeds.
func joinList(v reflect.Value) string {
	separator := ","
	if v.Type().Elem().Kind() == reflect.String {
		separator = "\n"
	}
	parts := make([]string, v.Len())
	for i := range parts {
		parts[i] = fmt.Sprint(v.Index(i))
	}
	return strings.Join(parts, separator)
}

// MicroDegrees returns an angle in units of 1e-6 degree.
func MicroDegrees(v float64) int32 { return int32(math.Round(v * 1e6)) }
