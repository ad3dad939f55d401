package openapi

import "encoding/json"

// Version is the version of the OpenAPI Specification that documents follow.
const Version = "3.1.0"

// A Document describes an interface.
type Document struct {
	OpenAPI    string         `json:"openapi"` // [Version]
	Info       Info           `json:"info"`
	Servers    []Server       `json:"servers"`
	Tags       []Tag          `json:"tags"`
	Paths      Map[*PathItem] `json:"paths"`
	Components Components     `json:"components"`
}

// An Info describes the interface.
type Info struct {
	Title       string  `json:"title"`
	Summary     string  `json:"summary,omitzero"`
	Description string  `json:"description,omitzero"`
	Contact     Contact `json:"contact,omitzero"`
	License     License `json:"license,omitzero"`
	Version     string  `json:"version"` // of the interface
}

// A Contact helps users of the interface.
type Contact struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// A License is the license of the program behind the interface.
type License struct {
	Name       string `json:"name"`
	Identifier string `json:"identifier,omitzero"` // SPDX
}

// A Server is an address below which the paths are found.
type Server struct {
	URL         string `json:"url"`
	Description string `json:"description,omitzero"`
}

// A Tag is a group of operations.
type Tag struct {
	Name        string `json:"name"`
	Description string `json:"description,omitzero"`
}

// A PathItem holds the operations of one path.
type PathItem struct {
	Get        *Operation  `json:"get,omitzero"`
	Post       *Operation  `json:"post,omitzero"`
	Parameters []Parameter `json:"parameters,omitempty"` // of all operations
}

// An Operation is one method of one path.
type Operation struct {
	Tags        []string              `json:"tags,omitempty"`
	Summary     string                `json:"summary"`
	Description string                `json:"description,omitzero"`
	OperationID string                `json:"operationId"`
	Parameters  []Parameter           `json:"parameters,omitempty"`
	RequestBody *RequestBody          `json:"requestBody,omitzero"`
	Responses   Map[*Response]        `json:"responses"` // by status
	Security    []map[string][]string `json:"security"`  // alternatives; an empty list requires none
}

// A Parameter is one parameter of a query, or a header.
type Parameter struct {
	Ref         string          `json:"$ref,omitzero"` // without the other fields
	Name        string          `json:"name,omitzero"`
	In          string          `json:"in,omitzero"` // query or header
	Description string          `json:"description,omitzero"`
	Required    bool            `json:"required,omitzero"`
	Style       string          `json:"style,omitzero"`
	Explode     *bool           `json:"explode,omitzero"` // nil: the style's default
	Schema      *Schema         `json:"schema,omitzero"`
	Example     json.RawMessage `json:"example,omitzero"`
}

// A RequestBody is the body of a POST.
type RequestBody struct {
	Description string          `json:"description,omitzero"`
	Required    bool            `json:"required,omitzero"`
	Content     Map[*MediaType] `json:"content"`
}

// A Response is the response with a status, or a reference to one.
type Response struct {
	Ref         string          `json:"$ref,omitzero"`
	Description string          `json:"description,omitzero"` // required where Ref is empty
	Headers     Map[*Header]    `json:"headers,omitempty"`
	Content     Map[*MediaType] `json:"content,omitempty"`
}

// A Header is a response header, or a reference to one.
type Header struct {
	Ref         string  `json:"$ref,omitzero"`
	Description string  `json:"description,omitzero"`
	Required    bool    `json:"required,omitzero"`
	Schema      *Schema `json:"schema,omitzero"`
}

// A MediaType is a body of one content type.
type MediaType struct {
	Schema   *Schema         `json:"schema"`
	Example  json.RawMessage `json:"example,omitzero"`
	Examples Map[*Example]   `json:"examples,omitempty"`
}

// An Example is a body that can be seen, or a reference to one.
type Example struct {
	Ref     string          `json:"$ref,omitzero"`
	Summary string          `json:"summary,omitzero"`
	Value   json.RawMessage `json:"value,omitzero"`
}

// Components are the parts that others refer to by name.
type Components struct {
	SecuritySchemes Map[*SecurityScheme] `json:"securitySchemes,omitempty"`
	Headers         Map[*Header]         `json:"headers,omitempty"`
	Parameters      Map[*Parameter]      `json:"parameters,omitempty"`
	Examples        Map[*Example]        `json:"examples,omitempty"`
	Responses       Map[*Response]       `json:"responses,omitempty"`
	Schemas         Map[*Schema]         `json:"schemas,omitempty"`
}

// A SecurityScheme is a method of authentication.
type SecurityScheme struct {
	Type        string `json:"type"` // apiKey
	Name        string `json:"name"` // of the header or parameter
	In          string `json:"in"`   // header or query
	Description string `json:"description,omitzero"`
}

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
