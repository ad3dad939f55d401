package enrich_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/radius"
)

// placeRows are places whose first text is the key and whose others are cells.
func placeRows(rows [][]string) func(yield func(enrich.Place, error) bool) {
	return func(yield func(enrich.Place, error) bool) {
		for _, r := range rows {
			if !yield(enrich.Place{Key: r[0], Cells: r[1:]}, nil) {
				return
			}
		}
	}
}

func placesOf(t testing.TB, db *postgeo.DB, kind enrich.Kind, columns []string, rows ...[]string) *enrich.Places {
	t.Helper()
	p, err := enrich.NewPlaces(t.Context(), db, columns, placeRows(rows), enrich.PlaceOptions{Kind: kind})
	check(t, err)
	return p
}

// TestNearest compares the codes around rows with the results of the operation.
func TestNearest(t *testing.T) {
	db := sampletest.Open(t)
	near := func(center string, opt radius.NearestOptions) []string {
		res, err := db.Nearest(t.Context(), center, opt)
		check(t, err)
		var codes []string
		for _, m := range res.Matches {
			codes = append(codes, m.Code)
		}
		return codes
	}
	hills := near("90210", radius.NearestOptions{Count: 4})
	sea := near("0,0", radius.NearestOptions{Count: 2})
	area := near("K1A", radius.NearestOptions{Mode: radius.Spatial})
	checkRow := func(opt enrich.Options, line string) {
		t.Helper()
		e, err := enrich.New(db, opt)
		check(t, err)
		checkRow(t, e, line)
	}
	few := radius.NearestOptions{Count: 3}
	checkRow(enrich.Options{Kind: enrich.Code, Add: []string{"nearest.code", "nearest.distance_miles", "nearest.2.code"}}, "90210 | matched | 90210 | 0 | "+hills[1])
	checkRow(enrich.Options{Kind: enrich.Code, Add: []string{"nearest.code", "nearest.2.code"}}, "0,0 | matched | "+sea[0]+" | "+sea[1]) // in no area
	checkRow(enrich.Options{Kind: enrich.Code, Nearest: few, Add: []string{"nearest.code", "nearest.4.code"}}, "90210 | matched | "+strings.Join(hills[:3], "; ")+" | "+hills[3])
	areas := enrich.Options{Kind: enrich.Code, Nearest: radius.NearestOptions{Mode: radius.Spatial}, Add: []string{"nearest.code", "nearest.code_type"}}
	checkRow(areas, "K1A | matched | "+area[0]+" | FSA")
	checkRow(areas, "K1A9Z9 | fallback | "+area[0]+" | FSA ! FALLBACK_USED")
}

// TestPlaces checks which places have a point.
func TestPlaces(t *testing.T) {
	db := sampletest.Open(t)
	stores := placesOf(t, db, enrich.Code, placeLists["stores"][0], placeLists["stores"][1:]...)
	var unplaced []string
	for _, u := range stores.Unplaced() {
		unplaced = append(unplaced, fmt.Sprintf("%d %q: %s", u.Row, u.Key, u.Outcome.Status))
	}
	if diff := cmp.Diff([]string{`2 "99999": not_found`}, unplaced); diff != "" || stores.Len() != 4 {
		t.Errorf("%d places; without a point (-want +got):\n%s", stores.Len(), diff)
	}
	for restore, want := range map[bool]int{true: 2, false: 1} {
		rows := placeRows([][]string{{"501"}, {"90210"}})
		if p, err := enrich.NewPlaces(t.Context(), db, nil, rows, enrich.PlaceOptions{Kind: enrich.Code, RestoreZeros: restore}); err != nil || p.Len() != want {
			t.Errorf("RestoreZeros %t: %v places (%v), want %d", restore, p, err, want)
		}
	}
}

// scattered returns points, and places with their numbers.
func scattered(n int) (points []geo.LatLng, rows [][]string) {
	for i := range n {
		points = append(points, geo.MustLatLng(25+float64(i*7919%24000)/1000, -124+float64(i*104729%57000)/1000))
		rows = append(rows, []string{points[i].String(), fmt.Sprint(i)})
	}
	return points, rows
}

// TestPlacesExact checks the nearest places against measuring every one.
func TestPlacesExact(t *testing.T) {
	db := sampletest.Open(t)
	points, rows := scattered(400)
	e, err := enrich.New(db, enrich.Options{
		Kind: enrich.Coordinates, Places: placesOf(t, db, enrich.Coordinates, []string{"n"}, rows...), Nearest: radius.NearestOptions{Count: 5},
		Add: []string{"nearest_place.n", "nearest_place.distance.km", "nearest_place.2.distance.miles", "nearest_place.2.bearing", "nearest_place.2.location.lon"},
	})
	check(t, err)
	for i := range 50 {
		from := geo.MustLatLng(20+float64(i*31%40), -130+float64(i*17%70))
		order := make([]int, len(points))
		for j := range order {
			order[j] = j
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return int(1e6*geo.Distance(from, points[a])) - int(1e6*geo.Distance(from, points[b]))
		})
		var ids, km []string
		for _, j := range order[:5] {
			ids = append(ids, fmt.Sprint(j))
			km = append(km, enrich.ValueOf(geo.Round(float64(geo.Distance(from, points[j]).Kilometers()), 2)).String())
		}
		second := points[order[1]]
		d, bearing := geo.Inverse(from, second)
		number := func(f float64, decimals int) string { return enrich.ValueOf(geo.Round(f, decimals)).String() }
		want := []string{
			"matched", strings.Join(ids, "; "), strings.Join(km, "; "),
			number(float64(d.Miles()), 2), number(float64(bearing), 1), number(second.Lng(), 6), "",
		}
		if diff := cmp.Diff(want, answer(t, e, from.String())); diff != "" {
			t.Errorf("%v (-want +got):\n%s", from, diff)
		}
	}
}

// A context that is done ends lists.
func TestPlacesDone(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := enrich.NewPlaces(ctx, sampletest.Open(t), []string{"id"}, placeRows([][]string{{"34,-118", "a"}}), enrich.PlaceOptions{Kind: enrich.Coordinates}); !errors.Is(err, context.Canceled) {
		t.Errorf("NewPlaces: %v", err)
	}
}

// TestPlacesRefused checks which lists of places are refused.
func TestPlacesRefused(t *testing.T) {
	db := sampletest.Open(t)
	broken := errors.New("line 3 is broken")
	lists := []struct {
		name string
		rows func(yield func(enrich.Place, error) bool)
		kind enrich.Kind
		want string
	}{
		{"none", placeRows(nil), enrich.Code, "empty"},
		{"nowhere", placeRows([][]string{{"99999", "1"}, {"", "2"}}), enrich.Code, `none of the 2 places has a point; the first, "99999": not_found`},
		{"ragged", placeRows([][]string{{"90210"}}), enrich.Code, "row 1 of the list has 0 cells; expected 1"},
		{"failed", func(yield func(enrich.Place, error) bool) { yield(enrich.Place{}, broken) }, enrich.Code, "line 3"},
		{"kind", placeRows([][]string{{"90210", "1"}}), "", "kind"},
	}
	for _, tt := range lists {
		if _, err := enrich.NewPlaces(t.Context(), db, []string{"id"}, tt.rows, enrich.PlaceOptions{Kind: tt.kind}); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
	if err := enrich.Check(db, []string{"nearest_place.whatever it is", "nearest_place.3.id", "nearest.code"}); err != nil {
		t.Errorf("Check: %v", err)
	}
}
