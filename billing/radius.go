package billing

import (
	"github.com/postgeo/postgeo/radius"
)

// ForRadius prices a delivered search by its resolved radius and by the flags
// that were served. Matches cost nothing.
func ForRadius(r *radius.Result) Cost {
	return QuoteRadius(RadiusSearch{
		Miles:   float64(r.Search.Max),
		Spatial: r.Search.Mode == radius.Spatial,
		Auto:    r.Search.AutoMode != 0,
		Flags:   r.Delivered,
	})
}

// ForRadiusError prices a search that was not delivered: 1 for an unknown
// center, nothing for everything else.
func ForRadiusError(err error) Cost { return notFound(err) }

// QuoteRadiusOptions is the most that a search can cost.
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
