package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
)

// onlyParam is the argument of every tool that chooses members of the result.
var onlyParam = &operation.Param{
	Name: "only", List: true, Help: "Members of the result to return, by paths such as city or matches.location.lat; lists are traversed. Default: all.",
}

// arguments returns the parameters of the operation with the tool's limits.
func (t tool) arguments() []*operation.Param {
	list := slices.Clone(t.Params)
	for i, p := range list {
		if p.Name == "limit" && t.most > 0 {
			list[i] = p.But(func(p *operation.Param) { p.Default, p.Most = strconv.Itoa(t.limit), float64(t.most) })
		}
	}
	return list
}

// read fills an input from a JSON object, and returns the paths of the argument only.
// Unknown members are refused, because a misspelled option would be ignored silently.
func read(params []*operation.Param, data json.RawMessage, in reflect.Value) (only []string, err error) {
	given, err := operation.ParseArguments(data)
	if err != nil {
		return nil, err
	}
	if raw, ok := given[onlyParam.Name]; ok {
		list, err := onlyParam.ParseList(raw)
		if err != nil {
			return nil, err
		}
		only = envelope.ParseFlags(list...)
		delete(given, onlyParam.Name)
	}
	var names []string
	for _, p := range params {
		names = append(names, p.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.Contains(names, name) {
			continue
		}
		for _, p := range params {
			if similar(p, name) {
				if _, set := given[p.Name]; p.Required && !set {
					return nil, &envelope.Fault{Code: envelope.ValidationMissingParam, Message: wording.MissingParam(p.Name, clip(name))}
				}
				return nil, &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: fmt.Sprintf("Unknown argument %q. Did you mean %q?", clip(name), p.Name)}
			}
		}
		return nil, &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: fmt.Sprintf("Unknown argument %q; expected %s.", clip(name), strings.Join(append(names, onlyParam.Name), ", "))}
	}
	for _, p := range params {
		if err := p.Take(in, given); err != nil {
			return nil, err
		}
	}
	return only, nil
}

// similar reports whether a caller may mean a parameter by another name.
func similar(p *operation.Param, other string) bool {
	other = strings.ToLower(other)
	return slices.Contains(p.Aliases, other) || strings.HasPrefix(p.Name, other) || edit.Distance(p.Name, other, 2) <= min(2, len(p.Name)/3)
}

// clip shortens a caller's text for a message.
func clip(s string) string { return strings.ToValidUTF8(s[:min(len(s), 40)], "") }

func schemaOf(params []*operation.Param) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, p := range params {
		value := valueOf(p)
		value.Description = p.Help
		if p.List && len(p.Values) > 0 {
			value.Description += " Known: " + strings.Join(p.Values, ", ") + "."
		}
		if p.Default != "" && !strings.Contains(p.Help, "Default") {
			value.Description += " Default: " + p.Default + "."
		}
		s.Properties[p.Name] = value
		s.PropertyOrder = append(s.PropertyOrder, p.Name)
		if p.Required {
			s.Required = append(s.Required, p.Name)
		}
	}
	return s
}

func valueOf(p *operation.Param) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	switch p.Kind {
	case operation.Items:
		least, most := 1, p.MaxItems()
		s.Type, s.MinItems, s.MaxItems = "array", &least, &most
		s.Items = valueOf(p.Entry)
	case operation.Object:
		s.Type = "object"
	case operation.Bool:
		s.Type = "boolean"
	case operation.Integer, operation.Number:
		s.Type = "number"
		if p.Kind == operation.Integer {
			s.Type = "integer"
		}
		if p.Least != 0 || p.Most != 0 {
			s.Minimum = &p.Least
		}
		if p.Most != 0 {
			s.Maximum = &p.Most
		}
	case operation.NumberOrText:
		s.AnyOf = []*jsonschema.Schema{{Type: "number"}, {Type: "string"}}
	case operation.Time:
		s.Type, s.Format = "string", "date-time"
	default:
		if p.List {
			most := 50
			s.AnyOf = []*jsonschema.Schema{{Type: "array", Items: &jsonschema.Schema{Type: "string"}, MaxItems: &most}, {Type: "string", Description: "Separated by commas."}}
			return s
		}
		s.Type = "string"
		if p.Chars > 0 {
			s.MaxLength = &p.Chars
		}
		for _, v := range p.Values {
			s.Enum = append(s.Enum, v)
		}
	}
	return s
}
