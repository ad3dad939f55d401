package operation

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/internal/wording"
)

// Call runs the operation. Arguments are the members of a JSON object; "" and null
// mean none. It returns the operation's error, or an [envelope.Fault] if an
// argument is unknown, missing or of another type.
func (o *Operation) Call(ctx context.Context, db any, arguments []byte) (any, error) {
	given, err := ParseArguments(arguments)
	if err != nil {
		return nil, err
	}
	in := reflect.New(o.Input)
	if err := Fill(in.Elem(), o.Params, given); err != nil {
		return nil, err
	}
	return o.run(ctx, db, in.Interface())
}

// Fill fills an input from the members of a JSON object. Unknown members are
// refused, because a misspelled option would be ignored silently.
func Fill(in reflect.Value, params []*Param, given map[string]json.RawMessage) error {
	var names []string
	for _, p := range params {
		names = append(names, p.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.Contains(names, name) {
			continue
		}
		shown := strings.ToValidUTF8(name[:min(len(name), 40)], "")
		for _, p := range params {
			if _, set := given[p.Name]; p.meant(name) && p.Required && !set {
				return &envelope.Fault{Code: envelope.ValidationMissingParam, Message: wording.MissingParam(p.Name, shown)}
			} else if p.meant(name) {
				return &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: fmt.Sprintf("Unknown argument %q. Did you mean %q?", shown, p.Name)}
			}
		}
		return &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: fmt.Sprintf("Unknown argument %q; expected %s.", shown, strings.Join(names, ", "))}
	}
	for _, p := range params {
		if err := p.take(in, given); err != nil {
			return err
		}
	}
	return nil
}

// meant reports whether a caller may mean the parameter by another name.
func (p *Param) meant(other string) bool {
	other = strings.ToLower(other)
	return slices.Contains(p.Aliases, other) || strings.HasPrefix(p.Name, other) || edit.Distance(p.Name, other, 2) <= min(2, len(p.Name)/3)
}

// ParseArguments returns the members of a JSON object that are not null.
func ParseArguments(data []byte) (map[string]json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if text := strings.TrimSpace(string(data)); text != "" && text != "null" {
		if err := json.Unmarshal(data, &given); err != nil {
			return nil, &envelope.Fault{Code: envelope.ValidationInvalidRequest, Message: wording.WrongType("arguments", "a JSON object")}
		}
	}
	for name, v := range given {
		if string(v) == "null" {
			delete(given, name)
		}
	}
	return given, nil
}

// take sets the parameter's field of an input from the given arguments, or to its
// default.
func (p *Param) take(in reflect.Value, given map[string]json.RawMessage) error {
	raw, ok := given[p.Name]
	switch {
	case ok:
		return p.setJSON(in, raw)
	case p.Required:
		return &envelope.Fault{Code: envelope.ValidationMissingParam, Message: wording.MissingParam(p.Name, "")}
	case p.Default != "" && p.Default != "0": // which the zero value is already
		return p.Set(in, p.Default)
	default:
		return nil
	}
}

// setJSON sets a field of an input. The library checks the contents and length of
// strings.
func (p *Param) setJSON(in reflect.Value, raw json.RawMessage) error {
	field := in.FieldByIndex(p.Index)
	switch {
	case p.List:
		list, err := p.ParseList(raw)
		if err != nil {
			return err
		}
		return p.Set(in, strings.Join(list, ","))
	case p.Kind == Items:
		if json.Unmarshal(raw, field.Addr().Interface()) != nil {
			return p.wrongType()
		}
		if field.Len() > p.MaxItems() {
			return &envelope.Fault{Code: envelope.ValidationBatchTooLarge, Message: wording.BatchTooLarge(p.Name, p.MaxItems())}
		}
		if field.Len() == 0 && p.Required {
			return &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.EmptyParam(p.Name)}
		}
		return nil
	case p.Kind == Object, p.Kind == Bool:
		if json.Unmarshal(raw, field.Addr().Interface()) != nil {
			return p.wrongType()
		}
		return nil
	}
	text, err := p.textOf(raw)
	if err != nil {
		return p.wrongType()
	}
	if p.Required && strings.TrimSpace(text) == "" {
		return &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.EmptyParam(p.Name)}
	}
	return p.Set(in, text)
}

// ParseList reads a list of flags, or a string of flags separated by commas.
func (p *Param) ParseList(raw json.RawMessage) ([]string, error) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}, nil
	}
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		return nil, p.wrongType()
	}
	return list, nil
}

func (p *Param) wrongType() error {
	return &envelope.Fault{Code: envelope.ValidationInvalidRequest, Message: wording.WrongType(p.Name, p.kindName())}
}

func (p *Param) kindName() string {
	switch p.Kind {
	case Items:
		return "a list"
	case Object:
		return "an object"
	case Bool:
		return "true or false"
	case Integer:
		return "a whole number"
	case Number:
		return "a number"
	case NumberOrText:
		return "a number or a string"
	default:
		if p.List {
			return "a list or a string"
		}
		return "a string"
	}
}

// JSONNumber returns the text of a JSON number. A whole number with a fraction or an
// exponent, such as 2.0, is an integer.
func (p *Param) JSONNumber(raw json.RawMessage) string {
	text := string(raw)
	const exact = 1 << 53
	if v, err := strconv.ParseFloat(text, 64); p.Kind == Integer && err == nil && v == math.Trunc(v) && math.Abs(v) < exact {
		return strconv.FormatInt(int64(v), 10)
	}
	return text
}

// textOf returns the text of a JSON string or number, if the parameter takes it.
func (p *Param) textOf(raw json.RawMessage) (string, error) {
	isNumber := raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
	numeric := p.Kind == Integer || p.Kind == Number || p.Kind == NumberOrText
	switch {
	case isNumber && numeric:
		return p.JSONNumber(raw), nil
	case raw[0] == '"' && p.Kind != Integer:
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err
	default:
		return "", fmt.Errorf("operation: unexpected JSON %.20s", raw)
	}
}
