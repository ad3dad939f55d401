package tools

import (
	"encoding/json"
	"reflect"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// maxFlags is the most entries of a list of flags.
const maxFlags = 50

// flags are a list of flags, or one string of them divided by commas.
type flags []string

// UnmarshalJSON reads either form.
func (f *flags) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*f = flags{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(f))
}

// texts are the flags as the library reads them.
func (f flags) texts() []string { return envelope.ParseFlags(f...) }

// number is a JSON number, or a string that holds one or a word.
type number string

// UnmarshalJSON keeps the text.
func (n *number) UnmarshalJSON(data []byte) error {
	if data[0] == '"' {
		return json.Unmarshal(data, (*string)(n))
	}
	var v json.Number
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*n = number(v)
	return nil
}

// schemasOfTypes are the schemas of the types above.
func schemasOfTypes() map[reflect.Type]*jsonschema.Schema {
	most := maxFlags
	text := &jsonschema.Schema{Type: "string"}
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[flags]():           {AnyOf: []*jsonschema.Schema{{Type: "array", Items: text, MaxItems: &most}, {Type: "string", Description: "Divided by commas."}}},
		reflect.TypeFor[number]():          {AnyOf: []*jsonschema.Schema{{Type: "number"}, {Type: "string"}}},
		reflect.TypeFor[json.RawMessage](): {Type: "object"},
		reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time"},
	}
}

// A bound says of arguments what a Go type cannot tell.
type bound func(*jsonschema.Schema)

// between sets the bounds of a number.
func between(name string, least, most float64) bound {
	return func(s *jsonschema.Schema) { s.Properties[name].Minimum, s.Properties[name].Maximum = &least, &most }
}

// limited sets the bounds of the argument limit.
func limited(most int) bound { return between("limit", 1, float64(most)) }

// items sets the most entries of a list, and how long each may be that is a
// string.
func items(name string, most, chars int) bound {
	least := 1
	return func(s *jsonschema.Schema) {
		p := s.Properties[name]
		p.MinItems, p.MaxItems = &least, &most
		if chars > 0 {
			p.Items.MaxLength = &chars
		}
	}
}

// chars sets the most characters of strings.
func chars(most int, names ...string) bound {
	return func(s *jsonschema.Schema) {
		for _, name := range names {
			s.Properties[name].MaxLength = &most
		}
	}
}

// oneOfWords is a list of values as a sentence has it.
func oneOfWords(values []string) string { return "one of " + strings.Join(values, ", ") }

// oneOf lists the values of a string, or of the strings of a list.
func oneOf(name string, values ...string) bound {
	return func(s *jsonschema.Schema) {
		p := s.Properties[name]
		if p.Items != nil {
			p = p.Items
		}
		for _, v := range values {
			p.Enum = append(p.Enum, v)
		}
	}
}

// words shows the flags that have a meaning; others are ignored.
func words(name string, values ...string) bound {
	return func(s *jsonschema.Schema) {
		p := s.Properties[name]
		p.Description = strings.TrimSpace(p.Description + " Known: " + strings.Join(values, ", ") + ".")
	}
}

// maxCode is the most characters of a code.
const maxCode = lookup.MaxCodeLength

// defaulted is a whole number that may be absent.
func defaulted(n *int, def int) int {
	if n == nil {
		return def
	}
	return *n
}
