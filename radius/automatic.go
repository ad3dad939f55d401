package radius

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// The rule of decision D19.
const (
	densityPeople  = 250_000 // people within the radius
	densityMin     = geo.Miles(3)
	densityMax     = geo.Miles(150)
	densityReach   = geo.Miles(10) // around the center, to measure the density
	emptyDensity   = 25.0          // people per square mile, if none is known
	automaticDigit = 1             // decimals of the result

	commuteMilesPerMinute = 0.6 // on the way to work
	commuteMin            = geo.Miles(3)
	commuteMax            = geo.Miles(100)
)

// automatic returns the radius around a center and the rule that found it. The
// rule is density if the dataset has no travel time at the center. If no
// population near the center is known, it uses the default density and known is
// false.
func (e *Engine) automatic(ctx context.Context, p *lookup.Place, rule Auto) (miles geo.Miles, by Auto, known bool, err error) {
	if rule == Commute {
		minutes, ok, err := e.travelTime(ctx, p)
		if err != nil {
			return 0, "", false, err
		}
		if ok {
			return radiusOfCommute(minutes), Commute, true, nil
		}
	}
	d, known := e.density(p.Location)
	return radiusOfDensity(d), Density, known, nil
}

const meanTravelTime = "economic.commuting.mean_travel_time_minutes"

// travelTime returns the mean travel time to work in minutes in the newest year
// of the survey. It uses the ZIP Code Tabulation Area with the code. For a
// coordinate it uses the ZIP Code that contains it.
func (e *Engine) travelTime(ctx context.Context, p *lookup.Place) (minutes float64, ok bool, err error) {
	code := p.Code
	if p.CodeType == lookup.Coordinates {
		around, err := e.reader.Containing(ctx, p.Location)
		if errors.Is(err, envelope.ErrNotFound) || errors.Is(err, envelope.ErrUnavailable) {
			return 0, false, nil
		}
		if err != nil {
			return 0, false, fmt.Errorf("radius: %w", err)
		}
		code = around.String()
	}
	res, err := e.reader.ACS().Area(ctx, acs.ZCTA, code, []acs.Tag{{Profile: acs.Economic}}, acs.Options{Bridged: true})
	if err != nil {
		return 0, false, fmt.Errorf("radius: %w", err)
	}
	if len(res.Years) == 0 {
		return 0, false, nil
	}
	minutes, ok = res.Years[0].Metric(acs.MustField(meanTravelTime)).Estimate.Float64()
	return minutes, ok, nil
}

// radiusOfCommute returns how far people come in so many minutes. The result is rounded before it
// is used, so that searching again with the printed radius finds the same.
func radiusOfCommute(minutes float64) geo.Miles {
	r := geo.Miles(minutes * commuteMilesPerMinute)
	return geo.Miles(geo.Round(float64(min(max(r, commuteMin), commuteMax)), automaticDigit))
}

// radiusOfDensity returns the radius that holds the people at a density per
// square mile.
func radiusOfDensity(d float64) geo.Miles {
	r := geo.Miles(math.Sqrt(densityPeople / (math.Pi * d)))
	return geo.Miles(geo.Round(float64(min(max(r, densityMin), densityMax)), automaticDigit))
}

// density returns the people per square mile of land of the areas whose points
// lie near the center. It is one number for all of them together: in a mean of their
// densities, a downtown ZIP Code would weigh as much as a rural one. Areas count if both are
// known; if none do, as in a dataset without population, it is a constant and known is false.
func (e *Engine) density(center geo.LatLng) (d float64, known bool) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	set := &e.areas
	s.near = set.index.AppendWithin(s.near[:0], center, 0, densityReach.Meters())
	var people, land int64
	for _, n := range s.near {
		p, a, ok := e.populationOf(set, int32(n.Index))
		if ok {
			people += int64(p)
			land += a
		}
	}
	if land == 0 {
		return emptyDensity, false
	}
	return float64(people) / float64(geo.SquareMeters(land).SquareMiles()), true
}

// populationOf returns the residents and the square meters of land of the code
// at a position.
func (e *Engine) populationOf(set *pointSet, at int32) (people int32, land int64, ok bool) {
	n := set.numbers[at]
	code := store.CodeOfFSA(postcode.FSA(n))
	if int(at) < set.zips {
		code = store.CodeOfZIP(postcode.ZIP(n))
	}
	people, ok = e.data.Population(code)
	land, measured := e.data.Land(code)
	return people, land, ok && measured
}
