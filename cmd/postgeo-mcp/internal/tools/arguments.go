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
)

// arguments reads the arguments of a tool and checks them against its schema.
type arguments struct {
	schema *jsonschema.Schema
}

// read fills structs from a JSON object. Unknown members are refused, because
// a misspelled option would be ignored silently.
func (a *arguments) read(data json.RawMessage, ins ...reflect.Value) error {
	given := map[string]json.RawMessage{}
	if text := strings.TrimSpace(string(data)); text != "" && text != "null" {
		if err := json.Unmarshal(data, &given); err != nil {
			return envelope.NewFault(envelope.ValidationInvalidRequest, envelope.WrongType("arguments", "a JSON object"))
		}
	}
	maps.DeleteFunc(given, func(_ string, v json.RawMessage) bool { return string(v) == "null" })
	for _, name := range a.schema.Required {
		if _, ok := given[name]; !ok {
			return envelope.NewFault(envelope.ValidationMissingParam, envelope.MissingParam(name, a.meant(name, given)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := a.schema.Properties[name]; !ok {
			return envelope.NewFault(envelope.ValidationInvalidParam, a.unknown(name))
		}
	}
	for _, in := range ins {
		if err := a.fill(in, given); err != nil {
			return err
		}
	}
	return nil
}

// fill sets the fields of a struct that are given.
func (a *arguments) fill(in reflect.Value, given map[string]json.RawMessage) error {
	for _, field := range reflect.VisibleFields(in.Type()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		raw, ok := given[name]
		if !ok || field.Anonymous {
			continue
		}
		schema := a.schema.Properties[name]
		if err := json.Unmarshal(raw, in.FieldByIndex(field.Index).Addr().Interface()); err != nil {
			return envelope.NewFault(envelope.ValidationInvalidRequest, envelope.WrongType(name, kindOf(schema)))
		}
		if err := a.check(name, schema, in.FieldByIndex(field.Index)); err != nil {
			return err
		}
	}
	return nil
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
}

// similar reports whether a caller may mean the argument name by other.
func similar(name, other string) bool {
	other = strings.ToLower(other)
	return slices.Contains(synonyms[name], other) || edit.Distance(name, other, 2) <= min(2, len(name)/3)
}

// meant returns the given name by which the caller may mean the argument name,
// or "".
func (a *arguments) meant(name string, given map[string]json.RawMessage) string {
	for _, other := range slices.Sorted(maps.Keys(given)) {
		if _, known := a.schema.Properties[other]; !known && similar(name, other) {
			return clip(other)
		}
	}
	return ""
}

// unknown returns the message for an argument that the tool does not have. It
// names the nearest argument, or all of them if none is near.
func (a *arguments) unknown(other string) string {
	names := slices.Sorted(maps.Keys(a.schema.Properties))
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

// check compares a value with the bounds of its schema. The library checks the
// contents and length of strings.
func (a *arguments) check(name string, schema *jsonschema.Schema, v reflect.Value) error {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.String:
		if slices.Contains(a.schema.Required, name) && strings.TrimSpace(v.String()) == "" {
			return envelope.NewFault(envelope.ValidationInvalidParam, envelope.EmptyParam(name))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return nil
		}
		if most := schema.MaxItems; most != nil && v.Len() > *most {
			return envelope.NewFault(envelope.ValidationBatchTooLarge, envelope.BatchTooLarge(name, *most))
		}
		if v.Len() == 0 && slices.Contains(a.schema.Required, name) {
			return envelope.NewFault(envelope.ValidationInvalidParam, envelope.EmptyParam(name))
		}
	case reflect.Int:
		return inRange(name, schema, float64(v.Int()), "a whole number")
	case reflect.Float64:
		return inRange(name, schema, v.Float(), "a number")
	default:
	}
	return nil
}

// inRange compares a number with the bounds of its schema.
func inRange(name string, schema *jsonschema.Schema, v float64, kind string) error {
	least, most := schema.Minimum, schema.Maximum
	if (least == nil || v >= *least) && (most == nil || v <= *most) {
		return nil
	}
	switch {
	case most == nil:
		kind = fmt.Sprintf("%s of at least %v", kind, *least)
	case least == nil:
		kind = fmt.Sprintf("%s of at most %v", kind, *most)
	default:
		kind = fmt.Sprintf("%s from %v to %v", kind, *least, *most)
	}
	return envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam(name, kind))
}

// kindOf describes the type of a value.
func kindOf(schema *jsonschema.Schema) string {
	switch schema.Type {
	case "string":
		if schema.Format == "date-time" {
			return "a time in RFC 3339 form, such as 2027-01-31T12:00:00Z"
		}
		return "a string"
	case "integer":
		return "a whole number"
	case "number":
		return "a number"
	case "boolean":
		return "true or false"
	case "object":
		return "an object"
	case "array":
		return "a list"
	}
	var kinds []string
	for _, s := range schema.AnyOf {
		kinds = append(kinds, kindOf(s))
	}
	return strings.Join(kinds, " or ")
}

// clip shortens a caller's text for a message.
func clip(s string) string {
	if len(s) <= 40 {
		return s
	}
	return strings.ToValidUTF8(s[:40], "") + "…"
}
