package server_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/internal/tzif"
)

// writeOntario writes a dataset that has FSAs of two provinces, full postal
// codes of Ontario alone and ZIP Codes of Washington alone. outlines adds those
// of states and provinces, rounded to boxes.
func writeOntario(path string, outlines bool) error {
	w, err := sqlite.Create(path)
	if err != nil {
		return err
	}
	ottawa, vancouver := geo.MustLatLng(45.42, -75.69), geo.MustLatLng(49.28, -123.11)
	steps := []func() error{
		func() error {
			return w.SetStates([]store.State{
				{Country: store.US, Abbr: "ID", Name: "Idaho", FIPS: "16"},
				{Country: store.US, Abbr: "WA", Name: "Washington", FIPS: "53"},
				{Country: store.CA, Abbr: "BC", Name: "British Columbia"},
				{Country: store.CA, Abbr: "ON", Name: "Ontario"},
			})
		},
		func() error { return w.SetCounties([]store.County{{FIPS: "53033", Name: "King County", State: 2}}) },
		func() error { return w.SetZones([]store.Zone{tzif.Row("America/Toronto", "test zones")}) },
		func() error {
			return w.AddZIP(store.ZIPRow{
				ZIP: must(dataset.ParseZIP("98101")), City: "Seattle", State: 2, County: 1, Class: store.General, Location: geo.MustLatLng(47.61, -122.33),
			}, store.ZIPDetail{})
		},
		func() error {
			return w.AddFSA(store.FSARow{FSA: must(dataset.ParseFSA("K1A")), City: "Ottawa", Province: 4, Zone: 1, Location: ottawa}, store.FSADetail{})
		},
		func() error {
			return w.AddFSA(store.FSARow{FSA: must(dataset.ParseFSA("V6B")), City: "Vancouver", Province: 3, Location: vancouver}, store.FSADetail{})
		},
		func() error {
			return w.AddPostalCode(store.PostalRow{Code: must(dataset.ParsePostalCode("K1A0B1")), City: "Ottawa", Province: 4, Zone: 1, Location: ottawa})
		},
	}
	if outlines {
		steps = append(steps, func() error {
			return setAreas(w.SetStateAreas, map[store.StateID]orb.Bound{
				1: {Min: orb.Point{-117, 42}, Max: orb.Point{-111, 49}},
				2: {Min: orb.Point{-124.5, 45.6}, Max: orb.Point{-117, 49}},
				3: {Min: orb.Point{-139, 49}, Max: orb.Point{-114, 60}},
				4: {Min: orb.Point{-95, 42}, Max: orb.Point{-74.5, 56}},
			})
		})
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return w.Finish(dataset.Manifest{Version: "ontario"})
}

// TestCoverageNotice checks that a search in a state or province without codes
// of a kind returns a notice.
func TestCoverageNotice(t *testing.T) {
	for _, outlines := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "ontario.db")
		if err := writeOntario(path, outlines); err != nil {
			t.Fatal(err)
		}
		db, err := postgeo.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		h := newServer(t, db)
		for _, tt := range []struct {
			query        string
			with, sights string // with outlines, and by what is in sight without them; "": no notice
		}{
			{"code=V6B&max=10", "postal codes of British Columbia", "postal codes of British Columbia"},
			{"code=V6B&max=10&mode=spatial", "", ""},
			{"code=K1A&max=10", "", ""},
			{"code=K1A&max=10&mode=spatial", "", ""},
			{"code=98101&max=50", "", ""},
			{"code=98101&max=90", "", ""}, // the border is 96 miles away
			{"code=98101&max=100", "postal codes of British Columbia", ""},
			{"code=98101&max=125", "postal codes of British Columbia", "postal codes of British Columbia"},
			{"code=98101&max=120&mode=spatial", "", ""},
			{"code=98101&max=400", "ZIP Codes of Idaho; postal codes of British Columbia", "postal codes of British Columbia"},
			{"code=98101&max=250&mode=spatial", "ZIP Codes of Idaho", ""},
			{"code=49.5,-123&max=2", "postal codes of British Columbia", ""},
			{"code=48.9,-123&max=2", "", ""},
		} {
			want := tt.with
			if !outlines {
				want = tt.sights
			}
			body := readAll(t, do(h, get("/v2/radius?"+tt.query)))
			body = strings.Replace(body, `{"code":"DATA_NOT_LOADED","message":"Not in this dataset: outlines of 1 ZIP Codes of this search.","class":"result"}`, "", 1) // decision D72
			_, after, found := strings.Cut(body, `{"code":"DATA_NOT_LOADED","message":"`)
			got, _, _ := strings.Cut(after, `"}`)
			if want != "" {
				want = "Not in this dataset: " + want + `.","class":"result`
			}
			if got != want || found != (want != "") {
				t.Errorf("%s, outlines %t: %q; want %q in %s", tt.query, outlines, got, want, body)
			}
		}
		batch := readAll(t, do(h, post("/v2/radius/batch", `{"searches":[{"code":"V6B"},{"code":"K1A"}],"max":10}`)))
		if n := strings.Count(batch, "DATA_NOT_LOADED"); n != 1 {
			t.Errorf("%d items of a batch have the notice; want 1: %s", n, batch)
		}
	}
}
