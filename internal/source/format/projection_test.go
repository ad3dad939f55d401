package format_test

import (
	"math"
	"testing"

	"github.com/postgeo/postgeo/internal/source/format"
)

// A lambertCone is a Lambert conformal conic projection by the formulas of EPSG Guidance
// Note 7-2 for method 9802, from degrees to the map.
type lambertCone struct{ axis, inverseFlattening, lat, lng, parallel1, parallel2, easting, northing float64 }

func (l lambertCone) forward(lng, lat float64) (x, y float64) {
	f := 1 / l.inverseFlattening
	e := math.Sqrt(f * (2 - f))
	m := func(deg float64) float64 {
		sin, cos := math.Sincos(deg * math.Pi / 180)
		return cos / math.Sqrt(1-e*e*sin*sin)
	}
	t := func(deg float64) float64 {
		s := e * math.Sin(deg*math.Pi/180)
		return math.Tan(math.Pi/4-deg*math.Pi/360) / math.Pow((1-s)/(1+s), e/2)
	}
	n := math.Log(m(l.parallel1)/m(l.parallel2)) / math.Log(t(l.parallel1)/t(l.parallel2))
	r := func(deg float64) float64 { return l.axis * m(l.parallel1) / n * math.Pow(t(deg)/t(l.parallel1), n) }
	theta := n * (lng - l.lng) * math.Pi / 180
	return l.easting + r(lat)*math.Sin(theta), l.northing + r(l.lat) - r(lat)*math.Cos(theta)
}

// The worked example of the note, Texas South Central in US survey feet on Clarke 1866, holds
// for the formulas of the test.
func TestLambertGuidanceNote(t *testing.T) {
	x, y := lambertCone{20925832.16, 294.97870, 27 + 50.0/60, -99, 28 + 23.0/60, 30 + 17.0/60, 2_000_000, 0}.forward(-96, 28.5)
	if math.Abs(x-2963503.91) > 0.01 || math.Abs(y-254759.80) > 0.01 {
		t.Errorf("28°30' N 96° W is at %.3f, %.3f, want 2963503.91, 254759.80", x, y)
	}
}

func TestStatCanLambertOrigin(t *testing.T) {
	lng, lat := format.StatCanLambert.Inverse(6_200_000, 3_000_000)
	if math.Abs(lng+(91+52.0/60)) > 1e-9 || math.Abs(lat-63.390675) > 1e-9 {
		t.Errorf("the false origin is at %.10f, %.10f", lng, lat)
	}
}

func TestStatCanLambertRoundTrip(t *testing.T) {
	statCan := lambertCone{6378137, 298.257222101, 63.390675, -(91 + 52.0/60), 49, 77, 6_200_000, 3_000_000}
	for lat := 41.0; lat <= 84; lat += 0.5 {
		for lng := -142.0; lng <= -52; lng += 0.5 {
			gotLng, gotLat := format.StatCanLambert.Inverse(statCan.forward(lng, lat))
			if math.Abs(gotLng-lng) > 3e-9 || math.Abs(gotLat-lat) > 3e-9 {
				t.Fatalf("%v, %v comes back as %.10f, %.10f", lng, lat, gotLng, gotLat)
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
			if err != nil || string(p) != tt.want {
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
		if p, err := format.ParseProjection(wkt); (err == nil) == (p == "") {
			t.Fatalf("projection %q with error %v", p, err)
		}
	})
}
