package document

import (
	"reflect"

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// The limits of requests.
const (
	MaxBodyBytes  = 256 << 10 // of single routes (decision D7)
	MaxBatchBytes = 1 << 20   // of batch routes
	MaxFlags      = 50        // of a list in JSON
)

// A Route describes one route.
type Route struct {
	Path    string
	Summary string
	Detail  string   // further sentences
	Methods []string // as in the header Allow, without OPTIONS
	Params  []*operation.Param
	Batch   bool // for paid plans only
	Keyless bool // no key is required

	Echo     reflect.Type     // of the response's request; nil if the route has no envelope
	Result   reflect.Type     // of an entry of results, or of a response without envelope
	Items    *operation.Param // the list of a batch
	Failures []envelope.Code
	Refusals []envelope.Code
	Price    string
}
