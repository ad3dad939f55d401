package build

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
)

// byRule is the source of a zone that no outline gave.
const byRule = "state and county rules"

// zoneReach is how far, in metres, a point may lie outside every outline, such
// as on a pier or a ship's berth, for the nearest outline to decide.
const zoneReach = 20_000

// deriveZones gives each code with a point its time zone: of the outline that
// contains the point, of the nearest within 20 km, else by rule. The zone that
// an outline gives names the release of the outlines as its source, and every
// zone that of its clock rules.
func deriveZones(ctx context.Context, b *builder) error {
	d := &zoneDecider{rules: newZoneRules(), areas: b.tables.zoneAreas, source: b.zoneSource(), byRule: byRule + ", " + b.clockSource()}
	t := &b.tables
	need := make([]dataset.Zone, 0, len(t.zips)+len(t.fsas)+len(t.postal))
	decide := func(at geo.LatLng, rule func() string) {
		need = append(need, d.zone(at, rule))
	}
	for _, z := range t.zips {
		need = append(need, b.zoneOf(z, d))
	}
	for _, f := range t.fsas {
		decide(f.row.Location, func() string { return d.rules.province(f.province, f.row.FSA, f.row.Location) })
	}
	for _, p := range t.postal {
		province := t.states[p.Province-1].Abbr
		decide(p.Location, func() string { return d.rules.province(province, p.Code.FSA(), p.Location) })
	}
	t.zones = distinctZones(append(slices.Clone(need), t.bounds.zonesInShares(d.source)...))
	if len(t.zones) > math.MaxUint8 {
		return fmt.Errorf("%d time zones, at most %d can be stored", len(t.zones), math.MaxUint8)
	}
	t.zoneIDs = map[dataset.Zone]dataset.ZoneID{{}: 0}
	for i, z := range t.zones {
		t.zoneIDs[z] = dataset.ZoneID(i + 1)
	}
	n := 0
	next := func() dataset.ZoneID { n++; return t.zoneIDs[need[n-1]] }
	for _, z := range t.zips {
		z.row.Zone = next()
	}
	for _, f := range t.fsas {
		f.row.Zone = next()
	}
	for i := range t.postal {
		t.postal[i].Zone = next()
	}
	return errors.Join(b.setRules(), ctx.Err())
}

// zoneOf decides the zone of a ZIP. Where its post office and the middle of its
// area lie in different zones, the one that the rules name is taken, which follow
// the county and the law, else that of the post office.
func (b *builder) zoneOf(z *zipDraft, d *zoneDecider) dataset.Zone {
	rule := func() string {
		county := ""
		if z.row.County != 0 {
			county = b.tables.counties[z.row.County-1].FIPS
		}
		return d.rules.zip(z.row.ZIP, z.state, county, z.at())
	}
	post, middle := d.zone(z.at(), rule), d.zone(z.row.Location, rule)
	if post.Name == middle.Name {
		return post
	}
	b.report.applied("post office and middle of the area in different time zones", z.row.ZIP.String()+" "+z.row.City)
	if middle.Name == rule() {
		return middle
	}
	return post
}

// zoneDecider decides about one point at a time.
type zoneDecider struct {
	rules  *zoneRules
	areas  *areas // nil without outlines
	source string // of zones that outlines give
	byRule string // of zones that rules give
}

// zone returns the zone at the point; the zero Zone where there is no point or
// nothing decides.
func (d *zoneDecider) zone(at geo.LatLng, rule func() string) dataset.Zone {
	if !at.IsValid() {
		return dataset.Zone{}
	}
	byName := rule()
	if d.areas != nil {
		names := d.areas.at(at)
		switch {
		case len(names) == 1:
			return dataset.Zone{Name: names[0], Source: d.source}
		case slices.Contains(names, byName): // outlines overlap where the zone is disputed
			return dataset.Zone{Name: byName, Source: d.source}
		case len(names) > 1:
			return dataset.Zone{Name: names[0], Source: d.source}
		}
		if name := d.areas.near(at, zoneReach); name != "" {
			return dataset.Zone{Name: name, Source: d.source}
		}
	}
	if byName == "" {
		return dataset.Zone{}
	}
	return dataset.Zone{Name: byName, Source: d.byRule}
}

// distinctZones returns the zones that are needed, by name and source.
func distinctZones(need []dataset.Zone) []dataset.Zone {
	seen := map[dataset.Zone]bool{{}: true}
	var zones []dataset.Zone
	for _, z := range need {
		if !seen[z] {
			seen[z] = true
			zones = append(zones, z)
		}
	}
	slices.SortFunc(zones, func(a, b dataset.Zone) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Source, b.Source)
	})
	return zones
}
