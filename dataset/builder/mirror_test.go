package builder_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// sharedMirror returns the folder of the shared mirror, or skips the test.
func sharedMirror(t testing.TB) string {
	t.Helper()
	root := os.Getenv("POSTGEO_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		check(t, err)
		for !exists(filepath.Join(dir, "go.mod")) {
			if dir == filepath.Dir(dir) {
				t.Fatal("no go.mod above the test")
			}
			dir = filepath.Dir(dir)
		}
		root = filepath.Join(filepath.Dir(dir), "shared")
	}
	mirror := filepath.Join(root, "data", "mirror")
	if !exists(mirror) {
		t.Skipf("no shared data at %s", mirror)
	}
	return mirror
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// national builds the whole country once for all tests.
var national = sync.OnceValues(func() (*builder.Report, error) {
	dir, err := os.MkdirTemp("", "postgeo-national")
	if err != nil {
		return nil, err
	}
	nationalDir = dir
	return builder.Build(context.Background(), builder.Options{
		Mirror: nationalMirror, Output: filepath.Join(dir, "all.db"), Layers: []string{"all"},
	})
})

var nationalDir, nationalMirror string

func TestMain(m *testing.M) {
	if text := os.Getenv(childVariable); text != "" {
		os.Exit(runChild(text))
	}
	code := m.Run()
	if nationalDir != "" {
		os.RemoveAll(nationalDir)
	}
	os.Exit(code)
}

// openNational opens the national dataset that $POSTGEO_NATIONAL names. Without it, it
// builds one if $POSTGEO_LONG is set.
func openNational(t *testing.T) *built {
	t.Helper()
	nationalMirror = sharedMirror(t)
	path := os.Getenv("POSTGEO_NATIONAL")
	if path == "" {
		if os.Getenv("POSTGEO_LONG") == "" {
			t.Skip("set POSTGEO_NATIONAL to a national dataset, or POSTGEO_LONG to build one")
		}
		report, err := national()
		check(t, err)
		path = report.Output
	}
	d := lookuptest.OpenFile(t, path)
	return &built{Dataset: d, t: t, path: path}
}

// TestNationalCounts checks the number of rows of the country, and the gaps.
func TestNationalCounts(t *testing.T) {
	b := openNational(t)
	for name, n := range map[string][3]int{
		"ZIP Codes": {b.NumZIPs(), 41_800, 42_000}, "FSAs": {b.NumFSAs(), 1_650, 1_660}, "postal codes": {b.NumPostalCodes(), 298_000, 300_000},
		"counties": {len(b.Counties()), 3_233, 3_233}, "states and provinces": {len(b.States()), 75, 75}, "sources": {len(b.Manifest().Sources), 50, 70},
	} {
		if n[0] < n[1] || n[0] > n[2] {
			t.Errorf("%d %s, want %d to %d", n[0], name, n[1], n[2])
		}
	}
	for _, g := range b.Manifest().Gaps {
		for start, most := range map[string]int64{
			"other ZIPs without a point": 40, "other ZIPs without a county": 20, "other ZIPs without a time zone": 40,
			"other ZIPs without an area code": 60, "FSAs without a point": 1, "FSAs without a time zone": 1, "postal codes without a": 0,
		} {
			if strings.HasPrefix(g.Name, start) && g.Count > most {
				t.Errorf("%d %s, want at most %d", g.Count, g.Name, most)
			}
		}
	}
}

// TestNationalCodes checks well-known codes.
func TestNationalCodes(t *testing.T) {
	b := openNational(t)
	type place struct {
		city, state, county, zone string
		class                     store.Class
	}
	for code, want := range map[string]place{
		"90210": {"Beverly Hills", "CA", "Los Angeles County", "America/Los_Angeles", store.General},
		"10001": {"New York", "NY", "New York County", "America/New_York", store.General},
		"10118": {"New York", "NY", "New York County", "America/New_York", store.General},
		"00601": {"Adjuntas", "PR", "Adjuntas Municipio", "America/Puerto_Rico", store.General},
		"99546": {"Adak", "AK", "Aleutians West Census Area", "America/Adak", store.POBox},
		"96910": {"Hagatna", "GU", "Guam", "Pacific/Guam", store.General},
		"09012": {"APO", "AE", "", "", store.Military},
		"20500": {"Washington", "DC", "District of Columbia", "America/New_York", store.Unique},
		"06103": {"Hartford", "CT", "Capitol Planning Region", "America/New_York", store.General},
		"60601": {"Chicago", "IL", "Cook County", "America/Chicago", store.General},
		"98101": {"Seattle", "WA", "King County", "America/Los_Angeles", store.General},
		"33139": {"Miami Beach", "FL", "Miami-Dade County", "America/New_York", store.General},
		"30301": {"Atlanta", "GA", "Fulton County", "America/New_York", store.POBox},
		"32504": {"Pensacola", "FL", "Escambia County", "America/Chicago", store.General},
		"96950": {"Saipan", "MP", "Saipan Municipality", "Pacific/Saipan", store.POBox},
		"00802": {"St. Thomas", "VI", "St. Thomas Island", "America/St_Thomas", store.General},
		"96799": {"Pago Pago", "AS", "Eastern District", "Pacific/Pago_Pago", store.POBox},
		"48226": {"Detroit", "MI", "Wayne County", "America/Detroit", store.General},
		"79901": {"El Paso", "TX", "El Paso County", "America/Denver", store.General},
		"85001": {"Phoenix", "AZ", "Maricopa County", "America/Phoenix", store.POBox},
		"96813": {"Honolulu", "HI", "Honolulu County", "Pacific/Honolulu", store.General},
		"21201": {"Baltimore", "MD", "Baltimore city", "America/New_York", store.General},
		"63101": {"Saint Louis", "MO", "St. Louis city", "America/Chicago", store.General},
		"24011": {"Roanoke", "VA", "Roanoke city", "America/New_York", store.General},
		"57770": {"Pine Ridge", "SD", "Oglala Lakota County", "America/Denver", store.General},
		"99686": {"Valdez", "AK", "Chugach Census Area", "America/Anchorage", store.General},
		"60115": {"DeKalb", "IL", "DeKalb County", "America/Chicago", store.General},
		"78501": {"McAllen", "TX", "Hidalgo County", "America/Chicago", store.General},
		"83814": {"Coeur d'Alene", "ID", "Kootenai County", "America/Los_Angeles", store.General},
		"27101": {"Winston-Salem", "NC", "Forsyth County", "America/New_York", store.General},
		"36867": {"Phenix City", "AL", "Russell County", "America/New_York", store.General},
		"47630": {"Newburgh", "IN", "Warrick County", "America/Chicago", store.General},
		"99519": {"Anchorage", "AK", "Anchorage Municipality", "America/Anchorage", store.POBox},
		"86047": {"Winslow", "AZ", "Navajo County", "America/Phoenix", store.General},
		"57601": {"Mobridge", "SD", "Walworth County", "America/Chicago", store.General},
		"37377": {"Signal Mountain", "TN", "Hamilton County", "America/New_York", store.General},
		"79847": {"Salt Flat", "TX", "Hudspeth County", "America/Denver", store.General},
		"83542": {"Lucile", "ID", "Idaho County", "America/Los_Angeles", store.General},
		"98282": {"Camano Island", "WA", "Island County", "America/Los_Angeles", store.General},
		"84536": {"Monument Valley", "UT", "San Juan County", "America/Denver", store.POBox},
	} {
		zip, _ := postcode.ParseZIP(code)
		row, ok := b.ZIP(zip)
		if !ok {
			t.Errorf("%s is not in the dataset", code)
			continue
		}
		got := place{city: row.City, state: b.State(row.State).Abbr, zone: b.Zone(row.Zone).Name, class: row.Class}
		if row.County != 0 {
			got.county = b.County(row.County).Name
		}
		if got != want {
			t.Errorf("%s is %v, want %v", code, got, want)
		}
	}
	for code, want := range map[string][3]string{
		"K1A": {"Ottawa", "ON", "America/Toronto"}, "M5V": {"Toronto", "ON", "America/Toronto"}, "H0H": {"North Pole", "QC", ""},
		"V6B": {"Vancouver", "BC", "America/Vancouver"}, "A1C": {"St. John's", "NL", "America/St_Johns"}, "X0A": {"Iqaluit", "NU", "America/Iqaluit"},
		"P6A": {"Sault Ste. Marie", "ON", "America/Toronto"}, "T2P": {"Calgary", "AB", "America/Edmonton"}, "S4P": {"Regina", "SK", "America/Regina"},
		"B3H": {"Halifax", "NS", "America/Halifax"}, "G4T": {"Les Îles-de-la-Madeleine", "QC", "America/Halifax"}, "P9N": {"Kenora", "ON", "America/Winnipeg"},
	} {
		row, _ := b.fsa(code)
		if got := [3]string{row.City, b.State(row.Province).Abbr, b.Zone(row.Zone).Name}; got != want {
			t.Errorf("%s is %q, want %q", code, got, want)
		}
	}
	code, _ := postcode.ParsePostalCode("K1A 0B1")
	row, ok := b.PostalCode(code)
	if !ok || row.City != "Ottawa" || !row.Location.IsValid() || row.Location.Lat() < 45.2 || row.Location.Lat() > 45.6 {
		t.Errorf("K1A 0B1 is %+v, %v", row, ok)
	}
}

// TestNationalMunicipality checks municipalities from outlines.
func TestNationalMunicipality(t *testing.T) {
	b := openNational(t)
	for code, want := range map[string]string{"90210": "Beverly Hills", "10001": "New York", "06103": "Hartford", "63376": "St. Peters", "00601": "Adjuntas", "20001": "Washington"} {
		if row, _ := b.zip(code); row.Municipality != want {
			t.Errorf("the municipality of %s is %q, want %q", code, row.Municipality, want)
		}
	}
}

// TestNationalFarOff checks the points of ZIPs that the Gazetteer or another
// list has far from their people, and that no point lies outside the country.
func TestNationalFarOff(t *testing.T) {
	b := openNational(t)
	for code, want := range map[string]geo.LatLng{
		"99503": geo.MustLatLng(61.19, -149.90), "99701": geo.MustLatLng(64.84, -147.72), "83716": geo.MustLatLng(43.57, -116.12),
		"85365": geo.MustLatLng(32.67, -114.54), "93042": geo.MustLatLng(34.11, -119.11), "82638": geo.MustLatLng(43.12, -107.34),
	} {
		row, _ := b.zip(code)
		if p := row.Location; !p.IsValid() || abs(p.Lat()-want.Lat()) > 0.1 || abs(p.Lng()-want.Lng()) > 0.1 {
			t.Errorf("%s is at %v, want near %v", code, p, want)
		}
	}
	for row := range b.ZIPs() {
		p := row.Location
		if p.IsValid() && (p.Lat() < -15 || p.Lat() > 72 || p.Lng() > -64 && p.Lng() < 130) {
			t.Errorf("%s is at %v", row.ZIP, p)
		}
	}
}

func abs(v float64) float64 { return max(v, -v) }

// TestNationalReviewed checks points and elevations that a review of the
// national dataset found to be wrong.
func TestNationalReviewed(t *testing.T) {
	b := openNational(t)
	const near = 5 // miles
	for code, want := range map[string]geo.LatLng{
		"L8N": geo.MustLatLng(43.25, -79.86), "N9A": geo.MustLatLng(42.31, -83.03), "P3E": geo.MustLatLng(46.47, -81.0),
		"T2P": geo.MustLatLng(51.05, -114.07), "T2J": geo.MustLatLng(50.95, -114.05), "S7K": geo.MustLatLng(52.15, -106.64),
		"R3C": geo.MustLatLng(49.89, -97.14), "E2R": geo.MustLatLng(45.29, -66.0),
	} {
		if row, _ := b.fsa(code); float64(geo.Distance(row.Location, want).Miles()) > near {
			t.Errorf("%s is at %v, want near %v", code, row.Location, want)
		}
	}
	if row, _ := b.zip("99546"); float64(geo.Distance(row.Location, geo.MustLatLng(51.87, -176.63)).Miles()) > near {
		t.Errorf("Adak is at %v", row.Location)
	}
	for row := range b.ZIPs() {
		_, d := b.zip(row.ZIP.String())
		if d.Elevation == nil || *d.Elevation >= -5 {
			continue
		}
		switch b.county(row.County) {
		case "06025", "06027", "06065", "06071":
		default:
			t.Errorf("%s %s lies %.0f m high", row.ZIP, row.City, *d.Elevation)
		}
	}
}

// TestNationalPlaces checks decision D59: every code with a point was compared
// with the layers, and the gaps count those without an area of a layer.
func TestNationalPlaces(t *testing.T) {
	b := openNational(t)
	held := map[bool]int{} // by whether a point was
	take := func(code string, at geo.LatLng, c store.CodeOverlaps, err error) {
		switch {
		case err != nil:
			t.Fatal(err)
		case !c.Known() && at.IsValid():
			t.Errorf("%s has a point and no areas", code)
		case c.Known():
			held[c.AtPoint()]++
		}
	}
	for z := range b.ZIPs() {
		c, err := b.Overlaps(t.Context(), store.CodeOfZIP(z.ZIP))
		take(z.ZIP.String(), z.Location, c, err)
	}
	for f := range b.FSAs() {
		c, err := b.Overlaps(t.Context(), store.CodeOfFSA(f.FSA))
		take(f.FSA.String(), f.Location, c, err)
	}
	t.Logf("%d codes by outlines, %d by points", held[false], held[true])
	if held[false] < 28_700 || held[true] < 13_000 { // outlines that differ from the published area are not used (decision D69)
		t.Error("want at least 28,700 codes by outlines and 13,000 by points")
	}
	most := map[string]int64{
		"ZIPs whose area is not in the file of the layer county": 40, "ZIPs outside every area of the layer county": 2, // territories
		"ZIPs whose area is not in the file of the layer tract": 3_150, "ZIPs outside every area of the layer tract": 2,
		"ZIPs whose area is not in the file of the layer congressional_district": 10, "ZIPs outside every area of the layer congressional_district": 10,
		"FSAs outside every area of the layer census_division": 3, "FSAs outside every area of the layer federal_district": 3,
	}
	for _, g := range b.Manifest().Gaps {
		if strings.Contains(g.Name, " of the layer ") {
			t.Logf("%d %s", g.Count, g.Name)
		}
		if n, ok := most[g.Name]; ok && g.Count > n {
			t.Errorf("%d %s, want at most %d", g.Count, g.Name, n)
		}
	}
}
