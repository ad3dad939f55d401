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
)

// arguments reads the arguments of a tool and holds them against its schema.
type arguments struct {
	schema  *jsonschema.Schema
	aliases map[string][]string
}

// read fills structs from a JSON object. Members that the schema does not have
// are refused: a misspelt option would silently count for nothing.
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
			return envelope.NewFault(envelope.ValidationMissingParam, envelope.MissingParam(name, a.alias(name, given)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if _, ok := a.schema.Properties[name]; !ok {
			known := "none"
			if len(a.schema.Properties) > 0 {
				known = strings.Join(slices.Sorted(maps.Keys(a.schema.Properties)), ", ")
			}
			return envelope.NewFault(envelope.ValidationInvalidParam, fmt.Sprintf("There is no argument %s; this tool takes %s.", strconv.Quote(clip(name)), known))
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

// alias returns another name under which the caller gave an argument, or "".
func (a *arguments) alias(name string, given map[string]json.RawMessage) string {
	for _, other := range a.aliases[name] {
		if _, ok := given[other]; ok {
			return other
		}
	}
	return ""
}

// check holds a value against the bounds of its schema. What a string may say,
// and how much, is left to the library.
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

// inRange holds a number against the bounds of its schema.
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

// kindOf says in words what a value must be.
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

// clip shortens text of a caller that is told back.
func clip(s string) string {
	if len(s) <= 40 {
		return s
	}
	return strings.ToValidUTF8(s[:40], "") + "…"
}
