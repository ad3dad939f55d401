package build

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
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
	// residents stands in for the population where that is not told.
	residents float64
}

// How well known things of a kind are, beside a city of as many residents: who
// types a name means the city first, then the state, the county and the
// metropolitan area around it, and its school district last.
const (
	stateWeight    = 1.0 / 3
	countyWeight   = 1.0 / 8
	cbsaWeight     = 1.0 / 16
	districtWeight = 1.0 / 64
	aliasWeight    = 1.0 / 4 // city names that are acceptable and preferred nowhere
)

// prominence is the scale on which names compete: 2048 times the binary
// logarithm of weighted residents.
func (e *entityDraft) prominence() uint16 {
	const unit = 2048
	n := e.residents
	if e.Population != dataset.NoPopulation {
		n = max(n, float64(e.Population))
	}
	return uint16(min(math.MaxUint16, math.Round(unit*math.Log2(1+e.weight*n))))
}

// deriveEntities collects what suggestions find by name.
func deriveEntities(ctx context.Context, b *builder) error {
	b.countResidents()
	for _, derive := range []func(context.Context, *builder) error{
		stateEntities, countyEntities, cbsaEntities, cityEntities, placeEntities, canadianEntities, districtEntities,
	} {
		if err := derive(ctx, b); err != nil {
			return err
		}
	}
	t := &b.tables
	b.pairTwins()
	b.nickname()
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
	e.names.Own, e.names.Joined = keys[:1], keys[1:]
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

// countResidents finds out how many people live in each ZIP, for telling
// which names are well known.
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
}

// headcount sums people over ZIPs: those that are told, and those that are
// assumed.
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

func (h *headcount) population() int32 {
	if !h.known {
		return dataset.NoPopulation
	}
	return int32(math.Round(h.told))
}

// boxOf returns the box around some outlines.
func boxOf[K cmp.Ordered](s *outlineSet[K], keys ...K) dataset.Box {
	box := growingBox{}
	for _, k := range keys {
		for _, polygon := range s.polygons[k] {
			for _, p := range polygon[0] {
				box.add(p[0], p[1])
			}
		}
	}
	return box.box()
}

// growingBox is a box around points. It keeps longitudes east and west of
// Greenwich apart, so that Alaska's box goes across the antimeridian.
type growingBox struct {
	lat, west, east span
}

type span struct {
	min, max float64
	any      bool
}

func (s *span) add(v float64) {
	if !s.any {
		*s = span{v, v, true}
		return
	}
	s.min, s.max = min(s.min, v), max(s.max, v)
}

func (g *growingBox) add(lng, lat float64) {
	g.lat.add(lat)
	if lng < 0 {
		g.west.add(lng)
	} else {
		g.east.add(lng)
	}
}

func (g *growingBox) box() dataset.Box {
	const turn = 360
	b := dataset.Box{MinLat: g.lat.min, MaxLat: g.lat.max}
	switch {
	case !g.lat.any:
		return dataset.Box{}
	case !g.east.any:
		b.MinLng, b.MaxLng = g.west.min, g.west.max
	case !g.west.any:
		b.MinLng, b.MaxLng = g.east.min, g.east.max
	case g.east.min > turn/4: // across the antimeridian
		b.MinLng, b.MaxLng = g.east.min, g.west.max+turn
	default:
		b.MinLng, b.MaxLng = g.west.min, g.east.max
	}
	return b
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
