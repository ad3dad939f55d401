package operation

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
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
	return o.Run(ctx, db, in.Interface())
}

// Fill fills an input from the members of a JSON object, with the defaults of missing ones.
// Unknown members are refused, because a misspelled option would be ignored silently.
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
	if err := SetDefaults(in, params); err != nil {
		return err
	}
	return (&Source{JSON: given, Texts: true}).Fill(in.Addr().Interface(), params...)
}

// SetDefaults sets the fields of an input to the defaults of parameters.
func SetDefaults(in reflect.Value, params []*Param) error {
	for _, p := range params {
		if p.Default != "" && p.Default != "0" { // which the zero value is already
			if err := p.Set(in, p.Default); err != nil {
				return err
			}
		}
	}
	return nil
}

// meant reports whether a caller may mean the parameter by another name: an alias, the
// beginning of its name, or a similar name. That is one at edit distance 1 if the parameter's
// name has three letters or more, and 2 if it has six.
func (p *Param) meant(other string) bool {
	other = strings.ToLower(other)
	return slices.Contains(p.Aliases, other) || strings.HasPrefix(p.Name, other) || edit.Distance(p.Name, other, 2) <= min(2, len(p.Name)/3)
}

// ParseArguments returns the members of a JSON object that are not null.
func ParseArguments(data []byte) (map[string]json.RawMessage, error) {
	given := map[string]json.RawMessage{}
	if text := strings.TrimSpace(string(data)); text != "" && text != "null" {
		if err := json.Unmarshal(data, &given); err != nil {
			return nil, wrongType("arguments", "a JSON object")
		}
	}
	maps.DeleteFunc(given, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	return given, nil
}
