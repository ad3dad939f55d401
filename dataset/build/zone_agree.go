package build

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
)

// agreeZones gives every row a time zone that holds a share of its area. A row
// whose zone has none, as the post office or the city lies outside the area,
// beyond a border of zones or of the country, takes the zone with the largest
// share: it is the one that the code's addresses keep.
func (s *boundaries) agreeZones(b *builder) {
	for i, zip := range s.zips.keys() {
		z := b.tables.zipAt[zip]
		z.row.Zone = b.agree(s.zipZones[i], z.row.Zone, zip)
	}
	for i, fsa := range s.fsas.keys() {
		f := b.tables.fsaAt[fsa]
		f.row.Zone = b.agree(s.fsaZones[i], f.row.Zone, fsa)
	}
}

// agree returns the zone of a code whose area has the shares.
func (b *builder) agree(shares zoneShares, zone dataset.ZoneID, code fmt.Stringer) dataset.ZoneID {
	if len(shares) == 0 {
		return zone
	}
	primary := ""
	if zone != 0 {
		primary = b.tables.zones[zone-1].Name
	}
	if at := slices.IndexFunc(shares, func(p zoneShare) bool { return p.zone == primary }); at >= 0 {
		return b.zoneID(shares[at])
	}
	largest := slices.MaxFunc(shares, func(p, q zoneShare) int { return cmp.Compare(p.tenths, q.tenths) })
	b.report.applied("time zone of the point that holds no share of the outline gives way to the largest share",
		fmt.Sprintf("%s: %s to %s", code, cmp.Or(primary, "none"), largest.zone))
	return b.zoneID(largest)
}

// zoneID returns the zone of a share.
func (b *builder) zoneID(p zoneShare) dataset.ZoneID {
	return b.tables.zoneIDs[dataset.Zone{Name: p.zone, Source: b.zoneSource()}]
}
