package suggest_test

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/postgeo/postgeo/lookup/suggest"
)

//go:embed testdata/relevance.tsv
var relevanceText string

// A relevanceCase is a query with the expected suggestions.
type relevanceCase struct {
	Category   string            // e.g. "typo"
	Query      string            // as typed, including spaces around it
	Parameters map[string]string // state, country, include, proximity
	Expected   []expectation     // any of them is correct
}

// An expectation identifies a suggestion.
type expectation struct {
	Type  string // zip, place, county, cbsa, fsa, state, school_district, ca_postal or uspscity
	Name  string // of places, counties, cities and districts
	State string // two letters; for states and provinces the other fields are empty
	Code  string // of ZIPs, FSAs, postal codes and CBSAs; in a case a final * matches the rest
}

// loadRelevance returns the cases in their order.
func loadRelevance() ([]relevanceCase, error) {
	const fields = 5
	var cases []relevanceCase
	for i, line := range strings.Split(strings.TrimSuffix(relevanceText, "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != fields {
			return nil, fmt.Errorf("relevance: line %d has %d fields, expected %d", i+1, len(f), fields)
		}
		if i == 0 {
			continue // the header
		}
		c := relevanceCase{Category: f[0], Query: f[1], Parameters: map[string]string{}} // f[4] is why the case was corrected
		for _, p := range strings.Fields(f[2]) {
			key, value, ok := strings.Cut(p, "=")
			if !ok {
				return nil, fmt.Errorf("relevance: line %d: parameter %q, expected key=value", i+1, p)
			}
			c.Parameters[key] = value
		}
		for _, e := range strings.Split(f[3], "|") {
			a, err := parseExpectation(e)
			if err != nil {
				return nil, fmt.Errorf("relevance: line %d: %w", i+1, err)
			}
			c.Expected = append(c.Expected, a)
		}
		cases = append(cases, c)
	}
	return cases, nil
}

func parseExpectation(s string) (expectation, error) {
	kind, rest, ok := strings.Cut(s, ":")
	if !ok || rest == "" {
		return expectation{}, fmt.Errorf("result %q, expected type:name,ST or type:code", s)
	}
	a := expectation{Type: kind}
	switch kind {
	case "state":
		a.State = rest
	case "zip", "fsa", "ca_postal", "cbsa":
		a.Code = rest
	case "place", "uspscity", "county", "school_district":
		comma := strings.LastIndexByte(rest, ',')
		if comma < 1 {
			return expectation{}, fmt.Errorf("result %q, expected type:name,ST", s)
		}
		a.Name, a.State = rest[:comma], rest[comma+1:]
	default:
		return expectation{}, fmt.Errorf("result %q has an unknown type", s)
	}
	return a, nil
}

// Half returns the half of the case: "dev" for working on a ranking or "test" for judging it.
// Cases about places of the same name are in the same half.
func (c *relevanceCase) Half() string {
	a := c.Expected[0]
	key := fold(a.Name)
	switch {
	case a.Type == "county":
		key = strings.TrimSuffix(strings.TrimSuffix(key, "county"), "parish")
	case a.Type == "state":
		key = "state " + a.State
	case key == "":
		key = a.Code
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(key)) // never fails
	return []string{"dev", "test"}[h.Sum32()>>7&1]
}

// Accepts reports whether a suggestion is expected. It does not distinguish places
// from postal cities.
func (c *relevanceCase) Accepts(got expectation) bool {
	for _, want := range c.Expected {
		if sameType(want.Type, got.Type) && sameCode(want.Code, got.Code) &&
			(want.State == "" || want.State == got.State) && (want.Name == "" || fold(want.Name) == fold(got.Name)) {
			return true
		}
	}
	return false
}

func sameType(want, got string) bool {
	isCity := func(t string) bool { return t == "place" || t == "uspscity" }
	return want == got || isCity(want) && isCity(got)
}

func sameCode(want, got string) bool {
	if prefix, ok := strings.CutSuffix(want, "*"); ok {
		return strings.HasPrefix(got, prefix)
	}
	return want == "" || want == got
}

// accents maps the letters with accents of the names in cases to plain ones.
var accents = strings.NewReplacer("é", "e", "è", "e", "É", "e", "ô", "o", "ñ", "n", "ü", "u", "saint ", "st ")

// fold returns the name's letters and digits in lower case without accents. It is
// deliberately independent of the engine's normalization.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, accents.Replace(strings.ToLower(name)))
}

// depth is the number of suggestions that count.
const depth = 10

// Figures are the scores of the cases of a category.
type Figures struct {
	Category string
	Cases    int
	MRR      float64 // mean of 1/rank of the first correct suggestion, 0 beyond the tenth
	HitAt1   float64 // share of cases with a correct suggestion at rank 1
	HitAt5   float64 // share of cases with a correct suggestion at rank 1 to 5
}

// add counts a case by the rank of its first correct suggestion, 0 for none.
func (f *Figures) add(rank int) {
	f.Cases++
	if rank > 0 {
		f.MRR += 1 / float64(rank)
	}
	if rank == 1 {
		f.HitAt1++
	}
	if rank >= 1 && rank <= 5 {
		f.HitAt5++
	}
}

// scoreRelevance returns the figures of the cases by category, and of their means. It logs
// every case whose first suggestion is wrong.
func scoreRelevance(t *testing.T, cases []relevanceCase, e *suggest.Engine) (list []Figures, macro Figures) {
	t.Helper()
	for i := range cases {
		c := &cases[i]
		at := slices.IndexFunc(list, func(f Figures) bool { return f.Category == c.Category })
		if at < 0 {
			at, list = len(list), append(list, Figures{Category: c.Category})
		}
		got, err := suggested(e, c)
		if err != nil {
			t.Errorf("%s %q %v: %v", c.Category, c.Query, c.Parameters, err)
		}
		got = got[:min(len(got), depth)]
		rank := 1 + slices.IndexFunc(got, c.Accepts)
		if list[at].add(rank); rank != 1 {
			t.Logf("%s %q %v: rank %d, expected %v, got %v", c.Category, c.Query, c.Parameters, rank, c.Expected, got[:min(3, len(got))])
		}
	}
	macro.Category = "mean of the categories"
	for i := range list {
		f, of := &list[i], float64(len(list))
		n := float64(f.Cases)
		f.MRR, f.HitAt1, f.HitAt5 = f.MRR/n, f.HitAt1/n, f.HitAt5/n
		macro.Cases += f.Cases
		macro.MRR += f.MRR / of
		macro.HitAt1 += f.HitAt1 / of
		macro.HitAt5 += f.HitAt5 / of
	}
	return list, macro
}
