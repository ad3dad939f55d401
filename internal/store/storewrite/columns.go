package storewrite

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

var pointType = reflect.TypeFor[geo.LatLng]()

// columns returns the columns of parts. A value is one column. A pointer to a struct gives the
// columns of its fields, in which zero texts, nil pointers and empty lists are NULL.
func (w *Writer) columns(parts []any) (into []driver.Value, err error) {
	for _, p := range parts {
		switch p := p.(type) {
		case nil, string, int64, float64, []byte:
			into = append(into, p)
		default:
			if into, err = w.appendColumns(into, reflect.Indirect(reflect.ValueOf(p))); err != nil {
				return nil, err
			}
		}
	}
	return into, nil
}

func (w *Writer) appendColumns(into []driver.Value, v reflect.Value) (_ []driver.Value, err error) {
	t := v.Type()
	if t.PkgPath() != "" && t.Kind() != reflect.Struct {
		if column, other, err := w.column(v.Interface()); other || err != nil {
			return append(into, column), err
		}
	}
	switch {
	case t == pointType:
		return appendPoint(into, v.Interface().(geo.LatLng)), nil
	case t.Kind() == reflect.Struct:
		list := file.Fields(t)
		for i := range list {
			if x := v.Field(list[i].At); list[i].Omits(x) {
				into = append(into, nil)
			} else if into, err = w.appendColumns(into, x); err != nil {
				return nil, err
			}
		}
		return into, nil
	case t.Kind() == reflect.Pointer && v.IsNil():
		return append(into, make([]driver.Value, file.Width(t))...), nil
	case t.Kind() == reflect.Pointer:
		return w.appendColumns(into, v.Elem())
	case v.CanInt():
		return append(into, v.Int()), nil
	case v.CanUint():
		return append(into, int64(v.Uint())), nil
	case v.CanFloat():
		return append(into, v.Float()), nil
	case t.Kind() == reflect.Bool:
		return append(into, int64(file.Flag(v.Bool()))), nil
	case t.Kind() == reflect.Slice:
		return append(into, orNull(joinList(v))), nil
	default:
		return append(into, orNull(v.String())), nil
	}
}

func appendPoint(into []driver.Value, p geo.LatLng) []driver.Value {
	if !p.IsValid() {
		return append(into, nil, nil)
	}
	return append(into, float64(file.MicroDegrees(p.Lat()))/1e6, float64(file.MicroDegrees(p.Lng()))/1e6)
}

// orNull returns a text, nil if it is empty.
func orNull(s string) driver.Value {
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
