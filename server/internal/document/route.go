package document

import (
	"reflect"

	"github.com/postgeo/postgeo/envelope"
)

// The limits of requests.
const (
	MaxBodyBytes  = 256 << 10 // of single routes (decision D7)
	MaxBatchBytes = 1 << 20   // of batch routes
	MaxItems      = 100       // of a batch, unless its parameter sets a limit
	MaxFlags      = 50        // of a list in JSON
)

// A Route describes one route.
type Route struct {
	Path    string
	Summary string
	Methods []string // as in the header Allow, without OPTIONS
	Params  []*Param
	Batch   bool // for paid plans only
	Keyless bool // no key is required

	Echo     reflect.Type // of the response's request; nil if the route has no envelope
	Result   reflect.Type // of an entry of results, or of a response without envelope
	Items    *Param       // the list of a batch
	Failures []envelope.Code
	Refusals []envelope.Code
	Price    string
}

// A Param declares one parameter of a route. The server reads and checks values
// by it.
type Param struct {
	Name     string
	Required bool
	Chars    int      // maximum number of characters; 0 means no limit
	List     bool     // a list, or a string of values separated by commas
	Commas   bool     // a string of values separated by commas, never a list
	Aliases  []string // names that callers use by mistake (decision D5)
	Doc      string   // one sentence

	// The rest is only documentation.
	Kind    Kind
	Values  []string        // all values; a list ignores others
	Least   float64         // of a number
	Most    float64         // of a number; 0 means no limit
	Default string          // "" if there is none
	Example string          // of the items of a batch the whole list, as JSON
	Entry   *Param          // entry of a list of strings
	Size    int             // maximum number of items; 0 means MaxItems
	Fields  []*Param        // fields of a list of objects
	Codes   []envelope.Code // failures of invalid values, in addition to those of every parameter
}

// Kind is the type of a parameter's value in JSON.
type Kind uint8

// The kinds.
const (
	Text         Kind = iota // a string; in a list strings
	Number                   // a number
	Integer                  // a whole number
	NumberOrText             // a number or one of the values
)

// MaxItems returns the maximum number of items of a list of items.
func (p *Param) MaxItems() int {
	if p.Size > 0 {
		return p.Size
	}
	return MaxItems
}
