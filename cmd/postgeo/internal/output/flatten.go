package output

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/envelope"
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
	f := flattener{compact: compact}
	dec := json.NewDecoder(bytes.NewReader(item))
	dec.UseNumber()
	if err := f.value(dec, ""); err != nil {
		return nil, fmt.Errorf("flatten %.60q: %w", item, err)
	}
	return f.fields, nil
}

type flattener struct {
	fields  []Field
	compact bool
}

func (f *flattener) add(path, value string) { f.fields = append(f.fields, Field{path, value}) }

// value reads the next JSON value and adds its fields under path.
func (f *flattener) value(dec *json.Decoder, path string) error {
	tok, err := dec.Token()
	if err != nil {
		return err
	}
	switch tok := tok.(type) {
	case json.Delim:
		if tok == '[' {
			return f.list(dec, path)
		}
		return f.object(dec, path)
	default:
		f.add(path, scalar(tok))
		return nil
	}
}

func (f *flattener) object(dec *json.Decoder, path string) error {
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return err
		}
		key := fmt.Sprint(tok)
		if path == "" && (key == "error" || key == "notices") {
			var raw json.RawMessage
			if err := dec.Decode(&raw); err != nil {
				return err
			}
			text, err := messages(raw)
			if err != nil {
				return err
			}
			f.add(key, text)
			continue
		}
		if err := f.value(dec, join(path, key)); err != nil {
			return err
		}
	}
	_, err := dec.Token() // the closing brace
	return err
}

func (f *flattener) list(dec *json.Decoder, path string) error {
	var members []json.RawMessage
	for dec.More() {
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return err
		}
		members = append(members, raw)
	}
	if _, err := dec.Token(); err != nil { // the closing bracket
		return err
	}

	plain := make([]string, 0, len(members))
	for _, raw := range members {
		if raw[0] == '{' || raw[0] == '[' {
			break
		}
		sub := json.NewDecoder(bytes.NewReader(raw))
		sub.UseNumber()
		tok, err := sub.Token()
		if err != nil {
			return err
		}
		plain = append(plain, scalar(tok))
	}
	switch {
	case len(plain) == len(members):
		f.add(path, strings.Join(plain, "; "))
	case f.compact:
		text, err := envelope.Marshal(members)
		if err != nil {
			return err
		}
		f.add(path, string(text))
	default:
		for i, raw := range members {
			sub := json.NewDecoder(bytes.NewReader(raw))
			sub.UseNumber()
			if err := f.value(sub, join(path, strconv.Itoa(i+1))); err != nil {
				return err
			}
		}
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

func scalar(tok json.Token) string {
	if tok == nil {
		return ""
	}
	return fmt.Sprint(tok)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
