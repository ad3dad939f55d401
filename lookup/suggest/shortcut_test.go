package suggest_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// TestShortcuts checks that the shortcuts return the same matches and totals as
// a complete scan.
func TestShortcuts(t *testing.T) {
	d := lookuptest.Sample(t)
	plain, usual, short := suggest.NewEngine(d), suggest.NewEngine(d), suggest.NewEngine(d)
	plain.LookThrough()
	short.Shortcut()
	compare(t, plain, usual, "usual")
	compare(t, plain, short, "short")
}

// TestShortcutsNationally does the same with a national dataset, where far more
// keys begin alike.
func TestShortcutsNationally(t *testing.T) {
	plain, usual := national(t), national(t)
	plain.LookThrough()
	compare(t, plain, usual, "usual")
}

// TestBeginnings compares the table of first letters with a scan of all keys.
func TestBeginnings(t *testing.T) {
	d := lookuptest.Sample(t)
	table := d.Entities()
	e := suggest.NewEngine(d)
	want := map[string][2]int{}
	for i, at := range table.Starts.Offset {
		key := table.Key(at)
		for n := 1; n <= min(5, len(key)); n++ {
			in, ok := want[key[:n]]
			if !ok {
				in[0] = i
			}
			want[key[:n]] = [2]int{in[0], i + 1}
		}
	}
	if len(want) < 1000 {
		t.Fatalf("the sample's names begin in %d ways; want more to look at", len(want))
	}
	for q, in := range want {
		if lo, hi := e.Beginning(q); lo != in[0] || hi != in[1] {
			t.Errorf("%q begins the keys %d to %d; want %d to %d", q, lo, hi, in[0], in[1])
		}
	}
	for _, q := range []string{"qx", "zzz", "0", "a\xff", "\xc3\xa9", "{", "a{b"} {
		if lo, hi := e.Beginning(q); lo < hi && want[q] != [2]int{lo, hi} {
			t.Errorf("%q begins the keys %d to %d; want none", q, lo, hi)
		}
	}
}

func compare(t *testing.T, plain, other *suggest.Engine, name string) {
	t.Helper()
	queries := []string{
		"s", "n", "c", "w", "sa", "st", "ft", "mt", "pt", "new", "san", "port", "spri", "school", "county", "city", "lake", "s ca", "new y", "dover d",
		"saint l", "o fallon", "m", "l", "k1", "k1a", "9", "902", "xq", "north b", "san fr", "pheonix", "springf il", "zip", "co", "la", "ontario ca",
	}
	for letter := 'a'; letter <= 'z'; letter++ {
		queries = append(queries, string(letter), string(letter)+"a", string(letter)+"o")
	}
	for _, o := range []suggest.Options{
		{},
		{Limit: 1},
		{Limit: 500},
		{Proximity: "40.7,-74"},
		{Proximity: "39.8,-89.6", Limit: 3},
		{Proximity: "61.2,-149.9"},
		{Proximity: "-14.3,-170.7"},
		{Proximity: "TX"},
		{State: "NY"},
		{State: "ny", Proximity: "NY", Limit: 2},
		{State: "CA", Proximity: "34,-118", Limit: 4},
		{Country: "CA"},
		{Country: "US", Include: []suggest.Type{suggest.County, suggest.CBSA}},
		{State: "MO", Include: []suggest.Type{suggest.CBSA}},
		{Include: []suggest.Type{suggest.Place}},
		{Include: []suggest.Type{suggest.City}},
		{Include: []suggest.Type{suggest.Place, suggest.City}, Proximity: "40.7,-74"},
		{Include: []suggest.Type{suggest.SchoolDistrict}, Proximity: "40.7,-74"},
	} {
		for _, q := range queries {
			want, got := ask(t, plain, q, o), ask(t, other, q, o)
			if diff := diffStandings(standings(want), standings(got)); diff != "" {
				t.Errorf("%s: %q, %+v (-looked through +got):\n%s", name, q, o, diff)
			}
			if want.TotalMatched != got.TotalMatched {
				t.Errorf("%s: %q, %+v: %d matched in all; want %d", name, q, o, got.TotalMatched, want.TotalMatched)
			}
		}
	}
}
