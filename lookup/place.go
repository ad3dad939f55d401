package lookup

import (
	"context"

	"github.com/postgeo/postgeo/envelope"
)

// A Place is where a code or a coordinate is: an end of a distance or the
// center of a search.
type Place struct {
	Identity          // of the code, or of the FSA that stands in for it; a coordinate has only CodeType and Location
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
		lat, lon := c.point.Strings()
		p.CodeType = Coordinates
		p.Location = c.point
		p.Notices = append(notices(c, input), envelope.Points(lat, lon))
		return p, nil
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
