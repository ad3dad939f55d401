package postgeo_test

import (
	"context"
	"errors"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

var sentinels = []error{
	postgeo.ErrNotFound, postgeo.ErrInvalidCode, postgeo.ErrInvalidParam, postgeo.ErrUnavailable,
	postgeo.ErrAmbiguous, postgeo.ErrDamaged, postgeo.ErrClosed,
}

// TestErrors checks that every operation returns a [*postgeo.Error] that matches
// one sentinel and reads as a Go error.
func TestErrors(t *testing.T) {
	db := sampletest.Open(t)
	ctx := t.Context()
	const income = "economic.income.median_household_income"
	bad := acs.Tag{Profile: 99, Year: 1800}
	square := orb.Polygon{{{-118, 34}, {-117, 34}, {-117, 35}, {-118, 34}}}
	for _, tt := range []struct {
		name string
		call func() error
		want error
		text string
	}{
		{"quick lookup", func() error { return last(db.QuickLookup(ctx, "99999", lookup.QuickOptions{})) }, postgeo.ErrNotFound, `postgeo: lookup: ZIP code "99999" not found`},
		{"malformed", func() error { return last(db.Lookup(ctx, "9021", lookup.Options{})) }, postgeo.ErrInvalidCode, `postgeo: lookup: invalid ZIP code "9021"; expected 5 digits, or ZIP+4 as 12345-6789`},
		{"empty", func() error { return last(db.Lookup(ctx, " ", lookup.Options{})) }, postgeo.ErrInvalidCode, "postgeo: lookup: code is empty"},
		{"survey tag", func() error {
			return last(db.Lookup(ctx, "90210", lookup.Options{Include: lookup.Include{ACS: []acs.Tag{bad}}}))
		}, postgeo.ErrInvalidParam, `postgeo: survey: acs is "{Profile: 99, Year: 1800}"; expected a profile from Demographic to Housing and a year from 2011 to 2024, or 0 for the newest`},
		{"survey tag of a search", func() error {
			return last(db.Radius(ctx, "90210", radius.Options{Max: 5, Include: radius.Include{ACS: []acs.Tag{bad}}}))
		}, postgeo.ErrInvalidParam, ""},
		{"survey tag of a profile", func() error { return last(db.ACSProfile(ctx, "90210", []acs.Tag{bad}, acs.Options{})) }, postgeo.ErrInvalidParam, ""},
		{"survey tag of an address", func() error {
			return last(db.MatchAddress(ctx, "1100 Congress Ave, Austin, TX 78701", address.Options{Include: address.Include{Tract: []acs.Tag{bad}}}))
		}, postgeo.ErrInvalidParam, ""},
		{"radius", func() error { return last(db.Radius(ctx, "90210", radius.Options{Max: 9999})) }, postgeo.ErrInvalidParam, "postgeo: radius: max is 9999; expected above 0 and at most 500 miles in centroid mode"},
		{"radius of nothing", func() error { return last(db.Radius(ctx, "90210", radius.Options{})) }, postgeo.ErrInvalidParam, "postgeo: radius: neither Max nor Auto is set; Max must be above 0 and at most 500 miles in centroid mode"},
		{"mode", func() error { return last(db.Radius(ctx, "90210", radius.Options{Max: 5, Mode: "round"})) }, postgeo.ErrInvalidParam, ""},
		{"rule", func() error { return last(db.Radius(ctx, "90210", radius.Options{Auto: "round"})) }, postgeo.ErrInvalidParam, `postgeo: radius: auto is "round"; expected Density or Commute`},
		{"center", func() error { return last(db.Radius(ctx, "99999", radius.Options{Max: 5})) }, postgeo.ErrNotFound, `postgeo: radius: center ZIP code "99999" not found`},
		{"distance", func() error { return last(db.Distance(ctx, "90210", "99999", radius.DistanceOptions{})) }, postgeo.ErrNotFound, `postgeo: distance: to ZIP code "99999" not found`},
		{"nearest", func() error { return last(db.Nearest(ctx, "90210", radius.NearestOptions{Count: -1})) }, postgeo.ErrInvalidParam, "postgeo: nearest: count is -1; expected a whole number from 1 to 10000"},
		{"mode of nearest", func() error { return last(db.Nearest(ctx, "90210", radius.NearestOptions{Mode: "round"})) }, postgeo.ErrInvalidParam, `postgeo: nearest: mode is "round"; expected centroid or spatial`},
		{"mode of a polygon", func() error { return last(db.InPolygon(ctx, square, radius.PolygonOptions{Mode: "round"})) }, postgeo.ErrInvalidParam, `postgeo: polygon: mode is "round"; expected centroid or spatial`},
		{"mode of a sum", func() error {
			return last(db.ACSAggregate(ctx, radius.Areas{Polygon: square, Mode: "round"}, []string{income}, acs.SeriesOptions{}))
		}, postgeo.ErrInvalidParam, ""},
		{"rule of a radius", func() error { return last(db.AutoRadius(ctx, "90210", "round")) }, postgeo.ErrInvalidParam, ""},
		{"level", func() error { return last(db.ACSYears(ctx, 9)) }, postgeo.ErrInvalidParam, ""},
		{"country", func() error { return last(db.Suggest(ctx, "new", suggest.Options{Country: "XX"})) }, postgeo.ErrInvalidParam, ""},
		{"country of codes", func() error { return first(db.Codes(ctx, lookup.CodeType("round"))) }, postgeo.ErrInvalidParam, ""},
		{"invalid point", func() error { return last(db.Lookup(ctx, postgeo.At(geo.LatLng{}), lookup.Options{})) }, postgeo.ErrInvalidCode, ""},
		{"pairs", func() error { return first(db.PairsWithin(ctx, []string{"90210", "10001"}, -1)) }, postgeo.ErrInvalidParam, "postgeo: pairs: most is -1; expected at least 0 meters"},
		{"no outline", func() error { return last(db.Boundary(ctx, "90210", "90213")) }, postgeo.ErrUnavailable, `postgeo: boundary: ZIP code "90213" has no outline`},
		{"a point as polygon", func() error { return last(db.InPolygon(ctx, orb.Point{}, radius.PolygonOptions{})) }, postgeo.ErrInvalidParam, "postgeo: polygon: invalid geometry: orb.Point; expected a polygon or multipolygon"},
		{"tolerance", func() error { return last(db.Neighbors(ctx, "90210", lookup.NeighborOptions{Tolerance: -5})) }, postgeo.ErrInvalidParam, "postgeo: neighbors: tolerance is -5; expected above 0 and at most 1000 meters"},
		{"limit", func() error { return last(db.Suggest(ctx, "new", suggest.Options{Limit: 9999})) }, postgeo.ErrInvalidParam, "postgeo: suggest: limit is 9999; expected a whole number from 1 to 500"},
		{"types", func() error {
			return last(db.Suggest(ctx, "new", suggest.Options{Include: []suggest.Type{"round"}}))
		}, postgeo.ErrInvalidParam, ""},
		{"query", func() error { return last(db.Suggest(ctx, "", suggest.Options{})) }, postgeo.ErrInvalidParam, "postgeo: suggest: query is empty"},
		{"address", func() error {
			return last(db.MatchAddress(ctx, "455 Nowhere St, Beverly Hills, CA 90210", address.Options{}))
		}, postgeo.ErrNotFound, `postgeo: match: address "455 Nowhere St, Beverly Hills, CA 90210" not found`},
		{"address without a place", func() error { return last(db.MatchAddress(ctx, "455 Nowhere Street", address.Options{})) }, postgeo.ErrInvalidCode, `postgeo: match: address "455 Nowhere Street" lacks a place or a delivery`},
		{"offset", func() error {
			return last(db.Geocode(ctx, "455 N Rexford Dr, 90210", geocode.Options{Offset: 101}))
		}, postgeo.ErrInvalidParam, "postgeo: geocode: Offset is 101; expected at most 100 meters"},
		{"distance of an address", func() error {
			return last(db.Reverse(ctx, geo.MustLatLng(34, -118), geocode.ReverseOptions{Within: geo.Meters(math.NaN())}))
		}, postgeo.ErrInvalidParam, "postgeo: reverse: Within is NaN; expected from 0 to 5000 meters"},
		{"point without an address", func() error { return last(db.Reverse(ctx, geo.LatLng{}, geocode.ReverseOptions{})) }, postgeo.ErrInvalidCode, "postgeo: reverse: the point is not valid; create it by geo.LatLngFromDegrees or geo.ParseLatLng"},
		{"families of an invalid point", func() error {
			_, _, err := db.FamiliesAt(ctx, geo.LatLng{}, lookup.Options{Include: lookup.Include{Census: true}})
			return err
		}, postgeo.ErrInvalidCode, ""},
		{"boundary of a coordinate", func() error { return last(db.Boundary(ctx, "90210", "34.05,-118.4")) }, postgeo.ErrInvalidCode, `postgeo: boundary: invalid code "34.05,-118.4"; expected a ZIP Code, FSA or postal code, which have areas`},
		{"pairs with an unknown code", func() error { return first(db.PairsWithin(ctx, []string{"90210", "99999"}, 1e5)) }, postgeo.ErrNotFound, `postgeo: pairs: ZIP code "99999" not found`},
		{"no layer", func() error { return first(db.AreaIDs(t.Context(), "")) }, postgeo.ErrInvalidParam, ""},
		{"misspelled layer", func() error { return last(db.CodesIn(ctx, "count", "06037", lookup.CodesInOptions{})) }, postgeo.ErrInvalidParam, ""},
		{"absent layer", func() error { return first(db.AreaIDs(t.Context(), lookup.LayerVotingDistrict)) }, postgeo.ErrUnavailable, ""},
		{"absent layer of the user", func() error { return first(db.AreaIDs(t.Context(), "layers.none")) }, postgeo.ErrUnavailable, ""},
		{"kind of codes", func() error { return first(db.Codes(t.Context(), lookup.ZIP4)) }, postgeo.ErrInvalidParam, `postgeo: codes: kind is "ZIP+4"; expected ZIP, FSA or Postal`},
		{"area", func() error { return last(db.CodesIn(ctx, lookup.LayerCounty, "99999", lookup.CodesInOptions{})) }, postgeo.ErrNotFound, ""},
		{"crosswalk", func() error {
			return first(db.Crosswalk(ctx, "zip", "county", lookup.CrosswalkOptions{State: "ZZ"}))
		}, postgeo.ErrInvalidParam, ""},
		{"field", func() error {
			return last(db.ACSSeries(ctx, []string{"90210"}, []string{"income"}, acs.SeriesOptions{}))
		}, postgeo.ErrInvalidParam, ""},
		{"survey area", func() error {
			return last(db.ACSSeries(ctx, []string{"1"}, []string{income}, acs.SeriesOptions{}))
		}, postgeo.ErrInvalidCode, ""},
		{"areas", func() error {
			return last(db.ACSAggregate(ctx, radius.Areas{}, []string{income}, acs.SeriesOptions{}))
		}, postgeo.ErrInvalidParam, ""},
	} {
		t.Run(tt.name, func(t *testing.T) { checkError(t, tt.call(), tt.want, tt.text) })
	}
}

// TestContexts verifies that every method that may read the dataset takes a context.
func TestContexts(t *testing.T) {
	inMemory := []string{"Close", "Info", "Snapshot", "Moved", "ACSMemory"}
	db := reflect.TypeFor[*postgeo.DB]()
	for i := range db.NumMethod() {
		m := db.Method(i)
		takes := m.Type.NumIn() > 1 && m.Type.In(1) == reflect.TypeFor[context.Context]()
		if takes == slices.Contains(inMemory, m.Name) {
			t.Errorf("%s takes a context: %t", m.Name, takes)
		}
	}
}

// checkError checks the type, the sentinel and, unless text is empty, the message
// of an error.
func checkError(t *testing.T, err, want error, text string) {
	t.Helper()
	var typed *postgeo.Error
	if !errors.As(err, &typed) {
		t.Fatalf("%v is a %T", err, err)
	}
	for _, s := range sentinels {
		if errors.Is(err, s) != errors.Is(want, s) {
			t.Errorf("%v matches %v: %t", err, s, errors.Is(err, s))
		}
	}
	if text != "" && err.Error() != text {
		t.Errorf("got  %s\nwant %s", err, text)
	}
	for _, word := range []string{"Parameter '", "or auto", "postgeo: postgeo"} {
		if strings.Contains(err.Error(), word) {
			t.Errorf("%q in %q", word, err)
		}
	}
}

func last[T any](_ T, err error) error { return err }

func first[T any](list iter.Seq2[T, error]) error {
	for _, err := range list {
		return err
	}
	return nil
}
