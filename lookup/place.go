package lookup

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/envelope"
)

// A Place is the location of a code or a coordinate: an end of a distance or
// the center of a search.
type Place struct {
	Identity // of the code or its FSA; for a coordinate only country, city, state and county of the area around it
	Notices  []envelope.Notice

	clock *zoneClock // nil without a known zone
}

// TimeZone returns the time zone with its rules of the twelve months from at, or false if
// it is unknown. The zero time is the present.
func (p *Place) TimeZone(at time.Time) (TimeZone, bool) {
	if p.clock == nil {
		return TimeZone{}, false
	}
	return *p.clock.at(orNow(at)), true
}

// Locate resolves a code to its place. As in [Reader.Quick], the FSA replaces an
// unknown full postal code. A ZIP+4 is at its own centroid if it has one. A
// coordinate is its own place. The Location of a code without a point is not
// valid.
//
// It returns the errors of [Reader.Quick].
func (r *Reader) Locate(ctx context.Context, input string) (Place, error) {
	var p Place
	c, err := ParseCode(input)
	if err != nil {
		return p, err
	}
	if c.typ == pointKind {
		return r.point(ctx, c, input)
	}
	var h hit
	if err := r.resolve(ctx, c, &h); err != nil {
		return p, err
	}
	r.fill(&p.Identity, &h)
	p.Notices = r.nameHit(&p.Identity, c, &h, input)
	p.clock = r.clock(h.row.Zone)
	return p, nil
}

// Center resolves a code to the center of a search. Unlike [Reader.Locate], it
// resolves a ZIP+4 to its ZIP. It also returns an error, instead of the FSA,
// for a full postal code that the dataset does not contain.
//
// The error is a [*envelope.Failure] with the code as it was given, or a failure of
// the dataset.
func (r *Reader) Center(ctx context.Context, input string) (Place, error) {
	var p Place
	c, err := ParseCode(input)
	if err != nil {
		return p, err
	}
	if c.typ == pointKind {
		return r.point(ctx, c, input)
	}
	if err := r.load(ctx, c); err != nil {
		return p, err
	}
	var h hit
	if !r.find(c, &h) {
		return p, r.notFound(c)
	}
	r.fill(&p.Identity, &h)
	at := c
	if c.typ == zip4Kind {
		at = c.Parent()
	}
	p.Code, p.CodeType = at.String(), at.Type()
	p.clock = r.clock(h.row.Zone)
	p.Notices = notices(c, input)
	return p, nil
}
