package tools

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/postgeo/postgeo/internal/operation"
)

// maxFlags is the maximum number of entries of a list of flags.
const maxFlags = 50

func schemaOf(params []*operation.Param) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
	for _, p := range params {
		s.Properties[p.Name] = describedOf(p)
		s.PropertyOrder = append(s.PropertyOrder, p.Name)
		if p.Required {
			s.Required = append(s.Required, p.Name)
		}
	}
	return s
}

func describedOf(p *operation.Param) *jsonschema.Schema {
	s := valueOf(p)
	s.Description = p.Help
	if p.List && len(p.Values) > 0 {
		s.Description += " Known: " + strings.Join(p.Values, ", ") + "."
	}
	if p.Default != "" && !strings.Contains(p.Help, "Default") {
		s.Description += " Default: " + p.Default + "."
	}
	return s
}

func valueOf(p *operation.Param) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	switch p.Kind {
	case operation.Items:
		least, most := 1, p.MaxItems()
		s.Type, s.MinItems, s.MaxItems = "array", &least, &most
		if p.Entry != nil {
			s.Items = valueOf(p.Entry)
		} else {
			s.Items = schemaOf(p.Fields)
		}
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
			most := maxFlags
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

// kindOf describes the type of an argument.
func kindOf(p *operation.Param) string {
	switch p.Kind {
	case operation.Items:
		return "a list"
	case operation.Object:
		return "an object"
	case operation.Bool:
		return "true or false"
	case operation.Integer:
		return "a whole number"
	case operation.Number:
		return "a number"
	case operation.NumberOrText:
		return "a number or a string"
	default:
		if p.List {
			return "a list or a string"
		}
		return "a string"
	}
}

// textOf returns the text of a JSON string or number, if the argument takes it.
func textOf(p *operation.Param, raw json.RawMessage) (string, error) {
	isNumber := raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9'
	numeric := p.Kind == operation.Integer || p.Kind == operation.Number || p.Kind == operation.NumberOrText
	switch {
	case isNumber && numeric:
		return string(raw), nil
	case raw[0] == '"' && p.Kind != operation.Integer:
		var text string
		err := json.Unmarshal(raw, &text)
		return text, err
	default:
		return "", fmt.Errorf("tools: unexpected JSON %.20s", raw)
	}
}

// flags are a list of flags, or a string of flags separated by commas.
type flags []string

func (f *flags) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*f = flags{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(f))
}
