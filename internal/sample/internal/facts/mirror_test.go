package facts_test

import (
	"archive/zip"
	"encoding/csv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sample/internal/facts"
	"github.com/postgeo/postgeo/internal/store"
)

// farthest is how far a point of the sample may lie from the official one:
// ten miles, the size of a large ZIP Code.
const farthest = geo.Miles(10)

// mirror returns the folder with the official files, or skips the test.
func mirror(t *testing.T) string {
	t.Helper()
	shared := os.Getenv("POSTGEO_SHARED")
	for dir, _ := os.Getwd(); shared == ""; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			shared = filepath.Join(dir, "..", "shared")
		} else if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
	}
	root := filepath.Join(shared, "data", "mirror")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("the official files are not at hand (%v); set POSTGEO_SHARED to the folder that has data/mirror", err)
	}
	return root
}

// rows reads delimited text, the only member of a zip archive or plain.
func rows(t *testing.T, path string, comma rune) [][]string {
	t.Helper()
	var in io.ReadCloser
	if strings.HasSuffix(path, ".zip") {
		z, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		if in, err = z.File[0].Open(); err != nil {
			t.Fatal(err)
		}
	} else {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		in = f
	}
	defer in.Close()
	r := csv.NewReader(in)
	r.Comma, r.LazyQuotes, r.FieldsPerRecord = comma, comma != ',', -1
	all, err := r.ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return all
}

// fold removes accents, case and punctuation from a name.
func fold(s string) string {
	s, _, _ = transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), s)
	s = strings.NewReplacer(".", "", "'", "", "-", " ", "saint ", "st ").Replace(strings.ToLower(s))
	return strings.TrimSpace(s)
}

func latLng(t *testing.T, lat, lng string) geo.LatLng {
	t.Helper()
	p, err := geo.ParseLatLng(lat + "," + lng)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// official is the mirror's record of a code.
type official struct {
	cities   []string // folded
	counties []string // folded official names and FIPS codes
	classes  []string
	points   []geo.LatLng
	zcta     bool
}

func officialZIPs(t *testing.T, root string) map[string]*official {
	all := map[string]*official{}
	of := func(code string) *official {
		if all[code] == nil {
			all[code] = &official{}
		}
		return all[code]
	}
	for i, r := range rows(t, filepath.Join(root, "www2.census.gov/geo/docs/maps-data/data/gazetteer/2025_Gazetteer/2025_Gaz_zcta_national.zip"), '|') {
		if i > 0 {
			o := of(r[0])
			o.points, o.zcta = append(o.points, latLng(t, r[6], r[7])), true
		}
	}
	for _, r := range rows(t, filepath.Join(root, "download.geonames.org/export/zip/US.zip"), '\t') {
		o := of(r[1])
		o.cities, o.counties = append(o.cities, fold(r[2])), append(o.counties, r[4]+r[6])
		if !o.zcta {
			o.points = append(o.points, latLng(t, r[9], r[10]))
		}
	}
	if path := filepath.Join(root, "www.unitedstateszipcodes.org/zip_code_database.csv"); exists(path) {
		for i, r := range rows(t, path, ',') {
			if i > 0 {
				o := of(r[0])
				o.cities, o.counties, o.classes = append(o.cities, fold(r[3])), append(o.counties, r[6]+fold(r[7])), append(o.classes, r[1])
				if p := latLng(t, r[12], r[13]); !o.zcta && (p.Lat() != 0 || p.Lng() != 0) {
					o.points = append(o.points, p)
				}
			}
		}
	}
	return all
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func contains(list []string, want string) bool {
	for _, s := range list {
		if s == want {
			return true
		}
	}
	return false
}

// classOf returns the table's words for a class. The table has some unique
// ZIPs of agencies and buildings as standard ones.
func classOf(c store.Class) []string {
	switch c {
	case store.POBox:
		return []string{"PO BOX"}
	case store.Unique:
		return []string{"UNIQUE", "STANDARD"}
	case store.Military:
		return []string{"MILITARY"}
	default:
		return []string{"STANDARD"}
	}
}

func TestZIPsAgreeWithOfficialFiles(t *testing.T) {
	all := officialZIPs(t, mirror(t))
	f, err := facts.Load()
	if err != nil {
		t.Fatal(err)
	}
	names, states := map[string]string{}, map[string]string{}
	for _, c := range f.Counties {
		names[c.FIPS] = fold(c.Name)
	}
	for _, r := range rows(t, filepath.Join(mirror(t), "aux.local/census_regions/states.csv"), ',') {
		if len(r) > 3 {
			states[r[3]] = r[1]
		}
	}
	states["78"], states["60"], states["66"], states["69"] = "VI", "AS", "GU", "MP" // the table has another number for some
	var cities, counties, classes, points int
	for _, region := range f.Regions {
		for _, z := range region.ZIPs {
			o := all[z.Code.String()]
			if o == nil {
				t.Errorf("%v %s is in no official file", z.Code, z.City)
				continue
			}
			if len(o.cities) > 0 {
				cities++
				if !contains(o.cities, fold(z.City)) {
					t.Errorf("%v: city %q, officially %q", z.Code, z.City, o.cities)
				}
			}
			state := states[z.County[:2]]
			if known := withCounty(o.counties, state); len(known) > 0 {
				counties++
				if state != "CT" && !contains(known, state+z.County[2:]) && !contains(known, state+names[z.County]) {
					t.Errorf("%v: county %s %s, officially %q", z.Code, z.County, names[z.County], known)
				}
			}
			if len(o.classes) > 0 {
				classes++
				if words := classOf(z.Class); !contains(words, o.classes[0]) {
					t.Errorf("%v: class %s, officially %s", z.Code, z.Class.Name(), o.classes[0])
				}
			}
			if len(o.points) > 0 {
				points++
				if d := nearest(o.points, z.Point); d > farthest {
					t.Errorf("%v %s: %v is %.1f miles from %v", z.Code, z.City, z.Point, float64(d), o.points)
				}
			}
		}
	}
	t.Logf("agreed: %d cities, %d counties, %d classes, %d points", cities, counties, classes, points)
}

// withCounty drops entries that name a state only.
func withCounty(list []string, state string) []string {
	var out []string
	for _, c := range list {
		if len(c) > len(state) {
			out = append(out, c)
		}
	}
	return out
}

func nearest(points []geo.LatLng, p geo.LatLng) geo.Miles {
	best := geo.Distance(points[0], p).Miles()
	for _, q := range points[1:] {
		best = min(best, geo.Distance(q, p).Miles())
	}
	return best
}

func TestFSAsAgreeWithOfficialFiles(t *testing.T) {
	root := mirror(t)
	all := map[string][][]string{}
	for _, r := range rows(t, filepath.Join(root, "download.geonames.org/export/zip/CA.zip"), '\t') {
		all[r[1]] = append(all[r[1]], r)
	}
	f, err := facts.Load()
	if err != nil {
		t.Fatal(err)
	}
	var cities, points int
	for _, region := range f.Regions {
		for _, a := range region.FSAs {
			if len(all[a.Code.String()]) == 0 {
				t.Errorf("FSA %v is in no official file", a.Code)
				continue
			}
			r := all[a.Code.String()][0]
			cities++
			quarter := quarters[a.Code.String()]
			if !strings.Contains(fold(r[2]), fold(a.City)) && (quarter == "" || !strings.HasPrefix(r[2], quarter)) {
				t.Errorf("%v: city %q, officially %q", a.Code, a.City, r[2])
			}
			if strayPoints[a.Code.String()] {
				continue
			}
			points++
			if d := geo.Distance(latLng(t, r[9], r[10]), a.Point).Miles(); d > farthest {
				t.Errorf("%v %s: %v is %.1f miles from %v,%v", a.Code, a.City, a.Point, float64(d), r[9], r[10])
			}
		}
	}
	t.Logf("agreed: %d cities, %d points", cities, points)
}

// quarters are FSAs that the official table names after a part of their city.
var quarters = map[string]string{
	"H0H": "Reserved", "H2J": "Plateau Mont-Royal", "H2T": "Plateau Mont-Royal", "H2W": "Plateau Mont-Royal", "H2X": "Plateau Mont-Royal",
	"H3C": "Griffintown", "J8X": "Hull", "V8R": "Oak Bay",
}

// strayPoints are FSAs with a wrong official point. Two lie at 79 and 90 degrees
// north, the others east of Calgary, north of Burnaby and south-west of
// Saskatoon.
var strayPoints = map[string]bool{"X0A": true, "H0H": true, "T2P": true, "V6T": true, "S7K": true}
