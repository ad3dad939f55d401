package operation

import (
	"reflect"
	"strings"

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/notice"
)

// An Operation describes an operation for all front ends.
type Operation struct {
	Name    string // of the MCP tool
	Summary string // in the imperative, such as "Find …"
	Detail  string // adds to the summary
	Price   string // in credits, in words; "" if it is not part of the HTTP contract
	Path    string // of the HTTP route
	Batch   string // path of the route for several inputs
	Command string // of the command line
	Absent  string // reason for an empty Path, Command or Batch

	Params []*Param // nil means those of the input
	Input  reflect.Type
	Result reflect.Type
}

// All returns the operations in the order of the documents. Add new ones here.
func All() []*Operation {
	return []*Operation{
		Quick, Lookup, Suggest, Address, Geocode, Reverse, Assess, SuggestAddress, Parse, Radius, Auto, Nearest, Inside, Distance, Matrix, Pairs, Boundary,
		AreasAt, CodesIn, Neighbors, Crosswalk, Profile, Fields, Series, Aggregate, Compare,
	}
}

// New completes the description of an operation with input In and result Out.
func New[In, Out any](o Operation) *Operation {
	o.Input, o.Result = reflect.TypeFor[In](), reflect.TypeFor[Out]()
	if o.Params == nil {
		o.Params = Params(o.Input)
	}
	return &o
}

// Param returns the parameter with a name. It panics if there is none.
func (o *Operation) Param(name string) *Param {
	for _, p := range o.Params {
		if p.Name == name {
			return p
		}
	}
	panic("operation: " + o.Name + " has no parameter " + name) // names are constant
}

// Title returns the name in words, such as "Quick lookup".
func (o *Operation) Title() string {
	words := strings.ReplaceAll(o.Name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// Description returns the summary and the detail.
func (o *Operation) Description() string { return strings.TrimSpace(o.Summary + " " + o.Detail) }

// Ignored returns the notice of unknown flags, if there are any.
func Ignored(unknown []string) []envelope.Notice {
	if len(unknown) == 0 {
		return nil
	}
	return []envelope.Notice{notice.UnknownEnrichments(unknown)}
}
