package draft

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// A part of the recipe reads sources into the draft, derives tables from others, or
// writes tables.
type part struct {
	name string
	do   func()
}

// run runs parts one after the other.
func (d *Draft) run(ctx context.Context, do func(name string, part func() error) error, parts ...part) error {
	d.ctx = ctx
	for _, p := range parts {
		if err := do(p.name, func() error { return try(p.do) }); err != nil {
			return err
		}
	}
	return nil
}

// Derive is the recipe of a dataset: it reads the sources that were fetched, derives the
// tables, and writes them. It calls do with each part.
//
// Most parts need those before them. The dependencies that the names do not show:
//
//   - Metropolitan areas come before counties, which refer to them.
//   - Heads of survey tables are read early, so that a wrong file is reported at once.
//   - Business counts come before classes, which are inferred from them.
//   - FSAs need the outlines of FSAs and municipalities to find their people. Postal
//     codes need FSAs, and then move the points of FSAs and add FSAs that are missing.
//   - Counties need residents and the post offices; points need the county of record and
//     the outlines of counties. So post offices come first, then counties, then points.
//   - Terrain and Medicare read the county of record.
//   - checkOutlines removes outlines of unknown FSAs. All parts that store or measure all
//     outlines come after it.
//   - Shares of zones are measured before zones are numbered: a zone of a share alone is
//     one of the dataset too.
//   - Area codes need multi_county, which the shares of counties decide.
//   - Names for suggestions need final points, populations and outlines.
//   - Gaps are counted before the first write, when all tables are complete but own
//     layers.
//   - Codes are written after ZIP+4 records, because reading those counts them by ZIP.
//   - Own layers are compared with codes after the built-in layers, so that block groups
//     have been divided among ZIP Codes.
func (d *Draft) Derive(ctx context.Context, do func(name string, part func() error) error) error {
	return d.run(ctx, do,
		part{"states and provinces", d.listStates},
		part{"metropolitan areas", d.readMetros},
		part{"counties", d.readCounties},
		part{"survey: heads", d.readSurvey},
		part{"place names", d.readPlaceNames},
		part{"ZIP Codes", d.listZIPs},
		part{"ZIP Codes: business", d.readBusiness},
		part{"ZIP Codes: classes", d.classifyZIPs},
		part{"ZIP Codes: names", d.nameZIPs},
		part{"ZIP Codes: deliveries", d.readDeliveries},
		part{"survey: population", d.countPeople},
		part{"clock rules", d.readClocks},

		part{"outlines", d.readOutlines},
		part{"forward sortation areas", d.listFSAs},
		part{"postal codes", d.listPostalCodes},
		part{"ZIP Codes: residents", d.findResidents},
		part{"ZIP Codes: post offices", d.placePostOffices},
		part{"ZIP Codes: counties", d.chooseCounties},
		part{"ZIP Codes: areas and elevations", d.measureTerrain},
		part{"ZIP Codes: Medicare", d.readMedicare},
		part{"outlines: states and checks", d.checkOutlines},
		part{"ZIP Codes: points", d.choosePoints},
		part{"municipalities", d.findMunicipalities},
		part{"time zones: shares", d.shareZones},
		part{"time zones", d.decideZones},
		part{"outlines: counties of ZIP Codes", d.shareCounties},
		part{"area codes", d.readAreaCodes},
		part{"areas that codes are compared with", d.compareLayers},
		part{"names for suggestions", d.collectNames},

		part{"gaps", d.countGaps},
		part{"write: states and counties", d.writeTables},
		part{"write: ZIP+4 records", d.writeZIP4},
		part{"write: codes", d.writeCodes},
		part{"write: outlines", d.writeOutlines},
		part{"write: layers", d.writeLayers},
		part{"own layers and plans", d.addLayers},
		part{"census blocks", d.addBlocks},
		part{"write: survey", d.writeSurvey},
		part{"write: names", d.writeNames},
		part{"write: roads", d.writeRoads},
	)
}

// writeTables writes the tables that codes refer to.
func (d *Draft) writeTables() {
	d.written("states and provinces", len(d.States.List))
	d.written("counties", len(d.Counties.List))
	d.written("CBSAs", len(d.Metros.CBSAs))
	d.written("metropolitan divisions", len(d.Metros.Divisions))
	d.written("time zones", len(d.Zones.List))
	w := d.Output
	check(cmp.Or(
		w.SetStates(d.States.List), w.SetCBSAs(d.Metros.CBSAs), w.SetDivisions(d.Metros.Divisions), w.SetCounties(d.Counties.List), w.SetZones(d.Zones.List),
	))
}

// writeCodes writes the codes.
func (d *Draft) writeCodes() {
	w := d.Output
	for _, z := range d.ZIPs.List {
		check(w.AddZIP(z.Row, z.Detail))
		if len(z.Aliases) > 0 {
			check(w.AddStreetAliases(z.Row.ZIP, z.Aliases))
		}
		if len(z.CityState) > 0 {
			names := make([]store.CityName, len(z.CityState))
			for i := range z.CityState {
				names[i] = z.CityState[i].CityName
			}
			check(w.AddCityNames(z.Row.ZIP, z.Preferred().Finance, names))
		}
	}
	for _, f := range d.FSAs.List {
		check(w.AddFSA(f.Row, f.Detail))
	}
	for _, p := range d.Postal.Rows {
		check(w.AddPostalCode(p))
	}
	d.written("ZIP Codes", len(d.ZIPs.List))
	d.written("FSAs", len(d.FSAs.List))
	d.written("postal codes", len(d.Postal.Rows))
}

// writeZIP4 writes the records of the ZIP+4 product, with the user's points for them. It
// counts the ZIP+4 Codes of each ZIP: the add-ons of base records, a range as often as
// it is long. Records without a usable add-on and of ZIPs that the dataset lacks are
// refused.
func (d *Draft) writeZIP4() {
	type point struct {
		zip   postcode.ZIP
		plus4 postcode.Plus4
		at    geo.LatLng
	}
	compare := func(x, y point) int { return cmp.Or(cmp.Compare(x.zip, y.zip), cmp.Compare(x.plus4, y.plus4)) }
	var points []point
	read(d, catalog.ZIP4Points, source.ReadZIP4Points, func(p source.ZIP4Point) error {
		points = append(points, point{p.ZIP, p.Plus4, p.Location})
		return nil
	})
	slices.SortStableFunc(points, compare)
	// The product is in the order of ZIP Codes, so that one set of add-ons at a time
	// suffices. If a ZIP came again later, add-ons that it had before would count twice.
	n := 0
	var zip *ZIP
	seen := map[postcode.Plus4]bool{}
	read(d, catalog.USPSZIP4, source.ReadZIP4, func(r source.ZIP4Row) error {
		if zip == nil || zip.Row.ZIP != r.ZIP {
			if zip = d.ZIPs.At[r.ZIP]; zip == nil {
				return refused("unknown ZIP Code", r.Record, r.ZIP.String())
			}
			if zip.Detail.ZIP4Count == nil {
				zip.Detail.ZIP4Count = new(int32)
			}
			clear(seen)
		}
		if r.NoDelivery {
			return refused("no delivery, no usable add-on", r.Record, r.ZIP.String())
		}
		for p := r.Low; p <= r.High && !r.Alternate; p++ {
			if !seen[p] {
				seen[p] = true
				*zip.Detail.ZIP4Count++
			}
		}
		if at, ok := slices.BinarySearchFunc(points, point{zip: r.ZIP, plus4: r.Low}, compare); ok {
			r.Location = points[at].at
		}
		if err := d.Output.AddZIP4(r.ZIP4Record); err != nil {
			return fmt.Errorf("record %d: %w", r.Record, err)
		}
		n++
		return nil
	})
	d.written("ZIP+4 records", n)
}

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
func (d *Draft) countGaps() {
	zips := func(name string, lacks func(*ZIP) bool) { d.gap(name, count(d.ZIPs.List, lacks)) }
	civil := func(name string, has func(*ZIP) bool) {
		zips("other ZIPs without "+name, func(z *ZIP) bool { return z.Row.Class != store.Military && !has(z) })
	}
	general := func(name string, has func(*ZIP) bool) {
		zips("general ZIPs "+name, func(z *ZIP) bool { return z.Row.Class == store.General && !has(z) })
	}
	fsas := func(name string, lacks func(*FSA) bool) { d.gap("FSAs without "+name, count(d.FSAs.List, lacks)) }
	zips("military ZIPs, which have no point, county, time zone and area code", func(z *ZIP) bool { return z.Row.Class == store.Military })
	civil("a point", func(z *ZIP) bool { return z.Row.Location.IsValid() })
	civil("a county", func(z *ZIP) bool { return z.Row.County != 0 })
	civil("a time zone", func(z *ZIP) bool { return z.Row.Zone != 0 })
	civil("an area code", func(z *ZIP) bool { return len(z.Detail.AreaCodes) > 0 })
	civil("an elevation", func(z *ZIP) bool { return z.Detail.Elevation != nil })
	general("without a land area (no ZCTA)", func(z *ZIP) bool { return z.Detail.LandArea != nil })
	general("without a population", func(z *ZIP) bool { return z.Detail.Population != nil })
	general("outside every municipality, or without the place layer", func(z *ZIP) bool { return z.Row.Municipality != "" })
	d.gap("ZCTAs whose code is not a ZIP of the dataset", count(slices.Collect(maps.Keys(d.ZCTAs)), func(code string) bool {
		z, _ := postcode.ParseZIP(code)
		return d.ZIPs.At[z] == nil
	}))
	d.gap("FSAs of the census that no list of places has", count(slices.Collect(maps.Keys(d.FSACensus)), func(f postcode.FSA) bool { return d.FSAs.At[f] == nil }))
	fsas("a point", func(f *FSA) bool { return !f.Row.Location.IsValid() })
	fsas("a time zone", func(f *FSA) bool { return f.Row.Zone == 0 })
	fsas("population and dwellings", func(f *FSA) bool { return f.Detail.Population == nil })
	fsas("an area code", func(f *FSA) bool { return len(f.Detail.AreaCodes) == 0 })
	fsas("a land area, or without the place layer", func(f *FSA) bool { return f.Detail.LandArea == nil })
	if d.includes(catalog.Boundaries) {
		general("without an outline, points in a search by area", func(z *ZIP) bool { return d.ZIPOutlines.polygons[z.Row.ZIP] != nil })
		fsas("an outline", func(f *FSA) bool { return d.FSAOutlines.polygons[f.Row.FSA] == nil })
		d.gap("states, provinces and territories without an outline", count(d.States.List, func(s store.State) bool {
			return (s.FIPS != "" || s.Country == store.CA) && d.StateOutlines.polygons[d.States.ID(s.Country, s.Abbr)] == nil
		}))
		d.gap("counties without an outline", count(d.Counties.List, func(c store.County) bool { return d.CountyOutlines.polygons[d.Counties.IDs[c.FIPS]] == nil }))
		d.gap("square miles of states that no outline of a ZIP covers", int64(geo.SquareMeters(max(0, d.uncovered)).SquareMiles()))
		d.gap("outlines of ZIPs and FSAs without shares of time zones", count(slices.Concat(d.Zones.ZIPs, d.Zones.FSAs), func(parts []ZonePart) bool { return len(parts) == 0 }))
	}
	d.compared.gaps(d)
	if d.includes(catalog.PostalCodes) {
		d.countProvincesWithoutCodes()
	}
	d.gap("postal codes without a point", count(d.Postal.Rows, func(p store.PostalRow) bool { return !p.Location.IsValid() }))
	d.gap("postal codes without a time zone", count(d.Postal.Rows, func(p store.PostalRow) bool { return p.Zone == 0 }))
}

// countProvincesWithoutCodes counts the FSAs of provinces and territories without postal
// codes. Open lists do not cover all provinces, and answers about the others must be
// "unavailable" instead of "not found" (decision D71).
func (d *Draft) countProvincesWithoutCodes() {
	have := map[store.StateID]bool{0: true}
	for i := range d.Postal.Rows {
		have[d.Postal.Rows[i].Province] = true
	}
	names := map[string]bool{}
	n := count(d.FSAs.List, func(f *FSA) bool {
		if have[f.Row.Province] {
			return false
		}
		names[d.States.Abbr(f.Row.Province)] = true
		return true
	})
	d.gap("FSAs in provinces and territories without any postal code ("+strings.Join(slices.Sorted(maps.Keys(names)), ", ")+")", n)
}
