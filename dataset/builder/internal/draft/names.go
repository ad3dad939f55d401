package draft

import (
	"cmp"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/store"
)

// Entity is a named thing in the making.
type Entity struct {
	store.Entity
	names store.EntityNames
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

// prominence is the scale for ranking names: 2048 times the binary logarithm of
// weighted residents.
func (e *Entity) prominence() uint16 {
	const unit = 2048
	return uint16(min(math.MaxUint16, math.Round(unit*math.Log2(1+e.weight*e.residents))))
}

// names collects what suggestions find by name.
type names struct {
	*Draft
	residents    map[postcode.ZIP]float64 // ranks names of the same text
	postalCities map[[2]string]*Entity    // by state and key of the name
	countyCounts []headcount              // by county
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

// entity adds a named thing, with the keys of its name.
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

func (e *Entity) alias(names ...string) {
	for _, name := range names {
		if k := namekey.Of(name); k != "" && k != e.names.Own[0] && !slices.Contains(e.names.Other, k) {
			e.names.Other = append(e.names.Other, k)
		}
	}
}

func (e *Entity) own(name string) {
	if k := namekey.Of(name); k != "" && !slices.Contains(e.names.Own, k) {
		e.names.Own = append(e.names.Own, k)
	}
}

// Residents of a general ZIP of unknown number, if others are known, and if
// none is.
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
			b.residents[z.Row.ZIP] = 1
		case known:
			b.residents[z.Row.ZIP] = fewResidents
		default:
			b.residents[z.Row.ZIP] = averageResidents
		}
	}
	b.countyCounts = make([]headcount, len(b.Counties.List)+1)
	for _, z := range b.ZIPs.List {
		b.countyCounts[z.Row.County].add(b, z)
	}
	for i, c := range b.Counties.List {
		if n, ok := b.People[SurveyArea{source.CountyLevel, c.FIPS}]; ok {
			b.countyCounts[i+1] = headcount{counted: float64(n.N), assumed: float64(n.N), known: true}
		}
	}
}

// headcount sums people over ZIPs or counties: the published and the assumed
// ones.
type headcount struct {
	counted, assumed float64
	known            bool
}

func (h *headcount) add(b *names, z *ZIP) {
	h.assumed += b.residents[z.Row.ZIP]
	if z.Detail.Population != nil {
		h.counted += float64(*z.Detail.Population)
		h.known = true
	}
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

// middle returns the mean of points by weight; the zero LatLng without any.
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
