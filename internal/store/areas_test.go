package store_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/dataset"
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
	if s := d.ZIPZones(90210); s != nil {
		t.Errorf("ZIPZones = %v without shares", s)
	}
	check(t, d.Verify(t.Context()))
}

func TestZones(t *testing.T) {
	c := small()
	// The writer puts the largest first.
	slices.Reverse(c.ZIPZones[1].Shares)
	d := open(t, c.file(t))
	want := []store.ZoneShare{{Zone: 1, Percent: 99.7}, {Zone: 2, Percent: 0.3}}
	if diff := cmp.Diff(want, d.ZIPZones(90210)); diff != "" {
		t.Errorf("ZIPZones (-want +got):\n%s", diff)
	}
	want = []store.ZoneShare{{Zone: 1, Percent: 50}, {Zone: 2, Percent: 50}}
	if diff := cmp.Diff(want, d.FSAZones(fsa("K1A"))); diff != "" {
		t.Errorf("FSAZones (-want +got):\n%s", diff)
	}
	for _, z := range []postcode.ZIP{9012, 1, postcode.NumZIPs} {
		if s := d.ZIPZones(z); s != nil {
			t.Errorf("ZIPZones(%d) = %v, want none", z, s)
		}
	}
}

// TestDensity reads population and land, which the writer takes from the details.
func TestDensity(t *testing.T) {
	c := small()
	d := open(t, c.file(t))
	of := func(people *int32, land *int64) string {
		text := "unknown, "
		if people != nil {
			text = fmt.Sprint(*people, ", ")
		}
		if land != nil {
			return text + fmt.Sprint(*land)
		}
		return text + "unknown"
	}
	known := func(people int32, some bool, land int64, wide bool) string {
		p, l := &people, &land
		if !some {
			p = nil
		}
		if !wide {
			l = nil
		}
		return of(p, l)
	}
	for i, r := range c.ZIPs {
		people, some := d.ZIPPopulation(r.ZIP)
		land, wide := d.ZIPLand(r.ZIP)
		if got, want := known(people, some, land, wide), of(c.ZIPDetails[i].Population, c.ZIPDetails[i].LandArea); got != want {
			t.Errorf("%s has %s, want %s", r.ZIP, got, want)
		}
	}
	for i, r := range c.FSAs {
		people, some := d.FSAPopulation(r.FSA)
		land, wide := d.FSALand(r.FSA)
		if got, want := known(people, some, land, wide), of(c.FSADetails[i].Population, c.FSADetails[i].LandArea); got != want {
			t.Errorf("%s has %s, want %s", r.FSA, got, want)
		}
	}
	if n, ok := d.ZIPPopulation(2); ok {
		t.Errorf("no ZIP has %d people", n)
	}
}

// TestAreaErrors gives the writer layers and shares that no dataset can hold.
func TestAreaErrors(t *testing.T) {
	one := packed(t, &layer[postcode.ZIP]{Keys: []postcode.ZIP{90210}, Outlines: []orb.MultiPolygon{{box(0, 0)}}})
	with := func(change func(l *store.AreaLayer[postcode.ZIP])) func(w *store.Writer) error {
		return func(w *store.Writer) error {
			l := one
			change(&l)
			return w.SetZIPAreas(l)
		}
	}
	share := func(shares ...store.ZoneShare) func(w *store.Writer) error {
		return func(w *store.Writer) error { return w.AddZIPZones(90210, shares) }
	}
	nan := float32(0)
	nan /= nan
	tests := map[string]struct {
		give func(w *store.Writer) error
		says string
	}{
		"twice": {func(w *store.Writer) error {
			check(t, w.SetZIPAreas(one))
			return w.SetZIPAreas(one)
		}, "UNIQUE"},
		"origin":       {with(func(l *store.AreaLayer[postcode.ZIP]) { l.Sources, l.From = []string{"a", "b"}, []uint8{2} }), "sources are not"},
		"no index":     {with(func(l *store.AreaLayer[postcode.ZIP]) { l.Packed = nil }), "does not begin with"},
		"cut":          {with(func(l *store.AreaLayer[postcode.ZIP]) { l.Packed = l.Packed[:len(l.Packed)-1] }), "bytes"},
		"fewer areas":  {with(func(l *store.AreaLayer[postcode.ZIP]) { l.Keys = []postcode.ZIP{1, 2} }), "holds 1 outlines, expected 2"},
		"no order":     {with(func(l *store.AreaLayer[postcode.ZIP]) { l.Keys = []postcode.ZIP{2, 1} }), "expected 2"},
		"one twice":    {with(func(l *store.AreaLayer[postcode.ZIP]) { l.Keys = []postcode.ZIP{2, 2} }), "expected 2"},
		"not a number": {share(store.ZoneShare{Zone: 1, Percent: nan}), "code_zone.percent"},
		"nothing":      {share(store.ZoneShare{Zone: 1}), "percent > 0"},
		"too much":     {share(store.ZoneShare{Zone: 1, Percent: 100.1}), "percent <= 100"},
		"no zone":      {share(store.ZoneShare{Percent: 80}), "code_zone to zone"},
		"zone twice":   {share(store.ZoneShare{Zone: 1, Percent: 8}, store.ZoneShare{Zone: 1, Percent: 7}), "UNIQUE"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := create(t, filepath.Join(t.TempDir(), "x.db"))
			err := test.give(w)
			if err == nil { // the schema refuses the row
				err = w.Finish(dataset.Manifest{})
			}
			wantOpenError(t, err, store.ErrInvalidRow, test.says)
			check(t, w.Abort())
			wantError(t, w.SetZIPAreas(one), store.ErrClosed)
		})
	}
}

// TestAreaOwners finishes files whose areas belong to nothing.
func TestAreaOwners(t *testing.T) {
	tests := map[string]func(c *country){
		"a ZIP Code belongs to none: 90211": func(c *country) { c.ZIPAreas.Keys[1] = 90211 },
		"area belongs to none: K1B":         func(c *country) { c.FSAAreas.Keys[0] = fsa("K1B") },
		"areas of state: the key 0":         func(c *country) { c.StateAreas.Keys[0] = 0 },
		"areas of state: the key 4":         func(c *country) { c.StateAreas.Keys[1] = 4 },
		"areas of county: the key 9":        func(c *country) { c.CountyAreas.Keys[0] = 9 },
		"a time zone belongs to none: 200":  func(c *country) { c.ZoneAreas.Keys[1] = 200 },
		"code_zone to zone":                 func(c *country) { c.FSAZones[0].Shares[0].Zone = 17 },
	}
	for says, change := range tests {
		t.Run(says, func(t *testing.T) {
			c := small()
			change(c)
			w := create(t, filepath.Join(t.TempDir(), "x.db"))
			c.tables(t, w)
			c.addZIPs(t, w)
			c.addCanada(t, w)
			c.addCover(t, w)
			wantOpenError(t, w.Finish(c.Manifest), store.ErrInvalidRow, says)
		})
	}
}
