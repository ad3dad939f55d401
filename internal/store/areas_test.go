package store_test

import (
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

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

// TestNoAreas asks a dataset without layers, whose areas are nil.
func TestNoAreas(t *testing.T) {
	c := small()
	c.cover, c.layered = cover{}, layered{}
	d := open(t, c.file(t))
	a := d.ZIPAreas()
	if a != nil || d.FSAAreas() != nil || d.StateAreas() != nil || d.CountyAreas() != nil || d.ZoneAreas() != nil {
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
