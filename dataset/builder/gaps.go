package builder

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/layers"
	"github.com/postgeo/postgeo/dataset/builder/internal/plan"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// count returns the number of elements with a property.
func count[T any](list []T, has func(T) bool) (n int64) {
	for _, v := range list {
		if has(v) {
			n++
		}
	}
	return n
}

// countGaps counts the missing values of the tables.
func countGaps(d *draft.Draft, compared *layers.CodeLayers) error {
	zips := func(name string, lacks func(*draft.ZIP) bool) { d.Gap(name, count(d.ZIPs.List, lacks)) }
	civil := func(name string, has func(*draft.ZIP) bool) {
		zips("other ZIPs without "+name, func(z *draft.ZIP) bool { return z.Row.Class != store.Military && !has(z) })
	}
	general := func(name string, has func(*draft.ZIP) bool) {
		zips("general ZIPs "+name, func(z *draft.ZIP) bool { return z.Row.Class == store.General && !has(z) })
	}
	zips("military ZIPs, which have no point, county, time zone and area code", func(z *draft.ZIP) bool { return z.Row.Class == store.Military })
	civil("a point", func(z *draft.ZIP) bool { return z.Row.Location.IsValid() })
	civil("a county", func(z *draft.ZIP) bool { return z.Row.County != 0 })
	civil("a time zone", func(z *draft.ZIP) bool { return z.Row.Zone != 0 })
	civil("an area code", func(z *draft.ZIP) bool { return len(z.Detail.AreaCodes) > 0 })
	civil("an elevation", func(z *draft.ZIP) bool { return z.Detail.Elevation != nil })
	general("without a land area (no ZCTA)", func(z *draft.ZIP) bool { return z.Detail.LandArea != nil })
	general("without a population", func(z *draft.ZIP) bool { return z.Detail.Population != nil })
	general("outside every municipality, or without the place layer", func(z *draft.ZIP) bool { return z.Row.Municipality != "" })
	zctas, absent := int64(0), int64(0)
	for code := range d.ZCTAs {
		z, _ := postcode.ParseZIP(code)
		zctas += plan.Missing(d.ZIPs.At[z] != nil)
	}
	for code := range d.FSACensus {
		absent += plan.Missing(d.FSAs.At[code] != nil)
	}
	d.Gap("ZCTAs whose code is not a ZIP of the dataset", zctas)
	d.Gap("FSAs of the census that no list of places has", absent)
	fsas := func(name string, lacks func(*draft.FSA) bool) { d.Gap("FSAs without "+name, count(d.FSAs.List, lacks)) }
	fsas("a point", func(f *draft.FSA) bool { return !f.Row.Location.IsValid() })
	fsas("a time zone", func(f *draft.FSA) bool { return f.Row.Zone == 0 })
	fsas("population and dwellings", func(f *draft.FSA) bool { return f.Detail.Population == nil })
	fsas("an area code", func(f *draft.FSA) bool { return len(f.Detail.AreaCodes) == 0 })
	fsas("a land area, or without the place layer", func(f *draft.FSA) bool { return f.Detail.LandArea == nil })
	if d.Includes(catalog.Boundaries) {
		general("without an outline, points in a search by area", func(z *draft.ZIP) bool { return d.ZIPOutlines.Areas.Polygons[z.Row.ZIP] != nil })
		fsas("an outline", func(f *draft.FSA) bool { return d.FSAOutlines.Polygons[f.Row.FSA] == nil })
		id := store.StateID(0)
		d.Gap("states, provinces and territories without an outline", count(d.States.List, func(s store.State) bool {
			id++
			return (s.FIPS != "" || s.Country == store.CA) && d.StateOutlines.Areas.Polygons[id] == nil
		}))
		d.Gap("counties without an outline", count(d.Counties.List, func(c store.County) bool { return d.CountyOutlines.Polygons[d.Counties.IDs[c.FIPS]] == nil }))
		d.Gap("square miles of states that no outline of a ZIP covers", int64(geo.SquareMeters(max(0, d.StateOutlines.Uncovered)).SquareMiles()))
		shares := slices.Concat(d.ZoneShares.ZIPs, d.ZoneShares.FSAs)
		d.Gap("outlines of ZIPs and FSAs without shares of time zones", count(shares, func(z draft.ZoneParts) bool { return len(z) == 0 }))
	}
	if compared.ZIPs != nil {
		compared.Gaps(d.Env)
	}
	if d.Includes(catalog.PostalCodes) {
		provincesWithoutCodes(d)
	}
	d.Gap("postal codes without a point", count(d.Postal.Rows, func(p store.PostalRow) bool { return !p.Location.IsValid() }))
	d.Gap("postal codes without a time zone", count(d.Postal.Rows, func(p store.PostalRow) bool { return p.Zone == 0 }))
	return nil
}

// provincesWithoutCodes counts the FSAs of provinces and territories without postal codes.
func provincesWithoutCodes(d *draft.Draft) {
	have := map[store.StateID]bool{}
	for i := range d.Postal.Rows {
		have[d.Postal.Rows[i].Province] = true
	}
	var names []string
	n := count(d.FSAs.List, func(f *draft.FSA) bool {
		lacks := f.Row.Province != 0 && !have[f.Row.Province]
		if lacks {
			names = append(names, d.States.Abbr(f.Row.Province))
		}
		return lacks
	})
	slices.Sort(names)
	d.Gap("FSAs in provinces and territories without any postal code ("+strings.Join(slices.Compact(names), ", ")+")", n)
}
