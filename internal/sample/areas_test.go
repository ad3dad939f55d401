package sample_test

import (
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sample/internal/facts"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// TestCodesLieInTheirAreas checks that every code's area contains its point.
func TestCodesLieInTheirAreas(t *testing.T) {
	d := open(t)
	zips, fsas := 0, 0
	for z := range d.ZIPs() {
		if !z.Location.IsValid() {
			continue
		}
		if _, has := d.ZIPAreas().Find(z.ZIP); has {
			zips++
			if got, ok := d.ZIPAreas().Containing(z.Location); !ok || got != z.ZIP {
				t.Errorf("%v: around its point lies %v, %v", z.ZIP, got, ok)
			}
		}
		if got, ok := d.CountyAreas().Containing(z.Location); !ok || got != z.County {
			t.Errorf("%v: around its point lies the county %q, %v; want %q", z.ZIP, d.County(got).Name, ok, d.County(z.County).Name)
		}
		if got, ok := d.StateAreas().Containing(z.Location); !ok || got != z.State {
			t.Errorf("%v: around its point lies the state %q, %v; want %q", z.ZIP, d.State(got).Name, ok, d.State(z.State).Name)
		}
		if got, ok := d.ZoneAreas().Containing(z.Location); !ok || got != z.Zone {
			t.Errorf("%v: around its point lies the zone %q, %v; want %q", z.ZIP, d.Zone(got).Name, ok, d.Zone(z.Zone).Name)
		}
		if other, ok := d.FSAAreas().Containing(z.Location); ok {
			t.Errorf("%v lies in the Canadian %v", z.ZIP, other)
		}
	}
	for f := range d.FSAs() {
		if _, has := d.FSAAreas().Find(f.FSA); !has || !f.Location.IsValid() {
			continue
		}
		fsas++
		if got, ok := d.FSAAreas().Containing(f.Location); !ok || got != f.FSA {
			t.Errorf("%v: around its point lies %v, %v", f.FSA, got, ok)
		}
		if other, ok := d.ZIPAreas().Containing(f.Location); ok {
			t.Errorf("%v lies in the American %v", f.FSA, other)
		}
	}
	if zips < 700 || fsas < 110 {
		t.Errorf("%d ZIPs and %d FSAs have an area; the sample has at least 700 and 110", zips, fsas)
	}
}

// outlines returns the areas of an index, with their bounds.
func outlines[K store.AreaKey](t *testing.T, areas *store.Areas[K]) ([]*spatial.Outline, []orb.Bound) {
	t.Helper()
	var out []*spatial.Outline
	var bounds []orb.Bound
	for i := range areas.Len() {
		p := areas.Index().Polygons(i)
		o, err := spatial.NewOutline(p)
		if err != nil {
			t.Fatal(err)
		}
		out, bounds = append(out, o), append(bounds, p.Bound())
	}
	return out, bounds
}

// TestAreasTile measures that no two areas share land and that states and
// provinces hold the areas of their codes and no more.
func TestAreasTile(t *testing.T) {
	d := open(t)
	zips, zipBounds := outlines(t, d.ZIPAreas())
	fsas, fsaBounds := outlines(t, d.FSAAreas())
	all, bounds := append(zips, fsas...), append(zipBounds, fsaBounds...)
	var meter spatial.OverlapMeter
	const least = 10 // square meters: the rounding of vertices to a ten-millionth of a degree
	for i, a := range all {
		for j := i + 1; j < len(all); j++ {
			if !bounds[i].Intersects(bounds[j]) {
				continue
			}
			if shared := meter.Area(a, all[j]); shared > least {
				t.Errorf("areas %d and %d of %d share %.1f square metres", i, j, len(all), float64(shared))
			}
		}
	}
	states, stateBounds := outlines(t, d.StateAreas())
	for s, id := range d.StateAreas().Keys() {
		switch d.State(id).Abbr {
		case "AK", "AS", "MP":
			continue // PO Box ZIPs there have an area, which is not theirs in the dataset
		}
		held := 0.0
		for i, a := range all {
			if bounds[i].Intersects(stateBounds[s]) {
				held += float64(meter.Area(a, states[s]))
			}
		}
		if want := float64(states[s].Area()); math.Abs(held-want) > 1e-5*want {
			t.Errorf("%s has %.0f square metres, the codes in it %.0f", d.State(id).Name, want, held)
		}
	}
}

// TestAreasArePlausible compares areas with the sizes of towns' ZIP Codes.
func TestAreasArePlausible(t *testing.T) {
	d := open(t)
	zips, _ := outlines(t, d.ZIPAreas())
	fsas, _ := outlines(t, d.FSAAreas())
	for _, o := range append(zips, fsas...) {
		if a := float64(o.Area().SquareMiles()); a < 0.05 || a > 150 {
			t.Errorf("an area has %.2f square miles", a)
		}
	}
	for z := range d.ZIPs() {
		detail, err := d.ZIPDetail(t.Context(), z.ZIP)
		if err != nil {
			t.Fatal(err)
		}
		if _, has := d.ZIPAreas().Find(z.ZIP); has && detail.Population == nil || detail.Population != nil && z.Class == store.Military {
			t.Errorf("%v: area %v, population %v", z.ZIP, has, detail.Population)
		} else if has && (*detail.Population < 500 || *detail.Population > 110_000) {
			t.Errorf("%v has %d people", z.ZIP, *detail.Population)
		}
	}
}

// TestRiversPartCountries looks at places on both banks of the rivers that are
// borders, between the points of codes.
func TestRiversPartCountries(t *testing.T) {
	d := open(t)
	for _, p := range []struct {
		name     string
		lat, lng float64
		american bool
	}{
		{"Renaissance Center", 42.3290, -83.0400, true},
		{"Ambassador Bridge, Detroit", 42.3200, -83.0790, true},
		{"Ambassador Bridge, Windsor", 42.3050, -83.0690, false},
		{"Windsor riverfront", 42.3180, -83.0420, false},
		{"Prospect Point, New York", 43.0860, -79.0650, true},
		{"Clifton Hill, Ontario", 43.0910, -79.0760, false},
		{"Peace Bridge, Buffalo", 42.9060, -78.9000, true},
		{"Peace Bridge, Fort Erie", 42.9070, -78.9130, false},
		{"Grand Island", 43.0300, -78.9900, true},
	} {
		at := geo.MustLatLng(p.lat, p.lng)
		zip, american := d.ZIPAreas().Containing(at)
		fsa, canadian := d.FSAAreas().Containing(at)
		if american != p.american || canadian == p.american {
			t.Errorf("%s lies in ZIP %v (%v) and FSA %v (%v)", p.name, zip, american, fsa, canadian)
		}
	}
	if zip, ok := d.ZIPAreas().Containing(geo.MustLatLng(31.73, -106.48)); ok {
		t.Errorf("Ciudad Juárez lies in %v", zip)
	}
}

func TestZoneShares(t *testing.T) {
	d := open(t)
	for _, test := range []struct {
		zip  dataset.ZIP
		want []string
	}{
		{31901, []string{"America/New_York"}},
		{36867, []string{"America/Chicago"}},
		{36869, []string{"America/Chicago", "America/New_York"}},
	} {
		var got []string
		for _, s := range d.ZIPZones(test.zip) {
			got = append(got, d.Zone(s.Zone).Name)
		}
		if len(got) != len(test.want) || got[0] != test.want[0] || got[len(got)-1] != test.want[len(test.want)-1] {
			t.Errorf("%v lies in %q, want %q", test.zip, got, test.want)
		}
	}
	check := func(code any, shares []store.ZoneShare) {
		sum := 0.0
		for _, s := range shares {
			sum += float64(s.Percent)
		}
		if math.Abs(sum-100) > 1e-3 {
			t.Errorf("%v: its shares of time zones add up to %v percent", code, sum)
		}
	}
	for _, z := range d.ZIPAreas().Keys() {
		check(z, d.ZIPZones(z))
	}
	for _, f := range d.FSAAreas().Keys() {
		check(f, d.FSAZones(f))
	}
}

// TestNamedPostalCodes compares the full codes that the facts place with the
// dataset, and their FSA with them.
func TestNamedPostalCodes(t *testing.T) {
	d := open(t)
	f, err := facts.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range f.PostalCodes {
		row, ok := d.PostalCode(p.Code)
		if !ok || row.City != p.City || row.Location != p.Point {
			t.Errorf("%v: found %v, %s, %v; want %s, %v", p.Code, ok, row.City, row.Location, p.City, p.Point)
		}
	}
	k1a0b1, _ := dataset.ParsePostalCode("K1A 0B1")
	if row, _ := d.PostalCode(k1a0b1); row.Location != geo.MustLatLng(45.375, -75.691) {
		t.Errorf("K1A 0B1 lies at %v, not at Riverside Drive", row.Location)
	}
	areas, err := d.PostalAreas(t.Context(), k1a0b1)
	if err != nil || !slices.ContainsFunc(areas, func(a store.PostalArea) bool { return a.Layer == store.LayerDisseminationArea }) {
		t.Errorf("K1A 0B1 is in no dissemination area: %+v, %v", areas, err)
	}
}
