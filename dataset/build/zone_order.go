package build

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
)

// orderZones makes the time zone of a code and the shares of its area agree.
// The zone of the row comes first among the shares, the others by share. Where
// it has none, as the post office or the city lies outside the area, beyond a
// border of zones or of the country, the row takes the zone with the largest
// share: it is the one that the code's addresses keep.
func (s *boundaries) orderZones(b *builder) {
	for i, zip := range s.zips.keys() {
		z := b.tables.zipAt[zip]
		z.row.Zone = b.agree(s.zipZones[i], z.row.Zone, zip)
	}
	for i, fsa := range s.fsas.keys() {
		f := b.tables.fsaAt[fsa]
		f.row.Zone = b.agree(s.fsaZones[i], f.row.Zone, fsa)
	}
}

// agree puts the shares of a code in order and returns its zone.
func (b *builder) agree(shares zoneShares, zone dataset.ZoneID, code fmt.Stringer) dataset.ZoneID {
	if len(shares) == 0 {
		return zone
	}
	primary := ""
	if zone != 0 {
		primary = b.tables.zones[zone-1].Name
	}
	slices.SortStableFunc(shares, func(p, q zoneShare) int { return cmp.Compare(q.tenths, p.tenths) })
	at := slices.IndexFunc(shares, func(p zoneShare) bool { return p.zone == primary })
	switch {
	case at > 0:
		p := shares[at]
		copy(shares[1:], shares[:at])
		shares[0] = p
	case at < 0:
		b.report.applied("time zone of the point that holds no share of the outline gives way to the largest share",
			fmt.Sprintf("%s: %s to %s", code, cmp.Or(primary, "none"), shares[0].zone))
	}
	return b.zoneID(shares[0])
}

// zoneID returns the zone of a share.
func (b *builder) zoneID(p zoneShare) dataset.ZoneID {
	return b.tables.zoneIDs[dataset.Zone{Name: p.zone, Source: b.zoneSource()}]
}
