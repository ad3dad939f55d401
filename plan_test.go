package postgeo_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
)

// day returns a day in UTC.
func day(text string) time.Time {
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return t
}

// seats returns the districts of a ZIP Code, and the states of these.
func seats(t *testing.T, db *postgeo.DB, code string, opt lookup.Options) (c *lookup.CongressPeriod, geoids, states []string) {
	t.Helper()
	opt.Include.CongressionalDistrict = true
	rec, err := db.Lookup(t.Context(), code, opt)
	check(t, err)
	if rec.CongressionalDistrict == nil || rec.CongressionalDistrict.Current == nil {
		return nil, nil, nil
	}
	c = rec.CongressionalDistrict.Current
	for _, d := range c.Districts {
		geoids, states = append(geoids, d.GEOID), append(states, d.State)
	}
	return c, geoids, states
}

// redrawn compares the districts of every ZIP Code on the last day of one Congress and
// the first day of the next. It counts the ZIP Codes with other districts by state.
func redrawn(t *testing.T, db *postgeo.DB) map[string]int {
	t.Helper()
	changed := map[string]int{}
	for code, err := range db.Codes(t.Context(), lookup.ZIP) {
		check(t, err)
		before, old, states := seats(t, db, code, lookup.Options{At: day("2027-01-03").Add(-time.Second)})
		after, recent, later := seats(t, db, code, lookup.Options{At: day("2027-01-03")})
		if before == nil {
			continue
		}
		if before.Congress != 119 || before.Plan.ID != "cd119" || after.Congress != 120 || after.Plan.Name != "120th Congress" {
			t.Fatalf("%s: %+v, then %+v", code, before.Plan, after.Plan)
		}
		differ := map[string]bool{}
		for i, geoid := range old {
			differ[states[i]] = differ[states[i]] || !slices.Contains(recent, geoid)
		}
		for i, geoid := range recent {
			differ[later[i]] = differ[later[i]] || !slices.Contains(old, geoid)
		}
		for state, differs := range differ {
			if differs {
				changed[state]++
			}
		}
	}
	return changed
}

// TestNewCongress expects other districts in redrawn states and nowhere else. The
// sample's file has new districts in Missouri, too, which an override keeps out.
func TestNewCongress(t *testing.T) {
	changed := redrawn(t, sampletest.Open(t))
	if states := slices.Sorted(maps.Keys(changed)); !slices.Equal(states, []string{"CA", "FL", "LA", "TX"}) {
		t.Errorf("changes by state: %v; expected some in CA, FL, LA and TX", changed)
	}
}

// TestNewCongressNationally does the same with a national dataset.
func TestNewCongressNationally(t *testing.T) {
	changed := redrawn(t, sampletest.File(t, lookuptest.NationalPath(t)))
	maps.DeleteFunc(changed, func(_ string, zips int) bool { return zips == 1 }) // at a border, where the coarse outlines of another state changed
	want := []string{"AL", "CA", "FL", "LA", "NC", "OH", "TN", "TX", "UT"}
	if states := slices.Sorted(maps.Keys(changed)); !slices.Equal(states, want) {
		t.Errorf("changes by state: %v; expected some in each of %v", changed, want)
	}
	t.Logf("ZIP Codes with other districts: %v", changed)
}

// TestPlanChoices compares the ways to select a plan of districts.
func TestPlanChoices(t *testing.T) {
	db := sampletest.Open(t)
	now := day("2026-11-23")
	const code = "90210"
	_, today, _ := seats(t, db, code, lookup.Options{At: now})
	_, then, _ := seats(t, db, code, lookup.Options{At: day("2027-02-01")})
	for name, opt := range map[string]lookup.Options{
		"the day": {At: now, AsOf: day("2027-01-03")},
		"a plan":  {At: now, Plan: "cd120"},
	} {
		if c, got, _ := seats(t, db, code, opt); c.Congress != 120 || !cmp.Equal(got, then) {
			t.Errorf("%s: %d, %v; want %v of the 120th Congress", name, c.Congress, got, then)
		}
	}
	if _, got, _ := seats(t, db, code, lookup.Options{At: day("2027-02-01"), Plan: "cd119"}); !cmp.Equal(got, today) {
		t.Errorf("plan cd119 in 2027: %v, want %v", got, today)
	}
	if c, _, _ := seats(t, db, code, lookup.Options{At: now, AsOf: day("1999-01-01")}); c != nil {
		t.Errorf("a day before the first plan: %+v", c.Plan)
	}
	rec, err := db.Lookup(t.Context(), code, lookup.Options{At: now, Include: lookup.Include{CongressNext: true, StateLegislativeNext: true}})
	check(t, err)
	if f := rec.CongressionalDistrict; f == nil || f.Current != nil || f.Next == nil || f.Next.Congress != 120 {
		t.Errorf("next: %+v", f)
	}
	if got := rec.Delivered(); !cmp.Equal(got, []string{"cd_next"}) {
		t.Errorf("delivered %v, want cd_next; no later plan of the legislature is known", got)
	}
	if _, err := db.Lookup(t.Context(), code, lookup.Options{Plan: "cd999", Include: lookup.Include{CongressionalDistrict: true}}); !errors.Is(err, postgeo.ErrInvalidParam) {
		t.Errorf("unknown plan: error %v", err)
	}
}

// TestPlanEverywhere selects the plan of a day in the other operations.
func TestPlanEverywhere(t *testing.T) {
	db := sampletest.Open(t)
	rec, err := db.QuickLookup(t.Context(), "90210", lookup.QuickOptions{})
	check(t, err)
	c, _, _ := seats(t, db, "90210", lookup.Options{AsOf: day("2027-02-01")})
	want := c.Primary.GEOID

	at, unavailable, err := db.FamiliesAt(t.Context(), rec.Location, lookup.Options{Include: lookup.Include{CongressionalDistrict: true}, Plan: "cd120"})
	if err != nil || unavailable != nil || at.CongressionalDistrict.Current.Plan.ID != "cd120" {
		t.Errorf("around the point: %+v, without %v, %v", at.CongressionalDistrict, unavailable, err)
	}
	in, err := db.CodesIn(t.Context(), lookup.LayerCongressionalDistrict, want, lookup.CodesInOptions{Plan: "cd120"})
	check(t, err)
	if in.Area.Plan != "cd120" || !slices.ContainsFunc(in.Codes, func(s lookup.CodeShare) bool { return s.Code == "90210" }) {
		t.Errorf("codes of %s: plan %s, %d codes without 90210", want, in.Area.Plan, len(in.Codes))
	}
	for _, pair := range [][2]lookup.Layer{{"zip", "cd"}, {"cd", "zip"}, {"state", "cd"}} {
		found := pair[0] == "state"
		for row, err := range db.Crosswalk(context.Background(), pair[0], pair[1], lookup.CrosswalkOptions{AsOf: day("2027-02-01"), State: "CA"}) {
			check(t, err)
			if row.Plan != "cd120" {
				t.Fatalf("row %+v of another plan", row)
			}
			found = found || row.From == "90210" && row.To == want || row.To == "90210" && row.From == want
		}
		if !found {
			t.Errorf("crosswalk %v: 90210 is not in %s", pair, want)
		}
	}
}
