package output

import (
	"bytes"
	"cmp"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/openapi"
)

// A Field is a value of an item under the path of its JSON keys, "location.lat".
type Field struct {
	Path  string
	Value string
}

// A Row is an item whose columns follow from the flags of a command.
type Row []Cell

// A Cell is a value of a [Row]. Without a name the row has the members of the value.
type Cell struct {
	Name  string
	Value any
}

// Named returns a Cell.
func Named(name string, value any) Cell { return Cell{name, value} }

// AppendJSON implements [encode.Appender].
func (r Row) AppendJSON(dst []byte) (_ []byte, err error) {
	begin := len(dst)
	for _, c := range r {
		dst = append(dst, ',')
		if c.Name != "" {
			dst = append(encode.AppendString(dst, c.Name), ':')
		}
		at := len(dst)
		if dst, err = encode.Append(dst, c.Value); err != nil {
			return dst, err
		}
		if c.Name == "" {
			dst = append(dst[:at], dst[at+1:len(dst)-1]...)
		}
	}
	if len(dst) == begin {
		return append(dst, "{}"...), nil
	}
	dst[begin] = '{'
	return append(dst, '}'), nil
}

// Fields lists the values of an item in the order of its JSON. A list of plain values
// is one field, joined by "; ". A list of objects is one field per member, numbered
// from 1 ("zones.1.name"), or with compact one field of JSON text. Null is the empty
// value. Errors and notices are one field each, "CODE: message".
func Fields(item any, compact bool) ([]Field, error) {
	w := walker{compact: compact}
	err := w.value("", reflect.ValueOf(item))
	return w.fields, err
}

// encodes reports whether a type encodes itself. Its fields in Go are then not its members
// in JSON. Results are kept, since method sets take long to search and every cell needs
// one.
func encodes(t reflect.Type) bool {
	own, known := encoders.Load(t)
	if known {
		return own.(bool)
	}
	pointer := reflect.PointerTo(t)
	_, ok := pointer.MethodByName("AppendJSON")
	ok = ok || pointer.Implements(reflect.TypeFor[json.Marshaler]()) || pointer.Implements(reflect.TypeFor[encoding.TextMarshaler]())
	encoders.Store(t, ok)
	return ok
}

var encoders sync.Map // of bool by reflect.Type

// omitted reports whether a member is left out, by the rules of encoding/json, so that
// columns and JSON have the same values.
func omitted(m *openapi.Property, v reflect.Value) bool {
	zero, empty := strings.Contains(m.Options, "omitzero"), strings.Contains(m.Options, "omitempty")
	switch k := v.Kind(); {
	case !zero && !empty:
		return false
	case zero && !(k == reflect.Pointer && v.IsNil()):
		if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
			return z.IsZero()
		}
		return v.IsZero()
	case k == reflect.Slice || k == reflect.Map:
		return v.Len() == 0
	default:
		return k != reflect.Struct && v.IsZero()
	}
}

type walker struct {
	compact bool
	fields  []Field
}

func (w *walker) add(path, value string) { w.fields = append(w.fields, Field{path, value}) }

// value adds the fields of a value.
func (w *walker) value(path string, v reflect.Value) error {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		if v.IsNil() {
			w.add(path, "")
			return nil
		}
		v = v.Elem()
	}
	if !v.CanAddr() { // a copy that has an address: methods of pointers encode it, too
		p := reflect.New(v.Type()).Elem()
		p.Set(v)
		v = p
	}
	switch of := v.Addr().Interface().(type) {
	case *geo.LatLng:
		if !of.IsValid() {
			w.add(path, "")
			return nil
		}
		lat, lon, _ := bytes.Cut(bytes.Trim(of.AppendJSON(nil), `{}`), []byte(","))
		w.add(join(path, "lat"), string(lat[len(`"lat":`):]))
		w.add(join(path, "lon"), string(lon[len(`"lon":`):]))
		return nil
	case *envelope.Error:
		w.add(path, string(of.Code)+": "+of.Message)
		return nil
	case *[]envelope.Notice:
		var texts []string
		for _, n := range *of {
			texts = append(texts, string(n.Code)+": "+n.Message)
		}
		w.add(path, strings.Join(texts, "; "))
		return nil
	case *Row:
		for _, c := range *of {
			if err := w.value(join(path, c.Name), reflect.ValueOf(c.Value)); err != nil {
				return err
			}
		}
		return nil
	}
	own := encodes(v.Type())
	switch k := v.Kind(); {
	case k == reflect.Struct && (!own || path == ""):
		return w.members(path, v)
	case k == reflect.Slice && !own:
		return w.list(path, v)
	case k == reflect.Map && !own:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
		for _, key := range keys {
			if err := w.value(join(path, key.String()), v.MapIndex(key)); err != nil {
				return err
			}
		}
		return nil
	case k == reflect.String && !own:
		w.add(path, v.String())
		return nil
	}
	text, err := encode.Append(nil, v.Addr().Interface())
	if err != nil {
		return err
	}
	return w.encoded(path, text)
}

func (w *walker) members(path string, v reflect.Value) error {
	list := openapi.Properties(v.Type())
	for i := range list {
		field, err := v.FieldByIndexErr(list[i].Index)
		if err != nil || omitted(&list[i], field) { // err: in an embedded pointer that is nil
			continue
		}
		if err := w.value(join(path, list[i].Name), field); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) list(path string, v reflect.Value) error {
	all := walker{compact: w.compact}
	for i := range v.Len() {
		if err := all.value(strconv.Itoa(i+1), v.Index(i)); err != nil {
			return err
		}
	}
	isPlain := func(f Field) bool { return !strings.Contains(f.Path, ".") }
	switch {
	case !slices.ContainsFunc(all.fields, func(f Field) bool { return !isPlain(f) }):
		var texts []string
		for _, f := range all.fields {
			texts = append(texts, f.Value)
		}
		w.add(path, strings.Join(texts, "; "))
	case w.compact:
		text, err := encode.Marshal(v.Interface())
		w.add(path, string(text))
		return err
	default:
		for _, f := range all.fields {
			w.add(join(path, f.Path), f.Value)
		}
	}
	return nil
}

// encoded adds the fields of a value that has encoded itself: a text, a number, or an
// object with keys of its own, such as the years of the survey.
func (w *walker) encoded(path string, text []byte) error {
	var list []json.RawMessage
	switch {
	case string(text) == "null":
		w.add(path, "")
	case text[0] == '"':
		var s string
		err := json.Unmarshal(text, &s)
		w.add(path, s)
		return err
	case text[0] == '[' && json.Unmarshal(text, &list) == nil:
		return w.list(path, reflect.ValueOf(list))
	case text[0] == '{':
		dec := json.NewDecoder(bytes.NewReader(text))
		_, _ = dec.Token() // the brace
		for dec.More() {
			var value json.RawMessage
			key, err := dec.Token()
			if err = cmp.Or(err, dec.Decode(&value)); err != nil {
				return err
			}
			if err := w.encoded(join(path, fmt.Sprint(key)), value); err != nil {
				return err
			}
		}
	default:
		w.add(path, string(text))
	}
	return nil
}

func join(path, key string) string {
	switch {
	case path == "":
		return key
	case key == "":
		return path
	}
	return path + "." + key
}

// A Column is a column of a table or of separated values.
type Column struct {
	Header string
	Paths  []string // the first one that an item has gives the value
}

// PathColumn returns the column of one path, headed by it.
func PathColumn(path string) Column { return Column{Header: path, Paths: []string{path}} }

// Columns lists every possible column of items of type T in the order of their
// JSON, so that a header can precede the first item, and files of equal commands have equal
// headers. Lists and maps are one column. The head of an item becomes the "input" columns
// first, "notices" and "error" last. Success has no column, because error implies it.
func Columns[T any]() []Column {
	var columns []Column
	leaves(reflect.TypeFor[T](), "", &columns)
	rank := func(c Column) int {
		switch {
		case strings.HasPrefix(c.Header, "input."):
			return 0
		case c.Header == "notices":
			return 2
		case c.Header == "error":
			return 3
		default:
			return 1
		}
	}
	slices.SortStableFunc(columns, func(a, b Column) int { return rank(a) - rank(b) })
	return columns
}

// leaves appends the columns of the values that a type can hold.
func leaves(t reflect.Type, path string, columns *[]Column) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case path == "success":
	case t == reflect.TypeFor[geo.LatLng]():
		*columns = append(*columns, PathColumn(join(path, "lat")), PathColumn(join(path, "lon")))
	case path == "error" || t.Kind() != reflect.Struct || encodes(t) && path != "":
		*columns = append(*columns, PathColumn(path))
	default:
		for _, m := range openapi.Properties(t) {
			leaves(m.Type, join(path, m.Name), columns)
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
