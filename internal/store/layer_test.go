package store_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
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
