package billing

import (
	"errors"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// ForQuickLookup prices a delivered quick-zip record: its base, 2 for a ZIP+4
// and 1 for every other kind, times 1 plus the time zone and the resolution of
// a coordinate.
func ForQuickLookup(r *lookup.QuickRecord) Cost {
	var flags []string
	if r.Timezone != nil {
		flags = append(flags, "timezone")
	}
	if resolved(r.Notices) {
		flags = append(flags, ReverseGeocode)
	}
	return product(quickBase(r.CodeType), flags)
}

// ForQuickLookupError prices a quick-zip call that delivered nothing: 1 for a
// code that does not exist, 2 for coordinates outside every area, nothing for
// everything else, coordinates in a dataset without areas included.
func ForQuickLookupError(err error) Cost {
	if e := fault.As(err); e != nil && e.Kind == fault.NotFound && e.Thing == fault.Coordinates {
		return product(1, []string{ReverseGeocode})
	}
	return notFound(err)
}

// QuoteQuickLookup is the most that a quick lookup of the code can cost. A
// coordinate is taken to lead to a ZIP or an FSA.
func QuoteQuickLookup(c lookup.Code, timezone bool) Cost {
	if !c.IsValid() {
		return Cost{}
	}
	var flags []string
	if timezone {
		flags = append(flags, "timezone")
	}
	if c.Type() == lookup.Coordinates {
		flags = append(flags, ReverseGeocode)
	}
	return product(quickBase(c.Type()), flags)
}

// quickBase is the base price of a quick lookup.
func quickBase(t lookup.CodeType) int {
	if t == lookup.ZIP4 {
		return 2
	}
	return 1
}

// ForLookup prices a delivered full record: 1, and 1 for each enrichment that
// it carries and for the resolution of a coordinate. Its quality is free.
func ForLookup(r *lookup.Record) Cost {
	delivered := r.Delivered()
	delivered.Quality = false
	flags := delivered.Flags()
	if resolved(r.Notices) {
		flags = append(flags, ReverseGeocode)
	}
	return sum(1, flags)
}

// ForLookupError prices a full lookup that delivered nothing: 1 for a code
// that does not exist and for coordinates without an area, nothing for
// everything else.
func ForLookupError(err error) Cost { return notFound(err) }

// QuoteLookup is the most that a full lookup of the code can cost. Flags that
// Canada never has are left out for Canadian codes.
func QuoteLookup(c lookup.Code, inc lookup.Include) Cost {
	if !c.IsValid() {
		return Cost{}
	}
	if t := c.Type(); t == lookup.FSA || t == lookup.Postal {
		inc = lookup.Include{Timezone: inc.Timezone, Census: inc.Census, CongressionalDistrict: inc.CongressionalDistrict}
	}
	inc.Quality = false
	flags := inc.Flags()
	if c.Type() == lookup.Coordinates {
		flags = append(flags, ReverseGeocode)
	}
	return sum(1, flags)
}

// ForDistance prices a delivered distance: 1 a pair.
func ForDistance(*radius.DistanceResult) Cost { return QuoteDistance() }

// ForDistanceError prices a distance that was not delivered: 1 for an unknown
// end, nothing for everything else.
func ForDistanceError(err error) Cost { return notFound(err) }

// QuoteDistance is what a pair costs.
func QuoteDistance() Cost { return sum(1, nil) }

// resolved reports whether a record came from a coordinate.
func resolved(notices []envelope.Notice) bool {
	for i := range notices {
		if notices[i].Code == envelope.ReverseGeocode {
			return true
		}
	}
	return false
}

// notFound prices a failure: 1 when a well-formed code does not exist.
func notFound(err error) Cost {
	if !errors.Is(err, fault.ErrNotFound) {
		return Cost{}
	}
	c := sum(1, nil)
	c.Note = "not found"
	return c
}
