package suggest_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/storewrite"
	"github.com/postgeo/postgeo/lookup/suggest"
)

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
	path := filepath.Join(tb.TempDir(), "world.db")
	w, err := storewrite.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	check := lookuptest.Must(tb)
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
	return finish(tb, w, path)
}

// finish finishes a dataset and opens it.
func finish(tb testing.TB, w *storewrite.Writer, path string) *store.Dataset {
	tb.Helper()
	err := w.Finish(dataset.Manifest{
		Version: "test", Built: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Builder: "suggest tests", Layers: []string{"identity"},
		Sources: []dataset.Source{{ID: "test", Title: "Test", License: "none"}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	d := lookuptest.OpenFile(tb, path)
	return d
}
