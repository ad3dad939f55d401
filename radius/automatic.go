package radius

import (
	"math"

	"github.com/postgeo/postgeo/dataset"
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
func (e *Engine) automatic(center geo.LatLng) (geo.Miles, Auto) {
	return radiusOfDensity(e.density(center)), Density
}

// radiusOfDensity returns the radius that holds the people at a density per
// square mile.
func radiusOfDensity(d float64) geo.Miles {
	r := geo.Miles(math.Sqrt(densityPeople / (math.Pi * d)))
	return geo.Miles(geo.Round(float64(min(max(r, densityMin), densityMax)), automaticDigit))
}

// density returns the people per square mile of land of the areas whose points
// lie near the center. Areas count of which both are known; where there are
// none, as in a dataset without population, it is a constant.
func (e *Engine) density(center geo.LatLng) float64 {
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
		return emptyDensity
	}
	return float64(people) / float64(geo.SquareMeters(land).SquareMiles())
}

// populationOf returns the residents and the square metres of land of the code
// at a position.
func (e *Engine) populationOf(set *pointSet, at int32) (people int32, land int64, ok bool) {
	var known [2]bool
	if n := set.numbers[at]; int(at) < set.zips {
		people, known[0] = e.data.ZIPPopulation(dataset.ZIP(n))
		land, known[1] = e.data.ZIPLand(dataset.ZIP(n))
	} else {
		people, known[0] = e.data.FSAPopulation(dataset.FSA(n))
		land, known[1] = e.data.FSALand(dataset.FSA(n))
	}
	return people, land, known == [2]bool{true, true}
}
