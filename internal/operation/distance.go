package operation

import (
	"context"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
)

// Distance is the distance between two places.
var Distance = describe[DistanceInput, *postgeo.DistanceResult](Operation{
	Name: "distance", Path: "/v2/distance", Batch: "/v2/distance/batch", Command: "distance",
	Summary: "Measure the distance and direction from one code or coordinate to another.",
	Detail:  "The distance is geodesic, in miles and kilometers, as the crow flies and not by road; the bearing is at the start.",
	Price:   "1 per pair, found or not.",
})

// DistanceInput is the input of [Distance].
type DistanceInput struct {
	Ends
	Clock
}

// Ends are two places.
type Ends struct {
	From string `required:"" is:"code" aliases:"origin,zip1" example:"90210" help:"Start: any code, or latitude,longitude."`
	To   string `required:"" is:"code" aliases:"destination,zip2" example:"10001" help:"End: any code, or latitude,longitude."`
}

// Echo returns the input as failed items repeat it.
func (in Ends) Echo() envelope.Input { return envelope.Input{From: in.From, To: in.To} }

// Run measures.
func (in *DistanceInput) Run(ctx context.Context, db *postgeo.DB) (*postgeo.DistanceResult, error) {
	return db.Distance(ctx, in.From, in.To, postgeo.DistanceOptions{At: in.At})
}
