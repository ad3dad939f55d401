package billing

import (
	"math"
	"slices"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/radius"
)

// A RadiusSearch has the parameters that determine the price of a radius search.
type RadiusSearch struct {
	Miles   float64  // the radius; of an automatic one the resolved value, or its maximum
	Spatial bool     // spatial mode; false is centroid mode
	Auto    bool     // the radius was resolved from density or commuting
	Flags   []string // timezone and ACS flags; repetitions count once
}

// The miles that one credit covers.
const (
	centroidMilesPerCredit = 100.0
	spatialMilesPerCredit  = 50.0
)

// QuoteRadius returns the price of a radius search. Every 100 miles or part of
// them (50 in spatial mode) cost a credit, times 1 plus the distinct flags and the
// automatic radius. Matches are free.
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
		flags = append(flags, autoRadius)
	}
	return product(max(1, int(math.Ceil(s.Miles/miles))), flags)
}

// The bands of suggest's effective limit, each up to its number of suggestions.
// Above the last band a call costs suggestAbove.
var suggestBands = [...]struct{ limit, credits int }{{15, 1}, {50, 2}, {150, 3}}

const suggestAbove = 5

// QuoteSuggest returns the price of suggestions with the effective limit.
func QuoteSuggest(limit int) Cost {
	for _, band := range suggestBands {
		if limit <= band.limit {
			return sum(band.credits, nil)
		}
	}
	return sum(suggestAbove, nil)
}

// An AddressMatch has the parameters that determine the price of an address match.
type AddressMatch struct {
	Coordinates bool     // requested; charged without a match too
	Flags       []string // boundary flags and tract tags: requested for a quote, delivered for a price; each once
}

// QuoteGeocode returns the price of a position, or of the address at a position: 1,
// plus every boundary flag and tract tag. A quote takes the requested flags, a price
// the delivered ones. ForAddressError and ForError price failures.
func QuoteGeocode(flags ...string) Cost { return sum(1, flags) }

// QuoteAddress returns the price of an address match: 1, plus the requested
// coordinates, plus every boundary flag and tract tag. An address without a match
// delivers no flags.
func QuoteAddress(m AddressMatch) Cost {
	var flags []string
	if m.Coordinates {
		flags = append(flags, "coordinates")
	}
	return sum(1, append(flags, m.Flags...))
}

// ForRadius prices a delivered search by its resolved radius and delivered flags.
// Matches are free.
func ForRadius(r *radius.Result) Cost {
	return QuoteRadius(RadiusSearch{
		Miles:   float64(r.Search.Max),
		Spatial: r.Search.Mode == radius.Spatial,
		Auto:    r.Search.AutoMode != "",
		Flags:   r.Delivered,
	})
}

// QuoteRadiusOptions returns the maximum price of a search.
func QuoteRadiusOptions(opt radius.Options) Cost {
	s := RadiusSearch{Miles: float64(opt.Max), Spatial: opt.Mode == radius.Spatial, Auto: opt.Auto != ""}
	if s.Auto {
		s.Miles = float64(opt.Auto.MaxMiles())
	}
	s.Flags = opt.Include.Flags()
	return QuoteRadius(s)
}

// ForAddress prices a matched address: 1, plus requested coordinates, plus the
// delivered enrichments.
func ForAddress(coordinates bool, m *address.Match) Cost {
	return QuoteAddress(AddressMatch{Coordinates: coordinates, Flags: m.Delivered()})
}

// ForAddressError prices an address that was parsed but not matched: 1, plus
// requested coordinates. Other errors are free.
func ForAddressError(coordinates bool, err error) Cost {
	if !address.Unmatched(err) {
		return Cost{}
	}
	return QuoteAddress(AddressMatch{Coordinates: coordinates})
}

// polygonVertices is the number of vertices of a polygon that one credit pays.
const polygonVertices = 2000

// QuotePolygon returns the price of a search in a polygon by the number of its
// vertices: 1 for every 2,000, and 1 at least.
func QuotePolygon(vertices int) Cost {
	return sum(max(1, (vertices+polygonVertices-1)/polygonVertices), nil)
}
