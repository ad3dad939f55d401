package billing

import (
	"math"
	"slices"
)

// A RadiusSearch is what the price of a radius search depends on.
type RadiusSearch struct {
	Miles   float64  // the radius; of an automatic one the resolved value, or the most it can become
	Spatial bool     // spatial mode; false is centroid mode
	Auto    bool     // the radius was resolved from density or commuting
	Flags   []string // timezone and ACS flags; repetitions count once
}

// The miles that one credit covers.
const (
	centroidMilesPerCredit = 100.0
	spatialMilesPerCredit  = 50.0
)

// QuoteRadius is what a radius search costs: a credit for every 100 miles or
// part of them (50 in spatial mode), times 1 plus the distinct flags and the
// automatic radius. Matches cost nothing.
func QuoteRadius(s RadiusSearch) Cost {
	miles := centroidMilesPerCredit
	if s.Spatial {
		miles = spatialMilesPerCredit
	}
	var flags []string
	for _, f := range s.Flags {
		if !slices.Contains(flags, f) {
			flags = append(flags, f)
		}
	}
	if s.Auto {
		flags = append(flags, AutoRadius)
	}
	return product(max(1, int(math.Ceil(s.Miles/miles))), flags)
}

// The bands of suggest's effective limit, each up to its number of
// suggestions. Above the last one a call costs suggestAbove.
var suggestBands = [...]struct{ limit, credits int }{{15, 1}, {50, 2}, {150, 3}}

const suggestAbove = 5

// QuoteSuggest is what suggestions cost, by the limit that is in effect.
func QuoteSuggest(limit int) Cost {
	for _, band := range suggestBands {
		if limit <= band.limit {
			return sum(band.credits, nil)
		}
	}
	return sum(suggestAbove, nil)
}

// An AddressMatch is what the price of an address match depends on.
type AddressMatch struct {
	Coordinates bool     // requested; charged without a match too
	Flags       []string // boundary flags and tract tags: requested for a quote, delivered for a price; each once
}

// QuoteAddress is what an address match costs: 1, the requested coordinates,
// and every boundary flag and tract tag. An address without a match has no
// flags delivered.
func QuoteAddress(m AddressMatch) Cost {
	var flags []string
	if m.Coordinates {
		flags = append(flags, "coordinates")
	}
	return sum(1, append(flags, m.Flags...))
}
