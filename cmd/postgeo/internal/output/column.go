package output

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
)

// A Column is a column of a table or of separated values.
type Column struct {
	Header string
	Paths  []string // the first one that an item has gives the value
}

// PathColumn returns the column of one path, headed by it.
func PathColumn(path string) Column { return Column{Header: path, Paths: []string{path}} }

// Columns lists every possible column of items of type T in the order of their
// JSON, so that a header can precede the first item. Lists and maps are one
// column. The head of an item becomes the "input" columns first, "notices" and
// "error" last. Success has no column, because error implies it.
func Columns[T any]() []Column {
	var paths []string
	leaves(reflect.TypeFor[T](), "", &paths)

	rank := func(path string) int {
		switch {
		case strings.HasPrefix(path, "input."):
			return 0
		case path == "notices":
			return 2
		case path == "error":
			return 3
		default:
			return 1
		}
	}
	slices.SortStableFunc(paths, func(a, b string) int { return rank(a) - rank(b) })
	columns := make([]Column, 0, len(paths))
	for _, p := range paths {
		columns = append(columns, PathColumn(p))
	}
	return columns
}

var (
	marshalerType = reflect.TypeFor[json.Marshaler]()
	latLngType    = reflect.TypeFor[geo.LatLng]()
)

// leaves appends the paths of the values that JSON of type t can hold.
func leaves(t reflect.Type, path string, paths *[]string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == latLngType:
		*paths = append(*paths, join(path, "lat"), join(path, "lon"))
		return
	case path == "error" || path == "notices", t.Kind() != reflect.Struct, t.Implements(marshalerType) && path != "":
		*paths = append(*paths, path)
		return
	}
	for field := range t.Fields() {
		tag, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case tag == "-" || !field.IsExported() && !field.Anonymous:
		case path == "" && tag == "success":
		case field.Anonymous && tag == "":
			leaves(field.Type, path, paths)
		case tag == "":
			leaves(field.Type, join(path, field.Name), paths)
		default:
			leaves(field.Type, join(path, tag), paths)
		}
	}
}

// Find returns the columns with the given headers, in that order, and the
// first header that no column has.
func Find(columns []Column, headers []string) (found []Column, unknown string) {
	for _, h := range headers {
		i := slices.IndexFunc(columns, func(c Column) bool { return c.Header == h })
		if i < 0 {
			return nil, h
		}
		found = append(found, columns[i])
	}
	return found, ""
}

// Headers lists the headers of columns.
func Headers(columns []Column) []string {
	headers := make([]string, len(columns))
	for i, c := range columns {
		headers[i] = c.Header
	}
	return headers
}

// row picks the values of the columns out of the fields of an item.
func row(columns []Column, fields []Field) []string {
	values := make(map[string]string, len(fields))
	for _, f := range fields {
		values[f.Path] = f.Value
	}
	cells := make([]string, len(columns))
	for i, c := range columns {
		for _, p := range c.Paths {
			if v, ok := values[p]; ok {
				cells[i] = v
				break
			}
		}
	}
	return cells
}
