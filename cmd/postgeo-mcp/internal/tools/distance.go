package tools

import (
	"context"
	"errors"
	"reflect"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/radius"
)

// maxEnds is the most places on one side of a matrix, and of a list of pairs.
const maxEnds = 50

type distanceIn struct {
	From string `json:"from" jsonschema:"Where the distance begins: any code, or latitude,longitude."`
	To   string `json:"to" jsonschema:"Where the distance ends: any code, or latitude,longitude."`
}

func (in distanceIn) echo() envelope.Input { return envelope.Input{From: in.From, To: in.To} }

type timedIn struct {
	distanceIn
	At time.Time `json:"at,omitzero" jsonschema:"Date and time of the time zones, in RFC 3339 form. Default: now."`
}

type distancesIn struct {
	Pairs []distanceIn `json:"pairs" jsonschema:"The pairs of places."`
	At    time.Time    `json:"at,omitzero" jsonschema:"Date and time of the time zones, in RFC 3339 form. Default: now."`
}

type matrixIn struct {
	From []string  `json:"from" jsonschema:"Codes or coordinates to measure from."`
	To   []string  `json:"to,omitempty" jsonschema:"Codes or coordinates to measure to. Default: those of from."`
	At   time.Time `json:"at,omitzero" jsonschema:"Date and time of the time zones, in RFC 3339 form. Default: now."`
}

type pairsIn struct {
	Codes []string `json:"codes" jsonschema:"Codes or coordinates, each of which is measured against the others."`
	Max   number   `json:"max" jsonschema:"The most miles between the two of a pair."`
	Limit *int     `json:"limit,omitempty" jsonschema:"The most pairs. Default: 50."`
}

type boundaryIn struct {
	From string `json:"from" jsonschema:"The point to measure from: any code, or latitude,longitude."`
	Code string `json:"code" jsonschema:"The ZIP or FSA whose boundary is measured to."`
}

func (in boundaryIn) echo() envelope.Input { return envelope.Input{From: in.From, Code: in.Code} }

func (s *service) addDistances(server *mcp.Server) {
	add(server, s, definition{
		name: "distance", title: "Distance between two places",
		core:        true,
		description: "The geodesic distance in miles and kilometers between the points of two codes or coordinates, and the bearing at the first. As the crow flies, not by road.",
		bounds:      []bound{chars(maxCode, "from", "to")},
	}, func(ctx context.Context, in timedIn) (*postgeo.DistanceResult, error) {
		return s.db.Distance(ctx, in.From, in.To, postgeo.DistanceOptions{At: in.At})
	})
	add(server, s, definition{
		name: "distance_batch", title: "Distances of several pairs",
		description: "The distance of each of up to 100 pairs of places: one item for each, in their order, failed ones included.",
		bounds:      []bound{items("pairs", maxBatch, 0)},
		entries:     []reflect.Type{reflect.TypeFor[postgeo.DistanceResult]()},
		choose:      true,
	}, s.distances)
	add(server, s, definition{
		name: "distance_matrix", title: "Distances between many places",
		description: "Miles from each of up to 50 codes or coordinates to each of up to 50 others, as rows.",
		bounds:      []bound{items("from", maxEnds, maxCode), items("to", maxEnds, maxCode)},
	}, func(ctx context.Context, in matrixIn) (*postgeo.Matrix, error) {
		if len(in.To) == 0 {
			in.To = in.From
		}
		return s.db.DistanceMatrix(ctx, in.From, in.To, postgeo.DistanceOptions{At: in.At})
	})
	add(server, s, definition{
		name: "pairs_within", title: "Places near each other",
		heavy:       true,
		description: "Which of up to 50 codes or coordinates are at most so many miles apart, e.g. shops that compete.",
		bounds:      []bound{items("codes", maxEnds, maxCode), limited(mostMatches)},
	}, s.pairs)
	add(server, s, definition{
		name: "boundary_distance", title: "Distance to a boundary",
		description: "How far a point lies from the edge of the area of a ZIP or FSA, and whether inside.",
		bounds:      []bound{chars(maxCode, "from", "code")},
	}, func(ctx context.Context, in boundaryIn) (*postgeo.BoundaryResult, error) {
		return s.db.Boundary(ctx, in.From, in.Code)
	})
}

func (s *service) distances(ctx context.Context, in distancesIn) (*list, error) {
	return each(ctx, in.Pairs, nil, distanceIn.echo, func(pair distanceIn) (any, error) {
		if err := errors.Join(blank("from", pair.From), blank("to", pair.To)); err != nil {
			return nil, err
		}
		r, err := s.db.Distance(ctx, pair.From, pair.To, postgeo.DistanceOptions{At: in.At})
		if err != nil {
			return nil, err
		}
		r.Input = new(pair.echo())
		return r, nil
	})
}

// A pair is two places and how far apart they are.
type pair struct {
	From  string         `json:"from"`
	To    string         `json:"to"`
	Miles geo.Miles      `json:"miles"`
	Km    geo.Kilometers `json:"km"`
}

type pairsAnswer struct {
	Pairs []pair `json:"pairs"`
	Total int    `json:"total"` // how many there are
}

func (s *service) pairs(ctx context.Context, in pairsIn) (*pairsAnswer, error) {
	most, auto, err := radius.ParseMax(string(in.Max))
	if err != nil {
		return nil, err
	}
	if auto != 0 {
		return nil, envelope.NewFault(envelope.ValidationInvalidParam, envelope.InvalidParam("max", "a number of miles"))
	}
	limit := defaulted(in.Limit, usualMatches)
	out := &pairsAnswer{Pairs: []pair{}}
	for p, err := range s.db.PairsWithin(ctx, in.Codes, most.Meters()) {
		if err != nil {
			return nil, err
		}
		if out.Total++; out.Total <= limit {
			out.Pairs = append(out.Pairs, pair{
				From: in.Codes[p.A], To: in.Codes[p.B],
				Miles: geo.Miles(geo.Round(float64(p.Distance.Miles()), 2)), Km: geo.Kilometers(geo.Round(float64(p.Distance.Kilometers()), 2)),
			})
		}
	}
	return out, nil
}
