package builder_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

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
		t.Errorf("K9Q, half of which is also New York's, lies in %q", shares)
	}
}
