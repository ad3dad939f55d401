package operation

import (
	"context"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// Distance is the distance between two places.
var Distance = define((*DistanceInput).Run, Operation{
	Name: "distance", Path: "/v2/distance", Batch: "/v2/distance/batch", Command: "distance",
	Summary: "Measure the distance and direction from one code or coordinate to another.",
	Detail:  "The distance is geodesic, in miles and kilometers, as the crow flies and not by road; the bearing is at the start.",
	Price:   "1 per pair, found or not.", Failures: []envelope.Code{envelope.NotFoundFrom, envelope.NotFoundTo},
})

// DistanceInput is the input of [Distance].
type DistanceInput struct {
	Ends
	Clock

	ParsedFrom, ParsedTo lookup.Code `json:"-"` // by Check
}

// Same returns a text that is equal for duplicates.
func (in *DistanceInput) Same() string { return in.ParsedFrom.String() + "\n" + in.ParsedTo.String() }

// Check parses the codes.
func (in *DistanceInput) Check(context.Context, DB) (err error) {
	if in.ParsedFrom, err = lookup.ParseCode(in.From); err != nil {
		return envelope.In("distance", "from", err)
	}
	in.ParsedTo, err = lookup.ParseCode(in.To)
	return envelope.In("distance", "to", err)
}

// Run measures.
func (in *DistanceInput) Run(ctx context.Context, db DB) (*radius.DistanceResult, error) {
	return db.Distance(ctx, in.From, in.To, radius.DistanceOptions{At: in.At})
}
