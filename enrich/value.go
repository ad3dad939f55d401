package enrich

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"

	"github.com/postgeo/postgeo/internal/encode"
)

// A Type is the type of a column's values.
type Type string

// The types of columns.
const (
	String Type = "string"
	Int    Type = "int"
	Float  Type = "float"
	Bool   Type = "bool"
	List   Type = "list"  // of values of any other type
	JSON   Type = "json"  // an object, as text
	Bytes  Type = "bytes" // binary, in text as hexadecimal digits
)

// A Value is one value of a row. The zero Value is null.
//
// It is a struct of 64 bytes and not an interface, so that a number needs no allocation.
type Value struct {
	typ  Type
	text string  // String, JSON and Bytes
	bits uint64  // Int, Float, Bool
	list []Value // List
}

// ValueOf returns the value of a Go type. Empty texts, data and lists and numbers that are
// not finite become null. JSON is not validated, and a list is kept.
func ValueOf[T string | int | int64 | float64 | bool | json.RawMessage | []byte | []Value](of T) Value {
	switch of := any(of).(type) {
	case string:
		if of != "" {
			return Value{typ: String, text: of}
		}
	case int:
		return Value{typ: Int, bits: uint64(of)}
	case int64:
		return Value{typ: Int, bits: uint64(of)}
	case float64:
		if !math.IsNaN(of) && !math.IsInf(of, 0) {
			return Value{typ: Float, bits: math.Float64bits(of)}
		}
	case bool:
		if of {
			return Value{typ: Bool, bits: 1}
		}
		return Value{typ: Bool}
	case json.RawMessage:
		return Value{typ: JSON, text: string(of)}
	case []byte:
		if len(of) > 0 {
			return Value{typ: Bytes, text: string(of)}
		}
	case []Value:
		if len(of) > 0 {
			return Value{typ: List, list: of}
		}
	}
	return Value{}
}

// Type returns the value's type, "" for null.
func (v Value) Type() Type { return v.typ }

// IsNull reports whether there is no value.
func (v Value) IsNull() bool { return v.typ == "" }

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

// String returns the text that AppendText appends.
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
