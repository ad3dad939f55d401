package enrich_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// box is a rectangle of parallels and meridians.
func box(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}}
}

func areaRows(rows ...enrich.Area) func(yield func(enrich.Area, error) bool) {
	return func(yield func(enrich.Area, error) bool) {
		for _, a := range rows {
			if !yield(a, nil) {
				return
			}
		}
	}
}

// areasOf are two areas, the second of which lies within the first.
func areasOf(t testing.TB) *enrich.Areas {
	t.Helper()
	a, err := enrich.NewAreas([]string{"name", "Sales Rep", "row"}, areaRows(
		enrich.Area{Outline: box(-125, 32, -114, 42), Cells: []string{"West", "7", "x"}},
		enrich.Area{Outline: box(-118.5, 34, -118.3, 34.2), Cells: []string{"Hills", "", "y"}},
	))
	check(t, err)
	return a
}

// TestAreas checks in which areas rows of every kind lie.
func TestAreas(t *testing.T) {
	db := sampletest.Open(t)
	add := []string{"in_area.name", "in_area.sales rep", "in_area.row", "in_area.columns.row"}
	tests := []struct {
		kind enrich.Kind
		rows map[string][]string
	}{
		{enrich.Code, map[string][]string{
			"90210":     {"matched", "Hills", "", "2", "y", ""},
			"94102":     {"matched", "West", "7", "1", "x", ""},
			"10001":     {"no_data", "", "", "", "", ""},
			"09012":     {"no_data", "", "", "", "", "ENRICHMENT_UNAVAILABLE"},
			"35,-124.9": {"matched", "West", "7", "1", "x", ""}, // lies in no ZIP
			"99999":     {"not_found", "", "", "", "", "NOT_FOUND_ZIP"},
		}},
		{enrich.Coordinates, map[string][]string{"34.1,-118.4": {"matched", "Hills", "", "2", "y", ""}}},
		{enrich.Address, map[string][]string{"350 5th Ave, New York NY 10118": {"no_data", "", "", "", "", "PARTIAL_MATCH; SECONDARY_NEEDED"}}},
		{enrich.City, map[string][]string{"San Francisco, CA": {"matched", "West", "7", "1", "x", ""}}},
	}
	for _, tt := range tests {
		checkRows(t, db, enrich.Options{Kind: tt.kind, Areas: areasOf(t), Add: add}, tt.rows)
	}
}

// TestAreasRefused checks which lists and fields of areas are refused.
func TestAreasRefused(t *testing.T) {
	failed := errors.New("feature 3 is broken")
	lists := []struct {
		name string
		rows func(yield func(enrich.Area, error) bool)
		want string
	}{
		{"none", areaRows(), "empty"},
		{"ragged", areaRows(enrich.Area{Outline: box(0, 0, 1, 1)}), "row 1 of the list has 0 cells"},
		{"no outline", areaRows(enrich.Area{Cells: []string{""}}), "area 1 encloses no surface"},
		{"latitude", areaRows(enrich.Area{Outline: box(0, 0, 1, 95), Cells: []string{""}}), "area 1"},
		{"failed", func(yield func(enrich.Area, error) bool) { yield(enrich.Area{}, failed) }, "feature 3"},
	}
	for _, tt := range lists {
		if _, err := enrich.NewAreas([]string{"id"}, tt.rows); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
	db := sampletest.Open(t)
	for path, want := range map[string]string{"in_area.nam": "in_area.name", "in_area": "unknown field", "in_area.": "unknown field"} {
		if _, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Areas: areasOf(t), Add: []string{path}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q", path, err, want)
		}
	}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Areas: areasOf(t), Add: []string{"in_area.*"}})
	check(t, err)
	if diff := cmp.Diff([]string{"matched", "Hills", "", "y", ""}, answer(t, e, "90210")); diff != "" {
		t.Errorf("all columns (-want +got):\n%s", diff)
	}
	if _, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{"in_area.name"}}); err == nil || !strings.Contains(err.Error(), "(Areas)") {
		t.Errorf("without areas: %v", err)
	}
}

func ExampleNewAreas() {
	db, err := postgeo.OpenSample()
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	west := orb.MultiPolygon{{{{-125, 32}, {-114, 32}, {-114, 42}, {-125, 42}, {-125, 32}}}}
	territories, err := enrich.NewAreas([]string{"territory"}, func(yield func(enrich.Area, error) bool) {
		yield(enrich.Area{Outline: west, Cells: []string{"West"}}, nil)
	})
	if err != nil {
		log.Fatal(err)
	}
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Areas: territories, Add: []string{"city", "in_area.territory"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, zip := range []string{"90210", "10001"} {
		values, _, err := e.Row(context.Background(), zip, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %q\n", values[0], values[1])
	}
	// Output:
	// Beverly Hills: "West"
	// New York: ""
}
