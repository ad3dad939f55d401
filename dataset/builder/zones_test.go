package builder_test

import (
	"fmt"
	"testing"
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
