package geocode_test

import (
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
)

// sampleFile is the file of the embedded dataset.
const sampleFile = "../../internal/sample/" + sample.Name

// town adds the roads of testdata/town.txt to the sample.
func town(t *testing.T) *postgeo.DB {
	t.Helper()
	d := lookuptest.OpenFile(t, sampleFile)
	path := filepath.Join(t.TempDir(), "town.db")
	w, err := storewrite.Extend(path, d)
	check(t, err)
	for _, r := range roads(t) {
		check(t, w.AddRoad(r))
	}
	check(t, errors.Join(w.Finish(d.Manifest()), d.Close()))
	db := sampletest.File(t, path)
	return db
}

// roads reads the roads of the town. Their lines are
//
//	road CODE DIRECTION|NAME|SUFFIX|DIRECTION
//	point NUMBER 34.1,-118.4
//	segment 34.1,-118.41 34.1,-118.4 left 2-98 E right 1-99 O
func roads(t *testing.T) (list []store.Road) {
	t.Helper()
	text, err := os.ReadFile("testdata/town.txt")
	check(t, err)
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		w := strings.Fields(rest)
		switch kind {
		case "road":
			code, name, _ := strings.Cut(rest, " ")
			n := strings.Split(name, "|")
			list = append(list, store.Road{RoadName: store.RoadName{PreDir: n[0], Name: n[1], Suffix: n[2], PostDir: n[3]}})
			if f, ok := postcode.ParseFSA(code); ok {
				list[len(list)-1].Area = store.CodeOfFSA(f)
			} else {
				list[len(list)-1].Area = store.CodeOfZIP(postcode.ZIPOf(code))
			}
		case "point":
			n, _ := store.ParseHouseNumber(w[0])
			r := &list[len(list)-1]
			r.Points = append(r.Points, store.AddressPoint{Number: n, Location: point(t, w[1]), Origin: store.RoadOrigin{Source: "points"}})
		case "segment":
			s := store.RoadSegment{Line: []geo.LatLng{point(t, w[0]), point(t, w[1])}, Origin: store.RoadOrigin{Source: "segments", Placement: store.PlacementBlock}}
			for w = w[2:]; len(w) > 2; w = w[3:] {
				side := map[string]*store.NumberRange{"left": &s.Left, "right": &s.Right}[w[0]]
				if _, err := fmt.Sscanf(w[1], "%d-%d", &side.From, &side.To); err != nil {
					t.Fatalf("%s: %v", line, err)
				}
				side.Parity = w[2][0]
			}
			r := &list[len(list)-1]
			r.Segments = append(r.Segments, s)
		}
	}
	return list
}

func point(t *testing.T, text string) geo.LatLng {
	t.Helper()
	p, err := geo.ParseLatLng(text)
	check(t, err)
	return p
}

// TestWorkWithoutState counts the allocations of texts without a state: the cities of
// all states are searched once, and not for each reading of the words.
func TestWorkWithoutState(t *testing.T) {
	db := town(t)
	const text = "1 East North West South Lane Court Park Place Mill Hill Lake View Oak Elm"
	n := testing.AllocsPerRun(5, func() {
		if _, err := db.Geocode(t.Context(), text, geocode.Options{}); !errors.Is(err, postgeo.ErrNotFound) {
			t.Errorf("%v", err)
		}
	})
	if n > 10_000 { // 4,200; 33,000 with a search for each reading
		t.Errorf("%.0f allocations", n)
	}
}

// TestOffset compares the sides of a segment.
func TestOffset(t *testing.T) {
	db := town(t)
	for text, want := range map[string]struct {
		side   string
		offset geo.Meters
		north  bool
	}{
		"50 Quillet St, 90210": {"left", 20, true}, "51 Quillet St, 90210": {"right", 20, false}, "52 Quillet St, 90210": {"left", -1, true},
	} {
		r, err := db.Geocode(t.Context(), text, geocode.Options{Offset: want.offset})
		check(t, err)
		line := geo.MustLatLng(34.1, r.Location.Lng())
		away := geo.Distance(line, r.Location)
		if d := away - max(want.offset, 0); r.Side != want.side || d < -0.5 || d > 0.5 || away > 1 && (r.Location.Lat() > 34.1) != want.north {
			t.Errorf("%s: %s side, %.1f m from the line, at %v", text, r.Side, float64(away), r.Location)
		}
	}
}

// TestRadius compares the radii of numbers on a highway that two towns of a ZIP Code number
// from 1: they reach both towns.
func TestRadius(t *testing.T) {
	db := town(t)
	for text, want := range map[string][2]int{
		"30 Route 55, 90210": {6_000, 7_000}, "75 Route 55, 90210": {6_000, 7_000}, "120 N Pomona Ave, 90210": {200, 250}, "200 N Pomona Ave, 90210": {300, 350},
	} {
		r, err := db.Geocode(t.Context(), text, geocode.Options{})
		check(t, err)
		if r.RadiusM < want[0] || r.RadiusM > want[1] {
			t.Errorf("%s: radius %d m, want %v", text, r.RadiusM, want)
		}
	}
}

// TestAreas adds the areas around positions, and none around a street or a code.
func TestAreas(t *testing.T) {
	db := town(t)
	opt, _ := address.ParseOptions([]string{"census,cd"})
	for text, want := range map[string]int{
		"110 N Pomona Ave, Beverly Hills, CA 90210":         2,
		"Quillet St & Ridgeway Dr, Beverly Hills, CA 90210": 2,
		"200 N Pomona Ave, Beverly Hills, CA 90210":         0,
		"7 Nowhere Pl, Beverly Hills, CA 90210":             0,
		"7 Nowhere Pl, Beverly Hills, CA":                   0,
	} {
		r, err := db.Geocode(t.Context(), text, geocode.Options{Include: opt.Include})
		check(t, err)
		if len(r.Delivered) != want || len(r.Unavailable) != 2-want || (r.Census != nil) != (want > 0) || len(r.Notices) != min(2-want, 1) {
			t.Errorf("%s: delivered %v, unavailable %v, notices %v", text, r.Delivered, r.Unavailable, r.Notices)
		}
	}
	r, err := db.Reverse(t.Context(), geo.MustLatLng(34.101, -118.39991), geocode.ReverseOptions{Include: opt.Include})
	if err != nil || r.Census == nil || r.CongressionalDistrict == nil {
		t.Errorf("areas around a point: %+v, %v", r, err)
	}
}

// TestCountries geocodes addresses with a dataset of one country. Those of the other one
// are unavailable, because the dataset can't rule them out.
func TestCountries(t *testing.T) {
	ottawa, _ := postcode.ParseFSA("K1A")
	for name, add := range map[string]func(w *storewrite.Writer) error{
		"United States": func(w *storewrite.Writer) error {
			return errors.Join(
				w.AddZIP(store.ZIPRow{ZIP: 90210, City: "Beverly Hills", State: 1, Class: store.General, Location: geo.MustLatLng(34.09, -118.41)}, store.ZIPDetail{}),
				w.AddEntity(store.Entity{Kind: store.EntityCity, Name: "Street", State: 1, Twin: -1, ZIPs: []postcode.ZIP{90210}}, storewrite.EntityNames{Own: []string{"street"}}),
			)
		},
		"Canada": func(w *storewrite.Writer) error {
			return w.AddFSA(store.FSARow{FSA: ottawa, City: "Ottawa", Province: 2, Location: geo.MustLatLng(45.42, -75.7)}, store.FSADetail{})
		},
	} {
		path := filepath.Join(t.TempDir(), "country.db")
		w, err := storewrite.Create(path)
		check(t, err)
		states := []store.State{{Country: store.US, Abbr: "CA", Name: "California", FIPS: "06"}, {Country: store.CA, Abbr: "ON", Name: "Ontario"}}
		check(t, errors.Join(w.SetStates(states), w.SetZones([]store.Zone{tzif.Row("America/New_York", "test")}), add(w), w.Finish(dataset.Manifest{Version: "test", Layers: []string{"identity"}})))
		db := sampletest.File(t, path)
		for text, country := range map[string]string{
			"Fresno, CA":                   "United States",
			"1 Rexford Dr, Fresno, CA":     "neither has streets",
			"1 Rexford Dr, Fresno 93701":   "United States",
			"Kingston, ON":                 "Canada",
			"1 Rideau St, Kingston, ON":    "neither has streets",
			"1 Rideau St, Kingston Canada": "Canada",
			"1 Rideau St K7L 1A1":          "Canada",
			"1 Nowhere Pl":                 "no city",
			"1 Nowhere Street":             "no city", // and not in Street
			"1 Rideau St, London, England": "",
		} {
			want := postgeo.ErrUnavailable
			switch country {
			case name, "":
				want = postgeo.ErrNotFound
			case "no city":
				want = postgeo.ErrAmbiguous
			}
			if r, err := db.Geocode(t.Context(), text, geocode.Options{}); !errors.Is(err, want) {
				t.Errorf("%s with codes of %s: %v, %v; want %v", text, name, r, err, want)
			}
		}
	}
}

// TestHardAddresses geocodes the addresses of docs/geocoding.md that the sample has.
func TestHardAddresses(t *testing.T) {
	db := sampletest.Open(t)
	if r, err := db.Geocode(t.Context(), "1 Nowhere St, Hagatna, GU 96910", geocode.Options{}); err != nil || r.RadiusM > 100_000 {
		t.Errorf("a ZIP Code on an island: %+v, %v", r, err)
	}
	doc, err := os.ReadFile("../../docs/geocoding.md")
	check(t, err)
	for text, want := range map[string]string{
		"Empire State Building, 350 5th Ave Fl 86, New York NY 10118": "point 350 5TH AVE, New York, NY 10118",
		"350 fifth avenue, NYC, NY 10118":                             "point 350 5TH AVE, New York, NY 10118",
		"1600 Pensylvania Avenue Northwest, Washington, DC 20500":     "point 1600 PENNSYLVANIA AVE NW, Washington, DC 20500",
		"455 north rexford drive beverly hills california":            "point 455 N REXFORD DR, Beverly Hills, CA 90210",
		"455-B N Rexferd Dr, 90210":                                   "interpolated 455B N REXFORD DR, Beverly Hills, CA 90210",
		"5th Ave & W 34th St, New York, NY":                           "street 5TH AVE, New York, NY 10118",
		"350-352 5th Ave, New York NY 10118":                          "interpolated 350-352 5TH AVE, New York, NY 10118",
		"1600 Pennsylvania Avenue NW Washington":                      "point 1600 PENNSYLVANIA AVE NW, Washington, DC 20500",
		"PO Box 12, New York, NY 10118":                               "zip New York, NY 10118",
		"405 Lexington Ave, New York, NY 10174":                       "city New York, NY",
		"301 Front St W, Toronto, ON M5V 2T6":                         "zip Toronto, ON M5V",
	} {
		r, err := db.Geocode(t.Context(), text, geocode.Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := string(r.Precision) + " " + r.Formatted; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		row := "| " + text + " | sample | `" // docs/geocoding.md shows some of them
		if _, shown, ok := strings.Cut(string(doc), row); ok && !strings.HasPrefix(shown, string(r.Precision)+"` |") {
			t.Errorf("docs/geocoding.md has another precision in the row %s", row)
		}
	}
}

// opened returns the tables and the answers of a dataset: that of $POSTGEO_NATIONAL, else
// the sample.
func opened(t *testing.T, national bool) (*store.Dataset, *postgeo.DB) {
	t.Helper()
	path := sampleFile
	if national {
		if path = os.Getenv("POSTGEO_NATIONAL"); path == "" {
			t.Skip("set POSTGEO_NATIONAL to a national dataset to run this")
		}
	}
	d, err := sqlite.Open(path)
	db, failed := postgeo.Open(path)
	check(t, errors.Join(err, failed))
	t.Cleanup(func() { db.Close(); d.Close() })
	check(t, d.Load(t.Context(), store.SectionEntities))
	return d, db
}

// codesOnce yields the city names of the ZIP Codes with their states, each once.
func codesOnce(d *store.Dataset) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		seen := map[[2]string]bool{}
		for row := range d.ZIPs() {
			key := [2]string{row.City, d.State(row.State).Abbr}
			if row.City == "" || seen[key] {
				continue
			}
			if seen[key] = true; !yield(key[0], key[1]) {
				return
			}
		}
	}
}

// TestCitiesOfCodes geocodes an unknown street in every city of the ZIP Codes. None
// becomes another city.
func TestCitiesOfCodes(t *testing.T) {
	for _, national := range []bool{false, true} {
		t.Run(fmt.Sprintf("national=%v", national), func(t *testing.T) {
			d, db := opened(t, national)
			all, found := 0, 0
			for city, state := range codesOnce(d) {
				all++
				text := fmt.Sprintf("1 Nowhere St, %s, %s", city, state)
				r, err := db.Geocode(t.Context(), text, geocode.Options{})
				switch {
				case errors.Is(err, postgeo.ErrAmbiguous):
				case err != nil:
					t.Log(err)
				default:
					if found++; namekey.Of(r.City) != namekey.Of(city) || r.State != state || len(r.Notices) > 1 {
						t.Errorf("%s: %s, notices %v", text, r.Formatted, r.Notices)
					}
				}
			}
			if t.Logf("%d of %d cities found", found, all); found*1000 < 998*all {
				t.Errorf("found %d of %d cities", found, all)
			}
		})
	}
}

// TestPlaces geocodes the places of the Gazetteer and the census subdivisions in three
// forms. Each is found at its point, is ambiguous, or is a namesake that the answer lists.
func TestPlaces(t *testing.T) {
	d, db := opened(t, true)
	for _, form := range []string{"%s, %s", "1 Nowhere St, %s, %s", "123 Nowhere St %s %s"} {
		us, canada := placesOf(d)
		for name, list := range map[string][]store.Entity{"United States": us, "Canada": canada, "largest of Canada": canada[:400]} {
			found, ambiguous, namesakes := 0, 0, 0
			for _, e := range list {
				city, _, _ := strings.Cut(e.Name, " (")
				text := fmt.Sprintf(form, city, d.State(e.State).Abbr)
				r, err := db.Geocode(t.Context(), text, geocode.Options{})
				switch {
				case errors.Is(err, postgeo.ErrAmbiguous):
					ambiguous++
					continue
				case err != nil:
					continue // not found rather than another place
				}
				found++
				near := func(p geocode.Place) bool { return geo.Distance(p.Location, e.Location) < 25_000 }
				switch {
				case namekey.Of(r.City) != namekey.Of(city) || r.State != d.State(e.State).Abbr:
					t.Errorf("%s: %s", text, r.Formatted)
				case !e.Location.IsValid() || near(r.Place):
				case slices.ContainsFunc(r.Candidates, near):
					namesakes++
				default:
					t.Errorf("%s: %v, want %v", text, r.Location, e.Location)
				}
			}
			t.Logf("%s, %q: %d texts, %d found, %d of these at a namesake, %d ambiguous", name, form, len(list), found, namesakes, ambiguous)
			if least := map[string]float64{"United States": 0.999, "Canada": 0.94, "largest of Canada": 0.99}[name]; float64(found+ambiguous) < least*float64(len(list)) {
				t.Errorf("%s, %q: found %d of %d", name, form, found, len(list))
			}
		}
	}
}

// placesOf returns the municipalities of each country, the largest first.
func placesOf(d *store.Dataset) (us, canada []store.Entity) {
	all := d.Entities()
	for i := range all.Len() {
		switch e := all.At(i); {
		case e.Kind != store.EntityPlace || strings.Contains(e.Name, "(Part"): // a part of a subdivision
		case d.State(e.State).Country == store.CA:
			canada = append(canada, *e)
		default:
			us = append(us, *e)
		}
	}
	slices.SortStableFunc(canada, func(x, y store.Entity) int { return int(y.Population - x.Population) })
	return us, canada
}

var update = flag.Bool("update", false, "write the table of testdata again")

// TestTown compares the answers to texts in the invented town: precision, position and
// address, with the notices.
func TestTown(t *testing.T) {
	db := town(t)
	lookuptest.Table(t, "town.txt", *update, func(text string) string {
		if at, ok := strings.CutPrefix(text, "@ "); ok {
			return reversed(t, db, strings.Fields(at))
		}
		r, err := db.Geocode(t.Context(), text, geocode.Options{})
		switch {
		case errors.Is(err, postgeo.ErrNotFound):
			return "not found"
		case errors.Is(err, postgeo.ErrAmbiguous):
			return strings.TrimPrefix(err.Error(), "postgeo: geocode: ")
		case err != nil:
			t.Fatalf("%s: %v", text, err)
		}
		out := fmt.Sprintf("%s %.4f,%.4f %s", r.Precision, r.Location.Lat(), r.Location.Lng(), r.Formatted)
		for _, n := range r.Notices {
			out += "; " + string(n.Code)
			if n.Code == envelope.DataNotLoaded {
				out += ": " + n.Message
			}
		}
		return out
	})
}

// reversed returns the address of a position, within a distance if there is one.
func reversed(t *testing.T, db *postgeo.DB, w []string) string {
	t.Helper()
	var opt geocode.ReverseOptions
	if len(w) > 1 {
		meters, err := strconv.Atoi(w[1])
		check(t, err)
		opt.Within = geo.Meters(meters)
	}
	r, err := db.Reverse(t.Context(), point(t, w[0]), opt)
	switch {
	case errors.Is(err, postgeo.ErrNotFound):
		return "not found"
	case errors.Is(err, postgeo.ErrUnavailable):
		return err.Error()
	}
	check(t, err)
	return fmt.Sprintf("%s %s %s", r.Precision, r.Number, r.Street)
}

var check = checktest.Check
