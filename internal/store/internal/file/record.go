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

// A field is a field of a struct that has columns.
type field struct {
	reflect.StructField
	at   int    // position
	omit string // values that are NULL: "omitzero" or "omitunknown"
}

func (f *field) omits(v reflect.Value) bool {
	return f.omit == "omitzero" && v.IsZero() || f.omit == "omitunknown" && v.Int() == -1
}

var structs sync.Map // of fields by type

// fieldsOf returns the fields of a struct that have columns, in order: nested structs are
// flattened, and fields with the tag `sql:"-"` are left out. Those with `sql:"omitzero"` are
// NULL instead of zero, and those with `sql:"omitunknown"` instead of -1.
func fieldsOf(t reflect.Type) []field {
	if list, ok := structs.Load(t); ok {
		return list.([]field)
	}
	var list []field
	for i := range t.NumField() {
		f := t.Field(i)
		if omit := f.Tag.Get("sql"); omit != "-" {
			list = append(list, field{f, i, omit})
		}
	}
	structs.Store(t, list)
	return list
}

// isPlain reports whether a struct is flattened.
func isPlain(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t != pointType
}

// width returns the number of columns of a type.
func width(t reflect.Type) (n int) {
	switch {
	case t == pointType:
		return 2
	case isPlain(t):
		for _, f := range fieldsOf(t) {
			n += width(f.Type)
		}
		return n
	case t.Kind() == reflect.Pointer && isPlain(t.Elem()):
		return width(t.Elem())
	default:
		return 1
	}
}

// Columns appends the columns of parts: of values, which stay, and of what pointers to structs
// point to, whose zero texts, nil pointers and empty lists are NULL. convert returns the column
// of a value of a named type that has another form.
func Columns(into []driver.Value, convert func(any) (driver.Value, bool, error), parts ...any) (_ []driver.Value, err error) {
	for _, p := range parts {
		switch p := p.(type) {
		case nil, string, int64, float64, []byte:
			into = append(into, p)
		default:
			if into, err = appendColumns(into, convert, reflect.Indirect(reflect.ValueOf(p))); err != nil {
				return nil, err
			}
		}
	}
	return into, nil
}

func appendColumns(into []driver.Value, convert func(any) (driver.Value, bool, error), v reflect.Value) (_ []driver.Value, err error) {
	t := v.Type()
	if t.PkgPath() != "" && t.Kind() != reflect.Struct {
		if column, other, err := convert(v.Interface()); other || err != nil {
			return append(into, column), err
		}
	}
	switch {
	case t == pointType:
		return appendPoint(into, v.Interface().(geo.LatLng)), nil
	case t.Kind() == reflect.Struct:
		list := fieldsOf(t)
		for i := range list {
			if x := v.Field(list[i].at); list[i].omits(x) {
				into = append(into, nil)
			} else if into, err = appendColumns(into, convert, x); err != nil {
				return nil, err
			}
		}
		return into, nil
	case t.Kind() == reflect.Pointer && v.IsNil():
		return append(into, make([]driver.Value, width(t))...), nil
	case t.Kind() == reflect.Pointer:
		return appendColumns(into, convert, v.Elem())
	case v.CanInt():
		return append(into, v.Int()), nil
	case v.CanUint():
		return append(into, int64(v.Uint())), nil
	case v.CanFloat():
		return append(into, v.Float()), nil
	case t.Kind() == reflect.Bool:
		return append(into, int64(Flag(v.Bool()))), nil
	case t.Kind() == reflect.Slice:
		return append(into, textOrNull(joinList(v))), nil
	default:
		return append(into, textOrNull(v.String())), nil
	}
}

func appendPoint(into []driver.Value, p geo.LatLng) []driver.Value {
	if !p.IsValid() {
		return append(into, nil, nil)
	}
	return append(into, float64(MicroDegrees(p.Lat()))/1e6, float64(MicroDegrees(p.Lng()))/1e6)
}

// Flag returns 1 for true and 0 for false.
func Flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// textOrNull returns a text, nil if it is empty.
func textOrNull(s string) driver.Value {
	if s == "" {
		return nil
	}
	return s
}

// joinList joins numbers by commas and texts by line feeds.
func joinList(v reflect.Value) string {
	var b strings.Builder
	for i := range v.Len() {
		switch e := v.Index(i); {
		case e.Kind() == reflect.String:
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(e.String())
		default:
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatUint(e.Uint(), 10))
		}
	}
	return b.String()
}

// Scan sets a zero struct from its columns and returns the columns behind them. A value of
// another type is zero.
func Scan[T any](row *T, from []driver.Value) []driver.Value {
	return scan(reflect.ValueOf(row).Elem(), from)
}

// Into returns what appends the rows of a query to a list of structs, whose fields are the
// columns after the first ones.
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
		list := fieldsOf(t)
		for i := range list {
			from = scan(v.Field(list[i].at), from)
		}
		return from
	case t.Kind() == reflect.Pointer:
		n := width(t)
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
