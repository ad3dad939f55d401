package build_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build"
)

// TestLedgerOfCodes builds three editions of an invented state. Codes end, begin, move
// and get another name; a code that ended begins again.
func TestLedgerOfCodes(t *testing.T) {
	type code struct {
		zip, city string
		lat, lng  float64
	}
	base := []code{{"43901", "Birch", 40, -83}, {"43902", "Elm", 40.1, -83.1}, {"43903", "Oak", 40.2, -83.2}, {"43904", "Ash", 40.101, -83.101}}
	var previous string
	var last *dataset.Dataset
	for i, edition := range []struct {
		codes []code
		fsas  []string
		want  []dataset.CodeEvent // of this edition
	}{
		{base, []string{"K1A", "K1B"}, nil},
		{
			[]code{base[0], {"43902", "Elm City", 40.1, -83.1}, {"43903", "Oak", 40.6, -83.2}, {"43905", "Fir", 40.3, -83.3}},
			[]string{"K1A"},
			[]dataset.CodeEvent{
				{Code: "43902", Change: dataset.CodeRenamed, Edition: "2", Before: "Elm", After: "Elm City"},
				{Code: "43903", Change: dataset.CodeMoved, Edition: "2", Before: "OH 40.2,-83.2", After: "OH 40.6,-83.2"},
				{Code: "43904", Change: dataset.CodeGone, Edition: "2", Before: "Ash OH", Successors: []string{"43902"}, Evidence: "nearest code"},
				{Code: "43905", Change: dataset.CodeBorn, Edition: "2", After: "Fir OH"},
				{Code: "K1B", Change: dataset.CodeGone, Edition: "2", Before: "Ottawa ON", Successors: []string{"K1A"}, Evidence: "nearest code"},
			},
		},
		{
			base,
			[]string{"K1A"},
			[]dataset.CodeEvent{
				{Code: "43902", Change: dataset.CodeRenamed, Edition: "3", Before: "Elm City", After: "Elm"},
				{Code: "43903", Change: dataset.CodeMoved, Edition: "3", Before: "OH 40.6,-83.2", After: "OH 40.2,-83.2"},
				{Code: "43904", Change: dataset.CodeBorn, Edition: "3", After: "Ash OH"},
				{Code: "43905", Change: dataset.CodeGone, Edition: "3", Before: "Fir OH", Successors: []string{"43903"}, Evidence: "nearest code"},
			},
		},
	} {
		w := newWorld(t)
		for _, c := range edition.codes {
			w.supplied(c.zip, "STANDARD", "0", c.city, "", "OH", "Birch County", "", c.lat, c.lng)
		}
		for _, f := range edition.fsas {
			w.fsa(f, "Ottawa", "ON", 45.4, -75.7)
		}
		b := w.buildWith(build.Options{Previous: previous, Version: string(rune('1' + i))})
		var got []dataset.CodeEvent
		carried := 0
		for _, e := range b.Ledger() {
			if e.Edition == b.Manifest().Version {
				got = append(got, e)
			} else {
				carried++
			}
		}
		if diff := cmp.Diff(edition.want, got); diff != "" {
			t.Errorf("edition %d (-want +got):\n%s", i+1, diff)
		}
		if last != nil {
			if carried != len(last.Ledger()) {
				t.Errorf("edition %d has %d earlier changes, want %d", i+1, carried, len(last.Ledger()))
			}
			conserved(t, last, b.Dataset)
		}
		previous, last = b.path, b.Dataset
	}
	w := newWorld(t)
	w.supplied("43901", "STANDARD", "0", "Birch", "", "OH", "Birch County", "", 40, -83)
	if _, err := build.Build(t.Context(), build.Options{Mirror: w.write(), Output: filepath.Join(t.TempDir(), "x.db"), Previous: "nowhere.db"}); err == nil {
		t.Error("a missing earlier dataset is no error")
	}
}

// TestSuccessorsByOutline gives the area of a discontinued code to two others.
func TestSuccessorsByOutline(t *testing.T) {
	square := func(zip string, west, east float64) string {
		return fmt.Sprintf(`{"type":"Feature","properties":{"zip_code":%q},"geometry":{"type":"Polygon","coordinates":[[[%[2]v,39.3],[%[3]v,39.3],[%[3]v,39.4],[%[2]v,39.4],[%[2]v,39.3]]]}}`, zip, west, east)
	}
	previous := ""
	for _, edition := range []struct {
		outlines []string
		left     map[string]float64 // longitudes of the points
		want     []dataset.CodeEvent
	}{
		{[]string{square("43911", -83.4, -83.3), square("43912", -83.3, -83.2), square("43913", -83.2, -83.1)}, map[string]float64{"43911": -83.35, "43912": -83.25, "43913": -83.15}, nil},
		{
			[]string{square("43911", -83.4, -83.22), square("43913", -83.22, -83.1)},
			map[string]float64{"43911": -83.35, "43913": -83.15},
			[]dataset.CodeEvent{{Code: "43912", Change: dataset.CodeGone, Edition: "2026-08-31", Before: "Elm OH", Successors: []string{"43911", "43913"}, Evidence: "outline"}},
		},
	} {
		w := bounded(t)
		for zip, lng := range edition.left {
			w.zip(zip, "Elm", "OH", "901", 39.35, lng)
		}
		file := w.file("mine.geojson", []byte(`{"type":"FeatureCollection","features":[`+strings.Join(edition.outlines, ",")+`]}`))
		b := w.buildWith(build.Options{Layers: []string{"boundaries"}, ZIPPolygons: file, Previous: previous, Version: "2026-08-31"})
		if diff := cmp.Diff(edition.want, b.Ledger()); diff != "" {
			t.Errorf("ledger (-want +got):\n%s", diff)
		}
		previous = b.path
	}
	db, err := postgeo.Open(previous)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, ask := range []func() (any, error){
		func() (any, error) { return db.Lookup(t.Context(), "43912", postgeo.LookupOptions{}) },
		func() (any, error) { return db.QuickLookup(t.Context(), "43912-1234", postgeo.QuickLookupOptions{}) },
	} {
		_, err := ask()
		var e *postgeo.Error
		if !errors.Is(err, postgeo.ErrNotFound) || !errors.As(err, &e) || e.Discontinued == nil {
			t.Fatalf("error %v", err)
		}
		if got := e.Discontinued.String(); got != "discontinued 2026-08; its area is now in 43911, 43913" || e.Discontinued.Evidence != "outline" {
			t.Errorf("%q by %s", got, e.Discontinued.Evidence)
		}
		if code, message, _ := postgeo.Contract(err); code != "NOT_FOUND_ZIP" || strings.Contains(message, "discontinued") {
			t.Errorf("%s %s: the contract's message has changed", code, message)
		}
	}
}

// conserved checks that each code of an earlier dataset is in the later one or has
// ended in its ledger. Each of the others must have begun there.
func conserved(t *testing.T, earlier, later *dataset.Dataset) {
	t.Helper()
	changed := func(code string, change dataset.CodeChange) bool {
		events := later.EventsOf(code)
		return len(events) > 0 && events[len(events)-1].Change == change && events[len(events)-1].Edition == later.Manifest().Version
	}
	for z := range earlier.ZIPs() {
		if _, ok := later.ZIP(z.ZIP); !ok && !changed(z.ZIP.String(), dataset.CodeGone) {
			t.Errorf("%s is lost: %+v", z.ZIP, later.EventsOf(z.ZIP.String()))
		}
	}
	for z := range later.ZIPs() {
		if _, ok := earlier.ZIP(z.ZIP); !ok && !changed(z.ZIP.String(), dataset.CodeBorn) {
			t.Errorf("%s has not begun: %+v", z.ZIP, later.EventsOf(z.ZIP.String()))
		}
	}
}
