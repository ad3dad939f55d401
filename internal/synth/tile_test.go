package synth_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/synth"
)

func TestAreasTile(t *testing.T) {
	w := newWorld(t)
	zctas := w.shapes(t, zctaFile, "GEOID20", "ALAND20", "AWATER20")
	counties := w.shapes(t, countyFile, "GEOID", "ALAND", "AWATER")
	states := w.shapes(t, stateFile, "GEOID", "ALAND", "AWATER")
	cousubs := w.shapes(t, cousubFile, "GEOID", "ALAND", "AWATER")
	nation := border(states)
	for _, layer := range []struct {
		name   string
		shapes []shape
	}{{"ZCTAs", zctas}, {"counties", counties}, {"county subdivisions", cousubs}} {
		if len(layer.shapes) == 0 {
			t.Fatalf("no %s", layer.name)
		}
		if diff := cmp.Diff(nation, border(layer.shapes)); diff != "" {
			t.Errorf("the outer border of all %s is not that of the states (-states +%s):\n%.2000s", layer.name, layer.name, diff)
		}
	}
	for _, e := range nation {
		if e != 1 {
			t.Fatal("states overlap: an edge of their outer border is walked twice")
		}
	}
	canada := border(w.shapes(t, cdFile, "CDUID", "", ""))
	if diff := cmp.Diff(canada, border(w.shapes(t, csdFile, "CSDUID", "", ""))); diff != "" {
		t.Errorf("municipalities do not tile census divisions (-divisions +municipalities):\n%.2000s", diff)
	}
	var both []shape
	both = append(append(both, states...), w.shapes(t, cdFile, "CDUID", "", "")...)
	zones := w.zones(t)
	if diff := cmp.Diff(border(both), border(zones)); diff != "" {
		t.Errorf("time zones do not tile the two countries (-countries +zones):\n%.2000s", diff)
	}
	if n, m := len(border(both)), len(nation)+len(canada); n >= m {
		t.Errorf("the two countries have no border in common: %d edges together, %d apart", n, m)
	}
}

func TestPublishedAreasAreThoseOfTheOutlines(t *testing.T) {
	w := newWorld(t)
	for _, l := range []struct{ file, id, land, water string }{
		{zctaFile, "GEOID20", "ALAND20", "AWATER20"},
		{countyFile, "GEOID", "ALAND", "AWATER"},
		{placeFile, "GEOID", "ALAND", "AWATER"},
		{cousubFile, "GEOID", "ALAND", "AWATER"},
		{stateFile, "GEOID", "ALAND", "AWATER"},
	} {
		for _, s := range w.shapes(t, l.file, l.id, l.land, l.water) {
			var land, water int64
			if _, err := fmt.Sscan(s.land+" "+s.water, &land, &water); err != nil {
				t.Fatal(err)
			}
			got, want := area(s.polygon), float64(land+water)
			if math.Abs(got-want) > 50+1e-6*want {
				t.Errorf("%s %s: the outline holds %.0f m², published are %.0f", l.file, s.id, got, want)
			}
		}
	}
	for _, s := range w.shapes(t, fsaFile, "CFSAUID", "LANDAREA", "LANDAREA") {
		var km2 float64
		if _, err := fmt.Sscan(s.land, &km2); err != nil {
			t.Fatal(err)
		}
		// The file has the land only; water is at most a fifth of an area.
		if got := area(s.polygon) / 1e6; got < km2*(1-1e-6)-0.001 || got > km2*1.25+0.001 {
			t.Errorf("FSA %s: the outline holds %.4f km², published are %.4f of land", s.id, got, km2)
		}
	}
}

func TestSumsAgree(t *testing.T) {
	c, err := invented()
	if err != nil {
		t.Fatal(err)
	}
	var zips, counties, subdivisions, states, municipalities, divisions, provinces synth.Area
	for _, z := range c.ZIPs {
		zips = zips.Plus(z.Area)
	}
	perState := make([]synth.Area, len(c.States))
	for _, k := range c.Counties {
		counties = counties.Plus(k.Area)
		perState[k.State] = perState[k.State].Plus(k.Area)
	}
	perCounty := make([]synth.Area, len(c.Counties))
	for _, s := range c.Subdivisions {
		subdivisions = subdivisions.Plus(s.Area)
		perCounty[s.County] = perCounty[s.County].Plus(s.Area)
	}
	for i, s := range c.States {
		if s.Country == store.CA {
			provinces = provinces.Plus(s.Area)
			continue
		}
		states = states.Plus(s.Area)
		if s.Area != perState[i] {
			t.Errorf("%s has %+v, its counties %+v", s.Name, s.Area, perState[i])
		}
	}
	for i, k := range c.Counties {
		if k.Area != perCounty[i] {
			t.Errorf("%s has %+v, its subdivisions %+v", k.Name, k.Area, perCounty[i])
		}
	}
	var people, inFSAs int32
	for _, m := range c.Municipalities {
		municipalities = municipalities.Plus(m.Area)
		people += m.Population
	}
	for _, d := range c.CensusDivisions {
		divisions = divisions.Plus(d.Area)
	}
	for _, f := range c.FSAs {
		inFSAs += f.Population
		if f.Occupied > f.Dwellings {
			t.Errorf("%v has %d dwellings, %d occupied", f.Code, f.Dwellings, f.Occupied)
		}
	}
	for name, sum := range map[string]synth.Area{"counties": counties, "subdivisions": subdivisions, "states": states} {
		if sum != zips || sum.Land == 0 {
			t.Errorf("%s have %+v, ZIPs %+v", name, sum, zips)
		}
	}
	if municipalities != provinces || divisions != provinces || provinces.Land == 0 {
		t.Errorf("provinces have %+v, census divisions %+v, municipalities %+v", provinces, divisions, municipalities)
	}
	if people != inFSAs || people == 0 {
		t.Errorf("%d people live in FSAs, %d in municipalities", inFSAs, people)
	}
}

func TestEverythingContainsItsPoints(t *testing.T) {
	w := newWorld(t)
	zctas := byID(w.shapes(t, zctaFile, "GEOID20", "", ""))
	counties := byID(w.shapes(t, countyFile, "GEOID", "", ""))
	zones := byID(w.zones(t))
	fsas := byID(w.shapes(t, fsaFile, "CFSAUID", "", ""))
	csds := byID(w.shapes(t, csdFile, "CSDUID", "", ""))
	if _, ok := zctas["99546"]; !ok {
		t.Error("no area on the antimeridian")
	}
	check := func(what string, mp orb.MultiPolygon, z synth.ZIP) {
		if !holds(mp, z.Point) {
			t.Errorf("ZIP %v at %v lies outside its %s", z.Code, z.Point, what)
		}
	}
	for _, z := range w.ZIPs {
		if !z.Point.IsValid() {
			continue
		}
		check("ZCTA", zctas[z.Enclosing.String()], z)
		check("county", counties[w.Counties[z.County].FIPS], z)
		check("time zone", zones[w.Zones[z.Zone]], z)
		if z.HasArea != (zctas[z.Code.String()] != nil) {
			t.Errorf("ZIP %v: HasArea is %v", z.Code, z.HasArea)
		}
	}
	for _, f := range w.FSAs {
		if !holds(csds[w.Municipalities[f.Municipality].UID], f.Point) {
			t.Errorf("FSA %v at %v lies outside its municipality", f.Code, f.Point)
		}
		if f.HasArea && !holds(fsas[f.Code.String()], f.Point) {
			t.Errorf("FSA %v at %v lies outside its area", f.Code, f.Point)
		}
	}
}
