package suggest_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	differ "github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// moreThings and moreCodes are decoys for the queries below: names and codes that
// begin like others or lie in other areas.
var moreThings = []thing{
	{store.EntityState, "Montana", montana, 1_100_000, 38_500, 47, -109, []string{"mt"}, 0, nil},
	{store.EntityState, "North Dakota", northDakota, 780_000, 37_500, 47.5, -100.5, []string{"nd"}, 0, nil},
	{store.EntityState, "New Hampshire", newHampshire, 1_400_000, 39_100, 43.7, -71.6, []string{"nh"}, 0, nil},
	{store.EntityState, "Kansas", kansas, 2_900_000, 41_000, 38.5, -98.4, []string{"ks"}, 0, nil},
	{store.EntityPlace, "Elgin", il, 115_000, 34_400, 42.04, -88.28, nil, cook, []postcode.ZIP{60120}},
	{store.EntityPlace, "Elmhurst", il, 45_000, 31_600, 41.9, -87.94, nil, cook, nil},
	{store.EntityPlace, "Evanston", il, 78_000, 33_200, 42.05, -87.69, nil, cook, nil},
	{store.EntityPlace, "Evanston Hills", il, 900, 20_100, 42.06, -87.7, nil, cook, nil},
	{store.EntityPlace, "Peoria", il, 113_000, 34_300, 40.69, -89.59, nil, 0, []postcode.ZIP{61602}},
	{store.EntityPlace, "Peoria Heights", il, 6_000, 25_700, 40.75, -89.57, nil, 0, []postcode.ZIP{61616}},
	{store.EntityPlace, "Cook", il, 600, 18_900, 40.1, -88.2, nil, 0, nil},
	{store.EntityPlace, "County Line", mo, 500, 18_400, 38.1, -91.2, nil, 0, nil},
	{store.EntityPlace, "Keene", ny, 1_100, 20_700, 44.26, -73.79, nil, essex, nil},
	{store.EntityPlace, "Kittery", me, 10_000, 27_200, 43.1, -70.7, nil, fortStewart, nil},
	{store.EntityCounty, "Essex County", ny, 37_000, 28_300, 44.1, -73.8, []string{"essex"}, essex, nil},
	{store.EntityCounty, "Fort Stewart County", me, 30_000, 28_000, 43.2, -70.6, []string{"fort stewart"}, fortStewart, nil},
	{store.EntityPlace, "Dover", newHampshire, 33_000, 30_700, 43.2, -70.87, nil, 0, nil},
	{store.EntityPlace, "Butte", montana, 34_000, 30_800, 46, -112.5, nil, 0, nil},
	{store.EntityPlace, "Bismarck", northDakota, 74_000, 33_100, 46.8, -100.78, nil, 0, nil},
	{store.EntityPlace, "Dodge Mountain", montana, 800, 19_700, 47, -111, nil, 0, nil},
	{store.EntityPlace, "State College", ny, 40_000, 31_300, 42.1, -76.2, nil, 0, nil},
	{store.EntityPlace, "La Cañada Flintridge", ca, 20_000, 29_300, 34.2, -118.2, nil, 0, nil},
	{store.EntityPlace, "La Prairie", qc, 26_000, 30_000, 45.42, -73.5, nil, 0, nil},
	{store.EntityPlace, "Memphis", mo, 630_000, 39_400, 40.46, -92.17, nil, 0, nil},
	{store.EntityPlace, "Memphys", montana, 40, 10_900, 46.5, -110, nil, 0, nil},
	{store.EntityPlace, "Philadelphia", ny, 1_600_000, 42_200, 44.15, -75.7, []string{"philly"}, 0, nil},
	{store.EntityPlace, "Tallahassee", mo, 196_000, 36_000, 38.4, -92.4, nil, 0, nil},
	{store.EntityPlace, "Chicopo", oregon, 9_000, 26_900, 44, -121, nil, 0, nil},
	{store.EntityPlace, "Ottawa", on, 1_017_000, 40_900, 45.42, -75.7, nil, 0, nil},
	{store.EntityPlace, "Sault Sainte Marie", on, 72_000, 33_000, 46.5, -84.3, nil, 0, nil},
	{store.EntityPlace, "Greenville", mo, 500, 18_400, 37.13, -90.45, nil, 0, nil},
	{store.EntityPlace, "Greenville", il, 500, 18_400, 38.89, -89.41, nil, 0, nil},
	{store.EntityCBSA, "Zylka, MO-KS", mo, 50_000, 27_000, 39.2, -94.5, nil, 0, nil},
}

var moreCodes = []coded{
	{"60120", "Elgin", il, cook, 50_000, 42.04, -88.26},
	{"60602", "Chicago", il, cook, 20_998, 41.89, -87.63},
	{"60690", "Chicago", il, 0, 300, 41.87, -87.64},
	{"61602", "Peoria", il, 0, 900, 40.68, -89.6},
	{"61616", "Peoria Heights", il, 0, 5_900, 40.75, -89.57},
	{"63101", "St. Louis", mo, 0, 2_000, 38.63, -90.19},
	{"H2X", "Montréal", qc, 0, 31_000, 45.51, -73.57},
	{"K1A", "Ottawa", on, 0, 30, 45.42, -75.7},
	{"M4B", "Toronto", on, 0, 18_000, 43.71, -79.31},
	{"V6B", "Montréal", qc, 0, 29_000, 45.52, -73.58},
	{"K1A 0A1", "Ottawa", on, 0, 0, 45.42, -75.7},
	{"K1A 0B1", "Gatineau", qc, 0, 0, 45.43, -75.71},
	{"M5V 1Z9", "Toronto", on, 0, 0, 43.64, -79.4},
	{"M5V 2A0", "Toronto", on, 0, 0, 43.64, -79.4},
}

// writeTowns writes and opens a dataset of the things and codes of the world and
// their decoys.
func writeTowns(tb testing.TB) *store.Dataset {
	all, named := slices.Concat(codes, moreCodes), slices.Concat(things, moreThings)
	slices.SortFunc(all, func(a, b coded) int { return strings.Compare(a.code, b.code) })
	slices.SortStableFunc(named, func(a, b thing) int { return cmp.Compare(a.kind, b.kind) })
	return writeWorld(tb, named, all)
}

// TestTowns checks queries with and without the shortcuts of long spans.
func TestTowns(t *testing.T) {
	d := writeTowns(t)
	usual, plain, short := suggest.NewEngine(d), suggest.NewEngine(d), suggest.NewEngine(d)
	plain.LookThrough()
	short.Shortcut()
	lookuptest.Table(t, "towns.txt", *update, func(text string) string {
		query, o := asked(t, text)
		want := listed(ask(t, usual, query, o))
		for name, e := range map[string]*suggest.Engine{"usual": usual, "looked through": plain, "shortcuts": short} {
			r := ask(t, e, query, o)
			if got := listed(r); got != want {
				t.Errorf("%s: %s\n-usual %s\n+got   %s", text, name, want, got)
				continue
			}
			one := o
			one.Limit = 1
			least := slices.IndexFunc(r.Matches, func(m suggest.Match) bool { return m.Bucket > suggest.InnerWord })
			if got := ask(t, e, query, one).TotalMatched; o.Limit == 0 && least < 0 && got != len(r.Matches) {
				t.Errorf("%s: %s: %d matched with a limit of 1; want %d", text, name, got, len(r.Matches))
			}
			cutAlike(t, e, query, o)
		}
		return want
	})
}

// TestProximityBound checks that the bound of a cell is not below the gain at any
// point in it.
func TestProximityBound(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	for _, lat := range []float64{0, 0.01, 38.99, 44.5, 71.2, 84.3, 88.6, -14.3} {
		for _, lng := range []float64{-179.99, -92, -0.4, 179.2} {
			var points []geo.LatLng
			for range 2000 {
				to := lng + (random.Float64()-0.5)*40
				points = append(points, geo.MustLatLng(max(-89.9, min(89.9, lat+(random.Float64()-0.5)*14)), math.Remainder(to, 360)))
			}
			near := geo.MustLatLng(lat, lng)
			for i, bound := range suggest.Bounds(near, points) {
				if bound[0] < bound[1] {
					t.Fatalf("%v to %v: bound %d below the gain %d", near, points[i], bound[0], bound[1])
				}
			}
		}
	}
}

// TestRangeMaximum compares the table of maximums with a scan.
func TestRangeMaximum(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	for _, n := range []int{1, 15, 16, 17, 32, 64, 100, 128, 256, 300} {
		values := make([]uint16, n)
		for i := range values {
			values[i] = uint16(random.IntN(1 + n/8))
		}
		find := suggest.Maximum(values)
		for lo := range n {
			for hi := lo + 1; hi <= n; hi++ {
				want := lo + slices.Index(values[lo:hi], slices.Max(values[lo:hi]))
				if got := find(lo, hi); got != want {
					t.Fatalf("%d values: first maximum from %d up to %d at %d; want %d", n, lo, hi, got, want)
				}
			}
		}
	}
}

// TestDistrictsOfStates uses the sample, which has the districts of some states.
func TestDistrictsOfStates(t *testing.T) {
	d := lookuptest.Sample(t)
	e := suggest.NewEngine(d)
	cd := []suggest.Type{suggest.ElectoralDistrict}
	all := ask(t, e, "california", suggest.Options{Include: cd, Limit: suggest.MaxLimit})
	if one := ask(t, e, "california", suggest.Options{Include: cd, Limit: 1}); one.TotalMatched != len(all.Matches) || one.TotalMatched < 2 {
		t.Errorf("%d districts of California with a limit of 1; want %d", one.TotalMatched, len(all.Matches))
	}
	for _, query := range []string{"AK-1", "ak-al", "AK-01"} { // Alaska elects one representative
		if diff := differ.Diff([]string{"cd AK-AL, AK (exact name)"}, written(ask(t, e, query, suggest.Options{}))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

// TestBounds checks the longest query.
func TestBounds(t *testing.T) {
	e := newWorld(t)
	ask(t, e, strings.Repeat("é", suggest.MaxQueryLength), suggest.Options{})
}

// The states of the test's world, by their identifiers.
const (
	ca store.StateID = iota + 1
	il
	me
	mo
	ny
	oregon
	on
	qc
	montana
	northDakota
	newHampshire
	kansas
)

// coded is a ZIP, FSA or postal code of the test's world.
type coded struct {
	code, city string
	state      store.StateID
	county     store.CountyID
	people     int32
	lat, lng   float64
}

var codes = []coded{
	{"10001", "New York", ny, 0, 21_000, 40.75, -73.99},
	{"60601", "Chicago", il, 0, 21_000, 41.88, -87.62},
	{"60614", "Chicago", il, 0, 21_000, 41.92, -87.65},
	{"97201", "Portland", oregon, 0, 21_000, 45.5, -122.69},
	{"M5V", "Toronto", on, 0, 21_000, 43.64, -79.4},
	{"M5V 1A1", "Toronto", on, 0, 0, 43.64, -79.39},
	{"M5V 3L9", "Toronto", on, 0, 0, 43.64, -79.39},
}

// thing is an entity of the test's world.
type thing struct {
	kind       store.EntityKind
	name       string
	state      store.StateID
	people     int32
	prominence uint16
	lat, lng   float64
	others     []string
	county     store.CountyID
	zips       []postcode.ZIP
}

// The counties of the test's world, by their identifiers.
const (
	cook store.CountyID = iota + 1
	essex
	fortStewart
)

var things = []thing{
	{store.EntityState, "California", ca, 39_000_000, 48_000, 37, -120, []string{"ca", "calif"}, 0, nil},
	{store.EntityState, "Illinois", il, 12_000_000, 45_000, 40, -89, []string{"il"}, 0, nil},
	{store.EntityState, "Maine", me, 1_300_000, 39_000, 45, -69, []string{"me"}, 0, nil},
	{store.EntityState, "Missouri", mo, 6_000_000, 43_000, 38, -92, []string{"mo"}, 0, nil},
	{store.EntityState, "New York", ny, 19_000_000, 46_000, 43, -75, []string{"ny"}, 0, nil},
	{store.EntityState, "Oregon", oregon, 4_200_000, 42_000, 44, -120, []string{"or", "ore"}, 0, nil},
	{store.EntityState, "Ontario", on, 14_000_000, 45_500, 50, -85, []string{"on", "ont"}, 0, nil},
	{store.EntityState, "Quebec", qc, 8_500_000, 44_000, 52, -72, []string{"qc"}, 0, nil},
	{store.EntityPlace, "Portland", oregon, 650_000, 39_500, 45.52, -122.68, nil, 0, nil},
	{store.EntityPlace, "Portland", me, 68_000, 33_000, 43.66, -70.26, nil, 0, nil},
	{store.EntityPlace, "Springfield", mo, 170_000, 35_600, 37.2, -93.3, nil, 0, nil},
	{store.EntityPlace, "Springfield", il, 114_000, 34_400, 39.8, -89.65, nil, 0, nil},
	{store.EntityPlace, "St. Louis", mo, 300_000, 37_200, 38.63, -90.2, []string{"stl"}, 0, nil},
	{store.EntityPlace, "East St. Louis", il, 18_000, 29_000, 38.61, -90.13, nil, 0, nil},
	{store.EntityPlace, "O'Fallon", mo, 91_000, 33_700, 38.8, -90.7, nil, 0, nil},
	{store.EntityPlace, "New York", ny, 8_500_000, 47_000, 40.66, -73.94, []string{"nyc", "new york city"}, 0, nil},
	{store.EntityPlace, "Chicago", il, 2_700_000, 43_700, 41.88, -87.63, nil, 0, []postcode.ZIP{60601, 60614}},
	{store.EntityPlace, "Chicago Heights", il, 27_000, 30_100, 41.5, -87.6, nil, cook, nil},
	{store.EntityPlace, "Port Jefferson", ny, 8_000, 26_500, 40.9, -73.1, nil, 0, nil},
	{store.EntityPlace, "Ontario", ca, 175_000, 35_700, 34.06, -117.65, nil, 0, nil},
	{store.EntityPlace, "Montréal", qc, 1_762_949, 42_500, 45.5, -73.57, []string{"mtl"}, 0, nil},
	{store.EntityPlace, "100 Mile House", on, 2_000, 22_500, 51.64, -85.3, nil, 0, nil},
	{store.EntityPlace, "29 Palms", ca, 28_000, 30_200, 34.1, -116.1, nil, 0, nil},
	{store.EntityPlace, "9 Mile Falls", oregon, 700, 19_300, 45.8, -117.6, nil, 0, nil},
	{store.EntityPlace, "Toronto", on, 2_794_356, 43_800, 43.7, -79.4, nil, 0, nil},
	{store.EntityCity, "Chicago", il, 2_700_000, 43_700, 41.88, -87.63, nil, 0, []postcode.ZIP{60601, 60614}},
	{store.EntityCity, "Brooklyn", ny, 2_600_000, 43_600, 40.65, -73.95, nil, 0, nil},
	{store.EntityCounty, "Cook County", il, 5_100_000, 36_000, 41.8, -87.8, []string{"cook"}, cook, nil},
	{store.EntityCBSA, "Kansas City, MO-KS", mo, 2_200_000, 33_000, 39.1, -94.6, nil, 0, nil},
	{store.EntityDistrict, "Chicago Public School District 299", il, store.NoPopulation, 30_000, 41.8, -87.7, []string{"chicago public schools"}, 0, nil},
}

// newWorld returns an engine of the things and a few codes.
func newWorld(tb testing.TB) *suggest.Engine { return suggest.NewEngine(writeWorld(tb, things, codes)) }

// writeWorld writes and opens a dataset. The codes of a kind must ascend.
func writeWorld(tb testing.TB, things []thing, codes []coded) *store.Dataset {
	tb.Helper()
	w, check := lookuptest.Create(tb), lookuptest.Must(tb)
	check(w.SetStates([]store.State{
		{Country: store.US, Abbr: "CA", Name: "California", FIPS: "06"},
		{Country: store.US, Abbr: "IL", Name: "Illinois", FIPS: "17"},
		{Country: store.US, Abbr: "ME", Name: "Maine", FIPS: "23"},
		{Country: store.US, Abbr: "MO", Name: "Missouri", FIPS: "29"},
		{Country: store.US, Abbr: "NY", Name: "New York", FIPS: "36"},
		{Country: store.US, Abbr: "OR", Name: "Oregon", FIPS: "41"},
		{Country: store.CA, Abbr: "ON", Name: "Ontario"},
		{Country: store.CA, Abbr: "QC", Name: "Quebec"},
		{Country: store.US, Abbr: "MT", Name: "Montana", FIPS: "30"},
		{Country: store.US, Abbr: "ND", Name: "North Dakota", FIPS: "38"},
		{Country: store.US, Abbr: "NH", Name: "New Hampshire", FIPS: "33"},
		{Country: store.US, Abbr: "KS", Name: "Kansas", FIPS: "20"},
	}))
	check(w.SetCBSAs([]store.CBSA{{Code: "28140", Title: "Kansas City, MO-KS", Metropolitan: true}}))
	check(w.SetCounties([]store.County{
		{FIPS: "17031", Name: "Cook County", State: il}, {FIPS: "36031", Name: "Essex County", State: ny}, {FIPS: "23099", Name: "Fort Stewart County", State: me},
	}))
	for _, c := range codes {
		at := geo.MustLatLng(c.lat, c.lng)
		if z, ok := postcode.ParseZIP(c.code); ok {
			row := store.ZIPRow{ZIP: z, City: c.city, State: c.state, County: c.county, Class: store.General, Location: at}
			check(w.AddZIP(row, store.ZIPDetail{Population: &c.people}))
		} else if f, ok := postcode.ParseFSA(c.code); ok {
			check(w.AddFSA(store.FSARow{FSA: f, City: c.city, Province: c.state, Location: at}, store.FSADetail{Population: &c.people}))
		} else if p, ok := postcode.ParsePostalCode(c.code); ok {
			check(w.AddPostalCode(store.PostalRow{Code: p, City: c.city, Province: c.state, Location: at}))
		}
	}
	for _, x := range things {
		e := store.Entity{
			Kind: x.kind, Name: x.name, State: x.state, Population: x.people, Prominence: x.prominence, Twin: -1, Location: geo.MustLatLng(x.lat, x.lng),
		}
		same := func(kind store.EntityKind) int {
			return slices.IndexFunc(things, func(y thing) bool { return y.kind == kind && y.name == x.name && y.state == x.state })
		}
		switch x.kind {
		case store.EntityState:
			e.Ref = uint32(x.state)
		case store.EntityCounty, store.EntityCBSA:
			e.Ref = uint32(max(1, x.county))
		case store.EntityPlace:
			e.Ref, e.Twin = 1_714_000, same(store.EntityCity)
		case store.EntityCity:
			e.Twin = same(store.EntityPlace)
		}
		e.County, e.ZIPs = x.county, x.zips
		keys := namekey.Keys(x.name)
		check(w.AddEntity(e, storewrite.EntityNames{Own: keys[:1], Joined: keys[1:], Other: x.others}))
	}
	return w.Open()
}

// check ends the test with an error.
func check(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}
