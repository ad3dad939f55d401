package server

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/server/internal/document"
)

type param = operation.Param

// An input has the parameters of a request, or the fields of an item of a batch. Fields of
// a body take precedence over those of a query.
type input struct {
	operation.Source
	batch bool // of a batch or one of its items
}

// An element is one entry of the list of a batch.
type element struct {
	raw   json.RawMessage
	index int
	at    string // position, e.g. "codes[3]"
}

// elements returns the items of a batch: 1 to p.MaxItems, of any type. The types are
// checked later, because a wrong one fails the request and a wrong text only its item
// (decision D8).
func (in *input) elements(p *param) ([]element, error) {
	raw, ok := in.Member(p.Name)
	if !ok {
		return nil, in.Missing(p)
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
		if v, err = operation.Unquote(el.at, el.raw); err != nil {
			return "", err
		}
	}
	if strings.TrimSpace(v) == "" {
		return v, &envelope.Fault{Code: envelope.ValidationMissingParam, Message: wording.MissingParam(p.Name, "")}
	}
	return v, p.CheckLength(v, p.Chars)
}

// fields returns an item that is an object. Null is an object without fields.
func (el element) fields() (*input, error) {
	in := &input{Source: operation.Source{At: el.at + ".", MaxFlags: document.MaxFlags}, batch: true}
	if el.isNull() {
		return in, nil
	}
	if el.raw[0] != '{' {
		return nil, invalidRequest(wording.WrongType(el.at, "an object"))
	}
	var err error
	in.JSON, err = parseObject(el.raw)
	return in, err
}
