package openapi

import (
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
)

// Options configures [NewSchemas].
type Options struct {
	// Shapes are the schemas of types that write their own JSON, and of
	// strings that are one out of a list. Fields of a type whose schema is nil are omitted.
	Shapes map[reflect.Type]*Schema

	// Likes are values that encoding/json writes by reflection in the same shape as types
	// that write their own JSON; a pointer may be null. A field with the tag shape:"null"
	// may be left out, and may be null. The tag doc describes a field, and component names
	// the schema of an optional struct without a name.
	Likes map[reflect.Type]any

	// Comments describe types ("lookup.Street") and their fields
	// ("lookup.Street.Prefix").
	Comments map[string]string
}

// Schemas makes and keeps the schemas of Go types.
type Schemas struct {
	opt    Options
	names  map[reflect.Type]string
	parts  map[string]*Schema
	opaque []string
}

// NewSchemas returns an empty collection.
func NewSchemas(opt Options) *Schemas {
	return &Schemas{opt: opt, names: map[reflect.Type]string{}, parts: map[string]*Schema{}}
}

var (
	jsonMarshaler = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// Of returns the schema of a type: of a struct with a name a reference to its
// component.
func (s *Schemas) Of(t reflect.Type) *Schema {
	if shape, ok := s.opt.Shapes[t]; ok {
		return shape
	}
	if t.Kind() == reflect.Pointer {
		return s.Of(t.Elem())
	}
	if shape, ok := s.opt.Likes[t]; ok {
		of := reflect.TypeOf(shape)
		called := t
		if strings.Contains(t.Name(), "[") && of.Name() != "" { // types of a generic one need different names
			called = of
		}
		return s.named(t, called, func() *Schema {
			if of.Kind() == reflect.Pointer {
				return Nullable(s.Of(of.Elem()))
			}
			return s.plain(of)
		})
	}
	switch pointer := reflect.PointerTo(t); {
	case pointer.Implements(jsonMarshaler):
		return s.anything(t)
	case pointer.Implements(textMarshaler):
		return Of(String)
	}
	if t.Kind() == reflect.Struct && t.Name() != "" {
		return s.named(t, t, func() *Schema { return s.plain(t) })
	}
	return s.plain(t)
}

// Add puts a schema among the components and returns a reference to it.
func (s *Schemas) Add(name string, schema *Schema) *Schema {
	s.parts[name] = schema
	return Ref(name)
}

// named makes the component of a type once, with the name of the type called. The name is
// entered before the schema is made, so that a type that holds itself finds it there.
func (s *Schemas) named(t, called reflect.Type, schema func() *Schema) *Schema {
	name, ok := s.names[t]
	if !ok {
		name = Name(called)
		s.names[t] = name
		part := schema()
		part.Description = cmp.Or(part.Description, s.opt.Comments[t.String()])
		s.parts[name] = part
	}
	return Ref(name)
}

// Name returns the name of a type's component: that of its package and its own, as in
// LookupStreet. Types of package envelope and echoes of requests have only their own.
func Name(t reflect.Type) string {
	name, _, generic := strings.Cut(t.Name(), "[")
	if generic {
		name += "Of"
	}
	pkg, _, _ := strings.Cut(t.String(), ".")
	if input, ok := strings.CutSuffix(name, "Input"); ok && input != "" {
		return input + "Request"
	}
	if pkg == "envelope" || pkg == "operation" && strings.HasSuffix(name, "Request") || strings.HasPrefix(strings.ToLower(name), pkg) {
		return name
	}
	return capital(pkg) + capital(name)
}

func capital(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// anything is the schema of a type that reflection cannot see into. Documents that describe
// such a type as any value are wrong without an error, so Opaque lists them for a test.
func (s *Schemas) anything(t reflect.Type) *Schema {
	if name := t.String(); !slices.Contains(s.opaque, name) {
		s.opaque = append(s.opaque, name)
	}
	return &Schema{}
}

// Opaque returns the types that were taken for anything, sorted.
func (s *Schemas) Opaque() []string {
	slices.Sort(s.opaque)
	return s.opaque
}

// Components returns the schemas of all named types so far, by name.
func (s *Schemas) Components() Map[*Schema] {
	var out Map[*Schema]
	for name, part := range s.parts {
		out.Add(name, part)
	}
	slices.SortFunc(out, func(a, b Member[*Schema]) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// plain is the schema of a type that encoding/json writes by reflection.
func (s *Schemas) plain(t reflect.Type) *Schema {
	switch t.Kind() {
	case reflect.Bool:
		return Of(Boolean)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return Of(Integer)
	case reflect.Float32, reflect.Float64:
		return Of(Number)
	case reflect.String:
		return Of(String)
	case reflect.Slice, reflect.Array:
		return &Schema{Type: Types{Array}, Items: s.member(t.Elem())}
	case reflect.Map:
		return &Schema{Type: Types{Object}, Additional: &Additional{Of: s.member(t.Elem())}}
	case reflect.Pointer:
		return s.Of(t.Elem())
	case reflect.Struct:
		out := &Schema{Type: Types{Object}, Additional: &Additional{}}
		s.fields(t, out)
		return out
	default:
		return s.anything(t)
	}
}

// member is the schema of a value that is always written, such as an entry of a list: a
// pointer may be null.
func (s *Schemas) member(t reflect.Type) *Schema {
	if t.Kind() == reflect.Pointer {
		return Nullable(s.Of(t))
	}
	return s.Of(t)
}

// fields adds the properties of a struct.
func (s *Schemas) fields(t reflect.Type, out *Schema) {
	for _, m := range Properties(t) {
		if shape, known := s.opt.Shapes[m.Type]; known && shape == nil {
			continue
		}
		comment := cmp.Or(m.Tag.Get("doc"), s.opt.Comments[m.Source], m.Tag.Get("help"))
		var schema *Schema
		switch {
		case m.Tag.Get("component") != "":
			schema = s.Add(m.Tag.Get("component"), s.plain(m.Type))
		case !m.Omits():
			schema = s.member(m.Type)
			out.Required = append(out.Required, m.Name)
		case m.Tag.Get("shape") == "null":
			schema = Nullable(s.Of(m.Type))
		default:
			schema = s.Of(m.Type)
		}
		out.Properties.Add(m.Name, described(schema, comment))
	}
}

// described returns the schema with a description before the existing one.
func described(s *Schema, text string) *Schema {
	if text == "" {
		return s
	}
	out := *s
	out.Description = text
	return &out
}

// Component returns the schema that a reference of [Schemas.Of] or
// [Schemas.Add] points to; nil if the schema is not a reference.
func (s *Schemas) Component(ref *Schema) *Schema {
	return s.parts[strings.TrimPrefix(ref.Ref, componentsRoot)]
}
