package price

import (
	"github.com/postgeo/postgeo/internal/radius"
)

// ForRadius prices a delivered search by its resolved radius and delivered flags.
// Matches are free.
func ForRadius(r *radius.Result) Cost {
	return QuoteRadius(RadiusSearch{
		Miles:   float64(r.Search.Max),
		Spatial: r.Search.Mode == radius.Spatial,
		Auto:    r.Search.AutoMode != 0,
		Flags:   r.Delivered,
	})
}

// QuoteRadiusOptions returns the maximum price of a search.
func QuoteRadiusOptions(opt radius.Options) Cost {
	s := RadiusSearch{Miles: float64(opt.Max), Spatial: opt.Mode == radius.Spatial, Auto: opt.Auto != 0}
	if s.Auto {
		s.Miles = float64(opt.Auto.MaxMiles())
	}
	if opt.Include.Timezone {
		s.Flags = append(s.Flags, "timezone")
	}
	for _, t := range opt.Include.ACS {
		s.Flags = append(s.Flags, t.String())
	}
	return QuoteRadius(s)
}
