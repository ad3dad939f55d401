package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Field is a value of an item under the path of its keys, "location.lat".
type Field struct {
	Path  string
	Value string
}

// Flatten lists the values of a JSON object in their order. Numbers keep
// their digits. A list of plain values is one field, joined by "; ". A list of
// objects is one field per member, numbered from 1 ("zones.1.name"), or with
// compact one field of JSON text. Null is the empty value. The "error" object
// and the "notices" list of an item become one field each, "CODE: message".
func Flatten(item []byte, compact bool) ([]Field, error) {
	if !json.Valid(item) {
		return nil, fmt.Errorf("flatten %.60q: not JSON", item)
	}
	f := flattener{text: item, compact: compact}
	if err := f.value(""); err != nil {
		return nil, fmt.Errorf("flatten %.60q: %w", item, err)
	}
	return f.fields, nil
}

// A flattener walks valid JSON.
type flattener struct {
	text    []byte // from the next character
	fields  []Field
	compact bool
}

func (f *flattener) add(path, value string) { f.fields = append(f.fields, Field{path, value}) }

// next skips spaces and returns the next character.
func (f *flattener) next() byte {
	for len(f.text) > 0 && f.text[0] <= ' ' {
		f.text = f.text[1:]
	}
	if len(f.text) == 0 {
		return 0
	}
	return f.text[0]
}

// more enters an object or a list, or passes the comma between members. It reports
// whether a member follows, and else passes the closing bracket.
func (f *flattener) more() bool {
	for {
		switch f.next() {
		case ',', '{', '[':
			f.text = f.text[1:]
			if c := f.next(); c != '}' && c != ']' {
				return true
			}
		default:
			f.text = f.text[1:]
			return false
		}
	}
}

// value adds the fields of the next value under path.
func (f *flattener) value(path string) error {
	switch f.next() {
	case '{':
		return f.object(path)
	case '[':
		return f.list(path)
	default:
		text, err := scalar(f.raw())
		f.add(path, text)
		return err
	}
}

// raw returns the text of the next value.
func (f *flattener) raw() []byte {
	f.next()
	depth, quoted := 0, false
	for i := 0; i < len(f.text); i++ {
		c := f.text[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth > 0 && (c == '}' || c == ']'):
			depth--
		case depth == 0 && (c <= ' ' || strings.IndexByte(",:}]", c) >= 0):
			raw := f.text[:i]
			f.text = f.text[i:]
			return raw
		}
	}
	raw := f.text
	f.text = nil
	return raw
}

func (f *flattener) object(path string) error {
	for f.more() {
		key, err := scalar(f.raw())
		if err != nil {
			return err
		}
		f.next()
		f.text = f.text[1:] // the colon
		if path == "" && (key == "error" || key == "notices") {
			text, err := messages(f.raw())
			if err != nil {
				return err
			}
			f.add(key, text)
			continue
		}
		if err := f.value(join(path, key)); err != nil {
			return err
		}
	}
	return nil
}

func (f *flattener) list(path string) error {
	all, nested := *f, false
	var texts []string
	for f.more() {
		raw := f.raw()
		if nested = nested || raw[0] == '{' || raw[0] == '['; nested {
			continue
		}
		text, err := scalar(raw)
		if err != nil {
			return err
		}
		texts = append(texts, text)
	}
	switch {
	case !nested:
		f.add(path, strings.Join(texts, "; "))
	case f.compact:
		var text bytes.Buffer
		if err := json.Compact(&text, all.raw()); err != nil {
			return err
		}
		f.add(path, text.String())
	default:
		rest := f.text
		f.text = all.text
		for i := 1; f.more(); i++ {
			if err := f.value(join(path, strconv.Itoa(i))); err != nil {
				return err
			}
		}
		f.text = rest
	}
	return nil
}

// messages renders an error object or a list of notices.
func messages(raw json.RawMessage) (string, error) {
	type message struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	}
	var list []message
	if raw[0] == '{' {
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			return "", err
		}
		list = append(list, m)
	} else if err := json.Unmarshal(raw, &list); err != nil {
		return "", err
	}
	texts := make([]string, len(list))
	for i, m := range list {
		texts[i] = m.Code + ": " + m.Message
	}
	return strings.Join(texts, "; "), nil
}

// scalar returns a text, a number or a constant as text. Null is "".
func scalar(raw []byte) (string, error) {
	switch {
	case raw[0] != '"':
		if raw[0] == 'n' {
			return "", nil
		}
		return string(raw), nil
	case bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw):
		return string(raw[1 : len(raw)-1]), nil
	default:
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err
	}
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
