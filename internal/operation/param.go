package operation

import (
	"cmp"
	"encoding"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// MaxItems is the maximum number of items of a batch, unless its parameter sets a
// limit. It is the contract's, as is the one of address batches (250).
const MaxItems = 100

// A Param describes one parameter: a field of an input.
type Param struct {
	Name     string
	Help     string
	Required bool
	Chars    int      // maximum number of characters; 0 means no limit
	List     bool     // a list of flags, or a string of flags separated by commas
	Commas   bool     // a string of flags separated by commas, never a list
	Aliases  []string // names that callers use by mistake (decision D5)
	Kind     Kind
	Values   []string        // known values; of a list others are ignored
	Least    float64         // of a number
	Most     float64         // of a number; 0 means no limit
	Range    string          // of a number in words; "" follows Least and Most
	Default  string          // "" if there is none
	Example  string          // of the items of a batch the whole list, as JSON
	Entry    *Param          // entry of a list of strings
	Size     int             // maximum number of entries; 0 means MaxItems
	Fields   []*Param        // fields of a list of objects
	Codes    []envelope.Code // failures of invalid values, besides those of every parameter
	Named    bool            // of codes, which the command line and MCP accept by name; see [ResolveNames]
	Index    []int           // of the field
	Type     reflect.Type
	Tag      reflect.StructTag
}

// Kind is the type of a value in JSON.
type Kind uint8

// The kinds.
const (
	Text         Kind = iota // a string; in a list strings
	Number                   // a number
	Integer                  // a whole number
	NumberOrText             // a number or one of the values
	Bool
	Time // a string
	Object
	Items // a list of strings, whole numbers or objects
)

// codeFailures are the failures of malformed codes.
var codeFailures = []envelope.Code{
	envelope.ValidationInvalidZIP, envelope.ValidationInvalidFSA, envelope.ValidationInvalidPostal, envelope.ValidationInvalidCoordinates,
}

// MaxItems returns the maximum number of items of a list of items.
func (p *Param) MaxItems() int {
	if p.Size > 0 {
		return p.Size
	}
	return MaxItems
}

// But returns a copy of the parameter with changes, such as those of a batch.
func (p *Param) But(change func(p *Param)) *Param {
	other := *p
	change(&other)
	return &other
}

// Params describes the fields of a struct and of its embedded structs. Fields
// without help are not parameters. Index is the path of a field for reflect.Value.FieldByIndex,
// so that one description serves inputs and the structs that embed them.
func Params(t reflect.Type) []*Param {
	var list []*Param
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous && field.Type.Kind() == reflect.Struct {
			for _, p := range Params(field.Type) {
				p.Index = append([]int{i}, p.Index...)
				list = append(list, p)
			}
		} else if field.Tag.Get("help") != "" {
			list = append(list, ParamOf(field))
		}
	}
	return list
}

// ParamOf describes a field by its tags.
func ParamOf(field reflect.StructField) *Param {
	tag := field.Tag
	_, arg := tag.Lookup("arg")
	_, optional := tag.Lookup("optional")
	_, required := tag.Lookup("required")
	p := &Param{
		Name: tag.Get("name"), Help: tag.Get("help"), Required: required || arg && !optional,
		Chars: int(number(tag, "chars")), Values: words(tag, "values"), Aliases: words(tag, "aliases"),
		Least: number(tag, "least"), Most: number(tag, "most"), Range: tag.Get("range"), Size: int(number(tag, "size")),
		Default: tag.Get("default"), Example: tag.Get("example"), Index: field.Index, Type: field.Type, Tag: tag,
	}
	p.Name = cmp.Or(p.Name, snake(field.Name))
	p.kind(field.Type)
	switch tag.Get("is") {
	case "code":
		p.Chars, p.Codes, p.Named = lookup.MaxCodeLength, codeFailures, true
	case "zip":
		p.Chars, p.Codes = lookup.MaxCodeLength, codeFailures[:1]
	case "codes":
		p.Codes = codeFailures
	case "address":
		p.Chars, p.Codes = address.MaxRaw, []envelope.Code{envelope.ValidationInputTooShort}
	case "point":
		p.Chars, p.Codes = lookup.MaxCodeLength, []envelope.Code{envelope.ValidationInvalidCoordinates}
	case "layer":
		for _, layer := range lookup.Layers() {
			p.Values = append(p.Values, string(layer))
		}
	}
	if p.Kind == Items && p.Entry != nil { // tags of a list of texts describe each text
		p.Entry.Chars, p.Entry.Codes, p.Chars = p.Chars, p.Codes, 0
	}
	return p
}

var (
	timeType = reflect.TypeFor[time.Time]()
	textType = reflect.TypeFor[encoding.TextUnmarshaler]()
	rawType  = reflect.TypeFor[json.RawMessage]()
	flagType = reflect.TypeFor[envelope.Flags]()
)

// A numeric type is a number or a text.
type numeric interface{ Numeric() }

func (p *Param) kind(t reflect.Type) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == timeType:
		p.Kind = Time
	case t == flagType:
		p.List = true
	case t == rawType:
		p.Kind = Object
	case t.Implements(reflect.TypeFor[numeric]()):
		p.Kind = NumberOrText
	case t.Kind() == reflect.Float64:
		p.Kind = Number
	case reflect.PointerTo(t).Implements(textType): // Text, whatever its kind in Go is
	case t.Kind() == reflect.Slice:
		p.Kind = Items
		if t.Elem().Kind() == reflect.Struct {
			p.Fields = Params(t.Elem())
		} else {
			p.Entry = &Param{Name: strings.TrimSuffix(p.Name, "s"), Values: p.Values}
			p.Entry.kind(t.Elem())
		}
	case t.Kind() == reflect.Bool:
		p.Kind = Bool
	case t.Kind() == reflect.Int:
		p.Kind = Integer
	}
}

func number(tag reflect.StructTag, name string) float64 {
	text := tag.Get(name)
	if text == "" {
		return 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic("operation: tag " + name + ": " + err.Error()) // the tags are constant
	}
	return v
}

func words(tag reflect.StructTag, name string) []string {
	if list := tag.Get(name); list != "" {
		return strings.Split(list, ",")
	}
	return nil
}

// snake returns a field's name with an underscore before each inner word.
func snake(name string) string {
	var b strings.Builder
	small := false
	for _, r := range name {
		if unicode.IsUpper(r) && small {
			b.WriteByte('_')
		}
		small = !unicode.IsUpper(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
