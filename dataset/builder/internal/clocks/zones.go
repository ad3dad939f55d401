// Package clocks decides the time zones of codes and reads their clock rules.
package clocks

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// byRule is the source of a zone that no outline gave.
const byRule = "state and county rules"

// zoneReach is the distance within which the nearest outline decides
// about a point outside every outline, such as on a pier.
const zoneReach = geo.Meters(20_000)

// zones gives each code with a point its time zone. The outline around the point
// decides, then the nearest outline within 20 km, then a rule. A zone from an
// outline names the release of the outlines as its source. Every zone names the
// release of its clock rules.
type zones struct {
	*plan.Env
	*draft.Draft
	Clocks *Clocks
}

// Decide decides the time zones of codes.
func (c *Clocks) Decide(ctx context.Context, e *plan.Env, d *draft.Draft) error {
	b := &zones{Env: e, Draft: d, Clocks: c}
	b.Zones.OutlineSource = zoneSource(b.Env, b.Clocks)
	decider := &zoneDecider{rules: newZoneRules(), areas: b.ZoneAreas, source: b.Zones.OutlineSource, byRule: byRule + ", " + b.Clocks.Source()}
	need := make([]store.Zone, 0, len(b.ZIPs.List)+len(b.FSAs.List)+len(b.Postal.Rows))
	decide := func(at geo.LatLng, rule func() string) {
		need = append(need, decider.zone(at, rule))
	}
	for _, z := range b.ZIPs.List {
		decide(z.Row.Location, func() string {
			return decider.rules.zip(z.Row.ZIP, z.State, b.Counties.FIPS(z.Row.County), z.Row.Location)
		})
	}
	for _, f := range b.FSAs.List {
		decide(f.Row.Location, func() string { return decider.rules.province(f.Province, f.Row.FSA, f.Row.Location) })
	}
	for i := range b.Postal.Rows {
		p := &b.Postal.Rows[i] // not a copy: another step writes other parts
		province := b.States.Abbr(p.Province)
		decide(p.Location, func() string { return decider.rules.province(province, p.Code.FSA(), p.Location) })
	}
	b.Zones.List = distinctZones(append(slices.Clone(need), b.ZoneShares.Zones(decider.source)...))
	if len(b.Zones.List) > math.MaxUint8 {
		return fmt.Errorf("%d time zones, at most %d can be stored", len(b.Zones.List), math.MaxUint8)
	}
	b.Zones.IDs = map[store.Zone]store.ZoneID{{}: 0}
	for i, z := range b.Zones.List {
		b.Zones.IDs[z] = store.ZoneID(i + 1)
	}
	n := 0
	next := func() store.ZoneID { n++; return b.Zones.IDs[need[n-1]] }
	for _, z := range b.ZIPs.List {
		z.Row.Zone = next()
	}
	for _, f := range b.FSAs.List {
		f.Row.Zone = next()
	}
	for i := range b.Postal.Rows {
		b.Postal.Rows[i].Zone = next()
	}
	return errors.Join(b.setRules(), ctx.Err())
}

// zoneDecider decides about one point at a time.
type zoneDecider struct {
	rules  *zoneRules
	areas  *shape.Areas // nil without outlines
	source string       // of zones that outlines give
	byRule string       // of zones that rules give
}

// zone returns the zone at the point, the zero Zone without a point or a rule.
func (d *zoneDecider) zone(at geo.LatLng, rule func() string) store.Zone {
	if !at.IsValid() {
		return store.Zone{}
	}
	byName := rule()
	if d.areas != nil {
		names := d.areas.At(at)
		switch {
		case len(names) == 1:
			return store.Zone{Name: names[0], Source: d.source}
		case slices.Contains(names, byName): // outlines of disputed areas overlap
			return store.Zone{Name: byName, Source: d.source}
		case len(names) > 1:
			return store.Zone{Name: names[0], Source: d.source}
		}
		if name := d.areas.Near(at, zoneReach); name != "" {
			return store.Zone{Name: name, Source: d.source}
		}
	}
	if byName == "" {
		return store.Zone{}
	}
	return store.Zone{Name: byName, Source: d.byRule}
}

// distinctZones returns the zones that are needed, by name and source.
func distinctZones(need []store.Zone) []store.Zone {
	seen := map[store.Zone]bool{{}: true}
	var zones []store.Zone
	for _, z := range need {
		if !seen[z] {
			seen[z] = true
			zones = append(zones, z)
		}
	}
	slices.SortFunc(zones, func(a, b store.Zone) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(a.Source, b.Source)
	})
	return zones
}

// Clocks are the clock rules of the tz database.
type Clocks struct {
	Rules   map[string]string // TZif files by zone
	Release string
}

// Source names the release.
func (c *Clocks) Source() string { return "tz database " + c.Release }

// Read reads the clock rules of all zones of the tz database. The release that
// the file names is the vintage of the source.
func (c *Clocks) Read(ctx context.Context, e *plan.Env, _ *draft.Draft) error {
	c.Rules = map[string]string{}
	rows := func(in *format.Input) iter.Seq2[source.ClockRow, error] { return source.Clocks(in, &c.Release) }
	err := plan.ReadText(ctx, e, catalog.Clocks, rows, func(r source.ClockRow) error {
		c.Rules[r.Zone] = r.Rules
		return nil
	})
	if err == nil && c.Release == "" {
		err = fmt.Errorf("%s: %s: no src/tzdata/zoneinfo/tzdata.zi with the name of the release", catalog.Clocks, e.FileName(catalog.Clocks))
	}
	if err == nil {
		e.Describe(catalog.Clocks, "", c.Release)
	}
	return err
}

func (b *zones) setRules() error {
	for i := range b.Zones.List {
		z := &b.Zones.List[i]
		rules, ok := b.Clocks.Rules[z.Name]
		if !ok {
			return fmt.Errorf("time zone %s: not in the %s; the outlines of time zones may be of a later release", z.Name, b.Clocks.Source())
		}
		z.Rules = rules
	}
	return nil
}

// countryZones are the time zones of each country by the tz database
// (zone.tab). Those of the United States include its territories and the freely
// associated states.
var countryZones = map[store.Country]string{
	store.US: "America/Adak America/Anchorage America/Boise America/Chicago America/Denver America/Detroit " +
		"America/Indiana/Indianapolis America/Indiana/Knox America/Indiana/Marengo America/Indiana/Petersburg " +
		"America/Indiana/Tell_City America/Indiana/Vevay America/Indiana/Vincennes America/Indiana/Winamac " +
		"America/Juneau America/Kentucky/Louisville America/Kentucky/Monticello America/Los_Angeles America/Menominee " +
		"America/Metlakatla America/New_York America/Nome America/North_Dakota/Beulah America/North_Dakota/Center " +
		"America/North_Dakota/New_Salem America/Phoenix America/Puerto_Rico America/Sitka America/St_Thomas " +
		"America/Yakutat Pacific/Chuuk Pacific/Guam Pacific/Honolulu Pacific/Kosrae Pacific/Kwajalein Pacific/Majuro " +
		"Pacific/Midway Pacific/Pago_Pago Pacific/Palau Pacific/Pohnpei Pacific/Saipan Pacific/Wake",
	store.CA: "America/Atikokan America/Blanc-Sablon America/Cambridge_Bay America/Creston America/Dawson " +
		"America/Dawson_Creek America/Edmonton America/Fort_Nelson America/Glace_Bay America/Goose_Bay America/Halifax " +
		"America/Inuvik America/Iqaluit America/Moncton America/Rankin_Inlet America/Regina America/Resolute " +
		"America/St_Johns America/Swift_Current America/Toronto America/Vancouver America/Whitehorse America/Winnipeg",
}

// ZonesOf returns the time zones of a country by name, ascending.
func ZonesOf(country store.Country) []string {
	names := strings.Fields(countryZones[country])
	slices.Sort(names)
	return names
}
