package table

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/parquet-go/jsonlite"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/encode"
	"github.com/postgeo/postgeo/internal/plain"
)

// The keys of the first object are the columns. Later objects may lack some, have them in
// another order, or have more; only NDJSON can hold the latter, so such a row is a misfit for
// other formats. An object is cut before its closing brace, and the new keys follow there.
//
// encoding/json decides what is valid, and jsonlite, which parquet-go links already, divides
// valid objects: with tokens of encoding/json rows took three times the processor time.

// jsonBlanks is the whitespace of JSON.
const jsonBlanks = " \t\r\n"

// A jsonSource reads a JSON object a line.
type jsonSource struct {
	feed
	header  []string       // the keys of the first object
	columns map[string]int // of the keys; the last one of a name
	further []string       // keys that rows are looked up by and that it lacks; may be paths ("address.zip")
}

func openJSON(f feed) (*jsonSource, error) {
	s := &jsonSource{feed: f}
	s.rowEnd = func(text []byte, scan *rowScan) int {
		n := bytes.IndexByte(text[scan.at:], '\n')
		if n < 0 {
			scan.at = len(text)
			return 0
		}
		return scan.at + n + 1
	}
	s.keep = func(row []byte) bool { return len(bytes.Trim(row, jsonBlanks)) > 0 }
	if _, err := s.skipBOM(); err != nil {
		return nil, err
	}
	for {
		line := s.line
		text, err := s.next()
		if err != nil {
			return nil, emptyInput(err, 0)
		}
		if !s.keep(text) {
			continue
		}
		var r row
		if err := r.object(text); err != nil {
			return nil, rowError(line, err)
		}
		s.header, s.columns = r.keys, make(map[string]int)
		for i, key := range r.keys {
			s.columns[key] = i
		}
		s.move(text, -1)
		return s, nil
	}
}

func (s *jsonSource) names() []string {
	names := make([]string, len(s.header))
	for i, name := range s.header {
		names[i] = valid(name)
	}
	return names
}

// parse finds the values of the columns. Of equal keys the last one counts.
func (s *jsonSource) parse(r *row, b *block, i int) error {
	if err := r.object(b.row(i)); err != nil {
		return rowError(b.lineOf(i), err)
	}
	r.cells = slices.Grow(r.cells[:0], len(s.header))[:len(s.header)]
	for col := range r.cells { // those of the row before
		r.cells[col] = cell{kind: jsonCell}
	}
	for i, key := range r.keys {
		col := i // most rows have the keys of the first one in their order
		if i >= len(s.header) || key != s.header[i] {
			var known bool
			if col, known = s.columns[key]; !known {
				r.misfit = cmp.Or(r.misfit, fmt.Errorf("the object has a key %q, which the first one does not have; write NDJSON to keep such keys", key))
				continue
			}
		}
		r.cells[col].raw = r.values[i]
	}
	for _, name := range s.further {
		r.cells = append(r.cells, cell{find(r.keys, r.values, name), jsonCell})
	}
	return nil
}

// object finds the keys and the values of an object.
func (r *row) object(line []byte) error {
	object := bytes.Trim(line, jsonBlanks)
	switch {
	case len(object) == 0 || object[0] != '{':
		const most = 40
		if len(object) > most {
			return fmt.Errorf("expected a JSON object, got %q…", object[:most])
		}
		return fmt.Errorf("expected a JSON object, got %q", object)
	case json.Valid(object):
		r.raw, r.misfit = object[:len(object)-1], nil
		r.keys, r.values = appendMembers(r.keys[:0], r.values[:0], object)
		return nil
	case object[len(object)-1] != '}':
		return errors.New("the object does not end on its line; expected one object per line (jq -c . makes them)")
	default:
		return fmt.Errorf("not valid JSON: %w", json.Unmarshal(object, new(json.RawMessage)))
	}
}

// appendMembers appends the keys and values of a valid object. Values are as they stand.
func appendMembers(keys []string, values [][]byte, object []byte) ([]string, [][]byte) {
	o, err := jsonlite.Parse(string(object))
	// JSON allows a key with half of a surrogate pair ("\ud800"), jsonlite does not. Errors
	// can't occur below, because the object is valid.
	if err != nil {
		d := json.NewDecoder(bytes.NewReader(object))
		_, _ = d.Token()
		for d.More() {
			key, _ := d.Token()
			var value json.RawMessage
			_ = d.Decode(&value)
			keys, values = append(keys, key.(string)), append(values, value)
		}
		return keys, values
	}
	for key, value := range o.Object {
		text := strings.TrimLeft(value.JSON(), jsonBlanks) // objects and arrays have the blanks before them
		keys, values = append(keys, key), append(values, []byte(text))
	}
	return keys, values
}

// find returns the value of a key, or of a path of keys with dots, and nil if the key is
// missing. Of equal keys the last one counts. Keys can have dots themselves: the first of a
// path is the shortest that names an object. Each step into an object leaves a shorter path,
// so the work grows with the square of its length.
func find(keys []string, values [][]byte, name string) []byte {
	of := func(key string) []byte {
		for i := len(keys) - 1; i >= 0; i-- {
			if keys[i] == key {
				return values[i]
			}
		}
		return nil
	}
	if v := of(name); v != nil {
		return v
	}
	for at := range len(name) {
		if name[at] != '.' {
			continue
		}
		if inner := of(name[:at]); len(inner) > 0 && inner[0] == '{' {
			keys, values = appendMembers(nil, nil, inner)
			return find(keys, values, name[at+1:])
		}
	}
	return nil
}

// jsonText returns a value as text: strings without quotes, null as nothing. The first byte
// of a valid value decides its kind.
func jsonText(value []byte) string {
	switch {
	case len(value) == 0 || value[0] == 'n':
		return ""
	case value[0] != '"':
		return string(value)
	}
	s, err := jsonlite.Unquote(string(value))
	if err != nil { // half of a surrogate pair
		_ = json.Unmarshal(value, &s)
	}
	return s
}

// jsonWriter returns the writer of NDJSON. Objects keep their bytes, and the values come
// last in them.
func jsonWriter(src *Source, added []string) (*textWriter, error) {
	columns := len(src.Header())
	var names [][]byte // with quotes and colon
	seen := make(map[string]bool, columns)
	for _, n := range src.Header() {
		if seen[n] { // readers would keep only the last
			return nil, fmt.Errorf("table: two columns are called %q; an object allows one", n)
		}
		seen[n] = true
		names = append(names, append(encode.AppendString(nil, n), ':'))
	}
	for _, n := range added {
		names = append(names, append(appendJSON(nil, enrich.ValueOf(n)), ':'))
	}
	w := &textWriter{columns: columns, open: "{", between: ",", end: "}\n"}
	w.cell = func(dst []byte, col int, v enrich.Value) ([]byte, error) {
		if dst = append(dst, names[col]...); col < columns {
			return v.AppendJSON(dst), nil
		}
		return appendJSON(dst, v), nil
	}
	if _, same := src.source.(*jsonSource); same {
		w.keep = func(dst []byte, r *row) ([]byte, error) {
			for _, name := range added {
				if slices.Contains(r.keys, name) {
					return dst, fmt.Errorf("the object has a key %q already; name the new field otherwise", name)
				}
			}
			return append(dst, r.raw...), nil
		}
	}
	return w, nil
}

// appendJSON appends a value that was added with its hidden characters escaped.
func appendJSON(dst []byte, v enrich.Value) []byte {
	at := len(dst)
	dst = v.AppendJSON(dst)
	if bytes.IndexFunc(dst[at:], func(r rune) bool { return r >= 0x7f }) < 0 { // JSON escapes C0
		return dst
	}
	return plain.Append(dst[:at], string(dst[at:]))
}
