package lookup

import (
	"github.com/postgeo/postgeo/envelope"
)

// op is the operation of this package's errors.
const op = "lookup"

// notFound returns the error of a well-formed code that the dataset does not
// contain. Without any postal code
// of the province, it is unknown whether the code exists (decision D71).
func (r *Reader) notFound(c Code) error {
	if province := r.lacksPostalCodes(c); province != "" {
		return &envelope.Failure{Op: op, Kind: envelope.KindUnavailable, Thing: envelope.ThingPostal, Input: c.String(), Lacks: "postal codes of " + province}
	}
	return &envelope.Failure{Op: op, Kind: envelope.KindNotFound, Thing: c.Thing(), Input: c.String()}
}

// lacksPostalCodes returns the name of the province of a full postal code if the
// dataset has none of its postal codes, else "".
func (r *Reader) lacksPostalCodes(c Code) string {
	if c.typ != postalKind {
		return ""
	}
	row, ok := r.data.FSA(c.fsa())
	if !ok || r.data.HasPostalCodes(row.Province) {
		return ""
	}
	return r.data.State(row.Province).Name
}

// Thing returns the type of the code, for errors about it.
func (c Code) Thing() envelope.Thing {
	switch c.typ {
	case zipKind, zip4Kind:
		return envelope.ThingZIP
	case fsaKind:
		return envelope.ThingFSA
	case postalKind:
		return envelope.ThingPostal
	case pointKind:
		return envelope.ThingCoordinates
	default:
		return envelope.ThingCode
	}
}
