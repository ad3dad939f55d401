package format_test

import (
	"math"
	"testing"

	"github.com/postgeo/postgeo/internal/source/format"
)

// The worked example of EPSG Guidance Note 7-2 for method 9802: Texas South
// Central in US survey feet on Clarke 1866.
func TestLambertGuidanceNote(t *testing.T) {
	l := format.NewLambert(format.LambertParameters{
		SemiMajorAxis: 20925832.16, InverseFlattening: 294.97870,
		OriginLat: 27 + 50.0/60, OriginLng: -99,
		Parallel1: 28 + 23.0/60, Parallel2: 30 + 17.0/60,
		FalseEasting: 2_000_000,
	})
	x, y := l.Forward(-96, 28.5)
	if math.Abs(x-2963503.91) > 0.01 || math.Abs(y-254759.80) > 0.01 {
		t.Errorf("28°30' N 96° W is at %.3f, %.3f, want 2963503.91, 254759.80", x, y)
	}
	lng, lat := l.Inverse(2963503.91, 254759.80)
	if math.Abs(lng+96) > 3e-8 || math.Abs(lat-28.5) > 3e-8 {
		t.Errorf("the inverse is %.9f, %.9f, want -96, 28.5", lng, lat)
	}
}

func TestStatCanLambertOrigin(t *testing.T) {
	lng, lat := format.StatCanLambert.Inverse(6_200_000, 3_000_000)
	if math.Abs(lng+(91+52.0/60)) > 1e-9 || math.Abs(lat-63.390675) > 1e-9 {
		t.Errorf("the false origin is at %.10f, %.10f", lng, lat)
	}
}

func TestStatCanLambertRoundTrip(t *testing.T) {
	const millimetre = 0.001
	for lat := 41.0; lat <= 84; lat += 0.5 {
		for lng := -142.0; lng <= -52; lng += 0.5 {
			x, y := format.StatCanLambert.Forward(lng, lat)
			gotLng, gotLat := format.StatCanLambert.Inverse(x, y)
			x2, y2 := format.StatCanLambert.Forward(gotLng, gotLat)
			if math.Hypot(x-x2, y-y2) > millimetre || math.Abs(gotLng-lng) > 1e-8 || math.Abs(gotLat-lat) > 1e-8 {
				t.Fatalf("%v, %v comes back as %.10f, %.10f, %.6f m off", lng, lat, gotLng, gotLat, math.Hypot(x-x2, y-y2))
			}
		}
	}
}

func TestParseProjection(t *testing.T) {
	tests := []struct {
		name, wkt, want, refusal string
	}{
		{"NAD83", nad83, "EPSG:4269", ""},
		{"WGS84", `GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]`, "EPSG:4326", ""},
		{"Statistics Canada", lambert, "EPSG:3347", ""},
		{"with blanks and line ends", "GEOGCS [ \"x\" ,\r\n DATUM[\"D_North_American_1983\"], PRIMEM(\"Greenwich\", 0), UNIT[\"Degree\", 0.0174532925199433] ]\n", "EPSG:4269", ""},
		{"empty", "", "", "no GEOGCS"},
		{"not well-known text", "EPSG:4269", "", "no GEOGCS"},
		{"open quote", `GEOGCS["x`, "", "no GEOGCS"},
		{"another datum", `GEOGCS["x",DATUM["D_North_American_1927"],PRIMEM["Greenwich",0],UNIT["Degree",0.0174532925199433]]`, "", "datum"},
		{"another meridian", `GEOGCS["x",DATUM["D_North_American_1983"],PRIMEM["Paris",2.33],UNIT["Degree",0.0174532925199433]]`, "", "Greenwich"},
		{"another angle", `GEOGCS["x",DATUM["D_North_American_1983"],PRIMEM["Greenwich",0],UNIT["Grad",0.0157]]`, "", "degrees"},
		{"Mercator", `PROJCS["x",` + nad83 + `,PROJECTION["Mercator"],UNIT["Meter",1]]`, "", "Mercator"},
		{"without parameters", `PROJCS["x",` + nad83 + `,PROJECTION["Lambert_Conformal_Conic"],UNIT["Meter",1]]`, "", "False_Easting"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := format.ParseProjection(tt.wkt)
			if tt.refusal != "" {
				wantText(t, err, tt.refusal)
				return
			}
			if err != nil || p.String() != tt.want {
				t.Errorf("projection %v, %v, want %s", p, err, tt.want)
			}
		})
	}
}

func FuzzParseProjection(f *testing.F) {
	f.Add(nad83)
	f.Add(lambert)
	f.Add(`A["`)
	f.Fuzz(func(t *testing.T, wkt string) {
		if p, err := format.ParseProjection(wkt); (err == nil) == (p.String() == "") {
			t.Fatalf("projection %q with error %v", p, err)
		}
	})
}
