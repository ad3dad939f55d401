package encode

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync"
	"unicode/utf8"
)

// An Appender encodes itself. Types with their own JSON, and those that share texts
// or are long, implement it. The output equals that of encoding/json without HTML
// escaping.
type Appender interface {
	// AppendJSON appends the value's JSON to dst and returns the extended slice.
	// After an error the slice is invalid.
	AppendJSON(dst []byte) ([]byte, error)
}

// PieceBytes is the approximate size of the pieces of a long value. A response of one piece
// is sent with its length; larger ones may be streamed.
const PieceBytes = 128 << 10

// A Piecewise value may be long. It encodes itself in pieces of about
// [PieceBytes].
type Piecewise interface {
	// AppendPieces appends the value's JSON to dst and calls flush with all of it after
	// each piece, for a slice for the rest, which may be the same, emptied. It returns
	// the rest. Without flush it is like AppendJSON.
	AppendPieces(dst []byte, flush func([]byte) ([]byte, error)) ([]byte, error)
}

// AppendPieces appends the JSON of v to dst in pieces, if v is [Piecewise].
func AppendPieces(dst []byte, v any, flush func([]byte) ([]byte, error)) ([]byte, error) {
	if p, ok := v.(Piecewise); ok {
		return p.AppendPieces(dst, flush)
	}
	return Append(dst, v)
}

// Marshal returns the JSON of v without HTML escaping, indentation or final
// newline.
func Marshal(v any) ([]byte, error) { return Append(nil, v) }

// Append appends the JSON of v to dst, in the form of [Marshal].
func Append(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case Appender:
		return v.AppendJSON(dst)
	case Piecewise:
		return v.AppendPieces(dst, nil)
	}
	if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && !p.IsNil() {
		return encodeOf(p.Type().Elem())(dst, p.UnsafePointer())
	}
	return appendReflected(dst, v)
}

// appendReflected leaves v to encoding/json. An Encoder is used since Marshal escapes HTML,
// and is kept, since a new one allocates.
func appendReflected(dst []byte, v any) ([]byte, error) {
	e := encoders.Get().(*encoder)
	e.dst = dst
	err := e.enc.Encode(v)
	dst, e.dst = e.dst, nil
	encoders.Put(e)
	if err != nil {
		return dst, fmt.Errorf("encoding %T: %w", v, err)
	}
	return dst[:len(dst)-1], nil // the encoder ends a value with a newline
}

// An encoder is an encoding/json encoder that appends to a slice.
type encoder struct {
	dst []byte
	enc *json.Encoder
}

func (e *encoder) Write(p []byte) (int, error) {
	e.dst = append(e.dst, p...)
	return len(p), nil
}

var encoders = sync.Pool{New: func() any {
	e := new(encoder)
	e.enc = json.NewEncoder(e)
	e.enc.SetEscapeHTML(false)
	return e
}}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string, as encoding/json does without HTML
// escaping. Invalid UTF-8 becomes \ufffd, and the line separators U+2028 and
// U+2029 are escaped.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			if b >= ' ' && b != '"' && b != '\\' {
				i++
				continue
			}
			dst = append(dst, s[start:i]...)
			dst = appendEscaped(dst, b)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(dst, s[start:i]...)
			dst = append(dst, `\ufffd`...)
			start = i + size
		case r == '\u2028' || r == '\u2029':
			dst = append(dst, s[start:i]...)
			dst = append(dst, `\u202`...)
			dst = append(dst, hexDigits[r&0xF])
			start = i + size
		}
		i += size
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendEscaped(dst []byte, b byte) []byte {
	switch b {
	case '"', '\\':
		return append(dst, '\\', b)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&0xF])
}
