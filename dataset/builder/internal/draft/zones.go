package draft

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// zoneReach is the distance within which the nearest outline decides
// about a point outside every outline, such as on a pier.
const zoneReach = geo.Meters(20_000)

// islandZones are the zones of islands of the Pacific, by state or ZIP Code, if the file of
// outlines lacks them.
var islandZones = map[string]string{
	"PW": "Pacific/Palau", "MH": "Pacific/Majuro", "96970": "Pacific/Kwajalein", "96898": "Pacific/Wake",
	"96941": "Pacific/Pohnpei", "96942": "Pacific/Chuuk", "96943": "Pacific/Chuuk", "96944": "Pacific/Kosrae",
}

// byRule is the source of a zone that no outline gave.
const byRule = "state and county rules"

// DecideZones gives each code with a point its time zone: that of the outline around the
// point, else of the nearest outline within 20 km. A zone names the release of the outlines
// and that of its clock rules as its source. Without outlines no code has a zone.
func (d *Draft) DecideZones(ctx context.Context) error {
	if d.ZoneAreas == nil {
		return nil
	}
	d.Zones.OutlineSource = d.zoneSource()
	need := map[store.Zone]bool{}
	for _, z := range d.ZoneShares.Zones(d.Zones.OutlineSource) {
		need[z] = true
	}
	zoneAt := func(at geo.LatLng) (z store.Zone) {
		if !at.IsValid() {
			return z
		}
		name := d.ZoneAreas.First(at)
		if name == "" {
			name = d.ZoneAreas.Near(at, zoneReach)
		}
		if name != "" {
			z = store.Zone{Name: name, Source: d.Zones.OutlineSource}
			need[z] = true
		}
		return z
	}
	zips := make([]store.Zone, len(d.ZIPs.List))
	for i, z := range d.ZIPs.List {
		zips[i] = zoneAt(z.Row.Location)
		island := cmp.Or(islandZones[z.Row.ZIP.String()], islandZones[z.State])
		if zips[i] == (store.Zone{}) && island != "" && z.Row.Location.IsValid() {
			zips[i] = store.Zone{Name: island, Source: byRule + ", " + d.clocks.source()}
			need[zips[i]] = true
		}
	}
	fsas := make([]store.Zone, len(d.FSAs.List))
	for i, f := range d.FSAs.List {
		fsas[i] = zoneAt(f.Row.Location)
	}
	postal := make([]store.Zone, len(d.Postal.Rows))
	for i := range postal {
		postal[i] = zoneAt(d.Postal.Rows[i].Location)
	}
	if len(need) > math.MaxUint8 {
		return fmt.Errorf("%d time zones, at most %d can be stored", len(need), math.MaxUint8)
	}
	d.Zones.List = slices.SortedFunc(maps.Keys(need), func(a, b store.Zone) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Source, b.Source))
	})
	d.Zones.IDs = map[store.Zone]store.ZoneID{{}: 0}
	for i, z := range d.Zones.List {
		d.Zones.IDs[z] = store.ZoneID(i + 1)
		rules, ok := d.clocks.rules[z.Name]
		if !ok {
			return fmt.Errorf("time zone %s: not in the %s; the outlines of time zones may be of a later release", z.Name, d.clocks.source())
		}
		d.Zones.List[i].Rules = rules
	}
	for i, z := range d.ZIPs.List {
		z.Row.Zone = d.Zones.IDs[zips[i]]
	}
	for i, f := range d.FSAs.List {
		f.Row.Zone = d.Zones.IDs[fsas[i]]
	}
	for i := range postal {
		d.Postal.Rows[i].Zone = d.Zones.IDs[postal[i]]
	}
	return ctx.Err()
}

// clocks are the clock rules of the tz database.
type clocks struct {
	rules   map[string]string // TZif files by zone
	release string
}

// source names the release.
func (c *clocks) source() string { return "tz database " + c.release }

// ReadClocks reads the clock rules of all zones of the tz database. The release that
// the file names is the vintage of the source.
func (d *Draft) ReadClocks(ctx context.Context) error {
	c := &d.clocks
	c.rules = map[string]string{}
	rows := func(f format.File) iter.Seq2[source.ClockRow, error] { return source.Clocks(f, &c.release) }
	err := plan.Read(ctx, d.Env, catalog.Clocks, rows, func(r source.ClockRow) error {
		c.rules[r.Zone] = r.Rules
		return nil
	})
	if err == nil && c.release == "" {
		err = fmt.Errorf("%s: %s: no src/tzdata/zoneinfo/tzdata.zi with the name of the release", catalog.Clocks, d.FileName(catalog.Clocks))
	}
	if err == nil {
		d.Describe(catalog.Clocks, "", c.release)
	}
	return err
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
