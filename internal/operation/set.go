package operation

import (
	"encoding"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/fault"
)

// Set parses the text of a single value into the parameter's field of an input.
func (p *Param) Set(in reflect.Value, text string) error {
	return p.Parse(in.FieldByIndex(p.Index), text)
}

// Parse parses the text of a single value into a field. It trims spaces around
// numbers and times. The error matches [fault.ErrInvalidParam]; its operation is
// empty unless the field's type parses the text.
func (p *Param) Parse(field reflect.Value, text string) error {
	if field.Kind() == reflect.Pointer {
		value := reflect.New(field.Type().Elem())
		if err := p.Parse(value.Elem(), text); err != nil {
			return err
		}
		field.Set(value)
		return nil
	}
	if p.Kind == Time {
		at, err := ParseTime(strings.TrimSpace(text))
		if err != nil {
			return p.invalid(text, ExpectedTime)
		}
		field.Set(reflect.ValueOf(at))
		return nil
	}
	if field.Type() == flagType {
		field.Set(reflect.ValueOf(envelope.ParseFlags(text)))
		return nil
	}
	if u, ok := field.Addr().Interface().(encoding.TextUnmarshaler); ok {
		return u.UnmarshalText([]byte(strings.TrimSpace(text)))
	}
	switch p.Kind {
	case Integer:
		bits := strconv.IntSize
		if !p.unbounded() {
			bits = 32
		}
		v, err := strconv.ParseInt(strings.TrimSpace(text), 10, bits)
		if err != nil || !p.inRange(float64(v)) {
			return p.invalid(text, p.expected("a whole number"))
		}
		field.SetInt(v)
	case Number:
		v, ok := parseNumber(strings.TrimSpace(text))
		if !ok || !p.inRange(v) {
			return p.invalid(text, p.expected("a number"))
		}
		field.SetFloat(v)
	case Bool:
		v, err := strconv.ParseBool(text)
		if err != nil {
			return p.invalid(text, "true or false")
		}
		field.SetBool(v)
	default:
		field.SetString(text)
	}
	return nil
}

// ExpectedTime describes the values of a time.
const ExpectedTime = "a time in RFC 3339 form, such as 2027-01-31T12:00:00Z"

// ParseTime reads a time in RFC 3339 form, or a day at 00:00 UTC.
func ParseTime(text string) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return t, nil
	}
	return time.Parse(time.RFC3339, text)
}

// invalid returns the error of a value out of range.
func (p *Param) invalid(given, expected string) error {
	return &fault.Error{Kind: fault.InvalidParam, Param: p.Name, Input: given, Range: expected}
}

func (p *Param) inRange(v float64) bool {
	return (p.unbounded() || v >= p.Least) && (p.Most == 0 || v <= p.Most)
}

// unbounded reports whether a number has no bounds. A number with neither tag
// least nor most is unbounded if its range is not in words either.
func (p *Param) unbounded() bool { return p.Least == 0 && p.Most == 0 && p.Range == "" }

// expected describes the accepted numbers.
func (p *Param) expected(kind string) string {
	switch {
	case p.Range != "":
		return p.Range
	case p.unbounded():
		return kind
	case p.Most == 0:
		return fmt.Sprintf("%s of at least %v", kind, p.Least)
	default:
		return fmt.Sprintf("%s from %v to %v", kind, p.Least, p.Most)
	}
}

// parseNumber reads a finite decimal number.
func parseNumber(s string) (float64, bool) {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil && !math.IsInf(v, 0)
}
