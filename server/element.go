package server

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/wording"
)

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
		return nil, envelope.NewFault(envelope.ValidationMissingParam, wording.MissingParam(p.Name, in.alias(p)))
	}
	if raw[0] != '[' {
		return nil, invalidRequest(wording.WrongType(p.Name, "a list"))
	}
	// Decode the list entry by entry, to refuse long ones early.
	dec := json.NewDecoder(bytes.NewReader(raw))
	if _, err := dec.Token(); err != nil {
		return nil, invalidRequest(wording.WrongType(p.Name, "a list"))
	}
	var list []element
	for dec.More() {
		if len(list) == p.MaxItems() {
			return nil, envelope.NewFault(envelope.ValidationBatchTooLarge, wording.BatchTooLarge(p.Name, p.MaxItems()))
		}
		el := element{index: len(list), at: p.Name + "[" + strconv.Itoa(len(list)) + "]"}
		if err := dec.Decode(&el.raw); err != nil {
			return nil, invalidRequest(wording.WrongType(el.at, "a value"))
		}
		list = append(list, el)
	}
	if len(list) == 0 {
		return nil, envelope.NewFault(envelope.ValidationInvalidParam, wording.EmptyParam(p.Name))
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
		return v, envelope.NewFault(envelope.ValidationMissingParam, wording.MissingParam(p.Name, ""))
	}
	return v, checkLength(p, v, p.Chars)
}

// fields returns an item that is an object. Null is an object without fields.
func (el element) fields() (*input, error) {
	in := &input{at: el.at + "."}
	if el.isNull() {
		return in, nil
	}
	if err := json.Unmarshal(el.raw, &in.body); err != nil {
		return nil, invalidRequest(wording.WrongType(el.at, "an object"))
	}
	_, members := measure(el.raw)
	return in, in.body.checkNames(el.raw, members)
}
