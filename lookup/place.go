package lookup

import (
	"context"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
)

// A Place is where a code or a coordinate is: an end of a distance or the
// center of a search.
type Place struct {
	Identity          // of the code, or of the FSA that stands in for it; a coordinate has no code, and of its area only the country, city, state and county
	Zone     TimeZone // zero where no zone is known
	Notices  []envelope.Notice
}

// Locate resolves a code to its place. As in [Reader.Quick], a full postal
// code that the dataset does not hold is answered by its FSA, and a ZIP+4 is
// at its own centroid where there is one. A coordinate is its own place. A
// code without a point is found too; its Location is not valid.
//
// Errors are those of [Reader.Quick].
func (r *Reader) Locate(ctx context.Context, input string) (Place, error) {
	var p Place
	c, err := ParseCode(input)
	if err != nil {
		return p, err
	}
	if c.typ == Coordinates {
		return r.point(c, input), nil
	}
	zone, fallback, _, err := r.resolve(ctx, c, &p.Identity)
	if err != nil {
		return p, err
	}
	p.Notices = p.name(c, fallback, input)
	if t := r.zone(zone); t != nil {
		p.Zone = *t
	}
	return p, nil
}

// Center resolves a code to the center of a search. It differs from
// [Reader.Locate] in that a ZIP+4 stands for its ZIP, and that no FSA stands
// in for a full postal code that the dataset does not hold.
//
// Errors are [*ParseError] and [*NotFoundError], which has the code as it was
// given.
func (r *Reader) Center(input string) (Place, error) {
	var p Place
	c, err := ParseCode(input)
	if err != nil {
		return p, err
	}
	if c.typ == Coordinates {
		return r.point(c, input), nil
	}
	found := false
	var zone dataset.ZoneID
	switch c.typ {
	case ZIP, ZIP4:
		var row dataset.ZIPRow
		if row, found = r.data.ZIP(c.ZIP()); found {
			r.zip(&p.Identity, &row)
			p.Code, p.CodeType, zone = row.ZIP.String(), ZIP, row.Zone
		}
	case FSA:
		var row dataset.FSARow
		if row, found = r.data.FSA(c.FSA()); found {
			r.fsa(&p.Identity, &row)
			p.Code, p.CodeType, zone = row.FSA.String(), FSA, row.Zone
		}
	case Postal:
		var row dataset.PostalRow
		if row, found = r.data.PostalCode(c.PostalCode()); found {
			r.postal(&p.Identity, &row)
			p.Code, p.CodeType, zone = row.Code.String(), Postal, row.Zone
		}
	default:
	}
	if !found {
		return p, &NotFoundError{Code: c}
	}
	if t := r.zone(zone); t != nil {
		p.Zone = *t
	}
	p.Notices = notices(c, input)
	return p, nil
}
