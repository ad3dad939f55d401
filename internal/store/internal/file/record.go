package file

import (
	"database/sql/driver"
	"math"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/geo"
)

var pointType = reflect.TypeFor[geo.LatLng]()

// A Field is a field of a struct that has columns.
type Field struct {
	reflect.StructField
	At   int    // position
	omit string // values that are NULL: "omitzero" or "omitunknown"
}

// Omits reports whether a value is NULL.
func (f *Field) Omits(v reflect.Value) bool {
	return f.omit == "omitzero" && v.IsZero() || f.omit == "omitunknown" && v.Int() == -1
}

var structs sync.Map // of fields by type

// Fields returns the fields of a struct that have columns, in order: nested structs are
// flattened, and fields with the tag `sql:"-"` are left out. Those with `sql:"omitzero"` are
// NULL instead of zero, and those with `sql:"omitunknown"` instead of -1.
func Fields(t reflect.Type) []Field {
	if list, ok := structs.Load(t); ok {
		return list.([]Field)
	}
	var list []Field
	for i := range t.NumField() {
		f := t.Field(i)
		if omit := f.Tag.Get("sql"); omit != "-" {
			list = append(list, Field{f, i, omit})
		}
	}
	structs.Store(t, list)
	return list
}

// isPlain reports whether a struct is flattened.
func isPlain(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != pointType
}

// Width returns the number of columns of a type.
func Width(t reflect.Type) (n int) {
	switch {
	case t == pointType:
		return 2
	case isPlain(t):
		for _, f := range Fields(t) {
			n += Width(f.Type)
		}
		return n
	case t.Kind() == reflect.Pointer && isPlain(t.Elem()):
		return Width(t.Elem())
	default:
		return 1
	}
}

// Flag returns 1 for true and 0 for false.
func Flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Scan sets a zero struct from its columns and returns the columns behind them. A value of
// another type is zero.
func Scan[T any](row *T, from []driver.Value) []driver.Value {
	return scan(reflect.ValueOf(row).Elem(), from)
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

func scan(v reflect.Value, from []driver.Value) []driver.Value {
	t := v.Type()
	switch {
	case t == pointType:
		v.Set(reflect.ValueOf(pointOf(from[0], from[1])))
		return from[2:]
	case t.Kind() == reflect.Struct:
		list := Fields(t)
		for i := range list {
			from = scan(v.Field(list[i].At), from)
		}
		return from
	case t.Kind() == reflect.Pointer:
		n := Width(t)
		for _, x := range from[:n] {
			if x != nil {
				v.Set(reflect.New(t.Elem()))
				scan(v.Elem(), from[:n])
				break
			}
		}
		return from[n:]
	}
	switch x := from[0].(type) {
	case int64:
		switch {
		case v.CanInt():
			v.SetInt(x)
		case v.CanUint():
			v.SetUint(uint64(x))
		case v.CanFloat():
			v.SetFloat(float64(x))
		case t.Kind() == reflect.Bool:
			v.SetBool(x != 0)
		}
	case float64:
		if v.CanFloat() {
			v.SetFloat(x)
		}
	case string:
		if t.Kind() == reflect.Slice {
			splitList(v, x)
		} else if t.Kind() == reflect.String {
			v.SetString(x)
		}
	}
	return from[1:]
}

func pointOf(lat, lng driver.Value) geo.LatLng {
	a, ok := lat.(float64)
	b, also := lng.(float64)
	if !ok || !also || math.Abs(a) > 90 || math.Abs(b) > 180 {
		return geo.LatLng{}
	}
	return PointFromMicro(MicroDegrees(a), MicroDegrees(b))
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
