package postgeo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// questions are the searches of a DB, each with whether it answers from the
// test's dataset as it should.
var questions = []struct {
	name string
	ask  func(ctx context.Context, db *postgeo.DB) (bool, error)
}{
	{"Radius", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		res, err := db.Radius(ctx, "90210", radius.Options{Max: 10, Mode: radius.Spatial})
		return err == nil && len(res.Matches) == 2 && *res.Matches[0].PctInside == 100, err
	}},
	{"Nearest", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		res, err := db.Nearest(ctx, "45.4,-75.7", radius.NearestOptions{})
		return err == nil && len(res.Matches) == 1 && res.Matches[0].Code == "K1A 0B1", err
	}},
	{"Boundary", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		res, err := db.Boundary(ctx, "90210", "10001")
		return err == nil && !res.Inside && res.Distance.Miles > 2000, err
	}},
	{"InPolygon", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		west := orb.Polygon{{{-119, 33}, {-118.435, 33}, {-118.435, 35}, {-119, 35}, {-119, 33}}}
		res, err := db.InPolygon(ctx, west, radius.PolygonOptions{Mode: radius.Spatial})
		return err == nil && len(res.Matches) == 1 && *res.Matches[0].PctInside == 50, err
	}},
	{"Distances", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		m, err := db.DistanceMatrix(ctx, []string{"90210"}, []string{"90210", "10001"}, radius.DistanceOptions{})
		return err == nil && m.Miles[0][0] == 0 && m.Miles[0][1] > 2000, err
	}},
	{"PairsWithin", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		pairs := 0
		for p, err := range db.PairsWithin(ctx, []string{"90210", "10001", "90209"}, 10_000) {
			if err != nil {
				return false, err
			}
			if p.A == 0 && p.B == 2 {
				pairs++
			}
		}
		return pairs == 1, nil
	}},
	{"Searches", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		list := []radius.Query{{Center: "90210", Options: radius.Options{Max: 1}}, {Center: "99999", Options: radius.Options{Max: 1}}}
		found, missing := 0, 0
		for res, err := range db.RadiusBatch(ctx, slices.Values(list)) {
			switch {
			case errors.Is(err, postgeo.ErrNotFound):
				missing++
			case err != nil:
				return false, err
			default:
				found += len(res.Matches)
			}
		}
		return found == 1 && missing == 1, nil
	}},
	{"Prepare", func(ctx context.Context, db *postgeo.DB) (bool, error) { return true, db.Prepare(ctx) }},
}

func TestSearches(t *testing.T) {
	db := openTest(t)
	for _, q := range questions {
		if ok, err := q.ask(t.Context(), db); err != nil || !ok {
			t.Errorf("%s: %t, %v", q.name, ok, err)
		}
	}
	check(t, db.Swap(t.Context(), lookuptest.Path(t)))
	for _, q := range questions {
		if ok, err := q.ask(t.Context(), db); err != nil || !ok {
			t.Errorf("%s after a swap: %t, %v", q.name, ok, err)
		}
	}
}

// TestSuggestInclude requires that street addresses are suggested only if they are
// included.
func TestSuggestInclude(t *testing.T) {
	db := sampletest.Open(t)
	for _, tt := range []struct {
		include []string
		state   string
		want    []string
	}{
		{nil, "", nil},
		{[]string{"address"}, "", []string{"address 350 5TH AVE, NEW YORK, NY 10118"}},
		{[]string{"address", "place"}, "NY", []string{"address 350 5TH AVE, NEW YORK, NY 10118"}},
		{[]string{"address"}, "VA", nil},
	} {
		in := operation.SuggestInput{Query: "350 5th av", Include: tt.include, State: tt.state, Proximity: "10118"}
		r, err := in.Run(t.Context(), db)
		check(t, err)
		var got []string
		for _, m := range r.Matches {
			got = append(got, string(m.Type)+" "+m.Name+", "+m.City+", "+m.State+" "+m.AssociatedZIPs[0])
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || r.TotalMatched != len(got) {
			t.Errorf("%v %s: %d (-want +got):\n%s", tt.include, tt.state, r.TotalMatched, diff)
		}
	}
}

// TestSuggestCanada requires that addresses of Canada and of states without records are
// unavailable, and that a state keeps its addresses if other states have as many as the limit.
func TestSuggestCanada(t *testing.T) {
	db := sampletest.Open(t)
	for _, tt := range []struct {
		country, state string
		found          int
		notice         string
	}{
		{"", "", 1, ""},
		{"us", "", 1, ""},
		{"", "VA", 1, ""},
		{"ca", "", 0, "Not in this dataset: address records of Canada."},
		{"", "on", 0, "Not in this dataset: address records of Canada."},
		{"", "CA", 1, ""},
		{"", "vt", 0, "Not in this dataset: address records of VT."},
	} {
		opt := suggest.Options{Limit: 1, Include: []suggest.Type{suggest.StreetAddress}, Country: tt.country, State: tt.state}
		r, err := db.Suggest(t.Context(), "100 main", opt)
		check(t, err)
		texts := ""
		for _, n := range r.Notices {
			texts += n.Message
		}
		if len(r.Matches) != tt.found || r.Matches == nil || texts != tt.notice || tt.state != "" && tt.found > 0 && r.Matches[0].State != tt.state {
			t.Errorf("country %q, state %q: %v, notices %q", tt.country, tt.state, r.Matches, texts)
		}
	}
}

func ExampleDB_MatchAddress() {
	db := sampleDB()
	defer db.Close()
	m, err := db.MatchAddress(context.Background(), "p.o. box 5, new york ny 10001", address.Options{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Data.FormattedAddress, m.Data.Confidence)
	_, err = db.MatchAddress(context.Background(), "12345 Nowhere St, New York, NY 10001", address.Options{})
	fmt.Println(errors.Is(err, postgeo.ErrNotFound))
	// Output:
	// PO BOX 5, NEW YORK NY 10001-0005 high
	// true
}

func ExampleDB_AutoRadius() {
	db := sampleDB()
	defer db.Close()
	ctx := context.Background()
	miles, err := db.AutoRadius(ctx, "90210", radius.Density)
	if err != nil {
		log.Fatal(err)
	}
	res, err := db.Radius(ctx, "90210", radius.Options{Auto: radius.Density})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(miles >= 3 && miles <= 150, miles == res.Search.Max)
	// Output: true true
}
