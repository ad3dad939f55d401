package enrich_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
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

// TestAreasRefused checks which lists of areas are refused.
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
