package sample_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// TestPublishedFacts compares the sample with figures that agencies publish: square
// meters of the 2025 Gazetteer, people of the American Community Survey of 2024, mean
// elevations of USGS 3DEP, people of the Canadian census of 2021.
func TestPublishedFacts(t *testing.T) {
	d := open(t)
	facts := 0
	check := func(code any, what string, right bool, got any) {
		t.Helper()
		if facts++; !right {
			t.Errorf("%v: %s %v", code, what, got)
		}
	}
	lookuptest.Table(t, "facts.txt", false, func(code string) string {
		zip, _ := postcode.ParseZIP(code)
		row, _ := d.ZIP(zip)
		detail, err := d.ZIPDetail(t.Context(), zip)
		if err != nil || detail.LandArea == nil || detail.WaterArea == nil || detail.Population == nil || detail.Elevation == nil {
			t.Fatalf("%s: %+v, %v", code, detail, err)
		}
		facts += 6
		return fmt.Sprintf("%s, %s, %d, %d, %d, %.0f", row.City, d.County(row.County).FIPS, *detail.LandArea, *detail.WaterArea, *detail.Population, math.Round(*detail.Elevation))
	})
	for code, people := range map[string]int32{"K1A": 594, "M5V": 59912} {
		fsa, _ := postcode.ParseFSA(code)
		detail, err := d.FSADetail(t.Context(), fsa)
		if err != nil {
			t.Fatal(err)
		}
		check(code, "people", detail.Population != nil && *detail.Population == people, detail.Population)
	}
	for zip, want := range map[postcode.ZIP][2]string{90210: {"0632", "0644000"}, 98101: {"5307", "5363000"}, 10001: {"3612", "3651000"}, 32504: {"1201", "1255925"}} {
		shares, err := d.Overlaps(t.Context(), store.CodeOfZIP(zip))
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range []store.LayerID{store.LayerCongressionalDistrict, store.LayerPlace} {
			most := shares.Of(id)[0]
			for _, o := range shares.Of(id) {
				if o.PercentOfCode > most.PercentOfCode {
					most = o
				}
			}
			got := d.Layer(id).GEOID(most.Area)
			check(zip, id.String(), got == want[i], got)
		}
	}
	whole := map[string]int32{ // states, metropolitan areas of the American Community Survey of 2023, provinces of 2021
		"California": 39242785, "Vermont": 645254, "Connecticut": 3598348, "Los Angeles-Long Beach-Anaheim, CA": 13012469, "Ontario": 14223942, "Quebec": 8501833,
	}
	for i := range d.Entities().Len() {
		e := d.Entities().At(i)
		if people, ok := whole[e.Name]; ok && (e.Kind == store.EntityState || e.Kind == store.EntityCBSA) {
			check(e.Name, "people", e.Population == people, e.Population)
			delete(whole, e.Name)
		}
	}
	if len(whole) > 0 {
		t.Errorf("no %v", whole)
	}
	places := map[string]geo.LatLng{ // points of the Gazetteer of 2025; boxes of the outlines that are coarse in the file
		"Seattle": geo.MustLatLng(47.619335, -122.351538), "Houston": geo.MustLatLng(29.785743, -95.388806), "Denver": geo.MustLatLng(39.76185, -104.881105),
	}
	boxes := map[string]geo.Box{
		"Houston":  {SouthWest: geo.MustLatLng(29.516281, -95.909744), NorthEast: geo.MustLatLng(30.155914, -95.012634)},
		"Colorado": {SouthWest: geo.MustLatLng(36.992426, -109.060253), NorthEast: geo.MustLatLng(41.003444, -102.041524)},
	}
	for i := range d.Entities().Len() {
		e := d.Entities().At(i)
		if e.Kind != store.EntityPlace && e.Kind != store.EntityState {
			continue
		}
		if at, ok := places[e.Name]; ok {
			check(e.Name, "point", e.Location == at, e.Location)
		}
		if box, ok := boxes[e.Name]; ok {
			check(e.Name, "box", e.Box == box, e.Box)
		}
	}
	if facts < 65 {
		t.Errorf("%d facts; the sample holds at least 65", facts)
	}
}

// TestContinent checks points on land outside the sample's area: they have their state
// or province and their time zone.
func TestContinent(t *testing.T) {
	d := open(t)
	for _, p := range []struct {
		lat, lng    float64
		state, zone string
	}{
		{39.5, -98.5, "KS", "America/Chicago"},
		{44.0, -107.5, "WY", "America/Denver"},
		{35.5, -92.5, "AR", "America/Chicago"},
		{64.8, -150.0, "AK", "America/Anchorage"},
		{52.0, -75.5, "QC", "America/Toronto"},
		{53.5, -105.5, "SK", "America/Regina"},
		{55.0, -125.0, "BC", "America/Vancouver"},
		{50.0, -86.5, "ON", "America/Toronto"},
		{44.9, -68.9, "ME", "America/New_York"},
	} {
		at := geo.MustLatLng(p.lat, p.lng)
		state, _ := d.StateAreas().Containing(at)
		zone, _ := d.ZoneAreas().Containing(at)
		if d.State(state).Abbr != p.state || d.Zone(zone).Name != p.zone {
			t.Errorf("%v lies in %q, %q; want %s, %s", at, d.State(state).Abbr, d.Zone(zone).Name, p.state, p.zone)
		}
	}
}

var check = checktest.Check
