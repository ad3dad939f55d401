package store_test

import (
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

// A layer is what a writer is given of the areas of one kind, unpacked.
type layer[K store.AreaKey] struct {
	Sources  []string
	From     []uint8
	Keys     []K
	Outlines []orb.MultiPolygon
}

// A zoned is a code with the time zones of its area, the largest first.
type zoned[K store.AreaKey] struct {
	Code   K
	Shares []store.ZoneShare
}

// A cover is everything of a country that has an extent.
type cover struct {
	ZIPAreas    *layer[postcode.ZIP]
	FSAAreas    *layer[postcode.FSA]
	StateAreas  *layer[store.StateID]
	CountyAreas *layer[store.CountyID]
	ZoneAreas   *layer[store.ZoneID]
	ZIPZones    []zoned[postcode.ZIP]
	FSAZones    []zoned[postcode.FSA]
}

// box returns a square of a degree, counterclockwise, with its corner at a
// point.
func box(lng, lat float64) orb.Polygon {
	return orb.Polygon{{{lng, lat}, {lng + 1, lat}, {lng + 1, lat + 1}, {lng, lat + 1}, {lng, lat}}}
}

// smallCover returns hand-made areas for small: a hole, two parts, one without
// a polygon, one across the antimeridian and two that share an edge.
func smallCover() cover {
	holed := append(box(-119, 34), orb.Ring{{-118.7, 34.2}, {-118.7, 34.4}, {-118.4, 34.4}, {-118.4, 34.2}, {-118.7, 34.2}})
	across := orb.Polygon{{{179.5, -20}, {180.5, -20}, {180.5, -19}, {179.5, -19}, {179.5, -20}}}
	return cover{
		ZIPAreas: &layer[postcode.ZIP]{
			Sources: []string{"zcta sample é", "mine"}, From: []uint8{0, 0, 1}, Keys: []postcode.ZIP{0, 90210, 99999},
			Outlines: []orb.MultiPolygon{nil, {holed, box(-121.25, 33)}, {across}},
		},
		FSAAreas:    &layer[postcode.FSA]{Sources: []string{"fsa sample"}, Keys: []postcode.FSA{fsa("K1A"), postcode.NumFSAs - 1}, Outlines: []orb.MultiPolygon{{box(-76, 45)}, {box(-75, 45)}}},
		StateAreas:  &layer[store.StateID]{Sources: []string{"states"}, Keys: []store.StateID{1, 3}, Outlines: []orb.MultiPolygon{{box(-119, 34)}, {box(-76, 45)}}},
		CountyAreas: &layer[store.CountyID]{Keys: []store.CountyID{1}, Outlines: []orb.MultiPolygon{{box(-119, 34)}}},
		ZoneAreas:   &layer[store.ZoneID]{Sources: []string{"zones 2025b"}, Keys: []store.ZoneID{1, 2}, Outlines: []orb.MultiPolygon{{box(-119, 34)}, {box(-76, 45)}}},
		ZIPZones: []zoned[postcode.ZIP]{
			{0, []store.ZoneShare{{Zone: 2, Percent: 0.001}}},
			{90210, []store.ZoneShare{{Zone: 1, Percent: 99.7}, {Zone: 2, Percent: 0.3}}},
		},
		FSAZones: []zoned[postcode.FSA]{{fsa("K1A"), []store.ZoneShare{{Zone: 1, Percent: 50}, {Zone: 2, Percent: 50}}}},
	}
}

// packed returns the layer as a writer takes it.
func packed[K store.AreaKey](t testing.TB, l *layer[K]) storewrite.AreaLayer[K] {
	t.Helper()
	var b spatial.PolygonIndexBuilder
	for _, m := range l.Outlines {
		check(t, b.Add(m))
	}
	data := lookuptest.Packed(t, &b)
	return storewrite.AreaLayer[K]{Sources: l.Sources, From: l.From, Keys: l.Keys, Packed: data}
}

func setLayer[K store.AreaKey](t testing.TB, set func(storewrite.AreaLayer[K]) error, l *layer[K]) {
	t.Helper()
	if l != nil {
		check(t, set(packed(t, l)))
	}
}

func (c *country) addCover(t testing.TB, w *storewrite.Writer) {
	t.Helper()
	setLayer(t, w.SetZIPAreas, c.ZIPAreas)
	setLayer(t, w.SetFSAAreas, c.FSAAreas)
	setLayer(t, w.SetStateAreas, c.StateAreas)
	setLayer(t, w.SetCountyAreas, c.CountyAreas)
	setLayer(t, w.SetZoneAreas, c.ZoneAreas)
	for _, z := range c.ZIPZones {
		check(t, w.AddZones(store.CodeOfZIP(z.Code), z.Shares))
	}
	for _, z := range c.FSAZones {
		check(t, w.AddZones(store.CodeOfFSA(z.Code), z.Shares))
	}
	c.addLayers(t, w)
}

// readCover reads back what addCover wrote.
func readCover(d *store.Dataset) cover {
	c := cover{
		ZIPAreas: unpacked(d.ZIPAreas()), FSAAreas: unpacked(d.FSAAreas()), StateAreas: unpacked(d.StateAreas()),
		CountyAreas: unpacked(d.CountyAreas()), ZoneAreas: unpacked(d.ZoneAreas()),
	}
	for r := range d.ZIPs() {
		if s := d.ZoneShares(store.CodeOfZIP(r.ZIP)); s != nil {
			c.ZIPZones = append(c.ZIPZones, zoned[postcode.ZIP]{r.ZIP, s})
		}
	}
	for r := range d.FSAs() {
		if s := d.ZoneShares(store.CodeOfFSA(r.FSA)); s != nil {
			c.FSAZones = append(c.FSAZones, zoned[postcode.FSA]{r.FSA, s})
		}
	}
	return c
}

func unpacked[K store.AreaKey](a *store.Areas[K]) *layer[K] {
	if a == nil {
		return nil
	}
	l := &layer[K]{Keys: a.Keys()}
	for i, k := range a.Keys() {
		at := slices.Index(l.Sources, a.SourceOf(k))
		if at < 0 && a.SourceOf(k) != "" {
			at, l.Sources = len(l.Sources), append(l.Sources, a.SourceOf(k))
		}
		l.From = append(l.From, uint8(max(0, at)))
		l.Outlines = append(l.Outlines, a.Index().Polygons(i))
	}
	if len(l.Sources) < 2 {
		l.From = nil
	}
	return l
}
