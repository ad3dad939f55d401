package draft

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/paulmach/orb"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// Municipal finds municipalities by point, and has their names and places by GEOID. The
// sets are empty without the outlines.
type Municipal struct {
	Places, Cousubs, CSDs areas[string]     // governments of the United States, subdivisions of Canada
	Names                 map[string]string // of those of the United States
	PlaceBoxes            map[string]geo.Box
	CSDPlaces             map[string]csdPlace
}

// A csdPlace is a census subdivision: a point within it, and the box around it.
type csdPlace struct {
	name string
	at   geo.LatLng
	box  geo.Box
}

// Outlines are read in three places, each as late as its readers allow. readOutlines
// comes before FSAs, postal codes, counties and points, which are found by them.
// readZIPOutlines needs the classes of ZIP Codes, and findResidents needs it.
// checkOutlines needs all codes.
//
// Places, county subdivisions and census subdivisions are not kept as outlines:
// municipalities are found in them, and their boxes are kept for suggestions.

// readOutlines reads the outlines that codes are found by.
func (d *Draft) readOutlines() {
	d.Municipal.Names, d.Municipal.PlaceBoxes, d.Municipal.CSDPlaces = map[string]string{}, map[string]geo.Box{}, map[string]csdPlace{}
	d.ZoneOutlines = newOutlines[string]("time zones")
	d.ZoneOutlines.from(d, catalog.ZoneOutlines)
	d.readAreas(catalog.ZoneOutlines, func(r source.AreaRow) error {
		d.ZoneOutlines.add(r.ID, r.ID, &r)
		return nil
	})
	d.ZoneOutlines.repair()
	d.FSAOutlines = newOutlines[postcode.FSA]("FSAs")
	d.FSAOutlines.from(d, catalog.FSAAreas)
	d.readAreas(catalog.FSAAreas, func(r source.AreaRow) error {
		fsa, ok := postcode.ParseFSA(r.ID)
		if !ok || r.Land == nil { // tooLarge and countFSA need the land
			return refused("outline of no forward sortation area, or without its land area", r.Record, r.ID)
		}
		d.FSAOutlines.add(fsa, r.ID, &r)
		if r.ID[1] != '0' && tooLarge(&r) {
			d.applied("outline of an urban FSA of more than 1.5 times the land area, not used to find people", r.ID)
			d.FSAs.Unfit = append(d.FSAs.Unfit, fsa)
		}
		return nil
	})
	d.FSAOutlines.repair()
	d.CountyOutlines = newOutlines[store.CountyID]("counties")
	d.CountyOutlines.from(d, catalog.CountyAreas)
	d.readAreas(catalog.CountyAreas, func(r source.AreaRow) error {
		if id := d.Counties.IDs[r.ID]; id != 0 { // counties of another year have no row to belong to
			d.CountyOutlines.add(id, r.ID, &r)
		}
		return nil
	})
	d.CountyOutlines.repair()
	d.readAreas(catalog.PlaceAreas, func(r source.AreaRow) error {
		d.Municipal.PlaceBoxes[r.ID] = shape.BoxAround(r.Polygon)
		if incorporated(r) {
			d.Municipal.Places.add(r.ID, r.Polygon)
			d.Municipal.Names[r.ID] = r.Name
		}
		return nil
	})
	d.readAreas(catalog.CousubAreas, func(r source.AreaRow) error {
		if town(r) {
			d.Municipal.Cousubs.add(r.ID, r.Polygon)
			d.Municipal.Names[r.ID] = r.Name
		}
		return nil
	})
	// Those of a coarse file, which cannot separate the two sides of an edge, only serve
	// to find the people of an FSA. Municipalities need a file that is fit for shares.
	d.readAreas(catalog.CSDAreas, func(r source.AreaRow) error {
		d.Municipal.CSDs.add(r.ID, r.Polygon)
		d.Municipal.CSDPlaces[r.ID] = csdPlace{r.Names(), shape.PointWithin(r.Polygon), shape.BoxAround(r.Polygon)}
		return nil
	})
	if d.has(catalog.CSDAreas) && !d.fit(catalog.CSDAreas) {
		d.applied("outlines too coarse for municipalities", catalog.CSDAreas)
	}
}

// tooLarge reports whether the outline cannot belong to the FSA: many were drawn for 2016
// and have shrunk since, by the land area of 2021. Rural FSAs lose towns by it and stay
// in place. Such an outline still contains points, but its people are partly those of
// newer FSAs. An outline that cannot be measured counts as too large.
func tooLarge(r *source.AreaRow) bool {
	const most = 1.5 // times the land area; outlines hold some water
	o, err := spatial.NewOutline(r.Polygon)
	return err != nil || float64(o.Area()) > most*float64(*r.Land)
}

// incorporated reports whether a place has a government. Census designated
// places (LSAD 57), communities and urban zones of Puerto Rico (55, 62) have
// none.
func incorporated(r source.AreaRow) bool {
	return r.Kind != DesignatedPlace && r.Kind != "55" && r.Kind != "62"
}

// townStates are the FIPS codes of the states whose county subdivisions are
// governments with the powers of a municipality: New England, New York, New
// Jersey, Pennsylvania, Michigan, Wisconsin and Minnesota.
var townStates = []string{"09", "23", "25", "26", "27", "33", "34", "36", "42", "44", "50", "55"}

// town reports whether a county subdivision is a town or township of a town
// state. Unorganized territory (46) and areas that the census drew (22, 00) are
// not.
func town(r source.AreaRow) bool {
	return len(r.ID) > 2 && slices.Contains(townStates, r.ID[:2]) && r.Kind != "46" && r.Kind != "22" && r.Kind != "00"
}

// readZIPOutlines reads the outlines of ZIP Codes. That of a general ZIP Code is the one
// in the user's file, else the ZCTA of the same code (decision D48). Post office box,
// unique and military ZIP Codes are points and have no area; their outline, which has
// residents, is compared with layers alone (decision D59). The user's file is read first,
// so that a ZCTA is left out as soon as it comes: adding both would make one area of the
// two.
func (d *Draft) readZIPOutlines() {
	d.ZIPOutlines, d.BoxOutlines = newOutlines[postcode.ZIP]("ZIPs"), newOutlines[postcode.ZIP]("PO Box, unique and military ZIPs")
	if !d.includes(catalog.Boundaries) {
		return
	}
	supplied := map[postcode.ZIP]bool{}
	for _, file := range []struct {
		id   string
		rows func(format.File) iter.Seq2[source.AreaRow, error]
	}{{catalog.ZIPPolygons, source.ZIPPolygons}, {catalog.ZCTAAreas, catalog.Columns(catalog.ZCTAAreas).Areas}} {
		d.ZIPOutlines.from(d, file.id)
		d.BoxOutlines.from(d, file.id)
		read(d, file.id, file.rows, func(r source.AreaRow) error {
			zip, ok := postcode.ParseZIP(r.ID)
			z := d.ZIPs.At[zip]
			switch {
			case !ok || z == nil:
				d.refuse(file.id, "outline of a code that is not a ZIP of the dataset", r.ID)
				return nil
			case file.id == catalog.ZIPPolygons:
				supplied[zip] = true
			case supplied[zip]:
				return nil
			}
			if z.Row.Class == store.General {
				d.ZIPOutlines.add(zip, r.ID, &r)
				return nil
			}
			d.applied("outline of a PO Box, unique or military ZIP, compared with layers and not stored", r.ID)
			d.BoxOutlines.add(zip, r.ID, &r)
			return nil
		})
	}
	d.ZIPOutlines.repair()
	d.BoxOutlines.repair()
}

// checkOutlines reads the outlines of states and provinces and checks all outlines. FSAs
// without a row go first. Then ratios are measured (report), those of FSAs corrected by
// the land (compareLand), and only then recorded (describe).
func (d *Draft) checkOutlines() {
	d.StateOutlines = newOutlines[store.StateID]("states")
	if !d.includes(catalog.Boundaries) {
		return
	}
	d.readStateOutlines()
	for _, fsa := range d.FSAOutlines.keys() { // ascending: the report has the first ones as examples
		if d.FSAs.At[fsa] == nil {
			d.refuse(catalog.FSAAreas, "outline of a code that is not an FSA of the dataset", fsa.String())
			d.FSAOutlines.remove(fsa)
		}
	}
	d.ZIPOutlines.report(d)
	d.BoxOutlines.report(d)
	d.FSAOutlines.report(d)
	d.StateOutlines.report(d)
	d.CountyOutlines.report(d)
	d.ZoneOutlines.report(d)
	d.compareLand()
	for zip := range d.ZIPOutlines.polygons {
		d.ZIPOutlines.describe(zip, &d.ZIPs.At[zip].Detail.Quality)
	}
	for fsa := range d.FSAOutlines.polygons {
		q := &d.FSAs.At[fsa].Detail.Quality
		d.FSAOutlines.describe(fsa, q)
		if q.OutlineAreaRatio > 1 {
			q.Notes = append(q.Notes, "The outline includes inland water; the stated area is land only.")
		}
	}
	d.measureCover()
}

// describe records the source of an outline, and its ratio to the stated area.
func (s *outlines[K]) describe(key K, q *store.Quality) {
	q.OutlineSource, q.OutlineAreaRatio = s.sources[s.file[key]], s.ratio[key]
}

// readStateOutlines reads the outlines of states, and makes those of provinces of their
// census divisions, which end at the shore. They are joined after the repair, which
// leaves shared vertices as they are.
func (d *Draft) readStateOutlines() {
	d.StateOutlines.from(d, catalog.StateAreas)
	d.readAreas(catalog.StateAreas, func(r source.AreaRow) error {
		id := d.States.ByFIPS[r.ID]
		if id == 0 {
			return refused("outline of an unknown state", r.Record, r.ID+" "+r.Name)
		}
		d.StateOutlines.add(id, d.States.Abbr(id), &r)
		return nil
	})
	d.StateOutlines.from(d, catalog.CDAreas)
	provinces := map[store.StateID]bool{}
	d.readAreas(catalog.CDAreas, func(r source.AreaRow) error {
		id := d.States.Provinces[r.ID[:2]]
		if id == 0 {
			return refused("outline in an unknown province", r.Record, r.ID+" "+r.Name)
		}
		provinces[id] = true
		d.StateOutlines.add(id, d.States.Abbr(id), &r)
		return nil
	})
	d.StateOutlines.repair()
	for id := range provinces {
		d.StateOutlines.polygons[id] = shape.Dissolve(d.StateOutlines.polygons[id])
	}
}

// A share is what an outline shares with an area of a key.
type share[K any] struct {
	key  K
	size float64 // square meters
}

// sharesOf measures what the outlines share with those of others, in the order of the keys
// of both.
func sharesOf[K, A cmp.Ordered](d *Draft, s *outlines[K], of *outlines[A]) [][]share[A] {
	keys, all := of.keys(), make([][]share[A], len(s.polygons))
	for i, found := range must(shape.Parts(d.ctx, s.list(), of.list())) {
		for _, p := range found {
			all[i] = append(all[i], share[A]{keys[p.Area], p.Shared})
		}
	}
	return all
}

// compareLand leaves out the sea from the ratios of FSAs, whose stated areas are land:
// the outlines of census divisions end at the shore.
func (d *Draft) compareLand() {
	if len(d.FSAOutlines.polygons) == 0 || !d.fit(catalog.CDAreas) {
		return
	}
	shares := sharesOf(d, d.FSAOutlines, d.StateOutlines)
	for i, fsa := range d.FSAOutlines.keys() {
		for _, p := range shares[i] {
			if land := p.size / float64(d.FSAOutlines.list()[i].Area()); p.key == d.FSAs.At[fsa].Row.Province && land < 1 {
				d.FSAOutlines.ratio[fsa] *= land
			}
		}
	}
}

// measureCover finds how much of the states no outline of a ZIP covers, and ZIPs whose
// outline lies elsewhere than in their state. Both are reported and change nothing: ZCTAs
// leave out large areas without residents.
func (d *Draft) measureCover() {
	const least = 0.5 // of an outline is expected in its state; a few reach over the border
	if len(d.StateOutlines.polygons) == 0 || len(d.ZIPOutlines.polygons) == 0 || !d.fit(catalog.StateAreas) {
		return
	}
	inStates := func(id store.StateID) bool { return d.States.List[id-1].Country == store.US }
	for i, id := range d.StateOutlines.keys() {
		if inStates(id) {
			d.uncovered += float64(d.StateOutlines.list()[i].Area())
		}
	}
	shares := sharesOf(d, d.ZIPOutlines, d.StateOutlines)
	for i, z := range d.ZIPOutlines.keys() {
		own, inOwn := d.ZIPs.At[z].Row.State, 0.0 // the part there
		for _, p := range shares[i] {
			if inStates(p.key) {
				d.uncovered -= p.size
				if p.key == own {
					inOwn = p.size / float64(d.ZIPOutlines.list()[i].Area())
				}
			}
		}
		if inOwn < least && d.StateOutlines.polygons[own] != nil {
			d.applied("outline of a ZIP with less than half in its state", fmt.Sprintf("%s: %.1f %% in %s", z, 100*inOwn, d.States.Abbr(own)))
		}
	}
}

// writeOutlines writes the outlines, and the shares of time zones. Outlines of time zones
// are those that a code of the dataset touches. A zone by rule has another source and no
// outline, though its name may have one.
func (d *Draft) writeOutlines() {
	if !d.includes(catalog.Boundaries) {
		return
	}
	var names []string
	var ids []store.ZoneID
	for i, z := range d.Zones.List { // ascending by name
		if d.ZoneOutlines.polygons[z.Name] != nil && z.Source == d.Zones.OutlineSource {
			names, ids = append(names, z.Name), append(ids, store.ZoneID(i+1))
		}
	}
	zips, fsas, states, counties := d.ZIPOutlines.keys(), d.FSAOutlines.keys(), d.StateOutlines.keys(), d.CountyOutlines.keys()
	writeAreas(d, "ZIP Codes", d.ZIPOutlines, zips, zips, d.Output.SetZIPAreas)
	writeAreas(d, "FSAs", d.FSAOutlines, fsas, fsas, d.Output.SetFSAAreas)
	writeAreas(d, "states and provinces", d.StateOutlines, states, states, d.Output.SetStateAreas)
	writeAreas(d, "counties", d.CountyOutlines, counties, counties, d.Output.SetCountyAreas)
	writeAreas(d, "time zones", d.ZoneOutlines, names, ids, d.Output.SetZoneAreas)
	writeShares(d, zips, d.Zones.ZIPs, store.CodeOfZIP)
	writeShares(d, fsas, d.Zones.FSAs, store.CodeOfFSA)
}

// writeAreas writes the areas of the names, which ascend, in the form of the file.
func writeAreas[N cmp.Ordered, K store.AreaKey](d *Draft, kind string, s *outlines[N], names []N, keys []K, set func(storewrite.AreaLayer[K]) error) {
	d.written("outlines of "+kind, len(keys))
	if len(keys) == 0 {
		return
	}
	layer := storewrite.AreaLayer[K]{Sources: s.names, Keys: keys}
	var p spatial.PolygonIndexBuilder
	for _, n := range names {
		if len(s.names) > 1 {
			layer.From = append(layer.From, s.file[n])
		}
		if err := p.Add(d.simple(s.kind, s.polygons[n])); err != nil {
			check(s.failed(n, err))
		}
	}
	layer.Packed = must(p.AppendBinary(nil))
	check(set(layer))
}

// simple returns the outline that is stored of an area.
func (d *Draft) simple(kind string, m orb.MultiPolygon) orb.MultiPolygon {
	if d.Simplify == nil || len(m) == 0 {
		return m
	}
	return d.Simplify(kind, m)
}

func writeShares[K any](d *Draft, keys []K, shares [][]ZonePart, code func(K) store.Code) {
	for i, k := range keys {
		var rows []store.ZoneShare
		for _, p := range shares[i] {
			rows = append(rows, store.ZoneShare{Zone: d.Zones.IDs[store.Zone{Name: p.Zone, Source: d.Zones.OutlineSource}], Percent: float32(p.Tenths) / 10})
		}
		if len(rows) > 0 {
			check(d.Output.AddZones(code(k), rows))
		}
	}
}
