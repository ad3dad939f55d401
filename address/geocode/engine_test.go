package geocode_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/internal/tzif"
)

// town adds an invented town to the sample: Pomona Ave with points, Quillet St with
// ranges, and a crossing of both.
func town(t *testing.T) *postgeo.DB {
	t.Helper()
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(t.TempDir(), "base.db")
	if err := os.WriteFile(base, data, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := sqlite.Open(base)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "town.db")
	w, err := storewrite.Extend(path, d)
	if err != nil {
		t.Fatal(err)
	}
	area := store.CodeOfZIP(90210)
	at := geo.MustLatLng
	pomona := store.Road{Area: area, RoadName: store.RoadName{PreDir: "N", Name: "POMONA", Suffix: "AVE"}}
	for i, n := range []uint32{100, 101, 110, 111, 140, 141} {
		side := 0.0001
		if n%2 == 1 {
			side = -side
		}
		pomona.Points = append(pomona.Points, store.AddressPoint{
			Number: store.HouseNumber{Value: n}, Location: at(34.1+float64(n-100)*0.0001, -118.4+side),
			Origin: store.RoadOrigin{Source: "points", Placement: store.Placement(i % 2)},
		})
	}
	line := func(a, b float64) []geo.LatLng { return []geo.LatLng{at(34.1, a), at(34.1, b)} }
	origin := store.RoadOrigin{Source: "segments", Placement: store.PlacementBlock}
	high := func(a, b float64) []geo.LatLng { return []geo.LatLng{at(34.2, a), at(34.2, b)} }
	orlop := store.Road{Area: area, RoadName: store.RoadName{Name: "ORLOP", Suffix: "ST"}, Segments: []store.RoadSegment{
		{Line: high(-118.41, -118.4), Left: store.NumberRange{From: 2, To: 98, Parity: 'E'}, Right: store.NumberRange{From: 1, To: 99, Parity: 'O'}, Origin: origin},
		{Line: high(-118.4, -118.39), Right: store.NumberRange{From: 101, To: 199, Parity: 'O'}, Origin: origin},
		{Line: high(-118.39, -118.38), Left: store.NumberRange{From: 200, To: 298, Parity: 'E'}, Origin: origin},
	}}
	quillet := store.Road{Area: area, RoadName: store.RoadName{Name: "QUILLET", Suffix: "ST"}, Segments: []store.RoadSegment{
		{Line: line(-118.41, -118.4), Left: store.NumberRange{From: 2, To: 98, Parity: 'E'}, Right: store.NumberRange{From: 1, To: 99, Parity: 'O'}, Origin: origin},
		{Line: line(-118.4, -118.39), Left: store.NumberRange{From: 100, To: 198, Parity: 'E'}, Origin: origin},
	}}
	crossing := store.Road{Area: area, RoadName: store.RoadName{Name: "RIDGEWAY", Suffix: "DR"}, Segments: []store.RoadSegment{
		{Line: []geo.LatLng{at(34.09, -118.4), at(34.1, -118.4)}, Left: store.NumberRange{From: 1, To: 9, Parity: 'B'}, Origin: origin},
	}}
	both := func(a, b float64, from, to uint32, parity byte) store.RoadSegment {
		return store.RoadSegment{Line: []geo.LatLng{at(34.21, a), at(34.21, b)}, Left: store.NumberRange{From: from, To: to, Parity: parity}, Origin: origin}
	}
	tolliver := store.Road{Area: area, RoadName: store.RoadName{Name: "TOLLIVER", Suffix: "ST"}, Segments: []store.RoadSegment{
		both(-118.41, -118.4, 1, 99, 'B'), both(-118.4, -118.39, 100, 198, 'E'), both(-118.39, -118.38, 200, 298, 'B'),
	}}
	border := crossing // in another area than Quillet St
	border.Area, border.Name = store.CodeOfZIP(90211), "BORDERLAND"
	other := store.Road{Area: store.CodeOfZIP(10001), RoadName: store.RoadName{Name: "QUILLET", Suffix: "ST"}, Segments: quillet.Segments[:1]}
	elsewhere := func(name store.RoadName, lat float64) store.Road {
		r := store.Road{Area: area, RoadName: name, Points: slices.Clone(pomona.Points)}
		for i := range r.Points {
			r.Points[i].Location = at(lat+float64(i)*0.0001, -118.42)
		}
		return r
	}
	north, south := elsewhere(store.RoadName{Name: "EAST SHR", PostDir: "N"}, 34.13), elsewhere(store.RoadName{Name: "EAST SHR", PostDir: "S"}, 34.12)
	route := elsewhere(store.RoadName{Name: "CA ROUTE 902A"}, 34.15)
	lane := elsewhere(store.RoadName{Name: "PRIVATE RD 5"}, 34.14)
	fsa, _ := postcode.ParseFSA("H2Y")
	rue := elsewhere(store.CanadianRoadName("Rue Saint-Zotique Ouest"), 45.5)
	rue.Area = store.CodeOfFSA(fsa)
	numbered := func(name string, lat float64, numbers ...store.HouseNumber) store.Road {
		r := store.Road{Area: area, RoadName: store.ParseRoadName(name)}
		for i, n := range numbers {
			r.Points = append(r.Points, store.AddressPoint{Number: n, Location: at(lat+float64(i)*0.0001, -118.42), Origin: store.RoadOrigin{Source: "points"}})
		}
		return r
	}
	queens := numbered("98th Street", 34.16, store.HouseNumber{Prefix: "61-", Value: 5}, store.HouseNumber{Prefix: "61-", Value: 15})
	grid := numbered("Tamarack Street", 34.17, store.HouseNumber{Prefix: "W349N", Value: 5293})
	mill := numbered("Warden's Mill Road", 34.18, store.HouseNumber{Value: 12})
	twice := numbered("Yarmol Street", 42.35, store.HouseNumber{Value: 12}) // in Suffolk County of two states
	twice.Area = store.CodeOfZIP(2108)
	again := numbered("Yarmol Street", 40.81, store.HouseNumber{Value: 12})
	again.Area = store.CodeOfZIP(11742)
	pine := numbered("Pine Street", 38.9, store.HouseNumber{Value: 500})
	pine.Area = store.CodeOfZIP(20500)
	elder := numbered("Elder Lane", 34.1005, store.HouseNumber{Value: 1}, store.HouseNumber{Value: 3}, store.HouseNumber{Value: 7}, store.HouseNumber{Value: 9})
	for i := range elder.Points { // across Pomona Ave, with a house 80 m east of the last one
		elder.Points[i].Location = at(34.1005, -118.4025+float64(i)*0.001)
	}
	behind := numbered("Behind Lane", 34.101, elder.Points[0].Number, elder.Points[1].Number)
	for i := range behind.Points {
		behind.Points[i].Location = at(34.101, elder.Points[i].Location.Lng())
	}
	wimble, yarrow := numbered("Wimble Street", 34.23, elder.Points[0].Number, elder.Points[1].Number), numbered("Yarrow Court", 34.22983, elder.Points[0].Number)
	for i := range wimble.Points { // 13 m north of a position that is 19 m from Yarrow Court
		wimble.Points[i].Location = at(34.23012, -118.4205+float64(i)*0.001)
	}
	along := func(name string, a, b geo.LatLng) store.Road {
		return store.Road{Area: area, RoadName: store.ParseRoadName(name), Segments: []store.RoadSegment{{Line: []geo.LatLng{a, b}, Right: store.NumberRange{From: 1, To: 99, Parity: 'B'}, Origin: origin}}}
	}
	skewley := along("Skewley Road", at(34.24951, -118.42), at(34.25, -118.42059))     // 38 m southwest of the corner of its box
	leveller := along("Leveller Road", at(34.250324, -118.43), at(34.250324, -118.41)) // 36 m north of the corner
	for _, r := range []store.Road{skewley, leveller, wimble, yarrow, elder, behind, pomona, orlop, quillet, tolliver, crossing, other, north, south, route, lane, rue, queens, grid, mill, twice, again, pine, border} {
		if err := w.AddRoad(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Finish(d.Manifest()), d.Close()); err != nil {
		t.Fatal(err)
	}
	db, err := postgeo.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
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
		if err != nil {
			t.Fatal(err)
		}
		line := geo.MustLatLng(34.1, r.Location.Lng())
		away := geo.Distance(line, r.Location)
		if d := away - max(want.offset, 0); r.Side != want.side || d < -0.5 || d > 0.5 || away > 1 && (r.Location.Lat() > 34.1) != want.north {
			t.Errorf("%s: %s side, %.1f m from the line, at %v", text, r.Side, float64(away), r.Location)
		}
	}
}

// TestReverse finds the addresses of positions in the invented town.
func TestReverse(t *testing.T) {
	db := town(t)
	for _, c := range []struct {
		lat, lng               float64
		number, street, p, why string
	}{
		{34.101, -118.39991, "110", "N POMONA AVE", "point", "at a point"},
		{34.1025, -118.4001, "125", "N POMONA AVE", "interpolated", "between points"},
		{34.10005, -118.405, "50", "QUILLET ST", "interpolated", "left of a segment"},
		{34.09995, -118.405, "51", "QUILLET ST", "interpolated", "right of a segment"},
		{34.09995, -118.395, "150", "QUILLET ST", "interpolated", "a side without numbers"},
		{34.23, -118.42, "1", "YARROW CT", "point", "near a point that is farther than another road"},
		{34.25, -118.42, "50", "LEVELLER RD", "interpolated", "in the box of a road that is farther than another"},
	} {
		r, err := db.Reverse(t.Context(), geo.MustLatLng(c.lat, c.lng), geocode.ReverseOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.why, err)
			continue
		}
		if r.Street != c.street || r.Number != c.number || string(r.Precision) != c.p {
			t.Errorf("%s: %s %s (%s), want %s %s (%s)", c.why, r.Number, r.Street, r.Precision, c.number, c.street, c.p)
		}
	}
	if _, err := db.Reverse(t.Context(), geo.MustLatLng(34.09, -118.41), geocode.ReverseOptions{Within: 10}); !errors.Is(err, postgeo.ErrNotFound) {
		t.Errorf("a position without an address: %v", err)
	}
	if _, err := db.Reverse(t.Context(), geo.MustLatLng(40.7506, -73.99), geocode.ReverseOptions{Within: 1}); !errors.Is(err, postgeo.ErrNotFound) {
		t.Errorf("a position without an address in New York: %v", err)
	}
	if _, err := db.Reverse(t.Context(), geo.MustLatLng(47.6, -122.33), geocode.ReverseOptions{Within: 1}); !errors.Is(err, postgeo.ErrUnavailable) {
		t.Errorf("a position in a ZIP Code without streets: %v", err)
	}
	if _, err := db.Reverse(t.Context(), geo.MustLatLng(0, 0), geocode.ReverseOptions{}); !errors.Is(err, postgeo.ErrNotFound) {
		t.Errorf("a position far from all codes: %v", err)
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
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Delivered()) != want || len(r.Unavailable()) != 2-want || (r.Census != nil) != (want > 0) || len(r.Notices) != min(2-want, 1) {
			t.Errorf("%s: delivered %v, unavailable %v, notices %v", text, r.Delivered(), r.Unavailable(), r.Notices)
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
			return w.AddZIP(store.ZIPRow{ZIP: 90210, City: "Beverly Hills", State: 1, Class: store.General, Location: geo.MustLatLng(34.09, -118.41)}, store.ZIPDetail{})
		},
		"Canada": func(w *storewrite.Writer) error {
			return w.AddFSA(store.FSARow{FSA: ottawa, City: "Ottawa", Province: 2, Location: geo.MustLatLng(45.42, -75.7)}, store.FSADetail{})
		},
	} {
		path := filepath.Join(t.TempDir(), "country.db")
		w, err := storewrite.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		states := []store.State{{Country: store.US, Abbr: "CA", Name: "California", FIPS: "06"}, {Country: store.CA, Abbr: "ON", Name: "Ontario"}}
		if err := errors.Join(w.SetStates(states), w.SetZones([]store.Zone{tzif.Row("America/New_York", "test")}), add(w), w.Finish(dataset.Manifest{Version: "test", Layers: []string{"identity"}})); err != nil {
			t.Fatal(err)
		}
		db, err := postgeo.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for text, country := range map[string]string{
			"1 Rexford Dr, Fresno, CA":     "United States",
			"1 Rexford Dr, Fresno 93701":   "United States",
			"1 Rideau St, Kingston, ON":    "Canada",
			"1 Rideau St, Kingston Canada": "Canada",
			"1 Rideau St K7L 1A1":          "Canada",
			"1 Nowhere Pl":                 "",
			"1 Rideau St, London, England": "",
		} {
			want := postgeo.ErrUnavailable
			if country == name || country == "" {
				want = postgeo.ErrNotFound
			}
			if r, err := db.Geocode(t.Context(), text, geocode.Options{}); !errors.Is(err, want) {
				t.Errorf("%s with codes of %s: %v, %v; want %v", text, name, r, err, want)
			}
		}
	}
}

// TestHardAddresses geocodes the addresses of docs/geocoding.md that the sample has.
func TestHardAddresses(t *testing.T) {
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if r, err := db.Geocode(t.Context(), "1 Nowhere St, Hagatna, GU 96910", geocode.Options{}); err != nil || r.RadiusM > 100_000 {
		t.Errorf("a ZIP Code on an island: %+v, %v", r, err)
	}
	doc, err := os.ReadFile("../../docs/geocoding.md")
	if err != nil {
		t.Fatal(err)
	}
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
