package builder_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestZoneRules checks the zones of the rules, without outlines.
func TestZoneRules(t *testing.T) {
	w := newWorld(t)
	for _, c := range []string{"AL 01113", "AZ 04017", "AK 02016", "AK 02110", "AK 02050", "FL 12033", "IN 18163", "IN 18043", "KY 21111", "MI 26109", "ND 38057", "TX 48141", "HI 15003", "NY 36001", "SD 46129", "NE 31171"} {
		state, fips, _ := strings.Cut(c, " ")
		w.county(state, fips, "County "+fips, 40, -90)
	}
	tests := []struct {
		code, state, county string
		lat, lng            float64
		want                string
	}{
		{"36999", "AL", "113", 32.1, -85.2, "America/Chicago"},
		{"36867", "AL", "113", 32.5, -85.0, "America/New_York"},
		{"86099", "AZ", "017", 35, -110, "America/Phoenix"},
		{"86510", "AZ", "017", 36, -110, "America/Denver"},
		{"57699", "SD", "129", 45.5, -100.4, "America/Chicago"},
		{"57601", "SD", "129", 45.5, -100.4, "America/Chicago"}, // Mobridge, at the boundary
		{"86047", "AZ", "017", 35, -110.7, "America/Phoenix"},   // Winslow, at the Navajo Nation
		{"69161", "NE", "171", 42, -100.8, "America/Chicago"},
		{"99546", "AK", "016", 51.9, -176.6, "America/Adak"},
		{"99599", "AK", "016", 52.8, 173.2, "America/Adak"}, // beyond the antimeridian
		{"99660", "AK", "016", 57.1, -170.3, "America/Nome"},
		{"99801", "AK", "110", 58.3, -134.4, "America/Juneau"},
		{"99559", "AK", "050", 60.8, -161.8, "America/Anchorage"},
		{"32599", "FL", "033", 30.4, -87.2, "America/Chicago"},
		{"47799", "IN", "163", 38, -87.5, "America/Chicago"},
		{"47199", "IN", "043", 38.3, -85.8, "America/Kentucky/Louisville"},
		{"40299", "KY", "111", 38.2, -85.7, "America/Kentucky/Louisville"},
		{"49899", "MI", "109", 45.1, -87.6, "America/Menominee"},
		{"58599", "ND", "057", 47.3, -101.8, "America/North_Dakota/Beulah"},
		{"79999", "TX", "141", 31.8, -106.4, "America/Denver"},
		{"96899", "HI", "003", 21.3, -157.9, "Pacific/Honolulu"},
		{"12299", "NY", "001", 42.7, -73.8, "America/New_York"},
		{"96915", "GU", "", 13.4, 144.8, "Pacific/Guam"},
		{"96951", "MP", "", 14.2, 145.2, "Pacific/Saipan"},
		{"96799", "AS", "", -14.3, -170.7, "Pacific/Pago_Pago"},
		{"96970", "MH", "", 8.8, 167.7, "Pacific/Kwajalein"},
	}
	for _, test := range tests {
		w.zip(test.code, "Elm", test.state, test.county, test.lat, test.lng)
	}
	provinces := []struct {
		code, province string
		lat, lng       float64
		want           string
	}{
		{"A1C", "NL", 47.6, -52.7, "America/St_Johns"},
		{"A2V", "NL", 52.9, -66.9, "America/Goose_Bay"},
		{"A0K", "NL", 49.5, -57.5, "America/St_Johns"},
		{"B1P", "NS", 46.1, -60.2, "America/Glace_Bay"},
		{"B3H", "NS", 44.6, -63.6, "America/Halifax"},
		{"C1A", "PE", 46.2, -63.1, "America/Halifax"},
		{"E3B", "NB", 46, -66.6, "America/Moncton"},
		{"G4T", "QC", 47.4, -61.8, "America/Halifax"},
		{"G1R", "QC", 46.8, -71.2, "America/Toronto"},
		{"P9N", "ON", 49.8, -94.5, "America/Winnipeg"},
		{"P0T", "ON", 48.76, -91.62, "America/Atikokan"},
		{"P7B", "ON", 48.4, -89.2, "America/Toronto"},
		{"S9V", "SK", 53.3, -110, "America/Edmonton"},
		{"S9H", "SK", 50.3, -107.8, "America/Swift_Current"},
		{"S7K", "SK", 52.1, -106.7, "America/Regina"},
		{"V1C", "BC", 49.5, -115.8, "America/Edmonton"},
		{"V1J", "BC", 56.2, -120.8, "America/Dawson_Creek"},
		{"V6B", "BC", 49.3, -123.1, "America/Vancouver"},
		{"X1A", "NT", 62.5, -114.4, "America/Edmonton"},
		{"X0B", "NU", 69.1, -105, "America/Cambridge_Bay"},
		{"Y1A", "YT", 60.7, -135, "America/Whitehorse"},
	}
	for _, test := range provinces {
		w.fsa(test.code, "Elm", test.province, test.lat, test.lng)
	}
	b := w.build()
	for _, test := range tests {
		row, _ := b.zip(test.code)
		if z := b.Zone(row.Zone); z.Name != test.want || z.Source != "state and county rules, tz database 2025b" {
			t.Errorf("%s, %s %s is in %q by %q, want %q by rule", test.code, test.state, test.county, z.Name, z.Source, test.want)
		}
	}
	for _, test := range provinces {
		row, _ := b.fsa(test.code)
		if z := b.Zone(row.Zone); z.Name != test.want {
			t.Errorf("%s, %s is in %q, want %q", test.code, test.province, z.Name, test.want)
		}
	}
}

// square is a GeoJSON feature of a zone.
func square(zone string, west, south, east, north float64) string {
	return fmt.Sprintf(`{"type":"Feature","properties":{"tzid":%q},"geometry":{"type":"Polygon","coordinates":[[[%v,%v],[%v,%v],[%v,%v],[%v,%v],[%v,%v]]]}}`,
		zone, west, south, east, south, east, north, west, north, west, south)
}

// TestZoneOutlines checks that with the layer the outline around the point
// decides, then the nearest, then the rule.
func TestZoneOutlines(t *testing.T) {
	w := newWorld(t)
	w.zones = `{"type":"FeatureCollection","features":[` + square("America/Denver", -84, 39, -83, 41) + "," + square("America/Phoenix", -83, 39, -82, 41) + "," +
		square("America/New_York", -84, 45, -83, 46) + "," + square("America/Detroit", -84, 45, -83, 46) + `]}`
	w.zip("43991", "In", "OH", "901", 40, -83.5)
	w.zip("43992", "In", "OH", "901", 40, -82.5)
	w.zip("43993", "Edge", "OH", "901", 40, -83)     // on the shared edge: one of the two
	w.zip("43994", "Near", "OH", "901", 41.1, -83.5) // 11 km north of the outline
	w.zip("43995", "Far", "OH", "901", 41.5, -83.5)  // 55 km
	w.zip("43996", "Both", "OH", "901", 45.5, -83.5) // disputed: the rule's zone, as it is one of them
	b := w.build("timezones")
	const outlines = "timezone-boundary-builder 2025b, tz database 2025b"
	for code, want := range map[string][2]string{
		"43991": {"America/Denver", outlines}, "43992": {"America/Phoenix", outlines}, "43994": {"America/Denver", outlines},
		"43995": {"America/New_York", "state and county rules, tz database 2025b"}, "43996": {"America/New_York", outlines}, "43993": {"America/Phoenix", outlines},
	} {
		row, _ := b.zip(code)
		if z := b.Zone(row.Zone); [2]string{z.Name, z.Source} != want {
			t.Errorf("%s is in %q by %q, want %v", code, z.Name, z.Source, want)
		}
	}
}

// TestZoneOfThePoint checks that a ZIP has the zone of its own point, wherever its
// post office, its county or the middle of its area lies.
func TestZoneOfThePoint(t *testing.T) {
	w := newWorld(t)
	w.zones = `{"type":"FeatureCollection","features":[` + square("America/Denver", -84, 39, -83, 41) + "," + square("America/New_York", -83, 39, -82, 41) + `]}`
	w.zip("43998", "West", "OH", "901", 40, -83.1)
	w.zcta("43998", 1, 1, 40, -82.9) // the ZCTA is too small to reach the post office
	w.zip("43997", "East", "OH", "901", 40, -82.9)
	w.zcta("43997", 1, 1, 40, -83.1)
	b := w.build("timezones")
	for code, want := range map[string]string{"43998": "America/New_York", "43997": "America/Denver"} {
		row, _ := b.zip(code)
		if got := b.Zone(row.Zone).Name; got != want {
			t.Errorf("%s at %v is in %s, want %s", code, row.Location, got, want)
		}
	}
}
