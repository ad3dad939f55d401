package suggest_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/namekey"
	"github.com/postgeo/postgeo/internal/lookup/suggest"
)

// The states of the test's world, by their identifiers.
const (
	ca dataset.StateID = iota + 1
	il
	me
	mo
	ny
	oregon
	on
	qc
)

// thing is an entity of the test's world.
type thing struct {
	kind       dataset.EntityKind
	name       string
	state      dataset.StateID
	people     int32
	prominence uint16
	lat, lng   float64
	others     []string
}

var things = []thing{
	{dataset.EntityState, "California", ca, 39_000_000, 48_000, 37, -120, []string{"ca", "calif"}},
	{dataset.EntityState, "Illinois", il, 12_000_000, 45_000, 40, -89, []string{"il"}},
	{dataset.EntityState, "Maine", me, 1_300_000, 39_000, 45, -69, []string{"me"}},
	{dataset.EntityState, "Missouri", mo, 6_000_000, 43_000, 38, -92, []string{"mo"}},
	{dataset.EntityState, "New York", ny, 19_000_000, 46_000, 43, -75, []string{"ny"}},
	{dataset.EntityState, "Oregon", oregon, 4_200_000, 42_000, 44, -120, []string{"or", "ore"}},
	{dataset.EntityState, "Ontario", on, 14_000_000, 45_500, 50, -85, []string{"on", "ont"}},
	{dataset.EntityState, "Quebec", qc, 8_500_000, 44_000, 52, -72, []string{"qc"}},
	{dataset.EntityPlace, "Portland", oregon, 650_000, 39_500, 45.52, -122.68, nil},
	{dataset.EntityPlace, "Portland", me, 68_000, 33_000, 43.66, -70.26, nil},
	{dataset.EntityPlace, "Springfield", mo, 170_000, 35_600, 37.2, -93.3, nil},
	{dataset.EntityPlace, "Springfield", il, 114_000, 34_400, 39.8, -89.65, nil},
	{dataset.EntityPlace, "St. Louis", mo, 300_000, 37_200, 38.63, -90.2, []string{"stl"}},
	{dataset.EntityPlace, "East St. Louis", il, 18_000, 29_000, 38.61, -90.13, nil},
	{dataset.EntityPlace, "O'Fallon", mo, 91_000, 33_700, 38.8, -90.7, nil},
	{dataset.EntityPlace, "New York", ny, 8_500_000, 47_000, 40.66, -73.94, []string{"nyc", "new york city"}},
	{dataset.EntityPlace, "Chicago", il, 2_700_000, 43_700, 41.88, -87.63, nil},
	{dataset.EntityPlace, "Chicago Heights", il, 27_000, 30_100, 41.5, -87.6, nil},
	{dataset.EntityPlace, "Port Jefferson", ny, 8_000, 26_500, 40.9, -73.1, nil},
	{dataset.EntityPlace, "Ontario", ca, 175_000, 35_700, 34.06, -117.65, nil},
	{dataset.EntityPlace, "Montréal", qc, 1_762_949, 42_500, 45.5, -73.57, []string{"mtl"}},
	{dataset.EntityPlace, "100 Mile House", on, 2_000, 22_500, 51.64, -85.3, nil},
	{dataset.EntityPlace, "29 Palms", ca, 28_000, 30_200, 34.1, -116.1, nil},
	{dataset.EntityPlace, "9 Mile Falls", oregon, 700, 19_300, 45.8, -117.6, nil},
	{dataset.EntityPlace, "Toronto", on, 2_794_356, 43_800, 43.7, -79.4, nil},
	{dataset.EntityCity, "Chicago", il, 2_700_000, 43_700, 41.88, -87.63, nil},
	{dataset.EntityCity, "Brooklyn", ny, 2_600_000, 43_600, 40.65, -73.95, nil},
	{dataset.EntityCounty, "Cook County", il, 5_100_000, 36_000, 41.8, -87.8, []string{"cook"}},
	{dataset.EntityCBSA, "Kansas City, MO-KS", mo, 2_200_000, 33_000, 39.1, -94.6, nil},
	{dataset.EntityDistrict, "Chicago Public School District 299", il, dataset.NoPopulation, 30_000, 41.8, -87.7, []string{"chicago public schools"}},
}

// newWorld writes and opens a dataset of the things and a few codes.
func newWorld(tb testing.TB) *suggest.Engine {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "world.db")
	w, err := dataset.Create(path)
	if err != nil {
		tb.Fatal(err)
	}
	check := func(err error) {
		if err != nil {
			tb.Fatal(err)
		}
	}
	check(w.SetStates([]dataset.State{
		{Country: dataset.US, Abbr: "CA", Name: "California", FIPS: "06"},
		{Country: dataset.US, Abbr: "IL", Name: "Illinois", FIPS: "17"},
		{Country: dataset.US, Abbr: "ME", Name: "Maine", FIPS: "23"},
		{Country: dataset.US, Abbr: "MO", Name: "Missouri", FIPS: "29"},
		{Country: dataset.US, Abbr: "NY", Name: "New York", FIPS: "36"},
		{Country: dataset.US, Abbr: "OR", Name: "Oregon", FIPS: "41"},
		{Country: dataset.CA, Abbr: "ON", Name: "Ontario"},
		{Country: dataset.CA, Abbr: "QC", Name: "Quebec"},
	}))
	check(w.SetCBSAs([]dataset.CBSA{{Code: "28140", Title: "Kansas City, MO-KS", Metropolitan: true}}))
	check(w.SetCounties([]dataset.County{{FIPS: "17031", Name: "Cook County", State: il}}))
	people := int32(21_000)
	for _, z := range []struct {
		zip   dataset.ZIP
		city  string
		state dataset.StateID
		at    geo.LatLng
	}{
		{10001, "New York", ny, geo.MustLatLng(40.75, -73.99)},
		{60601, "Chicago", il, geo.MustLatLng(41.88, -87.62)},
		{60614, "Chicago", il, geo.MustLatLng(41.92, -87.65)},
		{97201, "Portland", oregon, geo.MustLatLng(45.5, -122.69)},
	} {
		check(w.AddZIP(dataset.ZIPRow{ZIP: z.zip, City: z.city, State: z.state, Class: dataset.General, Location: z.at}, dataset.ZIPDetail{Population: &people}))
	}
	fsa, _ := dataset.ParseFSA("M5V")
	check(w.AddFSA(dataset.FSARow{FSA: fsa, City: "Toronto", Province: on, Location: geo.MustLatLng(43.64, -79.4)}, dataset.FSADetail{Population: &people}))
	for _, code := range []string{"M5V 1A1", "M5V 3L9"} {
		p, _ := dataset.ParsePostalCode(code)
		check(w.AddPostalCode(dataset.PostalRow{Code: p, City: "Toronto", Province: on, Location: geo.MustLatLng(43.64, -79.39)}))
	}
	for _, x := range things {
		e := dataset.Entity{
			Kind: x.kind, Name: x.name, State: x.state, Population: x.people, Prominence: x.prominence, Twin: -1, Location: geo.MustLatLng(x.lat, x.lng),
		}
		same := func(kind dataset.EntityKind) int {
			return slices.IndexFunc(things, func(y thing) bool { return y.kind == kind && y.name == x.name && y.state == x.state })
		}
		switch x.kind {
		case dataset.EntityState:
			e.Ref = uint32(x.state)
		case dataset.EntityCounty, dataset.EntityCBSA:
			e.Ref = 1
		case dataset.EntityPlace:
			e.Ref, e.Twin = 1_714_000, same(dataset.EntityCity)
		case dataset.EntityCity:
			e.Twin = same(dataset.EntityPlace)
		}
		if x.kind == dataset.EntityCounty || x.name == "Chicago Heights" {
			e.County = 1
		}
		if x.name == "Chicago" {
			e.ZIPs = []dataset.ZIP{60601, 60614}
		}
		keys := namekey.Keys(x.name)
		check(w.AddEntity(e, dataset.EntityNames{Own: keys[:1], Joined: keys[1:], Other: x.others}))
	}
	return finish(tb, w, path)
}

// finish finishes a dataset and makes an engine of it.
func finish(tb testing.TB, w *dataset.Writer, path string) *suggest.Engine {
	tb.Helper()
	err := w.Finish(dataset.Manifest{
		Version: "test", Built: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Builder: "suggest tests", Layers: []string{"identity"},
		Sources: []dataset.Source{{ID: "test", Title: "Test", License: "none"}},
	})
	if err != nil {
		tb.Fatal(err)
	}
	d, err := dataset.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := d.Close(); err != nil {
			tb.Error(err)
		}
	})
	return suggest.New(d)
}
