package operation

import (
	"context"
	"iter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

// Distance is the distance between two places.
var Distance = define[DistanceInput, *radius.DistanceResult](Operation{
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

// Run measures.
func (in *DistanceInput) Run(ctx context.Context, db DB) (*radius.DistanceResult, error) {
	return db.Distance(ctx, in.From, in.To, radius.DistanceOptions{At: in.At})
}

// Matrix is the distances between two lists of places.
var Matrix = define[MatrixInput, *radius.Matrix](Operation{
	Name: "distance_matrix", Command: "distance", Absent: "not part of the contract",
	Summary: "Measure the miles from each of some codes or coordinates to each of others.",
})

// MatrixInput is the input of [Matrix].
type MatrixInput struct {
	From []string `required:"" is:"code" size:"50" help:"Codes or coordinates to measure from."`
	To   []string `is:"code" size:"50" help:"Codes or coordinates to measure to. Default: those of from."`
	Clock
}

// Run measures.
func (in *MatrixInput) Run(ctx context.Context, db DB) (*radius.Matrix, error) {
	to := in.To
	if len(to) == 0 {
		to = in.From
	}
	return db.DistanceMatrix(ctx, in.From, to, radius.DistanceOptions{At: in.At})
}

// Pairs are the places that are near each other.
var Pairs = define[PairsInput, *PairsResult](Operation{
	Name: "pairs_within", Command: "distance", Absent: "not part of the contract",
	Summary: "Find the pairs of codes or coordinates that are at most some miles apart.",
})

// PairsInput is the input of [Pairs].
type PairsInput struct {
	Codes []string `required:"" is:"code" size:"50" help:"Codes or coordinates, each of which is measured against the others."`
	Max   Miles    `required:"" help:"Maximum distance of a pair in miles."`
	Limit int      `least:"1" default:"50" help:"Maximum number of pairs."`
}

// A Pair is two places and their distance.
type Pair struct {
	From  string         `json:"from"`
	To    string         `json:"to"`
	Miles geo.Miles      `json:"miles"`
	Km    geo.Kilometers `json:"km"`
}

// A PairsResult holds pairs.
type PairsResult struct {
	Pairs []Pair `json:"pairs"`
	Total int    `json:"total"` // with those beyond the limit
}

// Run finds the pairs.
func (in *PairsInput) Run(ctx context.Context, db DB) (*PairsResult, error) {
	out := &PairsResult{Pairs: []Pair{}}
	for pair, err := range in.All(ctx, db) {
		if err != nil {
			return nil, err
		}
		if out.Total++; out.Total <= in.Limit {
			out.Pairs = append(out.Pairs, pair)
		}
	}
	return out, nil
}

// All yields the pairs regardless of the limit.
func (in *PairsInput) All(ctx context.Context, db DB) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		for p, err := range db.PairsWithin(ctx, in.Codes, geo.Miles(in.Max).Meters()) {
			if err != nil {
				yield(Pair{}, err)
				return
			}
			if !yield(Pair{
				From: in.Codes[p.A], To: in.Codes[p.B],
				Miles: geo.Miles(geo.Round(float64(p.Distance.Miles()), 2)), Km: geo.Kilometers(geo.Round(float64(p.Distance.Kilometers()), 2)),
			}, nil) {
				return
			}
		}
	}
}
