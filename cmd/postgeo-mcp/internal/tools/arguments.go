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

// arguments are the parameters of a tool.
type arguments []*operation.Param

// read fills an input from a JSON object, and returns the paths of the argument only.
// Unknown members are refused, because a misspelled option would be ignored silently.
func (a arguments) read(data json.RawMessage, in reflect.Value) (only []string, err error) {
	given, err := operation.ParseArguments(data)
	if err != nil {
		return nil, err
	}
	for _, p := range a {
		if _, ok := given[p.Name]; !ok && p.Required {
			return nil, envelope.NewFault(envelope.ValidationMissingParam, wording.MissingParam(p.Name, a.meant(p.Name, given)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if a.param(name) == nil {
			return nil, envelope.NewFault(envelope.ValidationInvalidParam, a.unknown(name))
		}
	}
	for _, p := range a {
		raw, ok := given[p.Name]
		switch {
		case p != onlyParam:
			err = p.Take(in, given)
		case ok:
			var list []string
			list, err = p.ParseList(raw)
			only = envelope.ParseFlags(list...)
		}
		if err != nil {
			return nil, err
		}
	}
	return only, nil
}

func (a arguments) param(name string) *operation.Param {
	for _, p := range a {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func (a arguments) names() []string {
	var names []string
	for _, p := range a {
		names = append(names, p.Name)
	}
	slices.Sort(names)
	return names
}

// synonyms lists names that callers use for arguments of this server
// (decision D5).
var synonyms = map[string][]string{
	"code":      {"zip", "zipcode", "zip_code", "postal", "postalcode", "postal_code", "fsa", "area", "center", "location"},
	"codes":     {"zips", "zipcodes", "zip_codes", "postal_codes", "areas", "geoids"},
	"query":     {"q", "text", "search", "name", "term", "prefix"},
	"latitude":  {"lat", "y"},
	"longitude": {"lon", "lng", "long", "x"},
	"max":       {"radius", "distance", "miles", "max_miles"},
	"from":      {"origin", "zip1", "source", "start"},
	"to":        {"destination", "zip2", "target", "end"},
	"address":   {"addr", "street", "q", "query", "text"},
	"limit":     {"count", "max_results", "n"},
	"count":     {"limit", "n", "k"},
	"layer":     {"kind", "level", "type"},
	"geoid":     {"fips", "id"},
	"code_a":    {"area_a", "code", "a"},
	"code_b":    {"area_b", "b"},
	"only":      {"select", "members", "columns"},
	"include":   {"timezone", "flags", "enrichments"},
}

// similar reports whether a caller may mean the argument name by other.
func similar(name, other string) bool {
	other = strings.ToLower(other)
	return slices.Contains(synonyms[name], other) || edit.Distance(name, other, 2) <= min(2, len(name)/3)
}

// meant returns the given name that resembles the missing argument name, or "".
func (a arguments) meant(name string, given map[string]json.RawMessage) string {
	for _, other := range slices.Sorted(maps.Keys(given)) {
		if a.param(other) == nil && similar(name, other) {
			return clip(other)
		}
	}
	return ""
}

// unknown returns the message for an argument that the tool does not have. It
// names the nearest argument, or all of them if none is near.
func (a arguments) unknown(other string) string {
	names := a.names()
	text := "Unknown argument " + strconv.Quote(clip(other))
	for _, name := range names {
		if similar(name, other) {
			return fmt.Sprintf("%s. Did you mean %q?", text, name)
		}
	}
	if len(names) == 0 {
		return text + "; this tool takes none."
	}
	return text + "; expected " + strings.Join(names, ", ") + "."
}

// clip shortens a caller's text for a message.
func clip(s string) string {
	if len(s) <= 40 {
		return s
	}
	return strings.ToValidUTF8(s[:40], "") + "…"
}

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
