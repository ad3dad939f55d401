package server

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/server/internal/document"
)

type param = operation.Param

// maxListChars is the maximum number of characters of a list of flags.
const maxListChars = 4096

// An input holds the fields of a body and the parameters of a query, or the fields
// of an item of a batch. Fields take precedence over parameters.
type input struct {
	query query
	body  body
	at    string // position of an item, e.g. "pairs[3]."
	batch bool   // of a batch or one of its items

	client netip.Addr // of the request, if there is a locator

	lastYear func(acs.Level) int // newest year of flags; nil in an item of a batch
}

// text returns the value of a string parameter, or "" if it is optional and
// missing.
func (in *input) text(p *param) (string, error) {
	v, found, err := in.lookup(p)
	if err != nil {
		return "", err
	}
	if !found {
		if !p.Required {
			return "", nil
		}
		return "", in.missing(p)
	}
	if p.Required && strings.TrimSpace(v) == "" {
		return "", in.empty(p)
	}
	return v, checkLength(p, v, p.Chars)
}

// missing returns the failure of a missing required parameter.
func (in *input) missing(p *param) error {
	return &envelope.Fault{Code: envelope.ValidationMissingParam, Message: wording.MissingParam(p.Name, in.alias(p))}
}

// empty returns the failure of an empty required text. In an item of a batch, empty
// means missing (decision D8).
func (in *input) empty(p *param) error {
	if in.at != "" {
		return in.missing(p)
	}
	return &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.EmptyParam(p.Name)}
}

// number returns the text of a number, and whether it is present. In a body it is a
// JSON number, or a string if text is set.
func (in *input) number(p *param, text bool) (v string, found bool, err error) {
	raw, ok := in.body.get(p.Name)
	if !ok {
		return in.query.value(p)
	}
	switch {
	case raw[0] == '-', raw[0] >= '0' && raw[0] <= '9':
		return p.JSONNumber(raw), true, nil
	case raw[0] == '"' && text:
		v, err = unquote(in.at+p.Name, raw)
		return v, true, err
	case text:
		return "", true, invalidRequest(wording.WrongType(in.at+p.Name, "a number or a string"))
	default:
		return "", true, invalidRequest(wording.WrongType(in.at+p.Name, "a number"))
	}
}

// object returns the JSON of an object: a field of a body, or the text of a
// parameter. It is nil if the parameter is optional and missing.
func (in *input) object(p *param) (json.RawMessage, error) {
	if raw, ok := in.body.get(p.Name); ok && raw[0] != '"' {
		return raw, nil
	}
	v, err := in.text(p)
	if err != nil || v == "" {
		return nil, err
	}
	if depth([]byte(v)) > maxDepth || !json.Valid([]byte(v)) {
		return nil, &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.InvalidParam(p.Name, "a JSON object")}
	}
	return json.RawMessage(v), nil
}

func (in *input) lookup(p *param) (v string, found bool, err error) {
	raw, ok := in.body.get(p.Name)
	if !ok {
		return in.query.value(p)
	}
	v, err = unquote(in.at+p.Name, raw)
	return v, true, err
}

// fill parses parameters into the fields of dst, a pointer to an input of package
// operation. Missing ones keep their values. Times are left to [input.time].
func (in *input) fill(dst any, params ...*param) (worst error) {
	fields := reflect.ValueOf(dst).Elem()
	for _, p := range params {
		if p.Kind == operation.Time {
			continue
		}
		err := in.fillOne(fields, p)
		switch {
		case err == nil:
		case isInvalidRequest(err):
			return err
		case worst == nil:
			worst = err
		}
	}
	return worst
}

func (in *input) fillOne(fields reflect.Value, p *param) error {
	if p.List {
		flags, found, err := in.flags(p)
		if found && err == nil {
			fields.FieldByIndex(p.Index).Set(reflect.ValueOf(flags))
		}
		return err
	}
	if p.Kind == operation.Object {
		raw, err := in.object(p)
		if raw != nil {
			fields.FieldByIndex(p.Index).SetBytes(raw)
		}
		return err
	}
	if p.Kind == operation.Text {
		v, err := in.text(p)
		if err != nil || v == "" {
			return err
		}
		return p.Set(fields, v)
	}
	switch v, found, err := in.number(p, p.Kind == operation.NumberOrText); {
	case err != nil, !found:
		return err
	case strings.TrimSpace(v) != "":
		return p.Set(fields, v)
	case p.Kind == operation.NumberOrText:
		fields.FieldByIndex(p.Index).SetZero()                                                             // a failed item does not echo the default
		return &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.EmptyParam(p.Name)} // in items too (decision D75)
	default:
		return nil
	}
}

// time returns the time among params, or usual if there is none or the request does
// not set it.
func (in *input) time(params []*param, usual time.Time) (time.Time, error) {
	i := slices.IndexFunc(params, func(p *param) bool { return p.Kind == operation.Time })
	if i < 0 {
		return usual, nil
	}
	v, found, err := in.lookup(params[i])
	if err != nil || !found || strings.TrimSpace(v) == "" {
		return usual, err
	}
	at := usual
	err = params[i].Parse(reflect.ValueOf(&at).Elem(), v)
	return at, err
}

func unquote(field string, raw json.RawMessage) (string, error) {
	var v string
	if err := json.Unmarshal(raw, &v); err != nil {
		return "", invalidRequest(wording.WrongType(field, "a string"))
	}
	return v, nil
}

// flags returns the normalized values of a list parameter, and whether there are
// any.
func (in *input) flags(p *param) (flags envelope.Flags, found bool, err error) {
	raw, ok := in.body.get(p.Name)
	if !ok || raw[0] == '"' {
		v, found, err := in.lookup(p)
		if err != nil || v == "" {
			return nil, found, err
		}
		return envelope.ParseFlags(v), true, checkLength(p, v, maxListChars)
	}
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, true, invalidRequest(wording.WrongType(in.at+p.Name, "a string or a list of strings"))
	}
	if in.batch && len(list) > document.MaxFlags {
		return nil, true, &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.TooManyFlags(p.Name, document.MaxFlags)}
	}
	return envelope.ParseFlags(list...), true, checkLength(p, strings.Join(list, ","), maxListChars)
}

func checkLength(p *param, v string, limit int) error {
	if limit > 0 && len(v) > limit && utf8.RuneCountInString(v) > limit {
		return &envelope.Fault{Code: envelope.ValidationInputTooLong, Message: wording.TooLong(p.Name, limit)}
	}
	return nil
}

// alias returns the first of the parameter's aliases in the request, or "".
func (in *input) alias(p *param) string {
	for _, name := range p.Aliases {
		if _, ok := in.query.get(name); ok {
			return name
		}
		if _, ok := in.body.get(name); ok {
			return name
		}
	}
	return ""
}

// An element is one entry of the list of a batch.
type element struct {
	raw   json.RawMessage
	index int
	at    string // position, e.g. "codes[3]"
}

// elements returns the items of a batch: 1 to p.MaxItems, of any type.
func (in *input) elements(p *param) ([]element, error) {
	raw, ok := in.body.get(p.Name)
	if !ok {
		return nil, &envelope.Fault{Code: envelope.ValidationMissingParam, Message: wording.MissingParam(p.Name, in.alias(p))}
	}
	if raw[0] != '[' {
		return nil, invalidRequest(wording.WrongType(p.Name, "a list"))
	}
	var list []element
	for value, rest := nextValue(raw[1:]); value != nil; value, rest = nextValue(rest) {
		if len(list) == p.MaxItems() { // long lists are refused early
			return nil, &envelope.Fault{Code: envelope.ValidationBatchTooLarge, Message: wording.BatchTooLarge(p.Name, p.MaxItems())}
		}
		list = append(list, element{raw: value, index: len(list), at: p.Name + "[" + strconv.Itoa(len(list)) + "]"})
	}
	if len(list) == 0 {
		return nil, &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.EmptyParam(p.Name)}
	}
	return list, nil
}

func (el element) isNull() bool { return string(el.raw) == "null" }

// text returns an item that is the value of a parameter. Null and white space count
// as missing.
func (el element) text(p *param) (string, error) {
	var v string
	if !el.isNull() {
		var err error
		if v, err = unquote(el.at, el.raw); err != nil {
			return "", err
		}
	}
	if strings.TrimSpace(v) == "" {
		return v, &envelope.Fault{Code: envelope.ValidationMissingParam, Message: wording.MissingParam(p.Name, "")}
	}
	return v, checkLength(p, v, p.Chars)
}

// fields returns an item that is an object. Null is an object without fields.
func (el element) fields() (*input, error) {
	in := &input{at: el.at + ".", batch: true}
	if el.isNull() {
		return in, nil
	}
	if el.raw[0] != '{' {
		return nil, invalidRequest(wording.WrongType(el.at, "an object"))
	}
	var err error
	in.body, err = parseObject(el.raw)
	return in, err
}
