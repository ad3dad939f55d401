package enrich

import (
	"encoding/hex"
	"math"
	"strconv"

	"github.com/postgeo/postgeo/internal/encode"
)

// A Type is the type of a column's values.
type Type uint8

// The types of columns.
const (
	String Type = iota + 1
	Int
	Float
	Bool
	List  // of values of any other type
	JSON  // an object, as text
	Bytes // binary, in text as hexadecimal digits
)

var typeNames = [...]string{String: "string", Int: "int", Float: "float", Bool: "bool", List: "list", JSON: "json", Bytes: "bytes"}

// String returns the type's name, e.g. "float".
func (t Type) String() string { return typeNames[t] }

// MarshalText returns String.
func (t Type) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// A Value is one value of a row. The zero Value is null.
type Value struct {
	typ  Type
	text string  // String, JSON and Bytes
	bits uint64  // Int, Float, Bool
	list []Value // List
}

// StringValue returns a text; null for "".
func StringValue(s string) Value {
	if s == "" {
		return Value{}
	}
	return Value{typ: String, text: s}
}

// IntValue returns a whole number.
func IntValue(n int64) Value { return Value{typ: Int, bits: uint64(n)} }

// FloatValue returns a number; null for one that is not finite.
func FloatValue(f float64) Value {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return Value{}
	}
	return Value{typ: Float, bits: math.Float64bits(f)}
}

// BoolValue returns true or false.
func BoolValue(b bool) Value {
	if b {
		return Value{typ: Bool, bits: 1}
	}
	return Value{typ: Bool}
}

// JSONValue returns a JSON text, which is not validated.
func JSONValue(text string) Value { return Value{typ: JSON, text: text} }

// BytesValue returns binary data; null for none.
func BytesValue(b []byte) Value {
	if len(b) == 0 {
		return Value{}
	}
	return Value{typ: Bytes, text: string(b)}
}

// listValue returns a list; null for an empty one. The list is kept.
func listValue(list []Value) Value {
	if len(list) == 0 {
		return Value{}
	}
	return Value{typ: List, list: list}
}

// Type returns the value's type, 0 for null.
func (v Value) Type() Type { return v.typ }

// IsNull reports whether there is no value.
func (v Value) IsNull() bool { return v.typ == 0 }

// Int returns the number of an Int, else 0.
func (v Value) Int() int64 {
	if v.typ != Int {
		return 0
	}
	return int64(v.bits)
}

// Float returns the number of a Float or an Int, else 0.
func (v Value) Float() float64 {
	switch v.typ {
	case Float:
		return math.Float64frombits(v.bits)
	case Int:
		return float64(int64(v.bits))
	default:
		return 0
	}
}

// Bool returns the truth of a Bool, else false.
func (v Value) Bool() bool { return v.typ == Bool && v.bits == 1 }

// Bytes returns the data of a Bytes, else nil.
func (v Value) Bytes() []byte {
	if v.typ != Bytes {
		return nil
	}
	return []byte(v.text)
}

// String returns what AppendText appends.
func (v Value) String() string {
	if v.typ == String || v.typ == JSON {
		return v.text
	}
	return string(v.AppendText(nil))
}

// listSeparator separates the values of a list in text.
const listSeparator = "; "

// AppendText appends the value as text. Null is empty, numbers have the shortest
// form, and the values of a list are joined by "; ".
func (v Value) AppendText(dst []byte) []byte {
	switch v.typ {
	case String, JSON:
		return append(dst, v.text...)
	case Int:
		return strconv.AppendInt(dst, int64(v.bits), 10)
	case Float:
		return strconv.AppendFloat(dst, v.Float(), 'f', -1, 64)
	case Bool:
		return strconv.AppendBool(dst, v.Bool())
	case Bytes:
		return hex.AppendEncode(dst, []byte(v.text))
	case List:
		for i, e := range v.list {
			if i > 0 {
				dst = append(dst, listSeparator...)
			}
			dst = e.AppendText(dst)
		}
		return dst
	default:
		return dst
	}
}

// AppendJSON appends the value as JSON, null included.
func (v Value) AppendJSON(dst []byte) []byte {
	switch v.typ {
	case String:
		return encode.AppendString(dst, v.text)
	case Bytes:
		return append(v.AppendText(append(dst, '"')), '"')
	case List:
		dst = append(dst, '[')
		for i, e := range v.list {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = e.AppendJSON(dst)
		}
		return append(dst, ']')
	case Int, Float, Bool, JSON:
		return v.AppendText(dst)
	default:
		return append(dst, "null"...)
	}
}
