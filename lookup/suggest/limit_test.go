package suggest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// limits are the limits of the tests; the last is the maximum.
var limits = [...]int{1, 2, 3, 7, 10, 70, suggest.MaxLimit}

// A standing identifies a match.
type standing struct {
	typ               suggest.Type
	name, state, code string
	at                geo.LatLng
	bucket            suggest.Bucket
}

func standings(r *suggest.Result) []standing {
	list := make([]standing, len(r.Matches))
	for i, m := range r.Matches {
		list[i] = standing{m.Type, m.Name, m.State + m.Province, m.GEOID + m.CBSACode, m.Location, m.Bucket}
	}
	return list
}

func diffStandings(want, got []standing) string {
	return cmp.Diff(want, got, cmp.Comparer(func(a, b standing) bool { return a == b }))
}

// cutAlike fails unless a smaller limit shows the beginning of what the
// greatest one shows: the same things in the same order.
func cutAlike(t *testing.T, e *suggest.Engine, query string, o suggest.Options) (ties int) {
	t.Helper()
	o.Limit = suggest.MaxLimit
	most := ask(t, e, query, o)
	want := standings(most)
	for _, o.Limit = range limits {
		got := standings(ask(t, e, query, o))
		if diff := diffStandings(want[:min(o.Limit, len(want))], got); diff != "" {
			t.Errorf("%q, %+v (-beginning of the longest list +got):\n%s", query, o, diff)
		}
		if o.Limit < len(want) && alike(&most.Matches[o.Limit-1], &most.Matches[o.Limit]) {
			ties++
		}
	}
	return ties
}

func alike(a, b *suggest.Match) bool {
	return a.Type == b.Type && a.Bucket == b.Bucket && a.Population != nil && b.Population != nil && *a.Population == *b.Population
}

// TestLimitCutsTheSameList uses the sample.
func TestLimitCutsTheSameList(t *testing.T) {
	d := lookuptest.Sample(t)
	e := suggest.NewEngine(d)
	for _, query := range []string{
		"new", "san", "s", "st", "la", "mont", "port", "n", "c", "school", "1", "k1a", "ofal", "lac", "elp", "pheonix", "springf il", "9", "m5", "h2x 1",
	} {
		for _, o := range []suggest.Options{
			{},
			{Proximity: "40.7,-74"},
			{Proximity: "94103"},
			{State: "NY", Proximity: "NY"},
			{Country: "CA"},
			{Include: []suggest.Type{suggest.Place}},
			{Include: []suggest.Type{suggest.SchoolDistrict}},
			{Include: []suggest.Type{suggest.City, suggest.ZIP}},
		} {
			cutAlike(t, e, query, o)
		}
	}
}

// TestLimitCutsTheSameListNationally uses an invented dataset of national size,
// with many equal ranks.
func TestLimitCutsTheSameListNationally(t *testing.T) {
	e := newInvented(t)
	ties := 0
	options := []suggest.Options{
		{},
		{Proximity: "40.7,-74"},
		{Proximity: "AC"},
		{State: "AB"},
		{State: "BA", Proximity: "33.1,-97"},
		{Include: []suggest.Type{suggest.City}},
		{Include: []suggest.Type{suggest.SchoolDistrict, suggest.ZIP}},
		{Include: []suggest.Type{suggest.Place}, Proximity: "45,-90"},
	}
	for i, query := range inventedQueries(150) {
		ties += cutAlike(t, e, query, suggest.Options{})
		ties += cutAlike(t, e, query, options[i%len(options)])
	}
	if ties < 25 {
		t.Errorf("%d limits fell between equals; want 25 or more, or the test shows little", ties)
	}
}

// TestLimitCutsTheSameListOfTheNation uses the national dataset.
func TestLimitCutsTheSameListOfTheNation(t *testing.T) {
	e := national(t)
	for _, query := range []string{"s", "sa", "san", "new", "spri", "school", "school d", "newp", "lac", "elp", "9", "00", "k1", "pheonix", "st l", "ofal", "mc"} {
		for _, o := range []suggest.Options{{}, {Proximity: "39.8,-89.6"}, {State: "TX"}, {Include: []suggest.Type{suggest.CBSA, suggest.County}}} {
			cutAlike(t, e, query, o)
		}
	}
}
