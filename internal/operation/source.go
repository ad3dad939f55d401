package operation

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/wording"
)

// MaxListChars is the maximum number of characters of a list of flags.
const MaxListChars = 4096

// A Source has the values of parameters: the members of a JSON object and, over HTTP,
// those of a query that the object lacks.
type Source struct {
	JSON     map[string]json.RawMessage // null is like a missing member
	Query    Query                      // nil: none
	At       string                     // position of an item of a batch, e.g. "pairs[3]."
	MaxFlags int                        // maximum number of flags in a list; 0 means no limit
	Texts    bool                       // numbers with a fraction may be strings
}

// A Query has texts of parameters.
type Query interface {
	// Value returns the text of a parameter and whether it is present.
	Value(p *Param) (text string, found bool, err error)
	// Has reports whether there is a text with a name.
	Has(name string) bool
}

// Fill parses parameters into the fields of in, a pointer to an input. Missing ones keep
// their values. Of several errors it returns the first that fails the whole request, else
// the first.
//
// It parses all parameters although one has failed: a wrong type in any of them fails a
// batch as a whole, and a failed item echoes the parameters that could be read.
func (s *Source) Fill(in any, params ...*Param) (worst error) {
	fields := reflect.ValueOf(in).Elem()
	var absent *Param
	for _, p := range params {
		err := s.fill(fields, p)
		switch {
		case err == nil:
		case errors.Is(err, errAbsent):
			absent = cmp.Or(absent, p)
		case IsInvalidRequest(err):
			return err
		case worst == nil:
			worst = err
		}
	}
	if worst == nil && absent != nil {
		return s.Missing(absent)
	}
	return worst
}

// errAbsent marks a required number that is missing. All other errors come before.
var errAbsent = errors.New("absent")

func (s *Source) fill(fields reflect.Value, p *Param) error {
	field := fields.FieldByIndex(p.Index)
	switch p.Kind {
	case Items, Bool:
		return s.decode(p, field)
	case Object:
		raw, err := s.object(p)
		if raw != nil {
			field.SetBytes(raw)
		}
		return err
	case Number, Integer, NumberOrText:
		v, found, err := s.number(p)
		switch {
		case err != nil:
			return err
		case !found && p.Required:
			return errAbsent
		case strings.TrimSpace(v) != "":
			return p.Parse(field, v)
		case found && p.Kind == NumberOrText:
			field.SetZero()                                                                                    // a failed item does not echo the default
			return &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.EmptyParam(p.Name)} // in items too (decision D75)
		}
		return nil // an empty optional number is like a missing one
	default:
	}
	if p.List {
		flags, found, err := s.Flags(p)
		if found && err == nil {
			field.Set(reflect.ValueOf(flags))
		}
		return err
	}
	v, err := s.text(p)
	if err != nil || v == "" || p.Kind == Time && strings.TrimSpace(v) == "" {
		return err
	}
	return p.Parse(field, v)
}

// Member returns the value of a member that is not null.
func (s *Source) Member(name string) (json.RawMessage, bool) {
	raw, ok := s.JSON[name]
	return raw, ok && string(raw) != "null"
}

// text returns the text of a parameter, or "" if it is optional and missing.
func (s *Source) text(p *Param) (string, error) {
	v, found, err := s.lookup(p)
	switch {
	case err != nil:
		return "", err
	case !found && p.Required:
		return "", s.Missing(p)
	case found && p.Required && strings.TrimSpace(v) == "":
		if s.At != "" { // empty means missing (decision D8)
			return "", s.Missing(p)
		}
		return "", &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.EmptyParam(p.Name)}
	case p.Kind == Time:
		return v, nil
	}
	return v, p.CheckLength(v, p.Chars)
}

// Missing returns the failure of a missing parameter. It names an alias that is present.
func (s *Source) Missing(p *Param) error {
	alias := ""
	for _, name := range p.Aliases {
		if _, ok := s.Member(name); ok || s.Query != nil && s.Query.Has(name) {
			alias = name
			break
		}
	}
	return &envelope.Fault{Code: envelope.ValidationMissingParam, Message: wording.MissingParam(p.Name, alias)}
}

// lookup returns the text of a parameter and whether it is present. A member of the body wins
// over the query, as in the contract; a member that is null is missing.
func (s *Source) lookup(p *Param) (v string, found bool, err error) {
	raw, ok := s.Member(p.Name)
	switch {
	case ok:
		v, err = Unquote(s.At+p.Name, raw)
		return v, true, err
	case s.Query != nil:
		return s.Query.Value(p)
	}
	return "", false, nil
}

// number returns the text of a number, and whether it is present. In JSON it is a number
// or, for a [NumberOrText], a string.
func (s *Source) number(p *Param) (v string, found bool, err error) {
	raw, ok := s.Member(p.Name)
	text := p.Kind == NumberOrText
	switch {
	case !ok:
		return s.lookup(p)
	case raw[0] == '-', raw[0] >= '0' && raw[0] <= '9':
		return p.jsonNumber(raw), true, nil
	case raw[0] == '"' && (text || s.Texts && p.Kind == Number):
		v, err = Unquote(s.At+p.Name, raw)
		return v, true, err
	case text:
		return "", true, wrongType(s.At+p.Name, "a number or a string")
	default:
		return "", true, wrongType(s.At+p.Name, "a number")
	}
}

// jsonNumber returns the text of a JSON number. A whole number with a fraction or an
// exponent, such as 2.0, is an integer (decision D75): languages whose only number is a
// float64 write integers so.
func (p *Param) jsonNumber(raw json.RawMessage) string {
	text := string(raw)
	const exact = 1 << 53 // a float64 holds every integer below it
	if v, err := strconv.ParseFloat(text, 64); p.Kind == Integer && err == nil && v == math.Trunc(v) && math.Abs(v) < exact {
		return strconv.FormatInt(int64(v), 10)
	}
	return text
}

// object returns the JSON of an object: a member, or the text of a parameter. It is nil if
// the parameter is optional and missing.
func (s *Source) object(p *Param) (json.RawMessage, error) {
	if raw, ok := s.Member(p.Name); ok && raw[0] != '"' {
		return raw, nil
	}
	v, err := s.text(p)
	if err != nil || v == "" {
		return nil, err
	}
	if Depth([]byte(v)) > MaxDepth || !json.Valid([]byte(v)) {
		return nil, &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.InvalidParam(p.Name, "a JSON object")}
	}
	return json.RawMessage(v), nil
}

// decode parses a list or a boolean.
func (s *Source) decode(p *Param, field reflect.Value) error {
	raw, ok := s.Member(p.Name)
	switch {
	case !ok && p.Required:
		return s.Missing(p)
	case !ok:
		return nil
	case json.Unmarshal(raw, field.Addr().Interface()) != nil && p.Kind == Bool:
		return wrongType(s.At+p.Name, "true or false")
	case p.Kind == Bool:
		return nil
	case raw[0] != '[' || json.Unmarshal(raw, field.Addr().Interface()) != nil:
		return wrongType(s.At+p.Name, "a list")
	case field.Len() > p.MaxItems():
		return &envelope.Fault{Code: envelope.ValidationBatchTooLarge, Message: wording.BatchTooLarge(p.Name, p.MaxItems())}
	case field.Len() == 0 && p.Required:
		return &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.EmptyParam(p.Name)}
	}
	return nil
}

// Flags returns the normalized values of a list parameter, and whether there are any.
func (s *Source) Flags(p *Param) (flags envelope.Flags, found bool, err error) {
	raw, ok := s.Member(p.Name)
	if !ok || raw[0] == '"' {
		v, found, err := s.lookup(p)
		if err != nil || v == "" {
			return nil, found, err
		}
		return envelope.ParseFlags(v), true, p.CheckLength(v, MaxListChars)
	}
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, true, wrongType(s.At+p.Name, "a string or a list of strings")
	}
	if s.MaxFlags > 0 && len(list) > s.MaxFlags {
		return nil, true, &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.TooManyFlags(p.Name, s.MaxFlags)}
	}
	return envelope.ParseFlags(list...), true, p.CheckLength(strings.Join(list, ","), MaxListChars)
}

// CheckLength returns an error for a text of more than limit characters, if limit is not 0.
func (p *Param) CheckLength(v string, limit int) error {
	if limit > 0 && len(v) > limit && utf8.RuneCountInString(v) > limit { // bytes first: most texts are short
		return &envelope.Fault{Code: envelope.ValidationInputTooLong, Message: wording.TooLong(p.Name, limit)}
	}
	return nil
}

// Unquote returns the text of a JSON string, the value of a field.
func Unquote(field string, raw json.RawMessage) (string, error) {
	var v string
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", wrongType(field, "a string")
	}
	return v, nil
}

func wrongType(field, expected string) error {
	return &envelope.Fault{Code: envelope.ValidationInvalidRequest, Message: wording.WrongType(field, expected)}
}

// IsInvalidRequest reports whether an error means that a request has the wrong form or type.
func IsInvalidRequest(err error) bool {
	f := envelope.FaultOf(err)
	return f != nil && f.Code == envelope.ValidationInvalidRequest
}

// MaxDepth is the maximum nesting of objects and lists in JSON (decision D7).
const MaxDepth = 64

// Depth returns the nesting of JSON text. It also counts in text that is not valid JSON, so
// that it can be checked before anything parses the text.
func Depth(data []byte) (deepest int) {
	level, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			level++
			deepest = max(deepest, level)
		case c == '}' || c == ']':
			level--
		}
	}
	return deepest
}
