package suggest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func load(t *testing.T) []relevanceCase {
	t.Helper()
	cases, err := loadRelevance()
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func TestSetIsLargeAndDivided(t *testing.T) {
	cases := load(t)
	if len(cases) < 400 {
		t.Errorf("%d cases; want at least 400", len(cases))
	}
	halves := map[string]map[half]int{}
	seen := map[string]int{}
	for _, c := range cases {
		if halves[c.Category] == nil {
			halves[c.Category] = map[half]int{}
		}
		halves[c.Category][c.Half()]++
		key := fmt.Sprint(c.Query, c.Parameters)
		if seen[key] > 0 {
			t.Errorf("lines %d and %d have the same query: %q", seen[key], c.Line, c.Query)
		}
		seen[key] = c.Line
	}
	for category, n := range halves {
		if n[dev] < 4 || n[test] < 4 {
			t.Errorf("%s: %d cases in dev and %d in test; want at least 4 in each", category, n[dev], n[test])
		}
	}
}

func TestPlacesOfOneNameShareAHalf(t *testing.T) {
	half := map[string]half{}
	for _, c := range load(t) {
		a := c.Expected[0]
		if a.Type != "place" && a.Type != "uspscity" {
			continue
		}
		if h, ok := half[a.Name]; ok && h != c.Half() {
			t.Errorf("line %d: %s is in both halves", c.Line, a.Name)
		}
		half[a.Name] = c.Half()
	}
}

func TestAccepts(t *testing.T) {
	find := func(query string) relevanceCase {
		t.Helper()
		cases := load(t)
		i := slices.IndexFunc(cases, func(c relevanceCase) bool { return c.Query == query })
		if i < 0 {
			t.Fatalf("no case %q", query)
		}
		return cases[i]
	}
	tests := []struct {
		query string
		got   expectation
		want  bool
	}{
		{"saint louis", expectation{Type: "uspscity", Name: "Saint Louis", State: "MO"}, true},
		{"saint louis", expectation{Type: "place", Name: "St. Louis", State: "MI"}, false},
		{"saint louis", expectation{Type: "county", Name: "St. Louis", State: "MO"}, false},
		{"montreal", expectation{Type: "place", Name: "Montréal", State: "QC"}, true},
		{"902", expectation{Type: "zip", Code: "90210", State: "CA"}, true},
		{"902", expectation{Type: "zip", Code: "91210", State: "CA"}, false},
		{"california", expectation{Type: "state", Name: "California", State: "CA"}, true},
		{"california", expectation{Type: "place", Name: "California", State: "PA"}, false},
	}
	for _, tt := range tests {
		c := find(tt.query)
		if got := c.Accepts(tt.got); got != tt.want {
			t.Errorf("%q accepts %v: %t; want %t", tt.query, tt.got, got, tt.want)
		}
	}
}

func TestScore(t *testing.T) {
	right := expectation{Type: "zip", Code: "1"}
	wrong := expectation{Type: "zip", Code: "2"}
	cases := []relevanceCase{
		{Category: "a", Query: "1", Expected: []expectation{right}},
		{Category: "a", Query: "2", Expected: []expectation{right}},
		{Category: "b", Query: "3", Expected: []expectation{right}},
		{Category: "b", Query: "4", Expected: []expectation{right}},
		{Category: "b", Query: "5", Expected: []expectation{right}},
	}
	answers := map[string][]expectation{
		"1": {right}, "2": {wrong, right}, "3": append(slices.Repeat([]expectation{wrong}, 7), right), "4": {wrong},
	}
	r := scoreRelevance(cases, func(c *relevanceCase) ([]expectation, error) {
		if c.Query == "5" {
			return nil, errors.New("broken")
		}
		return answers[c.Query], nil
	})
	want := []CategoryFigures{
		{Category: "a", Figures: Figures{Cases: 2, MRR: 0.75, HitAt1: 0.5, HitAt5: 1}},
		{Category: "b", Figures: Figures{Cases: 3, MRR: 0.125 / 3, Errors: 1}},
	}
	if diff := cmp.Diff(want, r.Categories); diff != "" {
		t.Errorf("categories (-want +got):\n%s", diff)
	}
	macro := Figures{Cases: 5, MRR: (0.75 + 0.125/3) / 2, HitAt1: 0.25, HitAt5: 0.5, Errors: 1}
	if diff := cmp.Diff(macro, r.Macro); diff != "" {
		t.Errorf("macro (-want +got):\n%s", diff)
	}
	var order []string
	for _, m := range r.Misses {
		order = append(order, m.Case.Query)
	}
	if diff := cmp.Diff([]string{"4", "5", "3", "2"}, order); diff != "" {
		t.Errorf("misses (-want +got):\n%s", diff)
	}
	if s := r.String(); !strings.Contains(s, "| a | 2 | 0.750 | 0.500 | 1.000 |") || !strings.Contains(s, "broken") {
		t.Errorf("table:\n%s", s)
	}
}
