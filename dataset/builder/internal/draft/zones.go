package draft

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// A code's zone is that of the outline around its point (decision D18). Rules by state
// and county were replaced by outlines; the only ones left are those of islands that the
// file of outlines may lack. Shares of zones are measured for codes with outlines. Both
// name zones of the tz database. Their rules come from one release of it and are stored
// in the file, so that clocks do not depend on the host or the Go release (decision D60).

// zoneReach is the distance within which the nearest outline decides
// about a point outside every outline, such as on a pier.
const zoneReach = geo.Meters(20_000)

// byRule is the source of a zone that no outline gave.
const byRule = "state and county rules"

// shareZones measures the part of every ZIP and FSA in each time zone of its country. The
// outlines of codes and of zones, each simplified separately, reach over the border, but
// codes never do.
func (d *Draft) shareZones() {
	if !d.includes(catalog.Boundaries) {
		return
	}
	d.Zones.ZIPs, d.Zones.FSAs = make([][]ZonePart, len(d.ZIPOutlines.polygons)), make([][]ZonePart, len(d.FSAOutlines.polygons))
	fit := func(id string) bool {
		if !d.fit(id) {
			d.applied("no shares of time zones, for outlines that are absent or too coarse", id)
		}
		return d.fit(id)
	}
	if fit(catalog.ZoneOutlines) {
		if fit(catalog.ZCTAAreas) {
			shareZonesOf(d, store.US, d.ZIPOutlines, d.Zones.ZIPs)
		}
		if fit(catalog.FSAAreas) {
			shareZonesOf(d, store.CA, d.FSAOutlines, d.Zones.FSAs)
		}
	}
}

// shareZonesOf fills the shares of the areas of a country and reports those that its time
// zones do not cover.
func shareZonesOf[K cmp.Ordered](d *Draft, country store.Country, s *outlines[K], into [][]ZonePart) {
	const (
		least      = 0.99 // of an area must be covered
		wholeZones = 1000 // tenths of a percent
	)
	shares := sharesOf(d, s, d.ZoneOutlines)
	for i, key := range s.keys() {
		of := slices.DeleteFunc(shares[i], func(p share[string]) bool { return countryZones()[p.key].Country != country.String() })
		sizes, sum := make([]float64, len(of)), 0.0
		for k, p := range of {
			sizes[k], sum = p.size, sum+p.size
		}
		for k, n := range apportion(wholeZones, sizes) {
			if n > 0 {
				into[i] = append(into[i], ZonePart{Zone: of[k].key, Tenths: n})
			}
		}
		if covered := sum / float64(s.list()[i].Area()); covered < least {
			d.applied("time zone shares of less than the whole area, which the zones do not cover", fmt.Sprintf("%s: %.1f %% covered", s.labels[key], 100*covered))
		}
	}
}

// decideZones gives each code with a point its time zone: that of the outline around the
// point, else of the nearest outline within 20 km. A zone names the release of the outlines
// and that of its clock rules as its source. Without outlines no code has a zone.
func (d *Draft) decideZones() {
	if !d.has(catalog.ZoneOutlines) {
		return
	}
	d.Zones.OutlineSource = strings.TrimSpace("timezone-boundary-builder "+d.source(catalog.ZoneOutlines).Source.Vintage) + ", " + d.clocks.source()
	// Identifiers are positions in the sorted list of zones, which is complete only when
	// every code has been decided. Until then each zone keeps where its number has to be
	// written.
	of := map[store.Zone][]*store.ZoneID{} // by zone, the fields of its codes; some have shares alone
	for _, parts := range slices.Concat(d.Zones.ZIPs, d.Zones.FSAs) {
		for _, p := range parts {
			if z := (store.Zone{Name: p.Zone, Source: d.Zones.OutlineSource}); of[z] == nil {
				of[z] = []*store.ZoneID{}
			}
		}
	}
	decide := func(at geo.LatLng, id *store.ZoneID, island string) {
		if !at.IsValid() {
			return
		}
		z := store.Zone{Name: d.ZoneOutlines.index().first(at), Source: d.Zones.OutlineSource}
		if z.Name == "" {
			z.Name = d.ZoneOutlines.index().near(at, zoneReach)
		}
		if z.Name == "" && island != "" {
			z = store.Zone{Name: island, Source: byRule + ", " + d.clocks.source()}
		}
		if z.Name != "" {
			of[z] = append(of[z], id)
		}
	}
	for _, z := range d.ZIPs.List {
		decide(z.Row.Location, &z.Row.Zone, islandOf(z.Row.ZIP).Zone)
	}
	for _, f := range d.FSAs.List {
		decide(f.Row.Location, &f.Row.Zone, "")
	}
	for i := range d.Postal.Rows {
		decide(d.Postal.Rows[i].Location, &d.Postal.Rows[i].Zone, "")
	}
	if len(of) > math.MaxUint8 { // an identifier is a byte; the national file has 64 zones
		check(fmt.Errorf("%d time zones, at most %d can be stored", len(of), math.MaxUint8))
	}
	d.Zones.List = slices.SortedFunc(maps.Keys(of), func(a, b store.Zone) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Source, b.Source))
	})
	d.Zones.IDs = map[store.Zone]store.ZoneID{}
	for i, z := range d.Zones.List {
		d.Zones.IDs[z] = store.ZoneID(i + 1)
		for _, id := range of[z] {
			*id = store.ZoneID(i + 1)
		}
		rules, ok := d.clocks.rules[z.Name]
		if !ok {
			check(fmt.Errorf("time zone %s: not in the %s; the outlines of time zones may be of a later release", z.Name, d.clocks.source()))
		}
		d.Zones.List[i].Rules = rules
	}
}

// clocks are the clock rules of the tz database.
type clocks struct {
	rules   map[string]string // TZif files by zone
	release string
}

// source names the release.
func (c *clocks) source() string { return "tz database " + c.release }

// readClocks reads the clock rules of all zones of the tz database. The release that
// the file names is the vintage of the source.
func (d *Draft) readClocks() {
	c := &d.clocks
	c.rules = map[string]string{}
	rows := func(f format.File) iter.Seq2[source.ClockRow, error] { return source.Clocks(f, &c.release) }
	read(d, catalog.Clocks, rows, func(r source.ClockRow) error {
		c.rules[r.Zone] = r.Rules
		return nil
	})
	if c.release == "" {
		check(fmt.Errorf("%s: %s: no src/tzdata/zoneinfo/tzdata.zi with the name of the release", catalog.Clocks, d.fileName(catalog.Clocks)))
	}
	d.describe(catalog.Clocks, "", c.release)
}

// A countryZone is a time zone of a country by the tz database (zone.tab). Those of the
// United States include its territories and the freely associated states.
type countryZone struct {
	Zone    string `col:"zone"`
	Country string `col:"country"` // "US" or "CA"
}

var countryZones = reviewedBy("zones.csv", func(z countryZone) string { return z.Zone })
