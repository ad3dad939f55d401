package store_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
)

func TestLayerIDs(t *testing.T) {
	for _, id := range store.LayerIDs() {
		if got, ok := store.ParseLayerID(id.String()); !ok || got != id || id.Country() == 0 {
			t.Errorf("%d is %q of %q, which is read as %d, %t", id, id, id.Country(), got, ok)
		}
	}
	for _, name := range []string{"", "County", "nothing"} {
		if id, ok := store.ParseLayerID(name); ok {
			t.Errorf("%q is the layer %s", name, id)
		}
	}
	for _, name := range []string{"a", "_", "territories", "a1_b2_c3_d4_", "____________"} {
		id, ok := store.OwnLayer(name)
		if again, parsed := store.ParseLayerID(id.String()); !ok || !parsed || again != id || id.String() != "layers."+name || !store.IsOwnLayer(id) || id.Country() != 0 {
			t.Errorf("the own layer %q is %q, which is read as %d", name, id, again)
		}
	}
	for _, name := range []string{"", "Sales", "a-b", "thirteen_char", "ä"} {
		if id, ok := store.OwnLayer(name); ok {
			t.Errorf("%q is the layer %s", name, id)
		}
	}
	if s := store.LayerID(190); s.String() != "" || s.Country() != 0 || store.LayerID(math.MaxUint64).String() != "layers." {
		t.Errorf("layer 190 is %q of %q", s, s.Country())
	}
}

// TestLayerFind looks areas up by code: codes of different lengths, prefixes of
// others, and what is none.
func TestLayerFind(t *testing.T) {
	d := open(t, small().file(t))
	l := d.Layer(store.LayerFederalDistrict)
	for geoid, want := range map[string]int{"35": 0, "35001": 1, "": -1, "3": -1, "350": -1, "35000": -1, "35002": -1, "350010": -1, "9": -1, "35\x00": -1} {
		got, ok := l.Find(geoid)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("Find(%q) = %d, %t; want %d", geoid, got, ok, want)
		}
	}
	for _, i := range []int{-1, 2, math.MaxInt} {
		if l.GEOID(i) != "" || l.Area(i) != (store.LayerArea{}) {
			t.Errorf("area %d is %q, %+v", i, l.GEOID(i), l.Area(i))
		}
	}
	if d.Layer(0) != nil || d.Layer(store.LayerPlace) != nil || d.Layer(255) != nil {
		t.Errorf("there are layers that the file does not have")
	}
}

// TestLayerContaining asks which areas are around points: areas within one
// another, on edges, and of counties, whose outlines are kept elsewhere.
func TestLayerContaining(t *testing.T) {
	d := open(t, small().file(t))
	tests := map[string]struct {
		layer store.LayerID
		at    geo.LatLng
		want  []int
	}{
		"both districts":         {store.LayerSchoolDistrict, geo.MustLatLng(34.6, -118.6), []int{1, 0}},
		"the outer district":     {store.LayerSchoolDistrict, geo.MustLatLng(34.1, -118.6), []int{0}},
		"no district":            {store.LayerSchoolDistrict, geo.MustLatLng(36, -118.6), nil},
		"edge of the inner one":  {store.LayerSchoolDistrict, geo.MustLatLng(34.5, -118.6), []int{1, 0}},
		"eastern edge of it":     {store.LayerSchoolDistrict, geo.MustLatLng(34.6, -118.5), []int{0}},
		"northern outer edge":    {store.LayerSchoolDistrict, geo.MustLatLng(35, -118.5), []int{0}},
		"county":                 {store.LayerCounty, geo.MustLatLng(34.5, -118.5), []int{1}},
		"no point":               {store.LayerCounty, geo.LatLng{}, nil},
		"without outlines":       {store.LayerCensusTract, geo.MustLatLng(45.5, -75.5), nil},
		"a layer that is absent": {store.LayerPlace, geo.MustLatLng(34.5, -118.5), nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			l := d.Layer(test.layer)
			got, err := l.Containing(t.Context(), test.at, []int{77})
			check(t, err)
			if diff := cmp.Diff(append([]int{77}, test.want...), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	into := make([]int, 0, 4)
	l := d.Layer(store.LayerSchoolDistrict)
	if n := testing.AllocsPerRun(100, func() {
		if _, err := l.Containing(t.Context(), geo.MustLatLng(34.6, -118.6), into); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("Containing allocates %v times", n)
	}
	m, err := d.Layer(store.LayerCounty).Polygons(t.Context(), 1)
	if err != nil || len(m) != 1 {
		t.Errorf("the outline of a county has %d polygons, %v", len(m), err)
	}
	if m, err = d.Layer(store.LayerCounty).Polygons(t.Context(), 0); err != nil || m != nil {
		t.Errorf("a county without an outline has %d polygons, %v", len(m), err)
	}
}

func TestCodesIn(t *testing.T) {
	d := open(t, small().file(t))
	zips, err := d.CodesIn(t.Context(), store.LayerCounty, 1)
	check(t, err)
	want := []store.CodeOverlap{
		{Code: 90210, Overlap: store.Overlap{Area: 1, Intersection: 1.5e10, PercentOfCode: 100 * 1.5e10 / (1.5e10 + 0.0001), PercentOfArea: 150}},
		{Code: 95501, Overlap: store.Overlap{Area: 1}, AtPoint: true},
		{Code: 99999, Overlap: store.Overlap{Area: 1, Intersection: -0.0002, PercentOfCode: 100 * -0.0002 / 10.0, PercentOfArea: 100 * -0.0002 / 1e10}},
	}
	if diff := cmp.Diff(want, zips); diff != "" {
		t.Errorf("CodesIn (-want +got):\n%s", diff)
	}
	fsas, err := d.CodesIn(t.Context(), store.LayerFederalDistrict, 0)
	check(t, err)
	if len(fsas) != 1 || fsas[0].Code != store.CodeOfFSA(fsa("K1A")) || fsas[0].PercentOfArea != 75 || fsas[0].PercentOfCode != 100 {
		t.Errorf("CodesIn = %+v", fsas)
	}
	for _, ask := range []struct {
		layer store.LayerID
		area  int
	}{{store.LayerCounty, -1}, {store.LayerCounty, 2}, {store.LayerPlace, 0}, {0, 0}} {
		if got, err := d.CodesIn(t.Context(), ask.layer, ask.area); err != nil || got != nil {
			t.Errorf("CodesIn(%s, %d) = %v, %v", ask.layer, ask.area, got, err)
		}
	}
	if got, err := d.CodesIn(t.Context(), store.LayerFederalDistrict, 1); err != nil || len(got) != 0 {
		t.Errorf("CodesIn of an area that no code meets = %v, %v", got, err)
	}
}

// TestAreas asks for areas by what they belong to and by points.
func TestAreas(t *testing.T) {
	d := open(t, small().file(t))
	a := d.ZIPAreas()
	if a.Len() != 3 {
		t.Errorf("%d areas, want 3", a.Len())
	}
	for z, want := range map[postcode.ZIP]string{0: "", 90210: "zcta sample é", 99999: "mine", 1: ""} {
		if got := a.SourceOf(z); got != want {
			t.Errorf("SourceOf(%d) = %q, want %q", z, got, want)
		}
	}
	if got, none := d.FSAAreas().SourceOf(fsa("K1A")), d.CountyAreas().SourceOf(1); got != "fsa sample" || none != "" {
		t.Errorf("the source of K1A is %q, that of a county without one %q", got, none)
	}
	for z, want := range map[postcode.ZIP]int{0: -1, 90210: 1, 99999: 2, 95501: -1, 1: -1, postcode.NumZIPs: -1, 1<<32 - 1: -1} {
		got, ok := a.Find(z)
		if ok != (want >= 0) || ok && got != want {
			t.Errorf("Find(%d) = %d, %t; want %d", z, got, ok, want)
		}
		if ok && a.Keys()[got] != z {
			t.Errorf("area %d belongs to %s, want %s", got, a.Keys()[got], z)
		}
	}
	points := map[string]struct {
		at   geo.LatLng
		want postcode.ZIP
		ok   bool
	}{
		"first part":        {geo.MustLatLng(34.05, -118.5), 90210, true},
		"second part":       {geo.MustLatLng(33.5, -120.5), 90210, true},
		"hole":              {geo.MustLatLng(34.3, -118.5), 0, false},
		"east of 180":       {geo.MustLatLng(-19.5, -179.75), 99999, true},
		"west of 180":       {geo.MustLatLng(-19.5, 179.75), 99999, true},
		"the sea":           {geo.MustLatLng(0, 0), 0, false},
		"no point":          {geo.LatLng{}, 0, false},
		"behind the window": {geo.MustLatLng(-19.5, -179.25), 0, false},
	}
	for name, p := range points {
		if z, ok := a.Containing(p.at); z != p.want || ok != p.ok {
			t.Errorf("%s: Containing = %s, %t; want %s, %t", name, z, ok, p.want, p.ok)
		}
	}
	if id, ok := d.ZoneAreas().Containing(geo.MustLatLng(45.5, -75.5)); !ok || d.Zone(id).Name != "America/Toronto" {
		t.Errorf("the time zone of Ottawa is %d, %t", id, ok)
	}
	if id, ok := d.StateAreas().Containing(geo.MustLatLng(34.5, -118.5)); !ok || d.State(id).Abbr != "CA" {
		t.Errorf("the state of Los Angeles is %d, %t", id, ok)
	}
	if id, ok := d.CountyAreas().Containing(geo.MustLatLng(34.5, -118.5)); !ok || d.County(id).FIPS != "06037" {
		t.Errorf("the county of Los Angeles is %d, %t", id, ok)
	}
	west, okW := d.FSAAreas().Containing(geo.MustLatLng(45.5, -75.25))
	east, okE := d.FSAAreas().Containing(geo.MustLatLng(45.5, -74.75))
	if _, ok := d.FSAAreas().Containing(geo.MustLatLng(45.5, -75)); !ok || !okW || !okE || west != fsa("K1A") || east != postcode.NumFSAs-1 {
		t.Errorf("the FSAs are %s, %t and %s, %t, and on their edge %t", west, okW, east, okE, ok)
	}
}

// TestNoAreas asks a dataset without layers, whose areas are empty.
func TestNoAreas(t *testing.T) {
	c := small()
	c.cover, c.layered = cover{}, layered{}
	d := open(t, c.file(t))
	a := d.ZIPAreas()
	if d.FSAAreas().Len()+d.StateAreas().Len()+d.CountyAreas().Len()+d.ZoneAreas().Len() > 0 {
		t.Errorf("a dataset without layers has some")
	}
	if _, ok := a.Find(90210); ok || a.Len() != 0 || a.SourceOf(90210) != "" || a.Keys() != nil || a.Index() != nil {
		t.Errorf("no areas hold something")
	}
	if z, ok := a.Containing(geo.MustLatLng(34.1, -118.4)); ok {
		t.Errorf("Containing = %s without areas", z)
	}
	if s := d.ZoneShares(store.CodeOfZIP(90210)); s != nil {
		t.Errorf("ZIPZones = %v without shares", s)
	}
	check(t, d.Verify(t.Context()))
}

// TestFormerCounties checks the table: codes of one state, ascending, and no successor
// that ended itself.
func TestFormerCounties(t *testing.T) {
	compare := func(a, b store.FormerCounty) int { return strings.Compare(a.FIPS, b.FIPS) }
	if !slices.IsSortedFunc(store.FormerCounties, compare) {
		t.Error("the counties do not ascend")
	}
	for _, f := range store.FormerCounties {
		if len(f.Successors) == 0 || !slices.IsSorted(f.Successors) || f.Ended < 1970 || len(f.State) != 2 {
			t.Errorf("%+v is incomplete", f)
		}
		for _, s := range f.Successors {
			if _, ended := store.FormerCountyOf(s); ended || len(s) != 5 || s[:2] != f.FIPS[:2] {
				t.Errorf("%s, %s has the successor %s", f.Name, f.State, s)
			}
		}
	}
	f, _ := store.FormerCountyOf("09003")
	got := f.Report(func(fips string) string { return map[string]string{"09110": "Capitol Planning Region"}[fips] })
	if want := "Hartford County, CT (09003) ended in 2022; its area is now in 09110 (Capitol Planning Region), 09140, 09160"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}

// A layer holds the areas of one kind for a writer, unpacked.
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
	if a.Len() == 0 {
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
