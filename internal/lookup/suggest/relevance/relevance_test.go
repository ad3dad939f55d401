package relevance_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/lookup/suggest/relevance"
)

func load(t *testing.T) []relevance.Case {
	t.Helper()
	cases, err := relevance.Load()
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
	halves := map[string]map[relevance.Half]int{}
	seen := map[string]int{}
	for _, c := range cases {
		if halves[c.Category] == nil {
			halves[c.Category] = map[relevance.Half]int{}
		}
		halves[c.Category][c.Half()]++
		key := fmt.Sprint(c.Query, c.Parameters)
		if seen[key] > 0 {
			t.Errorf("lines %d and %d ask the same: %q", seen[key], c.Line, c.Query)
		}
		seen[key] = c.Line
	}
	for category, n := range halves {
		if n[relevance.Dev] < 4 || n[relevance.Test] < 4 {
			t.Errorf("%s: %d cases in dev and %d in test; want at least 4 in each", category, n[relevance.Dev], n[relevance.Test])
		}
	}
}

func TestPlacesOfOneNameShareAHalf(t *testing.T) {
	half := map[string]relevance.Half{}
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
	find := func(query string) relevance.Case {
		t.Helper()
		cases := load(t)
		i := slices.IndexFunc(cases, func(c relevance.Case) bool { return c.Query == query })
		if i < 0 {
			t.Fatalf("no case %q", query)
		}
		return cases[i]
	}
	tests := []struct {
		query string
		got   relevance.Answer
		want  bool
	}{
		{"saint louis", relevance.Answer{Type: "uspscity", Name: "Saint Louis", State: "MO"}, true},
		{"saint louis", relevance.Answer{Type: "place", Name: "St. Louis", State: "MI"}, false},
		{"saint louis", relevance.Answer{Type: "county", Name: "St. Louis", State: "MO"}, false},
		{"montreal", relevance.Answer{Type: "place", Name: "Montréal", State: "QC"}, true},
		{"902", relevance.Answer{Type: "zip", Code: "90210", State: "CA"}, true},
		{"902", relevance.Answer{Type: "zip", Code: "91210", State: "CA"}, false},
		{"california", relevance.Answer{Type: "state", Name: "California", State: "CA"}, true},
		{"california", relevance.Answer{Type: "place", Name: "California", State: "PA"}, false},
	}
	for _, tt := range tests {
		c := find(tt.query)
		if got := c.Accepts(tt.got); got != tt.want {
			t.Errorf("%q accepts %v: %t; want %t", tt.query, tt.got, got, tt.want)
		}
	}
}

func TestScore(t *testing.T) {
	right := relevance.Answer{Type: "zip", Code: "1"}
	wrong := relevance.Answer{Type: "zip", Code: "2"}
	cases := []relevance.Case{
		{Category: "a", Query: "1", Expected: []relevance.Answer{right}},
		{Category: "a", Query: "2", Expected: []relevance.Answer{right}},
		{Category: "b", Query: "3", Expected: []relevance.Answer{right}},
		{Category: "b", Query: "4", Expected: []relevance.Answer{right}},
		{Category: "b", Query: "5", Expected: []relevance.Answer{right}},
	}
	answers := map[string][]relevance.Answer{
		"1": {right}, "2": {wrong, right}, "3": append(slices.Repeat([]relevance.Answer{wrong}, 7), right), "4": {wrong},
	}
	r := relevance.Score(cases, func(c *relevance.Case) ([]relevance.Answer, error) {
		if c.Query == "5" {
			return nil, errors.New("broken")
		}
		return answers[c.Query], nil
	})
	want := []relevance.CategoryFigures{
		{Category: "a", Figures: relevance.Figures{Cases: 2, MRR: 0.75, HitAt1: 0.5, HitAt5: 1}},
		{Category: "b", Figures: relevance.Figures{Cases: 3, MRR: 0.125 / 3, Errors: 1}},
	}
	if diff := cmp.Diff(want, r.Categories); diff != "" {
		t.Errorf("categories (-want +got):\n%s", diff)
	}
	macro := relevance.Figures{Cases: 5, MRR: (0.75 + 0.125/3) / 2, HitAt1: 0.25, HitAt5: 0.5, Errors: 1}
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
