package openapi

import (
	"encoding/json"
	"reflect"
	"slices"
)

// Version is the version of the OpenAPI Specification that documents follow.
const Version = "3.1.0"

// A Map is a JSON object whose members keep their order.
type Map[V any] []Member[V]

// A Member is one member of a [Map].
type Member[V any] struct {
	Name  string
	Value V
}

// Add appends a member.
func (m *Map[V]) Add(name string, v V) { *m = append(*m, Member[V]{name, v}) }

// Get returns the member with the name and whether there is one.
func (m Map[V]) Get(name string) (v V, ok bool) {
	for i := range m {
		if m[i].Name == name {
			return m[i].Value, true
		}
	}
	return v, false
}

// MarshalJSON writes an object with the members in their order.
func (m Map[V]) MarshalJSON() ([]byte, error) {
	dst := []byte{'{'}
	for i := range m {
		if i > 0 {
			dst = append(dst, ',')
		}
		name, err := json.Marshal(m[i].Name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m[i].Value)
		if err != nil {
			return nil, err
		}
		dst = append(append(append(dst, name...), ':'), value...)
	}
	return append(dst, '}'), nil
}

// Members returns an object of names and values in turn.
func Members(members ...any) (o Map[any]) {
	for i := 0; i < len(members); i += 2 {
		o.Add(members[i].(string), members[i+1])
	}
	return o
}

// Given is like Members without the members whose value is zero.
func Given(members ...any) Map[any] {
	return slices.DeleteFunc(Members(members...), func(m Member[any]) bool { return m.Value == nil || reflect.ValueOf(m.Value).IsZero() })
}

// A Schema is a JSON Schema of the vocabulary 2020-12, in the keywords that
// documents of this package need. The zero Schema is met by every value.
type Schema struct {
	Ref              string            `json:"$ref,omitzero"`
	Title            string            `json:"title,omitzero"`
	Description      string            `json:"description,omitzero"`
	Type             Types             `json:"type,omitempty"`
	Const            *bool             `json:"const,omitzero"`
	Enum             []string          `json:"enum,omitempty"`
	Format           string            `json:"format,omitzero"`
	Pattern          string            `json:"pattern,omitzero"`
	Minimum          *float64          `json:"minimum,omitzero"`
	ExclusiveMinimum *float64          `json:"exclusiveMinimum,omitzero"`
	Maximum          *float64          `json:"maximum,omitzero"`
	MinLength        int               `json:"minLength,omitzero"`
	MaxLength        int               `json:"maxLength,omitzero"` // 0: none
	Items            *Schema           `json:"items,omitzero"`
	MinItems         int               `json:"minItems,omitzero"`
	MaxItems         int               `json:"maxItems,omitzero"` // 0: none
	Properties       Map[*Schema]      `json:"properties,omitempty"`
	Required         []string          `json:"required,omitempty"`
	Additional       *Additional       `json:"additionalProperties,omitzero"`
	OneOf            []*Schema         `json:"oneOf,omitempty"`
	AnyOf            []*Schema         `json:"anyOf,omitempty"`
	AllOf            []*Schema         `json:"allOf,omitempty"`
	Default          json.RawMessage   `json:"default,omitzero"`
	Examples         []json.RawMessage `json:"examples,omitempty"`
}

// An Additional describes further properties of an object.
type Additional struct {
	Of *Schema // nil: none are allowed
}

// MarshalJSON writes false or the schema.
func (a Additional) MarshalJSON() ([]byte, error) {
	if a.Of == nil {
		return []byte("false"), nil
	}
	return json.Marshal(a.Of)
}

// Types are the kinds of values that a schema is met by.
type Types []string

// The types of JSON Schema.
const (
	String  = "string"
	Number  = "number"
	Integer = "integer"
	Boolean = "boolean"
	Object  = "object"
	Array   = "array"
	Null    = "null"
)

// MarshalJSON writes a single type as a string, several as a list.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// Of returns a schema of one type.
func Of(types ...string) *Schema { return &Schema{Type: types} }

// OneOf returns the schema of a string out of a list.
func OneOf(values ...string) *Schema { return &Schema{Type: Types{String}, Enum: values} }

// Closed returns the schema of an object that has properties, names and schemas in turn, and
// no others.
func Closed(about string, properties ...any) *Schema {
	out := &Schema{Description: about, Type: Types{Object}, Additional: &Additional{}}
	for i := 0; i < len(properties); i += 2 {
		name := properties[i].(string)
		out.Properties.Add(name, properties[i+1].(*Schema))
		out.Required = append(out.Required, name)
	}
	return out
}

// componentsRoot is the location of the components in an OpenAPI document.
const componentsRoot = "#/components/schemas/"

// Ref returns a reference to a schema of the components of an OpenAPI document.
func Ref(name string) *Schema { return &Schema{Ref: componentsRoot + name} }

// Nullable returns a schema that null meets too.
func Nullable(s *Schema) *Schema {
	if s.Ref == "" && len(s.Type) > 0 && len(s.Enum) == 0 && s.Const == nil {
		out := *s
		out.Type = append(append(Types{}, s.Type...), Null)
		return &out
	}
	return &Schema{AnyOf: []*Schema{s, Of(Null)}}
}
