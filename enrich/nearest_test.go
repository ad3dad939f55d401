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

// TestNearest compares the codes around rows with the results of
// the operations.
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
	tests := []struct {
		name string
		opt  enrich.Options
		rows map[string][]string
	}{
		{"one", enrich.Options{Kind: enrich.Code, Add: []string{"nearest.code", "nearest.distance_miles", "nearest.2.code"}}, map[string][]string{
			"90210": {"matched", "90210", "0", hills[1], ""},
			"99999": {"not_found", "", "", "", "NOT_FOUND_ZIP"},
			"09012": {"no_data", "", "", "", "ENRICHMENT_UNAVAILABLE"},
		}},
		{"in no area", enrich.Options{Kind: enrich.Code, Add: []string{"nearest.code", "nearest.2.code"}}, map[string][]string{
			"0,0":  {"matched", sea[0], sea[1], ""},
			"91,0": {"invalid", "", "", "VALIDATION_INVALID_COORDINATES"},
		}},
		{"several", enrich.Options{Kind: enrich.Code, Nearest: radius.NearestOptions{Count: 3}, Add: []string{"nearest.code", "nearest.4.code", "nearest.1.timezone.iana_name"}}, map[string][]string{
			"90210": {"matched", strings.Join(hills[:3], "; "), hills[3], "America/Los_Angeles", ""},
		}},
		{"limited", enrich.Options{Kind: enrich.Coordinates, Nearest: radius.NearestOptions{Count: 3, Max: 1}, Add: []string{"nearest.code", "nearest.2.code"}}, map[string][]string{
			"34.1,-118.415": {"matched", "90210", "", ""},
			"0,0":           {"no_data", "", "", ""},
		}},
		{"areas", enrich.Options{Kind: enrich.Code, Nearest: radius.NearestOptions{Mode: radius.Spatial}, Add: []string{"nearest.code", "nearest.code_type"}}, map[string][]string{
			"K1A":    {"matched", area[0], "FSA", ""},
			"K1A9Z9": {"fallback", area[0], "FSA", "FALLBACK_USED"},
		}},
		{"address", enrich.Options{Kind: enrich.Address, Add: []string{"nearest.code"}}, map[string][]string{
			"350 5th Ave, New York NY 10118": {"matched", "10118", "PARTIAL_MATCH; SECONDARY_NEEDED"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checkRows(t, db, tt.opt, tt.rows)
		})
	}
}

// TestPlaces checks which places are near rows of every kind.
func TestPlaces(t *testing.T) {
	db := sampletest.Open(t)
	columns := []string{"id", "Store Name", "distance.miles"}
	stores := placesOf(t, db, enrich.Code, columns,
		[]string{"34.02,-118.49", "S1", "Pier", "far"},
		[]string{"99999", "S2", "Nowhere", ""},
		[]string{"10118", "S3", "Tower", "x"},
		[]string{"34.02,-118.49", "S4", "Twin of the pier", "near"},
		[]string{"90210", "S5", "Hills", ""},
	)
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
	add := []string{
		"nearest_place.id", "name=nearest_place.store name", "nearest_place.row", "nearest_place.columns.distance.miles", "nearest_place.2.id", "nearest_place.5.id",
	}
	tests := []struct {
		name string
		opt  enrich.Options
		rows map[string][]string
	}{
		{"code", enrich.Options{Kind: enrich.Code, Add: add}, map[string][]string{
			"90401":         {"matched", "S1", "Pier", "1", "far", "S4", "", ""},
			"90210":         {"matched", "S5", "Hills", "5", "", "S1", "", ""},
			"34.02,-118.49": {"matched", "S1", "Pier", "1", "far", "S4", "", ""},
			"0,0":           {"matched", "S3", "Tower", "3", "x", "S5", "", ""},
			"09012":         {"no_data", "", "", "", "", "", "", "ENRICHMENT_UNAVAILABLE"},
			"99999":         {"not_found", "", "", "", "", "", "", "NOT_FOUND_ZIP"},
		}},
		{"several", enrich.Options{Kind: enrich.Code, Nearest: radius.NearestOptions{Count: 2, Max: 100}, Add: []string{"nearest_place.id", "nearest_place.3.id"}}, map[string][]string{
			"90401": {"matched", "S1; S4", "S5", ""},
			"10118": {"matched", "S3", "", ""},
			"60601": {"no_data", "", "", ""},
		}},
		{"all columns", enrich.Options{Kind: enrich.Code, Add: []string{"nearest_place.*", "city", "nearest_place.2.*"}}, map[string][]string{
			"90401": {"matched", "S1", "Pier", "far", "Santa Monica", "S4", "Twin of the pier", "near", ""},
		}},
		{"address", enrich.Options{Kind: enrich.Address, Add: []string{"nearest_place.id"}}, map[string][]string{
			"350 5th Ave, New York NY 10118": {"matched", "S3", "PARTIAL_MATCH; SECONDARY_NEEDED"},
		}},
		{"city", enrich.Options{Kind: enrich.City, Add: []string{"nearest_place.id"}}, map[string][]string{
			"Santa Monica, CA": {"matched", "S1", ""},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.opt.Places = stores
			checkRows(t, db, tt.opt, tt.rows)
		})
	}
}

// TestPlacesNamed checks which column a path means where columns are called as
// numbers and other paths are.
func TestPlacesNamed(t *testing.T) {
	db := sampletest.Open(t)
	columns := []string{"lat", "columns.lat", "2", "2024", "row"}
	stores := placesOf(t, db, enrich.Code, columns, []string{"90210", "a", "b", "c", "d", "e"}, []string{"10001", "f", "g", "h", "i", "j"})
	for path, want := range map[string]string{
		"nearest_place.lat":                 "a",
		"nearest_place.columns.lat":         "a",
		"nearest_place.columns.columns.lat": "b",
		"nearest_place.2":                   "c",
		"nearest_place.columns.2":           "c",
		"nearest_place.2024":                "d",
		"nearest_place.2.2024":              "i",
		"nearest_place.2.2":                 "h",
		"nearest_place.row":                 "1",
		"nearest_place.2.columns.row":       "j",
	} {
		e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Places: stores, Add: []string{path}})
		check(t, err)
		if got := answer(t, e, "90210")[1]; got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
}

// TestPlacesExact checks the nearest places against measuring every one.
func TestPlacesExact(t *testing.T) {
	db := sampletest.Open(t)
	var rows [][]string
	var points []geo.LatLng
	for i := range 400 {
		p := geo.MustLatLng(25+float64(i*7919%24000)/1000, -124+float64(i*104729%57000)/1000)
		points = append(points, p)
		rows = append(rows, []string{p.String(), fmt.Sprint(i)})
	}
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

// TestPlacesRefused checks which lists and fields of places are refused.
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
	stores := placesOf(t, db, enrich.Code, []string{"Store ID", "name"}, []string{"90210", "1", "x"})
	fields := []struct {
		opt  enrich.Options
		want string
	}{
		{enrich.Options{Add: []string{"nearest_place.stor id"}, Places: stores}, "nearest_place.Store ID"},
		{enrich.Options{Add: []string{"nearest_place.id"}, Places: stores}, "unknown field"},
		{enrich.Options{Add: []string{"nearest_place"}, Places: stores}, "unknown field"},
		{enrich.Options{Add: []string{"nearest_place.2"}, Places: stores}, "unknown field"},
		{enrich.Options{Add: []string{"nearest_place.0.name"}, Places: stores}, `unknown field "nearest_place.0.name"; similar: nearest_place.name`},
		{enrich.Options{Add: []string{"nearest_place.zzzzzzzz"}, Places: stores}, `unknown field "nearest_place.zzzzzzzz"; similar: nearest_place.Store ID, nearest_place.name, nearest_place.row`},
		{enrich.Options{Add: []string{"x=nearest_place.*"}, Places: stores}, "unknown field"},
		{enrich.Options{Add: []string{"nearest_place.0.*"}, Places: stores}, "unknown field"},
		{enrich.Options{Add: []string{"nearest.*"}, Places: stores}, "unknown field"},
		{enrich.Options{Add: []string{"nearest_place.*"}}, "requires a list of places (Places)"},
		{enrich.Options{Add: []string{"nearest_place.name"}}, "requires a list of places (Places)"},
		{enrich.Options{Add: []string{"nearest_place.name"}, Places: stores, Nearest: radius.NearestOptions{Max: -1}}, "max"},
		{enrich.Options{Add: []string{"nearest.code"}, Nearest: radius.NearestOptions{Count: 20000}}, "count"},
		{enrich.Options{Add: []string{"nearest.1001.code"}}, "unknown field"},
		{enrich.Options{Add: []string{"nearest.pct_inside"}}, "unknown field"}, // for circles only
		{enrich.Options{Add: []string{"nearest.2.area_sq_mi"}}, "unknown field"},
		{enrich.Options{Add: []string{"nearest.cod"}}, "nearest.code"},
	}
	for _, tt := range fields {
		if tt.opt.Kind == "" {
			tt.opt.Kind = enrich.Code
		}
		if _, err := enrich.New(db, tt.opt); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: error %v, want one with %q", tt.opt.Add, err, tt.want)
		}
	}
	if err := enrich.Check(db, []string{"nearest_place.whatever it is", "nearest_place.3.id", "nearest.code"}); err != nil {
		t.Errorf("Check: %v", err)
	}
}
