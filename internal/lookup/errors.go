package lookup

import (
	"github.com/postgeo/postgeo/internal/fault"
)

// op is the operation of this package's errors.
const op = "lookup"

// notFound returns the error of a well-formed code that the dataset does not
// contain.
func notFound(c Code) error {
	return &fault.Error{Op: op, Kind: fault.NotFound, Thing: c.Thing(), Input: c.String()}
}

// Thing returns the type of the code, for errors about it.
func (c Code) Thing() fault.Thing {
	switch c.typ {
	case ZIP, ZIP4:
		return fault.ZIP
	case FSA:
		return fault.FSA
	case Postal:
		return fault.Postal
	case Coordinates:
		return fault.Coordinates
	default:
		return fault.Code
	}
}
