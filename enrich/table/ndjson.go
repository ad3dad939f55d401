package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/plain"
)

// jsonBlanks is what may stand around JSON.
const jsonBlanks = " \t\r\n"

// jsonSource reads a JSON object a line.
type jsonSource struct {
	feed
	header  []string       // the keys of the first object
	shown   []string       // the same as UTF-8
	columns map[string]int // of the keys; the last one of a name
	further []string       // keys that are looked up by and that it does not have
	lenient bool
}

func openJSON(f feed, opt Input) (*jsonSource, error) {
	s := &jsonSource{feed: f, lenient: opt.Lenient}
	s.rowEnd = func(text []byte) int { return bytes.IndexByte(text, '\n') + 1 }
	if bom, err := s.peek(len(byteBOM)); err != nil {
		return nil, err
	} else if string(bom) == byteBOM {
		s.at += len(byteBOM)
		s.offset += int64(len(byteBOM))
	}
	for {
		offset, line := s.offset, s.line
		row, err := s.row()
		if err != nil {
			return nil, emptyInput(err)
		}
		if !s.keep(row) {
			continue
		}
		d := jsonDecoder{src: s}
		if err := d.parse(row); err != nil && !s.lenient {
			return nil, rowError(line, err)
		}
		s.columns = make(map[string]int, len(d.members))
		for i := range d.members {
			name := d.members[i].name()
			s.header = append(s.header, name)
			s.shown = append(s.shown, strings.ToValidUTF8(name, "\ufffd"))
			s.columns[name] = i
		}
		s.at, s.offset, s.line = s.at-len(row), offset, line
		return s, nil
	}
}

func (s *jsonSource) keep(row []byte) bool { return len(bytes.Trim(row, jsonBlanks)) > 0 }
func (s *jsonSource) names() []string      { return s.shown }
func (s *jsonSource) read(b *block) error  { return s.fill(b, s.keep) }
func (s *jsonSource) decoder() decoder     { return &jsonDecoder{src: s} }

// emptyInput replaces io.EOF at the beginning of an input with a clear error.
func emptyInput(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("table: the input is empty; expected a header or a row")
	}
	return err
}

// A jsonMember is a key of an object and its value, as they stand.
type jsonMember struct{ key, value []byte }

// name returns the key without quotes.
func (m *jsonMember) name() string { return jsonText(m.key) }

func (m *jsonMember) is(name string) bool {
	if inner := m.key[1 : len(m.key)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner) == name
	}
	return m.name() == name
}

// jsonDecoder reads rows of NDJSON.
type jsonDecoder struct {
	src     *jsonSource
	object  []byte // the source text, without surrounding whitespace
	members []jsonMember
	broken  bool  // lenient: no object
	at      []int // of each column's member, -1 without; see arrange
}

func (d *jsonDecoder) row(b *block, i int) error {
	err := d.parse(b.row(i))
	if d.broken = err != nil; d.broken && !d.src.lenient {
		return rowError(b.lineOf(i), err)
	}
	return nil
}

// parse finds the members of an object.
func (d *jsonDecoder) parse(row []byte) error {
	d.object, d.members = bytes.Trim(row, jsonBlanks), d.members[:0]
	if len(d.object) == 0 || d.object[0] != '{' {
		return fmt.Errorf("expected a JSON object, got %s", beginning(d.object))
	}
	if !json.Valid(d.object) {
		if d.object[len(d.object)-1] != '}' {
			return errors.New("the object does not end on its line; expected one object per line (jq -c . makes them)")
		}
		var object json.RawMessage
		return fmt.Errorf("not valid JSON: %w", json.Unmarshal(d.object, &object))
	}
	d.members = appendMembers(d.members, d.object)
	return nil
}

func beginning(text []byte) string {
	const most = 40
	if len(text) > most {
		return fmt.Sprintf("%q…", text[:most])
	}
	return fmt.Sprintf("%q", text)
}

func appendMembers(dst []jsonMember, object []byte) []jsonMember {
	i := 1
	for {
		i = skipBlanks(object, i)
		if object[i] == '}' {
			return dst
		}
		if object[i] == ',' {
			i = skipBlanks(object, i+1)
		}
		end := valueEnd(object, i)
		m := jsonMember{key: object[i:end]}
		i = skipBlanks(object, end) + 1 // the colon
		i = skipBlanks(object, i)
		end = valueEnd(object, i)
		m.value = object[i:end]
		dst = append(dst, m)
		i = end
	}
}

func skipBlanks(text []byte, i int) int {
	for text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r' {
		i++
	}
	return i
}

// valueEnd returns the end of the value that begins at i of valid JSON.
func valueEnd(text []byte, i int) int {
	depth := 0
	for ; ; i++ {
		switch text[i] {
		case '"':
			for i++; text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			if depth--; depth == 0 {
				return i + 1
			}
		case ',', ':', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
		}
	}
}

// find returns the value of a key, or of a path of keys with dots, and nil if
// the key is missing. Of equal keys the last one counts.
func find(members []jsonMember, name string) []byte {
	for i := len(members) - 1; i >= 0; i-- {
		if members[i].is(name) {
			return members[i].value
		}
	}
	for at := 0; ; {
		dot := strings.IndexByte(name[at:], '.')
		if dot < 0 {
			return nil
		}
		at += dot + 1
		if inner := find(members, name[:at-1]); len(inner) > 0 && inner[0] == '{' {
			return find(appendMembers(nil, inner), name[at:])
		}
	}
}

// jsonText returns a value as text: strings without quotes, null as nothing.
func jsonText(value []byte) string {
	switch {
	case len(value) == 0 || value[0] == 'n':
		return ""
	case value[0] != '"':
		return string(value)
	case bytes.IndexByte(value, '\\') < 0:
		return string(value[1 : len(value)-1])
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}

func (d *jsonDecoder) appendText(dst []byte, col int) []byte {
	names := d.src.header
	if n := len(names); col >= n {
		names, col = d.src.further, col-n
	}
	return append(dst, jsonText(find(d.members, names[col]))...)
}

// value reads a cell of a row that was arranged.
func (d *jsonDecoder) value(col int) enrich.Value {
	var v []byte
	if i := d.at[col]; i >= 0 {
		v = d.members[i].value
	}
	switch {
	case len(v) == 0 || v[0] == 'n':
		return enrich.Value{}
	case v[0] == '"':
		return enrich.StringValue(strings.ToValidUTF8(jsonText(v), "\ufffd"))
	case v[0] == 't' || v[0] == 'f':
		return enrich.BoolValue(v[0] == 't')
	default:
		return enrich.JSONValue(strings.ToValidUTF8(string(v), "\ufffd"))
	}
}

// arrange finds the member of each column. Of equal keys the last one counts. It
// returns the first key that the first row lacks, or "".
func (d *jsonDecoder) arrange() (beyond string) {
	d.at = d.at[:0]
	for range d.src.header {
		d.at = append(d.at, -1)
	}
	for i := range d.members {
		col := i // most rows have the keys of the first one in their order
		if i >= len(d.src.header) || !d.members[i].is(d.src.header[i]) {
			name := d.members[i].name()
			var known bool
			if col, known = d.src.columns[name]; !known {
				return name
			}
		}
		d.at[col] = i
	}
	return ""
}

// fits arranges a row and returns an error if its members do not fit columns.
func fits(d decoder) error {
	js, ok := d.(*jsonDecoder)
	if !ok {
		return nil
	}
	if js.broken {
		return errors.New("the line is not a JSON object; only NDJSON can keep it")
	}
	if name := js.arrange(); name != "" {
		return fmt.Errorf("the object has a key %q, which the first one does not have; write NDJSON to keep such keys", name)
	}
	return nil
}

// jsonEncoder writes a JSON object a line.
type jsonEncoder struct {
	names []string // of the source's columns, with quotes and colon
	keys  []string // of the added columns, with quotes and colon
	added []string
}

func newJSONEncoder(src source, added []string) *jsonEncoder {
	e := &jsonEncoder{added: added}
	for _, n := range src.names() {
		e.names = append(e.names, string(append(envelope.AppendString(nil, n), ':')))
	}
	for _, n := range added {
		e.keys = append(e.keys, string(append(appendJSON(nil, enrich.StringValue(n)), ':')))
	}
	return e
}

func (e *jsonEncoder) render(dst []byte, values []enrich.Value) []byte {
	for i, name := range e.keys {
		dst = appendJSON(append(append(dst, ','), name...), values[i])
	}
	return dst
}

// row appends a row. An object keeps its bytes, and the values come last in it.
func (e *jsonEncoder) row(out *chunk, d decoder, a *result) error {
	dst := out.text
	begun := false
	key := func(name string) {
		if begun {
			dst = append(dst, ',')
		}
		begun = true
		dst = append(dst, name...)
	}
	switch d := d.(type) {
	case *jsonDecoder:
		if d.broken {
			key(`{"postgeo_row":`)
			dst = envelope.AppendString(dst, string(bytes.ToValidUTF8(d.object, []byte("\ufffd"))))
			break
		}
		for _, name := range e.added {
			for i := range d.members {
				if d.members[i].is(name) {
					return fmt.Errorf("the object has a key %q already; name the new field otherwise", name)
				}
			}
		}
		begun = len(d.members) > 0
		dst = append(dst, d.object[:len(d.object)-1]...)
	default:
		dst = append(dst, '{')
		for i, name := range e.names {
			key(name)
			dst = d.value(i).AppendJSON(dst)
		}
	}
	cells := a.cells
	if !begun && len(cells) > 0 {
		cells = cells[1:] // without the comma
	}
	dst = append(append(dst, cells...), "}\n"...)
	out.text = dst
	out.n++
	return nil
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
