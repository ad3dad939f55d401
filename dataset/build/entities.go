package build

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/build/source"
	"github.com/postgeo/postgeo/dataset/namekey"
	"github.com/postgeo/postgeo/geo"
)

// entityDraft is a named thing in the making.
type entityDraft struct {
	dataset.Entity
	names dataset.EntityNames
	twin  *entityDraft
	// weight is what the number of residents is multiplied by to tell how well
	// known the thing is among those of its name.
	weight float64
	// residents is how many people count for that. It is also told where the
	// population is not, and may be assumed.
	residents float64
	land      int64 // square metres; of places of the United States
	accepted  bool  // a city name that is acceptable and preferred nowhere
}

// How well known things of a kind are, beside a city of as many residents: who
// types a name means the city first, then the state, the county and the
// metropolitan area around it, and its school district last.
const (
	stateWeight    = 1.0 / 3
	stateResidents = 1_000_000 // at least: everybody knows the territories, too
	countyWeight   = 1.0 / 32
	cbsaWeight     = 1.0 / 64
	unnamedWeight  = 1.0 / 4 // census designated places whose name is no city's of the postal service
	districtWeight = 1.0 / 64
	aliasWeight    = 1.0 / 4 // city names that are acceptable and preferred nowhere
)

// prominence is the scale on which names compete: 2048 times the binary
// logarithm of weighted residents.
func (e *entityDraft) prominence() uint16 {
	const unit = 2048
	return uint16(min(math.MaxUint16, math.Round(unit*math.Log2(1+e.weight*e.residents))))
}

// deriveEntities collects what suggestions find by name.
func deriveEntities(ctx context.Context, b *builder) error {
	b.countResidents()
	for _, derive := range []func(context.Context, *builder) error{
		stateEntities, countyEntities, cityEntities, cbsaEntities, placeEntities, canadianEntities, districtEntities,
	} {
		if err := derive(ctx, b); err != nil {
			return err
		}
	}
	t := &b.tables
	b.pairTwins()
	b.nickname()
	b.pairAccepted()
	slices.SortStableFunc(t.entities, func(x, y *entityDraft) int { return cmp.Compare(x.Kind, y.Kind) })
	numberEntities(t.entities)
	for _, e := range t.entities {
		e.Prominence = e.prominence()
	}
	return ctx.Err()
}

// entity adds a named thing, with the keys of its name.
func (b *builder) entity(e entityDraft, other ...string) *entityDraft {
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
	b.tables.entities = append(b.tables.entities, d)
	return d
}

// alias adds other names.
func (e *entityDraft) alias(names ...string) {
	for _, name := range names {
		if k := namekey.Of(name); k != "" && k != e.names.Own[0] && !slices.Contains(e.names.Other, k) {
			e.names.Other = append(e.names.Other, k)
		}
	}
}

// own adds a spelling of the name itself.
func (e *entityDraft) own(name string) {
	if k := namekey.Of(name); k != "" && !slices.Contains(e.names.Own, k) {
		e.names.Own = append(e.names.Own, k)
	}
}

// Residents of a general ZIP whose number no source tells, where others are
// known, and where none is.
const (
	fewResidents     = 500
	averageResidents = 8000
)

// countResidents finds out how many people live in each ZIP and county, for
// telling which names are well known.
func (b *builder) countResidents() {
	t := &b.tables
	t.residents = make(map[dataset.ZIP]float64, len(t.zips))
	known := slices.ContainsFunc(t.zips, func(z *zipDraft) bool { return z.detail.Population != nil })
	for _, z := range t.zips {
		switch {
		case z.detail.Population != nil:
			t.residents[z.row.ZIP] = float64(*z.detail.Population)
		case z.row.Class != dataset.General:
			t.residents[z.row.ZIP] = 1
		case known:
			t.residents[z.row.ZIP] = fewResidents
		default:
			t.residents[z.row.ZIP] = averageResidents
		}
	}
	t.countyCounts = make([]headcount, len(t.counties)+1)
	for _, z := range t.zips {
		t.countyCounts[z.row.County].add(b, z)
	}
	for i, c := range t.counties {
		if n, ok := t.peopleOf(source.CountyLevel, c.FIPS); ok {
			t.countyCounts[i+1] = headcount{told: float64(n), assumed: float64(n), known: true}
		}
	}
}

// headcount sums people over ZIPs or counties: those that are told, and those
// that are assumed.
type headcount struct {
	told, assumed float64
	known         bool
}

func (h *headcount) add(b *builder, z *zipDraft) {
	h.assumed += b.tables.residents[z.row.ZIP]
	if z.detail.Population != nil {
		h.told += float64(*z.detail.Population)
		h.known = true
	}
}

// plus adds another count.
func (h *headcount) plus(o headcount) {
	h.told, h.assumed, h.known = h.told+o.told, h.assumed+o.assumed, h.known || o.known
}

func (h *headcount) population() int32 {
	if !h.known {
		return dataset.NoPopulation
	}
	return int32(math.Round(h.told))
}

// boxOf returns the box around the outlines of a set.
func boxOf[K cmp.Ordered](s *outlineSet[K], keys ...K) geo.Box {
	var box geo.Box
	for _, k := range keys {
		box = box.Union(boxAround(s.polygons[k]))
	}
	return box
}

// boxAround returns the box around an outline, an empty one where the outline
// cannot be.
func boxAround(polygons orb.MultiPolygon) geo.Box {
	box, err := geo.BoundingBox(polygons)
	if err != nil {
		return geo.Box{}
	}
	return box
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
