package draft

import (
	"cmp"
	_ "embed"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// Suggestions find entities: states, counties, metropolitan areas, places, city names of
// the Postal Service and school districts. The builder collects them, gives them keys
// (package namekey) and ranks them, so that a query only looks up and sorts.
//
// The order of the collection matters. Cities come after counties and before metropolitan
// areas, whose first city is one of them. Places are paired with cities at the end: twins
// are one city of the census and of the Postal Service, which is suggested once. Nicknames
// come after that, to go to the best known of a name.
//
// A name is ranked by residents times the weight of its kind. Many are unknown, and are
// assumed for the ranking only: the population in an answer is counted or absent, see
// headcount.

// Entity is a named thing in the making.
type Entity struct {
	store.Entity
	names storewrite.EntityNames
	twin  *Entity
	// weight multiplies the number of residents to rank the thing among those
	// of its name.
	weight float64
	// residents is the number of people for ranking. It may be assumed even if
	// the population is unknown.
	residents    float64
	land         int64  // square meters; of places of the United States
	kind, around string // of a place: its legal kind and the area around it
	accepted     bool   // a city name that is acceptable and preferred nowhere
}

// Ranks of kinds compared with a city of as many residents. People who type a
// name mean the city first, then the state, the county and the metropolitan
// area around it, and its school district last.
const (
	stateWeight    = 1.0 / 3
	stateResidents = 1_000_000 // at least: the territories are well known, too
	countyWeight   = 1.0 / 32
	cbsaWeight     = 1.0 / 64
	unnamedWeight  = 1.0 / 4 // census designated places without a city of the postal service
	districtWeight = 1.0 / 64
	aliasWeight    = 1.0 / 4 // city names that are acceptable and preferred nowhere
)

// prominence is the scale for ranking names: 2048 times the binary logarithm of weighted
// residents. 16 bits hold up to 2^32 people, and a step is a difference of 0.03 %.
func (e *Entity) prominence() uint16 {
	const unit = 2048
	return uint16(min(math.MaxUint16, math.Round(unit*math.Log2(1+e.weight*e.residents))))
}

// names collects what suggestions find by name.
type names struct {
	*Draft
	residents    map[postcode.ZIP]float64 // published or assumed; ranks names of the same text
	postalCities map[[2]string]*Entity    // by state and key of the name; set by addCities
	countyCounts []headcount              // by county; 0 gathers ZIPs without one
	provinces    map[store.StateID]*Entity
	schoolAreas  areas[string]
	zipGrid      nearest[*ZIP] // general ones
}

// collectNames collects the names for suggestions.
func (d *Draft) collectNames() {
	b := &names{Draft: d}
	b.countResidents()
	b.addStates()
	b.addCounties()
	b.addCities()
	b.addCBSAs()
	b.addPlaces()
	b.addCanada()
	b.addDistricts()
	b.pairTwins()
	b.nickname()
	b.pairAccepted()
	list := b.entities
	slices.SortStableFunc(list, func(x, y *Entity) int { return cmp.Compare(x.Kind, y.Kind) })
	numberEntities(list)
	for _, e := range list {
		e.Prominence = e.prominence()
	}
}

// entity adds a named thing, with the keys of its name, and returns it to be completed;
// nil for a name without a letter or digit. Own has room for one key only, so that a
// further one does not write into Joined, which stands behind it in the same array.
func (b *names) entity(e Entity, other ...string) *Entity {
	if e.weight == 0 {
		e.weight = 1
	}
	keys := namekey.Keys(e.Name)
	if keys[0] == "" {
		return nil
	}
	e.names.Own, e.names.Joined = keys[:1:1], keys[1:]
	e.Twin = -1
	d := &e
	d.alias(other...)
	b.entities = append(b.entities, d)
	return d
}

// alias adds other names, which are found as well and rank below own ones.
func (e *Entity) alias(names ...string) {
	for _, name := range names {
		if k := namekey.Of(name); k != "" && k != e.names.Own[0] && !slices.Contains(e.names.Other, k) {
			e.names.Other = append(e.names.Other, k)
		}
	}
}

// own adds a name that is as good as the first.
func (e *Entity) own(name string) {
	if k := namekey.Of(name); k != "" && !slices.Contains(e.names.Own, k) {
		e.names.Own = append(e.names.Own, k)
	}
}

// Residents of a general ZIP of unknown number, if others are known, and if none is: a
// ZIP that the survey does not list is small, and without any survey all are average.
const (
	fewResidents     = 500
	averageResidents = 8000
)

// countResidents sets the number of people in each ZIP and county, for ranking
// names.
func (b *names) countResidents() {
	b.residents = make(map[postcode.ZIP]float64, len(b.ZIPs.List))
	known := slices.ContainsFunc(b.ZIPs.List, func(z *ZIP) bool { return z.Detail.Population != nil })
	for _, z := range b.ZIPs.List {
		switch {
		case z.Detail.Population != nil:
			b.residents[z.Row.ZIP] = float64(*z.Detail.Population)
		case z.Row.Class != store.General:
			b.residents[z.Row.ZIP] = 1 // not 0, so that a city of PO boxes alone has a point and a rank
		case known:
			b.residents[z.Row.ZIP] = fewResidents
		default:
			b.residents[z.Row.ZIP] = averageResidents
		}
	}
	b.countyCounts = make([]headcount, len(b.Counties.List)+1)
	for _, z := range b.ZIPs.List {
		b.countyCounts[z.Row.County].add(z.Detail.Population, b.residents[z.Row.ZIP])
	}
	// A count of the whole county is better than the sum of its ZIPs, which cross
	// borders.
	for i, c := range b.Counties.List {
		if n, ok := b.People[SurveyArea{source.CountyLevel, c.FIPS}]; ok {
			b.countyCounts[i+1] = headcount{float64(n.N), float64(n.N), true}
		}
	}
}

// headcount sums people over ZIPs or counties: the published and the assumed
// ones.
type headcount struct {
	counted, assumed float64
	known            bool
}

// add adds a published number of people, or an assumed one if it is nil, and returns it.
func (h *headcount) add(population *int32, assumed float64) float64 {
	if population != nil {
		assumed = float64(*population)
		h.counted, h.known = h.counted+assumed, true
	}
	h.assumed += assumed
	return assumed
}

func (h *headcount) plus(o headcount) {
	h.counted, h.assumed, h.known = h.counted+o.counted, h.assumed+o.assumed, h.known || o.known
}

func (h *headcount) population() int32 {
	if !h.known {
		return store.NoPopulation
	}
	return int32(math.Round(h.counted))
}

// middle returns the mean of points by weight; the zero LatLng without any. It is a mean
// of degrees, good for points of one state or city. Across the antimeridian it would be
// wrong.
type middle struct{ lat, lng, sum float64 }

func (m *middle) add(p geo.LatLng, weight float64) {
	if p.IsValid() {
		m.lat, m.lng, m.sum = m.lat+weight*p.Lat(), m.lng+weight*p.Lng(), m.sum+weight
	}
}

func (m *middle) point() geo.LatLng {
	if m.sum == 0 {
		return geo.LatLng{}
	}
	p, err := geo.LatLngFromDegrees(m.lat/m.sum, m.lng/m.sum)
	if err != nil {
		return geo.LatLng{}
	}
	return p.Rounded()
}

// writeNames writes the names for suggestions.
func (d *Draft) writeNames() {
	d.written("names for suggestions", len(d.entities))
	for _, of := range d.entities {
		check(d.Output.AddEntity(of.Entity, of.names))
	}
}

// addStates makes entities of states and provinces. Military "states" are
// none.
func (b *names) addStates() {
	counts, points := make([]headcount, len(b.States.List)+1), make([]middle, len(b.States.List)+1)
	for _, z := range b.ZIPs.List {
		points[z.Row.State].add(z.Row.Location, b.residents[z.Row.ZIP])
	}
	for i, c := range b.Counties.List {
		counts[c.State].plus(b.countyCounts[i+1])
	}
	for fips, n := range b.otherCounties() {
		counts[b.States.ByFIPS[fips[:2]]].plus(n)
	}
	b.provinces = map[store.StateID]*Entity{}
	for _, f := range b.FSAs.List {
		n := counts[f.Row.Province].add(f.Detail.Population, averageResidents)
		points[f.Row.Province].add(f.Row.Location, n)
	}
	for i, s := range b.States.List {
		if s.Country == store.US && s.FIPS == "" {
			continue
		}
		id := store.StateID(i + 1)
		e := Entity{
			Entity: store.Entity{
				Kind: store.EntityState, Name: s.Name, State: id, Ref: uint32(id),
				Population: counts[id].population(), Location: points[id].point(),
			},
			weight: stateWeight, residents: max(counts[id].assumed, stateResidents),
		}
		e.Box = b.StateOutlines.box(id)
		if d := b.entity(e, s.Abbr); s.Country == store.CA {
			b.provinces[id] = d
		}
	}
}

// otherCounties yields the people of counties that the dataset lacks: a sample has whole
// states and metropolitan areas of few of their counties.
func (b *names) otherCounties() iter.Seq2[string, headcount] {
	return func(yield func(string, headcount) bool) {
		for area, c := range b.People {
			if n := float64(c.N); area.Level == source.CountyLevel && b.Counties.IDs[area.GEOID] == 0 && !yield(area.GEOID, headcount{n, n, true}) {
				return
			}
		}
	}
}

// addCounties makes entities of counties. Former counties, such as those of Connecticut,
// are other names of their successors.
func (b *names) addCounties() {
	for i, c := range b.Counties.List {
		id := store.CountyID(i + 1)
		e := Entity{
			Entity: store.Entity{
				Kind: store.EntityCounty, Name: c.Name, State: c.State, County: id, Ref: uint32(id),
				Population: b.countyCounts[id].population(), Location: b.Counties.At[c.FIPS],
			},
			weight: countyWeight, residents: b.countyCounts[id].assumed,
		}
		e.Box = b.CountyOutlines.box(id)
		bare := bareCounty(c.Name)
		if d := b.entity(e, bare+" County"); d != nil {
			d.own(bare) // the legal description is optional
			for _, f := range store.FormerCounties {
				if slices.Contains(f.Successors, c.FIPS) {
					d.alias(f.Name)
				}
			}
		}
	}
}

// countyKinds are the legal descriptions of counties, longest first if one ends
// in another.
var countyKinds = []string{
	" City and Borough", " Planning Region", " Census Area", " Municipality", " Municipio", " Borough", " County", " Parish", " District", " Island", " city",
}

// bareCounty returns the name of a county without its legal description.
func bareCounty(name string) string {
	for _, kind := range countyKinds {
		if bare, ok := strings.CutSuffix(name, kind); ok && bare != "" {
			return bare
		}
	}
	return name
}

// addCBSAs makes entities of core based statistical areas.
func (b *names) addCBSAs() {
	counts, points := make([]headcount, len(b.Metros.CBSAs)+1), make([]middle, len(b.Metros.CBSAs)+1)
	members := make([][]store.CountyID, len(b.Metros.CBSAs)+1)
	for i, c := range b.Counties.List {
		counts[c.CBSA].plus(b.countyCounts[i+1])
		points[c.CBSA].add(b.Counties.At[c.FIPS], b.countyCounts[i+1].assumed)
		members[c.CBSA] = append(members[c.CBSA], store.CountyID(i+1))
	}
	for fips, n := range b.otherCounties() {
		counts[b.Metros.Of[fips].CBSA].plus(n)
	}
	for i, c := range b.Metros.CBSAs {
		id := store.CBSAID(i + 1)
		cities, states, _ := strings.Cut(c.Title, ", ")
		abbr, _, _ := strings.Cut(states, "-")
		first := b.firstCity(cities, abbr)
		e := Entity{
			Entity: store.Entity{
				Kind: store.EntityCBSA, Name: c.Title, State: b.States.ID(store.US, abbr), Ref: uint32(id),
				Population: counts[id].population(), Location: points[id].point(),
			},
			weight: cbsaWeight, residents: counts[id].assumed,
		}
		e.Box = b.CountyOutlines.box(members[id]...)
		kind := "Metropolitan"
		if !c.Metropolitan {
			kind = "Micropolitan"
		}
		d := b.entity(e, c.Code, c.Title, cities+" "+kind[:5]+" Area", cities+" "+kind+" Statistical Area",
			first+" "+kind[:5]+" Area", first+" "+kind+" Area", first+" MSA")
		if d != nil { // the states at the end of the title are not part of the name
			d.names = storewrite.EntityNames{Other: d.names.Other}
			d.own(cities)
			d.own(first) // what people call it
			d.names.Joined = joined(cities)
			d.alias(c.Title)
		}
	}
}

// firstCity returns the first city of the title of a metropolitan area. Its name may hold
// hyphens: Winston-Salem is one city. So the longest beginning of the title that is a
// city of the Postal Service is taken.
func (b *names) firstCity(cities, state string) string {
	cities = strings.ReplaceAll(cities, "--", "-")
	for end := len(cities); end > 0; end = strings.LastIndexByte(cities[:end], '-') {
		if b.postalCities[[2]string{state, namekey.Of(cities[:end])}] != nil {
			return cities[:end]
		}
	}
	first, _, _ := strings.Cut(cities, "-")
	return first
}

// nicknames has other names of well-known things, reviewed by hand. They are nicknames
// of cities, abbreviations that are not the Postal Service's, and names in the other
// language of Canada. A line has a kind, a name, a state, and the other names. A place
// is the best known of its name in the state.
//
//go:embed nicknames.tsv
var nicknames string

// alsoNamed are names that are as good as the official ones.
var alsoNamed = []struct {
	kind               store.EntityKind
	name, state, other string
}{
	{store.EntityPlace, "Greater Sudbury", "ON", "Sudbury"},
	{store.EntityState, "Newfoundland and Labrador", "NL", "Newfoundland"},
	{store.EntityCounty, "Los Angeles County", "CA", "LA County"},
}

// capitals are much better known than their number of residents suggests:
// people mean them, and not the state, by their name alone.
var capitals = map[[2]string]float64{{"washington", "DC"}: 16}

// nickname gives well-known entities their other names.
func (b *names) nickname() {
	type key struct{ kind, name, state string }
	// The comparison is strict, so that the first of equals wins, and the order of
	// entities is that of sources.
	best := map[key]*Entity{}
	abbr := func(e *Entity) string {
		if e.State == 0 {
			return ""
		}
		return b.States.Abbr(e.State)
	}
	for _, e := range b.entities {
		k := key{e.Kind.String(), namekey.Of(e.Name), abbr(e)}
		if other := best[k]; other == nil || e.prominence() > other.prominence() {
			best[k] = e
		}
	}
	for line := range strings.Lines(nicknames) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		k := key{f[0], namekey.Of(f[1]), f[2]}
		e := best[k]
		if e == nil && k.kind == store.EntityPlace.String() {
			k.kind = store.EntityCity.String()
			e = best[k]
		}
		if e != nil {
			e.alias(strings.Split(f[3], "; ")...)
		}
	}
	for _, n := range alsoNamed {
		if e := best[key{n.kind.String(), namekey.Of(n.name), n.state}]; e != nil {
			e.own(n.other)
		}
	}
	for k, times := range capitals {
		for _, kind := range []store.EntityKind{store.EntityPlace, store.EntityCity} {
			if e := best[key{kind.String(), k[0], k[1]}]; e != nil {
				e.weight *= times
			}
		}
	}
}
