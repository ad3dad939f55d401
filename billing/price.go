package billing

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// reverseGeocode is the name of the charge for resolving a coordinate to a code.
const reverseGeocode = "reverse_geocode"

// autoRadius is the name of the charge for an automatic radius.
const autoRadius = "auto_radius"

// A Cost is a price in credits and how it came about. Used is Base plus the
// credits of the enrichments. The zero Cost is free.
type Cost struct {
	Base        int          // price without enrichments
	Enrichments []Enrichment // in the order of the contract
	Used        int          // total price
	Calculation string       // e.g. "2 base x (1 + 1 timezone) = 4"; "" if there is nothing to calculate
	Note        string       // explains the price; "" for most
}

// An Enrichment is the price of one flag.
type Enrichment struct {
	Flag    string // e.g. "timezone"
	Credits int    // its price
}

// A price is computed twice. Before the work the requested flags give the maximum, which is
// reserved (Quote functions). After it the delivered flags give the price (For functions),
// since unavailable enrichments are free; it never exceeds the quote. Both use the formulas
// below, whose texts have the form of decision D16.

// product returns base × (1 + the number of flags); each flag is charged base.
func product(base int, flags []string) Cost {
	return priced(base, base, flags, " base x (1", ")")
}

// sum returns base + the number of flags; each flag is charged 1.
func sum(base int, flags ...string) Cost { return priced(base, 1, flags, " base", "") }

// priced returns base + each times the number of flags.
func priced(base, each int, flags []string, begin, end string) Cost {
	c := Cost{Base: base, Used: base + each*len(flags)}
	switch {
	case len(flags) == 0 && base == 1: // most calls
		c.Calculation = "1 base = 1"
		return c
	case len(flags) == 0:
		begin, end = " base", ""
	}
	c.Enrichments = make([]Enrichment, 0, len(flags))
	text := make([]byte, 0, 256)
	text = append(strconv.AppendInt(text, int64(base), 10), begin...)
	for _, f := range flags {
		c.Enrichments = append(c.Enrichments, Enrichment{Flag: f, Credits: each})
		text = append(append(text, " + 1 "...), f...)
	}
	text = append(append(text, end...), " = "...)
	c.Calculation = string(strconv.AppendInt(text, int64(c.Used), 10))
	return c
}

// Sum adds the costs of the items of a batch, duplicates included, as the contract bills
// them. The enrichments of one flag are added up, in the order of their first
// appearance.
func Sum(costs ...Cost) Cost {
	var total Cost
	index := map[string]int{}
	for _, c := range costs {
		total.Base += c.Base
		total.Used += c.Used
		for _, e := range c.Enrichments {
			i, ok := index[e.Flag]
			if !ok {
				i = len(total.Enrichments)
				index[e.Flag] = i
				total.Enrichments = append(total.Enrichments, Enrichment{Flag: e.Flag})
			}
			total.Enrichments[i].Credits += e.Credits
		}
	}
	total.Calculation = strconv.Itoa(len(costs)) + " items = " + strconv.Itoa(total.Used)
	if len(costs) == 1 {
		total.Calculation = "1 item = " + strconv.Itoa(total.Used)
	}
	return total
}

// ForQuickLookup prices the result of a quick lookup. The base is 2 for a ZIP+4, else 1.
// The time zone and the resolution of a coordinate cost the base again. An unknown code
// costs 1, and coordinates outside every area 2. Other errors are free, also for
// coordinates in a dataset without areas.
func ForQuickLookup(r *lookup.QuickRecord, err error) Cost {
	if err != nil {
		if e := envelope.AsFailure(err); e != nil && e.Kind == envelope.KindNotFound && e.Thing == envelope.ThingCoordinates {
			return product(1, []string{reverseGeocode})
		}
		return ForError(err)
	}
	var flags []string
	if r.Timezone != nil {
		flags = append(flags, "timezone")
	}
	if resolved(r.Notices) {
		flags = append(flags, reverseGeocode)
	}
	return product(quickBase(r.CodeType), flags)
}

// QuoteQuickLookup returns the maximum price of a quick lookup. A coordinate
// counts as a ZIP or an FSA.
func QuoteQuickLookup(c lookup.Code, timezone bool) Cost {
	if !c.IsValid() {
		return Cost{}
	}
	var flags []string
	if timezone {
		flags = append(flags, "timezone")
	}
	if c.Type() == lookup.Coordinates {
		flags = append(flags, reverseGeocode)
	}
	return product(quickBase(c.Type()), flags)
}

func quickBase(t lookup.CodeType) int {
	if t == lookup.ZIP4 {
		return 2
	}
	return 1
}

// ForLookup prices a delivered full record: 1, plus 1 for each enrichment and for
// the resolution of a coordinate. Quality is free.
func ForLookup(r *lookup.Record) Cost {
	flags := slices.DeleteFunc(r.Delivered(), func(flag string) bool { return flag == "quality" })
	if resolved(r.Notices) {
		flags = append(flags, reverseGeocode)
	}
	return sum(1, flags...)
}

// QuoteLookup returns the maximum price of a full lookup. Canadian codes are not
// charged for flags that Canada never has.
func QuoteLookup(c lookup.Code, opt lookup.Options) Cost {
	inc := &opt.Include
	if !c.IsValid() {
		return Cost{}
	}
	// Not for coordinates: they may resolve to a ZIP Code, and a quote is a maximum.
	if t := c.Type(); t == lookup.FSA || t == lookup.Postal {
		opt.Include = lookup.Include{Timezone: inc.Timezone, Census: inc.Census, CongressionalDistrict: inc.CongressionalDistrict, Layers: inc.Layers}
	}
	inc.Quality = false
	flags := opt.Flags()
	if c.Type() == lookup.Coordinates {
		flags = append(flags, reverseGeocode)
	}
	return sum(1, flags...)
}

// QuoteDistance returns the price of a pair, which is 1.
func QuoteDistance() Cost { return sum(1) }

// resolved reports whether a record came from a coordinate.
func resolved(notices []envelope.Notice) bool {
	return slices.ContainsFunc(notices, func(n envelope.Notice) bool { return n.Code == envelope.ReverseGeocode })
}

// ForError prices a failed lookup, distance, radius or reverse search: 1 for an
// unknown code or for coordinates without an area or address, else 0.
func ForError(err error) Cost {
	if !errors.Is(err, envelope.ErrNotFound) {
		return Cost{}
	}
	c := sum(1)
	c.Note = "not found"
	return c
}

// A RadiusSearch has the parameters that determine the price of a radius search.
type RadiusSearch struct {
	Miles   geo.Miles // the radius; of an automatic one the resolved value, or its maximum
	Spatial bool      // spatial mode; false is centroid mode
	Auto    bool      // the radius was resolved from density or commuting
	Flags   []string  // timezone and ACS flags; repetitions count once
}

// The miles that one credit covers.
const (
	centroidMilesPerCredit geo.Miles = 100
	spatialMilesPerCredit  geo.Miles = 50
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
	return product(max(1, int(math.Ceil(float64(s.Miles/miles)))), flags)
}

// The bands of suggest's effective limit, each up to its number of suggestions.
// Above the last band a call costs suggestAbove.
var suggestBands = [...]struct{ limit, credits int }{{15, 1}, {50, 2}, {150, 3}}

const suggestAbove = 5

// QuoteSuggest returns the price of suggestions with the effective limit.
func QuoteSuggest(limit int) Cost {
	for _, band := range suggestBands {
		if limit <= band.limit {
			return sum(band.credits)
		}
	}
	return sum(suggestAbove)
}

// QuoteAddress returns the price of an address match: 1, plus the requested
// coordinates, plus every boundary flag and tract tag. A position and the address at a
// position cost the same, without coordinates. A quote takes the requested flags, a price
// the delivered ones.
func QuoteAddress(coordinates bool, flags ...string) Cost {
	if coordinates {
		flags = append([]string{"coordinates"}, flags...)
	}
	return sum(1, flags...)
}

// ForRadius prices a delivered search by its resolved radius and delivered flags.
// Matches are free.
func ForRadius(r *radius.Result) Cost {
	return QuoteRadius(RadiusSearch{
		Miles:   r.Search.Max,
		Spatial: r.Search.Mode == radius.Spatial,
		Auto:    r.Search.AutoMode != "",
		Flags:   r.Delivered,
	})
}

// ForAddress prices the result of an address match: 1, plus requested coordinates, plus
// the delivered enrichments. An address that was parsed but not matched delivers none.
// Other errors are free.
func ForAddress(coordinates bool, m *address.Match, err error) Cost {
	switch {
	case err != nil && !address.Unmatched(err):
		return Cost{}
	case m == nil || m.Data == nil:
		return QuoteAddress(coordinates)
	default:
		return QuoteAddress(coordinates, m.Data.Delivered...)
	}
}

// polygonVertices is the number of vertices of a polygon that one credit pays.
const polygonVertices = 2000

// QuotePolygon returns the price of a search in a polygon by the number of its
// vertices: 1 for every 2,000, and 1 at least.
func QuotePolygon(vertices int) Cost {
	return sum(max(1, (vertices+polygonVertices-1)/polygonVertices))
}
