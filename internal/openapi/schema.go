package openapi

import "encoding/json"

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

// componentsRoot is where an OpenAPI document has its components.
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
