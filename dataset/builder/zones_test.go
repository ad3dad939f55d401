package builder_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// square is a GeoJSON feature of a zone.
func square(zone string, west, south, east, north float64) string {
	return fmt.Sprintf(`{"type":"Feature","properties":{"tzid":%q},"geometry":{"type":"Polygon","coordinates":[[[%v,%v],[%v,%v],[%v,%v],[%v,%v],[%v,%v]]]}}`,
		zone, west, south, east, south, east, north, west, north, west, south)
}

// TestZoneOutlines checks that the outline around the point decides, then the nearest.
func TestZoneOutlines(t *testing.T) {
	w := newWorld(t)
	w.zones = `{"type":"FeatureCollection","features":[` + square("America/Denver", -84, 39, -83, 41) + "," + square("America/Phoenix", -83, 39, -82, 41) + `]}`
	w.zip("43991", "In", "OH", "901", 40, -83.5)
	w.zip("43992", "In", "OH", "901", 40, -82.5)
	w.zip("43993", "Edge", "OH", "901", 40, -83)     // on the shared edge: one of the two
	w.zip("43994", "Near", "OH", "901", 41.1, -83.5) // 11 km north of the outline
	w.zip("43995", "Far", "OH", "901", 41.5, -83.5)  // 55 km
	w.zip("96941", "Kolonia", "FM", "", 6.96, 158.2)
	b := w.build("timezones")
	const outlines = "timezone-boundary-builder 2025b, tz database 2025b"
	for code, want := range map[string][2]string{
		"43991": {"America/Denver", outlines}, "43992": {"America/Phoenix", outlines}, "43994": {"America/Denver", outlines},
		"43995": {}, "96941": {"Pacific/Pohnpei", "state and county rules, tz database 2025b"}, "43993": {"America/Phoenix", outlines},
	} {
		row, _ := b.zip(code)
		if z := b.Zone(row.Zone); [2]string{z.Name, z.Source} != want {
			t.Errorf("%s is in %q by %q, want %v", code, z.Name, z.Source, want)
		}
	}
}

// Outlines of codes and of zones that reach over the border give no share to a
// zone of the other country. A point beyond the outline does not count.
func TestZonesOfTheCountry(t *testing.T) {
	w := bounded(t)
	w.zones = `{"type":"FeatureCollection","features":[
		{"type":"Feature","properties":{"tzid":"America/Chicago"},"geometry":{"type":"Polygon","coordinates":[[[-90,30],[-82.9,30],[-82.9,50],[-90,50],[-90,30]]]}},
		{"type":"Feature","properties":{"tzid":"America/New_York"},"geometry":{"type":"Polygon","coordinates":[[[-82.9,30],[-77,30],[-77,50],[-82.9,50],[-82.9,30]]]}},
		{"type":"Feature","properties":{"tzid":"America/Toronto"},"geometry":{"type":"Polygon","coordinates":[[[-81.45,39],[-76,39],[-76,50],[-81.45,50],[-81.45,39]]]}}]}`
	w.geoNames = nil
	w.zip("43901", "Amberton", "OH", "901", 40.01, -82.8) // the post office lies east of the zone's border, the area west of it
	w.zip("43902", "Bigburg", "OH", "901", 40, -82.95)    // in the smaller part
	w.zip("43905", "Coast", "OH", "903", 40, -81.45)      // half of it in Toronto's, too
	b := w.build("boundaries")
	got := map[string][2]string{}
	for _, code := range []string{"43901", "43902", "43905"} {
		row, _ := b.zip(code)
		got[code] = [2]string{b.Zone(row.Zone).Name, b.zoneShares(b.ZoneShares(store.CodeOfZIP(row.ZIP)))}
	}
	want := map[string][2]string{
		"43901": {"America/Chicago", "America/Chicago 100"},
		"43902": {"America/Chicago", "America/New_York 75, America/Chicago 25"},
		"43905": {"America/New_York", "America/New_York 100"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("zones of ZIPs (-want +got):\n%s", diff)
	}
	k9q, _ := postcode.ParseFSA("K9Q")
	if shares := b.zoneShares(b.ZoneShares(store.CodeOfFSA(k9q))); shares != "America/Toronto 100" {
		t.Errorf("K9Q lies in %q, want America/Toronto alone, although New York has half of it too", shares)
	}
}

// TestAreaCodes checks which codes of the supplied table a ZIP keeps, and which
// overlays it gains. Those of the other country and of no place are refused.
func TestAreaCodes(t *testing.T) {
	w := newWorld(t)
	w.county("NY", "36061", "New York County", 40.8, -74)
	w.county("NY", "36047", "Kings County", 40.6, -74)
	w.county("NY", "36099", "Elm County", 42, -75)
	w.county("FL", "12095", "Oak County", 28.5, -81.4)
	w.county("FL", "12009", "Brevard County", 28.3, -80.8)
	for zip, codes := range map[string]string{
		"10001": "212,332,347,646,718,917,929", "10009": "212", "10002": "", "11201": "718,212", "12901": "845,201", "32801": "407", "32901": "321", "32809": "689",
		"43950": "614,289,800,614,911,380,12", "43951": "440",
	} {
		state, county := "NY", "New York County"
		switch zip[:3] {
		case "112":
			county = "Kings County"
		case "129":
			county = "Elm County"
		case "328":
			state, county = "FL", "Oak County"
		case "329":
			state, county = "FL", "Brevard County"
		case "439":
			state, county = "OH", "Amber County"
		}
		w.supplied(zip, "STANDARD", "0", "Town", "", state, county, codes, 40, -74)
	}
	w.supplied("07001", "STANDARD", "0", "Town", "", "NJ", "", "201", 40, -74)
	w.supplied("07002", "STANDARD", "0", "Town", "", "NJ", "", "201", 40, -74)
	b := w.build()
	manhattan := []uint16{212, 332, 646, 917}
	for zip, want := range map[string][]uint16{
		"10001": manhattan, "10009": manhattan,
		"10002": manhattan, // as the others of the county
		"11201": {347, 718, 917, 929},
		"12901": {329, 845},      // 201 is New Jersey's
		"32801": {321, 407, 689}, // 321 overlays 407,
		"32901": {321},           // and has an area of its own
		"32809": {321, 407, 689}, // 689 only overlays
		"43950": {380, 614},
		"43951": {436, 440},
	} {
		if _, detail := b.zip(zip); !cmp.Equal(want, detail.AreaCodes) {
			t.Errorf("%s has %v, want %v", zip, detail.AreaCodes, want)
		}
	}
	for reason, want := range map[string]int64{"of Canada": 1, "of no place": 2, "that is none": 1, "of another state": 1, "of other counties": 4} {
		if got := b.count(b.report.Refused, reason); got != want {
			t.Errorf("refused as area code %q: %d, want %d", reason, got, want)
		}
	}
}
