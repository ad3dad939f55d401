package postgeo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// The operations on areas answer as the packages below do.
func TestAreas(t *testing.T) {
	db := sampletest.Open(t)
	county, ok := lookup.ParseLayer("county")
	if !ok {
		t.Fatal("county is no layer")
	}
	in, err := db.CodesIn(t.Context(), county, "06037", lookup.CodesInOptions{})
	if err != nil || len(in.Codes) < 10 || in.Area.Name != "Los Angeles County" {
		t.Fatalf("codes of 06037: %+v, %v", in, err)
	}
	rows := 0
	for row, err := range db.Crosswalk(t.Context(), "county", "zip", lookup.CrosswalkOptions{}) {
		check(t, err)
		if row.From == "06037" {
			rows++
		}
	}
	if diff := cmp.Diff(len(in.Codes), rows); diff != "" {
		t.Errorf("codes of 06037 and rows of the crosswalk (-codes +rows):\n%s", diff)
	}
	area, outline, err := db.AreaOutline(t.Context(), county, "06037")
	if err != nil || outline == nil {
		t.Fatalf("outline of 06037: %v", err)
	}
	if size, err := spatial.MultiPolygonArea(outline); err != nil || float64(size.SquareMiles()) < *area.LandAreaSqMi/2 {
		t.Errorf("the outline of 06037 has %v square miles, %v; its land %v", size.SquareMiles(), err, *area.LandAreaSqMi)
	}
}

// Areas of many points equal those of FamiliesAt, including districts of plans.
func TestAreaIDsAt(t *testing.T) {
	db := sampletest.Open(t)
	rng := rand.New(rand.NewPCG(1, 2))
	var points []geo.LatLng
	for range 200 {
		points = append(points, geo.MustLatLng(33.6+rng.Float64(), -118.6+rng.Float64()))
	}
	list := func(name string) (ids []string) {
		layer, _ := lookup.ParseLayer(name)
		for id, err := range db.AreaIDsAt(t.Context(), layer, slices.Values(points)) {
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			ids = append(ids, id)
		}
		return ids
	}
	counties, districts := list("county"), list("cd")
	found := 0
	for i, p := range points {
		fam, _, err := db.FamiliesAt(t.Context(), p, lookup.Options{Include: lookup.Include{Census: true, CongressionalDistrict: true}})
		check(t, err)
		county, district := "", ""
		if c := fam.Census; c != nil && c.Current != nil && len(c.Current.County) > 0 {
			county = c.Current.County[0].FIPS
		}
		if c := fam.CongressionalDistrict; c != nil && c.Current != nil {
			district = c.Current.Primary.GEOID
			if district != "" {
				found++
			}
		}
		if counties[i] != county || districts[i] != district {
			t.Errorf("%v: county %q, district %q; FamiliesAt has %q and %q", p, counties[i], districts[i], county, district)
		}
	}
	if found == 0 {
		t.Error("no point has a district")
	}
	for _, err := range db.AreaIDsAt(t.Context(), "", slices.Values(points)) {
		if !errors.Is(err, postgeo.ErrInvalidParam) {
			t.Errorf("no layer: %v", err)
		}
	}
}

func ExampleDB_Codes() {
	db := sampleDB()
	defer db.Close()
	n := 0
	for code, err := range db.Codes(context.Background(), lookup.FSA) {
		if err != nil {
			log.Fatal(err)
		}
		if n++; n <= 2 {
			fmt.Println(code)
		}
	}
	// Output:
	// A1A
	// A1B
}

// TestListings holds that lists ascend, that all of them is found, and what a
// missing layer says.
func TestListings(t *testing.T) {
	db := sampletest.Open(t)
	for _, kind := range []lookup.CodeType{lookup.ZIP, lookup.FSA, lookup.Postal} {
		var codes []string
		for code, err := range db.Codes(t.Context(), kind) {
			check(t, err)
			rec, err := db.QuickLookup(t.Context(), code, lookup.QuickOptions{})
			if err != nil || rec.Code != code || rec.CodeType != kind {
				t.Fatalf("%s is listed as %v: %v, %v", code, kind, rec, err)
			}
			codes = append(codes, code)
		}
		if len(codes) == 0 || !slices.IsSorted(codes) {
			t.Errorf("%d codes of type %v, ascending: %v", len(codes), kind, slices.IsSorted(codes))
		}
	}
	for code, err := range db.Codes(t.Context(), lookup.Coordinates) {
		if !errors.Is(err, postgeo.ErrInvalidParam) {
			t.Errorf("codes of the kind Coordinates: %q, %v", code, err)
		}
	}
	for _, err := range db.AreaIDs(t.Context(), "") {
		if !errors.Is(err, postgeo.ErrInvalidParam) {
			t.Errorf("no layer: %v", err)
		}
	}
}

func ExampleDB_AreaIDs() {
	db := sampleDB()
	defer db.Close()
	box := geo.Box{SouthWest: geo.MustLatLng(40.7, -74.02), NorthEast: geo.MustLatLng(40.75, -73.98)}
	for geoid, err := range db.AreaIDs(context.Background(), lookup.LayerCounty, box) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(geoid)
	}
	// Output:
	// 34017
	// 36047
	// 36061
}

// The sample has no layer of a user; see the command dataset add.
func ExampleDB_OwnLayers() {
	db := sampleDB()
	defer db.Close()
	layers, err := db.OwnLayers(context.Background())
	fmt.Println(len(layers), err)
	// Output: 0 <nil>
}

// outlined opens a dataset with an outline of a ZIP, of an FSA and of a state.
func outlined(t *testing.T, zip, fsa, state orb.Ring) *postgeo.DB {
	t.Helper()
	must := lookuptest.Must(t)
	pack := func(r orb.Ring) []byte {
		t.Helper()
		var b spatial.PolygonIndexBuilder
		must(b.Add(orb.MultiPolygon{{r}}))
		return lookuptest.Packed(t, &b)
	}
	w := lookuptest.Create(t)
	must(w.SetStates([]store.State{{Country: store.CA, Abbr: "ON", Name: "Ontario"}, {Country: store.US, Abbr: "AK", Name: "Alaska", FIPS: "02"}}))
	for _, z := range []postcode.ZIP{99546, 99547} {
		must(w.AddZIP(store.ZIPRow{ZIP: z, City: "Adak", State: 2, Class: store.General, Location: geo.MustLatLng(51.88, -176.65)}, store.ZIPDetail{}))
	}
	falls, ok := postcode.ParseFSA("L2E")
	if !ok {
		t.Fatal("L2E is no FSA")
	}
	must(w.AddFSA(store.FSARow{FSA: falls, City: "Niagara Falls", Province: 1, Location: geo.MustLatLng(43.1, -79.1)}, store.FSADetail{}))
	must(w.SetZIPAreas(storewrite.AreaLayer[postcode.ZIP]{Sources: []string{"test"}, Keys: []postcode.ZIP{99546}, Packed: pack(zip)}))
	must(w.SetFSAAreas(storewrite.AreaLayer[postcode.FSA]{Sources: []string{"test"}, Keys: []postcode.FSA{falls}, Packed: pack(fsa)}))
	must(w.SetStateAreas(storewrite.AreaLayer[store.StateID]{Sources: []string{"test"}, Keys: []store.StateID{2}, Packed: pack(state)}))
	return sampletest.File(t, w.Path())
}

func TestOutline(t *testing.T) {
	zip := orb.Ring{{179, 51}, {181, 51}, {181, 52}, {179, 51}}
	fsa := orb.Ring{{-79.2, 43}, {-79, 43}, {-79, 43.2}, {-79.2, 43}}
	state := orb.Ring{{-180, 50}, {-130, 50}, {-130, 70}, {-180, 50}}
	db := outlined(t, zip, fsa, state)
	for code, want := range map[string]orb.Ring{
		"99546": zip, "99546-1234": zip, "L2E": fsa, "l2e6s4": fsa, // of the area that a code lies in
		"99547": nil, "90210": nil, "K1A": nil, "K1A 0B1": nil, "51.5,180": nil,
	} {
		t.Run(code, func(t *testing.T) {
			var outline orb.MultiPolygon
			if want != nil {
				outline = orb.MultiPolygon{{want}}
			}
			got, source, err := db.CodeOutline(t.Context(), code)
			if diff := cmp.Diff(outline, got); diff != "" || err != nil {
				t.Errorf("%v, outline (-want +got):\n%s", err, diff)
			}
			from := ""
			if want != nil {
				from = "test"
			}
			if source != from {
				t.Errorf("the outline is from %q, want %q", source, from)
			}
		})
	}
	if _, _, err := db.CodeOutline(t.Context(), "9021"); !errors.Is(err, postgeo.ErrInvalidCode) {
		t.Errorf("an outline of no code: %v; want ErrInvalidCode", err)
	}

	states := map[string]orb.MultiPolygon{}
	for s, err := range db.StateOutlines(t.Context()) {
		check(t, err)
		states[s.State] = s.Outline
	}
	if diff := cmp.Diff(map[string]orb.MultiPolygon{"AK": {{state}}}, states); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	for range db.StateOutlines(t.Context()) {
		break // ends the sequence
	}
}

// TestWhere compares the results of equal places in several forms.
func TestWhere(t *testing.T) {
	db := sampleDB()
	defer db.Close()
	text := "10001" // a variable, as from a file
	for name, places := range map[string][2]postgeo.Where{
		"code":       {text, lookup.MustParseCode("10001").String()},
		"postal":     {"k1a0b1", lookup.MustParseCode("K1A 0B1").String()},
		"point":      {"34.0901,-118.4065", postgeo.At(geo.MustLatLng(34.0901, -118.4065))},
		"parsed":     {"34.0901,-118.4065", lookup.PointCode(geo.MustLatLng(34.0901, -118.4065)).String()},
		"long point": {"34.0901,0.000000000001", postgeo.At(geo.MustLatLng(34.0901, 1e-12+1e-60))},
	} {
		t.Run(name, func(t *testing.T) {
			want, err := db.DistanceMatrix(t.Context(), places[:1], []postgeo.Where{"90210"}, radius.DistanceOptions{})
			check(t, err)
			got, err := db.DistanceMatrix(t.Context(), places[1:], []postgeo.Where{"90210"}, radius.DistanceOptions{})
			if diff := cmp.Diff(want.Miles, got.Miles); diff != "" || err != nil {
				t.Errorf("%q and %q differ, %v (-text +constructed):\n%s", places[0], places[1], err, diff)
			}
		})
	}
}

// TestSnapshotOptions verifies that a snapshot has the clock of its DB.
func TestSnapshotOptions(t *testing.T) {
	calls := 0
	db, err := postgeo.OpenSample(postgeo.OpenOptions{Now: func() time.Time { calls++; return time.Now() }})
	check(t, err)
	defer db.Close()
	s, err := db.Snapshot()
	check(t, err)
	defer s.Close()
	if _, err := s.QuickLookup(t.Context(), "10001", lookup.QuickOptions{Timezone: true}); err != nil || calls != 1 {
		t.Errorf("the clock was read %d times, %v; want once", calls, err)
	}
}

func ExampleAt() {
	db := sampleDB()
	defer db.Close()
	rec, err := db.QuickLookup(context.Background(), postgeo.At(geo.MustLatLng(34.0901, -118.4065)), lookup.QuickOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rec.Code, rec.City)
	// Output: 90210 Beverly Hills
}

// A parsed code is a place, and many places are a sequence.
func ExampleWhere() {
	db := sampleDB()
	defer db.Close()
	code, err := lookup.ParseCode("90210-1234")
	if err != nil {
		log.Fatal(err)
	}
	places := []postgeo.Where{code.Parent().String(), "10001", postgeo.At(geo.MustLatLng(34.0901, -118.4065))}
	for rec, err := range db.QuickLookupBatch(context.Background(), slices.Values(places), lookup.QuickOptions{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(rec.Code, rec.City)
	}
	// Output:
	// 90210 Beverly Hills
	// 10001 New York
	// 90210 Beverly Hills
}

// TestLocate compares the points of places with those of their records.
func TestLocate(t *testing.T) {
	db := sampleDB()
	defer db.Close()
	for _, place := range []postgeo.Where{"90210", "K1A", "K1A 0B1"} {
		rec, err := db.QuickLookup(t.Context(), place, lookup.QuickOptions{})
		check(t, err)
		if got, err := db.Locate(t.Context(), place); got != rec.Location || !got.IsValid() || err != nil {
			t.Errorf("%s is at %v, %v; want %v", place, got, err, rec.Location)
		}
	}
	at := geo.MustLatLng(34.1, -118.41)
	if got, err := db.Locate(t.Context(), postgeo.At(at)); got != at || err != nil {
		t.Errorf("%v is at %v, %v", at, got, err)
	}
	if _, err := db.Locate(t.Context(), "00000"); !errors.Is(err, postgeo.ErrNotFound) {
		t.Errorf("an unknown code: %v", err)
	}
}

// A coordinate is its own point; the record of the code around it has the code's.
func ExampleDB_Locate() {
	db := sampleDB()
	defer db.Close()
	for _, place := range []postgeo.Where{"34.1,-118.41", "90210"} {
		at, err := db.Locate(context.Background(), place)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(at)
	}
	// Output:
	// 34.1,-118.41
	// 34.094589,-118.411155
}
