package draft

import (
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
)

// Zones are the time zones of the dataset, ascending by name.
type Zones struct {
	List          []dataset.Zone
	IDs           map[dataset.Zone]dataset.ZoneID // without rules
	OutlineSource string                          // releases of the outlines and of the clock rules
}

// Of returns the zone of a part of an area.
func (z *Zones) Of(p ZonePart) dataset.ZoneID {
	return z.IDs[dataset.Zone{Name: p.Zone, Source: z.OutlineSource}]
}

// ZoneShares are the shares of time zones, by the keys of the outlines.
type ZoneShares struct {
	ZIPs, FSAs []ZoneParts
}

// Zones returns the zones that hold a share of any area.
func (s *ZoneShares) Zones(source string) []dataset.Zone {
	var zones []dataset.Zone
	for _, shares := range slices.Concat(s.ZIPs, s.FSAs) {
		for _, p := range shares {
			zones = append(zones, dataset.Zone{Name: p.Zone, Source: source})
		}
	}
	return zones
}

// ZoneParts are the parts of a code's area in each time zone, in tenths of a
// percent of the area that time zones cover. They add up to 1000; nil if no zone
// covers any.
type ZoneParts []ZonePart

// A ZonePart is a part of an area in tenths of a percent.
type ZonePart struct {
	Zone   string
	Tenths int
}
