package lookup

import (
	"github.com/postgeo/postgeo/envelope"
)

// op is the operation of this package's errors.
const op = "lookup"

// notFound returns the error of a well-formed code that the dataset does not
// contain. Whether the code exists is unknown if the dataset has no code of the
// kind (decision D33), or no postal code of the province (decision D71).
func (r *Reader) notFound(c Code) *envelope.Failure {
	e := &envelope.Failure{Op: op, Kind: envelope.KindNotFound, Thing: c.Thing(), Input: c.String()}
	if e.Lacks = r.lacks(c); e.Lacks != "" {
		e.Kind = envelope.KindUnavailable
	}
	return e
}

// lacks names the codes that the dataset would need to deny one, or returns "".
func (r *Reader) lacks(c Code) string {
	switch c.typ {
	case zipKind, zip4Kind:
		if r.data.NumZIPs() == 0 {
			return "ZIP Codes"
		}
	case fsaKind, postalKind:
		if r.data.NumFSAs() == 0 {
			return "FSAs"
		}
		if province := r.lacksPostalCodes(c); province != "" {
			return "postal codes of " + province
		}
	default:
	}
	return ""
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
