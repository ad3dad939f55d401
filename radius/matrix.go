package radius

import (
	"context"
	"fmt"
	"iter"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/lookup"
)

// MaxPairs is the most distances that a matrix holds: about a second of work and 8 MB.
const MaxPairs = 1_000_000

// A Matrix holds the geodesic distances between two lists of places. It is not
// part of the contract.
type Matrix struct {
	From  []End         `json:"from"`
	To    []End         `json:"to"`
	Miles [][]geo.Miles `json:"miles"` // [i][j] from From[i] to To[j], 2 decimals
}

// DistanceMatrix measures from each of some codes or coordinates to each of others:
// one to many, or many to many. It returns an error for the first code that [Distance]
// would not find. For more pairs than [MaxPairs] the error matches
// [envelope.ErrInvalidParam].
func DistanceMatrix(ctx context.Context, r *lookup.Reader, from, to []string, opt DistanceOptions) (*Matrix, error) {
	if n := len(from) * len(to); n > MaxPairs {
		return nil, invalid("distances", "to", fmt.Sprintf("%d × %d codes", len(from), len(to)), fmt.Sprintf("at most %d pairs with from", MaxPairs))
	}
	m := &Matrix{Miles: make([][]geo.Miles, len(from))}
	var err error
	if m.From, err = ends(ctx, r, "from", from, opt); err != nil {
		return nil, err
	}
	if m.To, err = ends(ctx, r, "to", to, opt); err != nil {
		return nil, err
	}
	cells := make([]geo.Miles, len(from)*len(to))
	for i := range m.From {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("radius: %w", err)
		}
		m.Miles[i], cells = cells[:len(to):len(to)], cells[len(to):]
		for j := range m.To {
			d := geo.Distance(m.From[i].Location, m.To[j].Location)
			m.Miles[i][j] = geo.Miles(geo.Round(float64(d.Miles()), 2))
		}
	}
	return m, nil
}

func ends(ctx context.Context, r *lookup.Reader, param string, codes []string, opt DistanceOptions) ([]End, error) {
	out := make([]End, len(codes))
	for i, code := range codes {
		var m measured
		if err := m.locate(ctx, r, &out[i], new(lookup.TimeZone), param, code, opt.At); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// A Pair is two places of a list and how far apart they are.
type Pair struct {
	A, B     int // positions in the list, A < B
	Distance geo.Meters
}

// PairsWithin yields the pairs of codes or coordinates that are at most most
// apart, for each code its later neighbors from near to far. Its time grows with
// the pairs that it finds, not with all possible ones. The sequence ends with the error
// of the first code that [Distance] would not find, whose Input is the code, or of ctx.
func PairsWithin(ctx context.Context, r *lookup.Reader, codes []string, most geo.Meters) iter.Seq2[Pair, error] {
	return func(yield func(Pair, error) bool) {
		if !(most >= 0) {
			yield(Pair{}, invalid("pairs", "most", number(float64(most)), "at least 0 meters"))
			return
		}
		places, err := ends(ctx, r, "from", codes, DistanceOptions{})
		if err != nil {
			yield(Pair{}, envelope.In("pairs", "", err)) // of a list, no end of a distance
			return
		}
		points := make([]geo.LatLng, len(places))
		for i := range places {
			points[i] = places[i].Location
		}
		index := spatial.NewPointIndex(points)
		var near []spatial.Neighbor
		for i, p := range points {
			if err := ctx.Err(); err != nil {
				yield(Pair{}, fmt.Errorf("radius: %w", err))
				return
			}
			near = index.AppendWithin(near[:0], p, 0, most)
			for _, n := range near {
				if n.Index > i && !yield(Pair{A: i, B: n.Index, Distance: n.Distance}, nil) {
					return
				}
			}
		}
	}
}
