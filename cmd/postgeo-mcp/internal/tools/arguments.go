package tools

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
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
func read(params []*operation.Param, data json.RawMessage, in reflect.Value) (only envelope.Flags, err error) {
	given, err := operation.ParseArguments(data)
	if err != nil {
		return nil, err
	}
	if only, _, err = (&operation.Source{JSON: given}).Flags(onlyParam); err != nil {
		return nil, err
	}
	delete(given, onlyParam.Name)
	return only, operation.Fill(in, params, given)
}

// schemaOf describes arguments to a model. Other properties are excluded (Not of the empty
// schema matches nothing), as operation.Fill refuses them. A model then corrects a name
// that it made up, instead of relying on an option that was ignored.
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
