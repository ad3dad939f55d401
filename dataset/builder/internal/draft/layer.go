package draft

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// A layer is a kind of area in the making, such as counties or school districts. It
// passes through these states, in this order:
//
//  1. read from outlines (readSpec), made of smaller areas (madeLayer), or listed by
//     codes and names alone (addNamed). Areas are in the order of the files; at finds
//     them by GEOID.
//  2. settled: areas ascend by GEOID, and their positions are final. Overlaps refer to
//     them. outlines has each area laid out for measuring.
//  3. packed: index finds areas around a point, and Packed is the form of the file.
//  4. measured: overlaps with codes stand in compared. polygons, outlines and index are
//     released, unless a later layer or part needs them.
//  5. written.
//
// Releasing is what keeps a national build of all layers below 3 GB of memory.
type layer struct {
	storewrite.LayerData                    // its areas ascend once it is settled
	polygons             []orb.MultiPolygon // of the areas, repaired; nil for an area without outline
	at                   map[string]int     // by GEOID, until it is settled
	repairs              shape.Repairs
	outlines             []*spatial.Outline    // once it is settled
	index                *spatial.PolygonIndex // once it is packed
	first                []store.LayerArea     // areas of the first plan of the layer; nil unless this is a later one
}

func newLayer(id store.LayerID) *layer {
	return &layer{LayerData: storewrite.LayerData{Info: store.LayerInfo{ID: id, FitForShares: true}}, at: map[string]int{}}
}

// canadianYear is the year of the census of Canadian layers.
const canadianYear = 2021

// readLayer returns a layer with its outlines, nil without a source.
func (d *Draft) readLayer(id store.LayerID) *layer {
	if id == store.LayerCounty {
		return d.countyLayer()
	}
	if s := catalog.Layer(id); s != nil && d.includes(s.Of) {
		if l := d.readSpec(s); l != nil {
			return l
		}
	}
	if !d.includes(catalog.Census) {
		return nil
	}
	return d.madeLayer(id)
}

// readSpec reads a layer from its files, nil without any. Names of a file without
// outlines are read only if no file had areas. Without elementary and secondary
// districts, the file of unified ones may hold all kinds, so that their kind is unknown.
func (d *Draft) readSpec(s *catalog.LayerSpec) *layer {
	l := newLayer(s.ID.LayerID)
	for _, f := range s.Files {
		if f.States { // the layer is named after the first file, with SS for the state
			for i, id := range d.files(f.Source) {
				if name := d.fileName(id); i == 0 {
					l.from(d.source(id), strings.Replace(name, "_"+strings.TrimPrefix(id, f.Source+"-")+"_", "_SS_", 1), 0)
				}
				l.Info.FitForShares = l.Info.FitForShares && d.fit(id)
				read(d, id, catalog.Columns(f.Source).Areas, func(r source.AreaRow) error { return l.take(d, f, f.Kind, r) })
			}
			continue
		}
		if !d.has(f.Source) || f.Names && len(l.Areas) > 0 {
			continue
		}
		l.from(d.source(f.Source), d.fileName(f.Source), s.Year)
		kind := f.Kind
		if !d.has(f.Kinds...) {
			kind = ""
			d.applied("type of school districts unknown, for missing files", f.Source)
		}
		rows := catalog.Columns(f.Source).Areas
		if f.Names {
			rows, kind = catalog.Columns(f.Source).Names, ""
		}
		read(d, f.Source, rows, func(r source.AreaRow) error { return l.take(d, f, kind, r) })
	}
	if len(l.Areas) == 0 {
		return nil
	}
	l.repairs.RepairAll(l.polygons)
	// The Gazetteer fills gaps of the files. Its point replaces none that is better:
	// files of outlines have no points, and settle puts one into areas that the Gazetteer
	// lacks.
	if of := s.Details; of.Source != "" {
		read(d, of.Source, source.Gazetteer(of.Digits, "NAME"), func(r source.GazetteerRow) error {
			if i, ok := l.at[r.GEOID]; ok {
				a := &l.Areas[i]
				if a.Name == "" {
					a.Name = strings.Clone(r.Name)
				}
				if a.Land == store.UnknownArea && a.Water == store.UnknownArea {
					a.Land, a.Water = r.Land, r.Water
				}
				a.Point = r.Location
			}
			return nil
		})
	}
	l.setPlan(d, s)
	return l
}

// countyLayer returns the layer of counties, whose outlines the boundaries
// layer has; nil without the census.
func (d *Draft) countyLayer() *layer {
	if !d.includes(catalog.Census) || len(d.CountyOutlines.polygons) == 0 {
		return nil
	}
	l := newLayer(store.LayerCounty)
	l.from(d.source(catalog.CountyAreas), d.fileName(catalog.CountyAreas), 0)
	for _, id := range d.CountyOutlines.keys() {
		c, stated := d.Counties.List[id-1], d.CountyOutlines.stated[id]
		l.add(store.LayerArea{
			GEOID: c.FIPS, Name: c.Name, State: c.State, Land: stated.land, Water: stated.water, Point: d.Counties.At[c.FIPS],
		}, d.CountyOutlines.polygons[id])
	}
	return l
}

// from records the next file of areas: the layer is fit for shares if all of its files
// are. A mirror may hold a file of another year under the publisher's name. Then the
// mirror's vintage replaces the name, which has the wrong year. The source reads
// like "U.S. Census Bureau, cb_2024_us_sldu_500k" or "U.S. Census Bureau (2020)", from
// which readers of the file recover the publisher.
func (l *layer) from(f *Source, name string, year int) {
	base, _, _ := strings.Cut(name, ".")
	published := f.Published
	from := ", " + base
	if f.Source.Vintage != published && firstYear(f.Source.Vintage) != 0 {
		from = " (" + f.Source.Vintage + ")"
	}
	publisher, _, _ := strings.Cut(f.Source.Attribution, ",")
	if strings.HasPrefix(f.Source.Attribution, "Adapted from Statistics Canada") {
		publisher = "Statistics Canada"
	}
	if l.Info.Source == "" {
		l.Info.Source, l.Info.Vintage = publisher+from, f.Source.Vintage
		l.Info.Year = cmp.Or(year, firstYear(f.Source.Vintage), firstYear(published))
		l.Info.Period = cmp.Or(schoolPeriod(f.Source.Vintage), schoolPeriod(published))
	} else if !strings.HasSuffix(l.Info.Source, from) {
		l.Info.Source += from
	}
	l.Info.FitForShares = l.Info.FitForShares && f.FitForShares
}

var (
	yearPattern   = regexp.MustCompile(`\b(?:19|20)[0-9]{2}\b`)
	schoolPattern = regexp.MustCompile(`school year ((?:19|20)[0-9]{2})-([0-9]{2})`)
)

// firstYear returns the first year in a vintage, 0 without one.
func firstYear(vintage string) int {
	year, err := strconv.Atoi(yearPattern.FindString(vintage))
	if err != nil {
		return 0
	}
	return year
}

// schoolPeriod returns the school year in a vintage, "2023-2024"; "" without
// one.
func schoolPeriod(vintage string) string {
	m := schoolPattern.FindStringSubmatch(vintage)
	if m == nil {
		return ""
	}
	return m[1] + "-" + m[1][:2] + m[2]
}

// add takes an area, or a further part of one.
func (l *layer) add(a store.LayerArea, polygons orb.MultiPolygon) {
	i, have := l.at[a.GEOID]
	if !have {
		l.at[a.GEOID] = len(l.Areas)
		l.Areas, l.polygons = append(l.Areas, a), append(l.polygons, polygons)
		return
	}
	l.polygons[i] = append(l.polygons[i], polygons...)
	l.Areas[i].Land = sumKnown(l.Areas[i].Land, a.Land)
	l.Areas[i].Water = sumKnown(l.Areas[i].Water, a.Water)
}

// take adds a row of a file of the layer, or refuses it. An area of an unknown state is
// refused, because plans are in force by state. Layers whose areas cross borders have no
// state.
func (l *layer) take(d *Draft, f catalog.LayerFile, kind string, r source.AreaRow) error {
	if undefined(r.ID) {
		return refused("area that the publisher leaves undefined", r.Record, r.ID)
	}
	a := store.LayerArea{
		GEOID: r.ID, Name: cmp.Or(r.Full, r.Name), NameFR: r.French, Type: cmp.Or(kind, r.Kind),
		Land: known(r.Land), Water: known(r.Water), State: d.layerState(l.Info.ID, r.ID),
	}
	if l.Info.ID == store.LayerMetroArea {
		a.Type = metroKind(a.Type)
	}
	if len(f.Kinds) > 0 && kind == "" {
		a.Type = ""
	}
	if a.State == 0 && l.Info.ID.Country() == store.US && !acrossStates(l.Info.ID) {
		return refused("area of an unknown state", r.Record, r.ID)
	}
	if l.Info.Period == "" {
		l.Info.Period = r.Period
	}
	l.repairs.Closed += int64(r.Closed)
	l.add(a, r.Polygon)
	return nil
}

// metroKind spells out the letter of a census metropolitan area (B) or a census
// agglomeration with tracts (K) or without (D).
func metroKind(letter string) string {
	switch letter {
	case "B":
		return "CMA"
	case "D", "K":
		return "CA"
	}
	return letter
}

// undefined reports whether a code is one that the Census gives to water and land that no
// district holds: ZZ, or ZZZ in state legislatures.
func undefined(geoid string) bool { return strings.HasSuffix(geoid, "ZZ") }

// acrossStates reports whether areas of a layer lie in several states or provinces, or
// their codes don't begin with one.
func acrossStates(id store.LayerID) bool {
	switch id {
	case store.LayerCBSA, store.LayerMetropolitanDivision, store.LayerMetroArea, store.LayerCensusTract, store.LayerUrbanArea, store.LayerTribalArea:
		return true
	default:
		return false
	}
}

// layerState returns the state or province of the first two digits of a GEOID,
// 0 without one.
func (d *Draft) layerState(id store.LayerID, geoid string) store.StateID {
	if len(geoid) < 2 || acrossStates(id) {
		return 0
	}
	if id.Country() == store.CA {
		return d.States.ID(store.CA, source.Provinces[geoid[:2]])
	}
	return d.States.ByFIPS[geoid[:2]]
}

// setPlan completes the plan of a layer of districts after its areas were read. A plan is
// one set of districts with its days in force (decision D64). IDs and names that the
// catalog leaves open follow the period in the file. So a file of the next Congress needs
// no new entry.
func (l *layer) setPlan(d *Draft, s *catalog.LayerSpec) {
	if !store.HasPlans(l.Info.ID) {
		return
	}
	p := s.Plan
	switch year := cmp.Or(l.Info.Period, strconv.Itoa(l.Info.Year)); store.BaseLayer(l.Info.ID) {
	case store.LayerCongressionalDistrict:
		if n, err := strconv.Atoi(l.Info.Period); err == nil && p.ID == "" {
			p.ID, p.Name = "cd"+l.Info.Period, strings.ToLower(pub28.FormatOrdinal(n))+" Congress"
			p.From, p.To = seated(n), seated(n+1)
		}
	case store.LayerStateUpper:
		p.ID, p.Name = cmp.Or(p.ID, "sldu"+year), cmp.Or(p.Name, "State legislative districts of "+year+", upper chambers")
	case store.LayerStateLower:
		p.ID, p.Name = cmp.Or(p.ID, "sldl"+year), cmp.Or(p.Name, "State legislative districts of "+year+", lower chambers")
	default:
	}
	for _, k := range s.Keep {
		p.Overrides = append(p.Overrides, store.PlanOverride{State: d.States.ByFIPS[k.State], Plan: k.Plan, Evidence: k.Evidence})
	}
	if !l.Info.FitForShares && l.Info.ID != store.BaseLayer(l.Info.ID) {
		l.rough(&p)
	}
	l.Info.Plan = p
	l.Info.People = l.Info.ID.Country() == store.US && len(d.Residents.Of) > 0
}

// rough notes the states whose outlines are too coarse for shares: those with a district
// whose extent the file does not state. The others are exact. The file of the 120th
// Congress is such a mixture: outlines of states that kept their districts are those of
// the census, and outlines of redrawn states are simplified and have no stated areas.
func (l *layer) rough(p *store.Plan) {
	for i := range l.Areas {
		if a := &l.Areas[i]; a.Land == store.UnknownArea && !slices.Contains(p.Rough, a.State) {
			p.Rough = append(p.Rough, a.State)
		}
	}
	slices.Sort(p.Rough)
	l.Info.FitForShares = slices.ContainsFunc(l.Areas, func(a store.LayerArea) bool { return !p.IsRough(a.State) })
}

// seated returns the first day of a Congress by the 20th Amendment.
func seated(congress int) string {
	return time.Date(1789+2*(congress-1), time.January, 3, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
}

// settle puts the areas in order, gives those without a point one within their outline,
// and measures the outlines. Areas and polygons are sorted by one permutation, because
// they are parallel. The goroutines write to different elements only.
func (l *layer) settle() {
	order := make([]int, len(l.Areas))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return strings.Compare(l.Areas[i].GEOID, l.Areas[j].GEOID) })
	areas, polygons := make([]store.LayerArea, len(order)), make([]orb.MultiPolygon, len(order))
	for k, i := range order {
		areas[k], polygons[k] = l.Areas[i], l.polygons[i]
	}
	l.Areas, l.polygons, l.at, l.outlines = areas, polygons, nil, make([]*spatial.Outline, len(order))
	check(shape.Parallel(len(order), func(k int) error {
		if len(polygons[k]) == 0 {
			return nil
		}
		o, err := spatial.NewOutline(polygons[k])
		if err != nil {
			return l.failed(k, err)
		}
		l.outlines[k] = o
		areas[k].Outline = geo.SquareMeters(max(0, float64(o.Area())))
		if !areas[k].Point.IsValid() {
			areas[k].Point = shape.PointWithin(polygons[k])
		}
		return nil
	}))
}

func (l *layer) failed(i int, err error) error {
	return fmt.Errorf("outline of %s %s: %w", l.Info.ID, l.Areas[i].GEOID, err)
}

// pack indexes the outlines, and brings them into the form of the file. That of counties,
// whose outlines are stored otherwise, and of layers without outlines has none.
//
// The index comes from the exact outlines even if simplified ones are stored, as in the
// sample. So points and boxes are those of the national file.
func (l *layer) pack(d *Draft) {
	pack := func(of func(orb.MultiPolygon) orb.MultiPolygon) []byte {
		var p spatial.PolygonIndexBuilder
		for i, m := range l.polygons {
			if err := p.Add(of(m)); err != nil {
				check(l.failed(i, err))
			}
		}
		return must(p.AppendBinary(nil))
	}
	packed := pack(func(m orb.MultiPolygon) orb.MultiPolygon { return m })
	l.index = must(spatial.DecodePolygonIndex(packed))
	if l.Info.ID != store.LayerCounty && slices.ContainsFunc(l.polygons, func(m orb.MultiPolygon) bool { return len(m) > 0 }) {
		if l.Packed = packed; d.Simplify != nil {
			l.Packed = pack(func(m orb.MultiPolygon) orb.MultiPolygon { return d.simple(l.Info.ID.String(), m) })
		}
	}
}
