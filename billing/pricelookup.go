package billing

import (
	"errors"
	"slices"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// ForQuickLookup prices a delivered quick-zip record. The base is 2 for a ZIP+4,
// else 1. The time zone and the resolution of a coordinate cost the base again.
func ForQuickLookup(r *lookup.QuickRecord) Cost {
	var flags []string
	if r.Timezone != nil {
		flags = append(flags, "timezone")
	}
	if resolved(r.Notices) {
		flags = append(flags, reverseGeocode)
	}
	return product(quickBase(r.CodeType), flags)
}

// ForQuickLookupError prices a failed quick-zip call: 1 for an unknown code, 2 for
// coordinates outside every area. All other errors are free, also for coordinates
// in a dataset without areas.
func ForQuickLookupError(err error) Cost {
	if e := fault.As(err); e != nil && e.Kind == fault.NotFound && e.Thing == fault.Coordinates {
		return product(1, []string{reverseGeocode})
	}
	return ForError(err)
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
	delivered := r.Delivered()
	delivered.Quality = false
	flags := delivered.Flags()
	if resolved(r.Notices) {
		flags = append(flags, reverseGeocode)
	}
	return sum(1, flags)
}

// QuoteLookup returns the maximum price of a full lookup. Canadian codes are not
// charged for flags that Canada never has.
func QuoteLookup(c lookup.Code, inc lookup.Include) Cost {
	if !c.IsValid() {
		return Cost{}
	}
	if t := c.Type(); t == lookup.FSA || t == lookup.Postal {
		inc = lookup.Include{Timezone: inc.Timezone, Census: inc.Census, CongressionalDistrict: inc.CongressionalDistrict, Layers: inc.Layers}
	}
	inc.Quality = false
	flags := inc.Flags()
	if c.Type() == lookup.Coordinates {
		flags = append(flags, reverseGeocode)
	}
	return sum(1, flags)
}

// ForDistance prices a delivered distance: 1 per pair.
func ForDistance(*radius.DistanceResult) Cost { return QuoteDistance() }

// QuoteDistance returns the price of a pair.
func QuoteDistance() Cost { return sum(1, nil) }

// resolved reports whether a record came from a coordinate.
func resolved(notices []envelope.Notice) bool {
	return slices.ContainsFunc(notices, func(n envelope.Notice) bool { return n.Code == envelope.ReverseGeocode })
}

// ForError prices a failed lookup, distance, radius or reverse search: 1 for an
// unknown code or for coordinates without an area or address, else 0.
func ForError(err error) Cost {
	if !errors.Is(err, fault.ErrNotFound) {
		return Cost{}
	}
	c := sum(1, nil)
	c.Note = "not found"
	return c
}
