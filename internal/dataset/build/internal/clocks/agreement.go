package clocks

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/catalog"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
)

// agreement gives every row a time zone that holds a share of its area. A row
// whose zone has none takes the zone with the largest share: the code's
// addresses keep it. The post office or the city of such a row lies outside the
// area.
type agreement struct {
	*plan.Env
	Zones       *draft.Zones
	ZoneShares  *draft.ZoneShares
	ZIPOutlines *draft.ZIPOutlines
	FSAOutlines *draft.FSAOutlines
	ZIPs        *draft.ZIPs `reads:"zone" writes:"zone"`
	FSAs        *draft.FSAs `reads:"zone" writes:"zone"`
}

func (b *agreement) Run(context.Context) error {
	if !b.Wants(catalog.Boundaries) {
		return nil
	}
	for i, zip := range b.ZIPOutlines.Areas.Keys() {
		b.agree(&b.ZIPs.At[zip].Row.Zone, b.ZoneShares.ZIPs[i], zip)
	}
	for i, fsa := range b.FSAOutlines.Areas.Keys() {
		b.agree(&b.FSAs.At[fsa].Row.Zone, b.ZoneShares.FSAs[i], fsa)
	}
	return nil
}

func (b *agreement) agree(zone *dataset.ZoneID, shares draft.ZoneParts, code fmt.Stringer) {
	before := *zone
	var gave string
	if *zone, gave = agree(b.Zones, shares, before); gave != "" {
		b.Applied("time zone of the point that holds no share of the outline gives way to the largest share", code.String()+": "+gave)
	}
}

// agree returns the zone of a code whose area has the shares, and both zones if
// the code's own gave way.
func agree(zones *draft.Zones, shares draft.ZoneParts, zone dataset.ZoneID) (id dataset.ZoneID, gave string) {
	if len(shares) == 0 {
		return zone, ""
	}
	primary := ""
	if zone != 0 {
		primary = zones.List[zone-1].Name
	}
	if at := slices.IndexFunc(shares, func(p draft.ZonePart) bool { return p.Zone == primary }); at >= 0 {
		return zones.Of(shares[at]), ""
	}
	largest := slices.MaxFunc(shares, func(p, q draft.ZonePart) int { return cmp.Compare(p.Tenths, q.Tenths) })
	return zones.Of(largest), cmp.Or(primary, "none") + " to " + largest.Zone
}
