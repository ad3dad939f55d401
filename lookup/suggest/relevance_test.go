package suggest_test

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
)

//go:embed testdata/relevance.tsv
var relevanceText string

// half is a half of the set.
type half uint8

// The halves of the set.
const (
	dev  half = iota + 1 // for working on a ranking
	test                 // for judging it
)

// String returns "dev" or "test", or "" for any other value.
func (h half) String() string {
	switch h {
	case dev:
		return "dev"
	case test:
		return "test"
	default:
		return ""
	}
}

// A relevanceCase is a query with the expected suggestions.
type relevanceCase struct {
	Line       int               // in testdata/relevance.tsv
	Category   string            // e.g. "typo"
	Query      string            // as typed, including spaces around it
	Parameters map[string]string // state, country, include, proximity
	Expected   []expectation     // any of them is correct
	Note       string            // why the case was corrected; "" as first written
}

// An expectation identifies a suggestion.
type expectation struct {
	Type  string // zip, place, county, cbsa, fsa, state, school_district, ca_postal or uspscity
	Name  string // of places, counties, cities and districts
	State string // two letters; for states and provinces the other fields are empty
	Code  string // of ZIPs, FSAs, postal codes and CBSAs; in a case a final * matches the rest
}

// loadRelevance returns the cases in their order.
func loadRelevance() ([]relevanceCase, error) { return parseRelevance(relevanceText) }

func parseRelevance(text string) ([]relevanceCase, error) {
	const fields = 5
	var cases []relevanceCase
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != fields {
			return nil, fmt.Errorf("relevance: line %d has %d fields, expected %d", i+1, len(f), fields)
		}
		if i == 0 {
			continue // the header
		}
		c := relevanceCase{Line: i + 1, Category: f[0], Query: f[1], Parameters: map[string]string{}, Note: f[4]}
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

// Half returns the half of the case. Cases about places of the same name are in
// the same half.
func (c *relevanceCase) Half() half {
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
	return half(h.Sum32()>>7&1) + dev
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

// A suggester returns the suggestions for a case, best first.
type suggester func(c *relevanceCase) ([]expectation, error)

// Figures are the scores of a number of cases.
type Figures struct {
	Cases  int
	MRR    float64 // mean of 1/rank of the first correct suggestion, 0 beyond the tenth
	HitAt1 float64 // share of cases with a correct suggestion at rank 1
	HitAt5 float64 // share of cases with a correct suggestion at rank 1 to 5
	Errors int     // failures of the engine; they count as misses
}

// A miss is a case whose first suggestion is not correct.
type miss struct {
	Case relevanceCase
	Rank int           // of the first correct suggestion; 0 beyond the tenth
	Got  []expectation // at most the first ten
	Err  error         // of the engine
}

// A report is the outcome of scoreRelevance.
type report struct {
	Categories []CategoryFigures // in the order of the set
	Macro      Figures           // means over the categories; Cases and Errors are sums
	Misses     []miss            // worst first: not found, then by rank; in the order of the set
}

// CategoryFigures are the scores of one category.
type CategoryFigures struct {
	Category string
	Figures
}

// scoreRelevance runs the engine on every case and returns its figures.
func scoreRelevance(cases []relevanceCase, engine suggester) report {
	var r report
	at := map[string]int{}
	for i := range cases {
		c := &cases[i]
		j, ok := at[c.Category]
		if !ok {
			j = len(r.Categories)
			at[c.Category] = j
			r.Categories = append(r.Categories, CategoryFigures{Category: c.Category})
		}
		got, err := engine(c)
		got = got[:min(len(got), depth)]
		rank := 1 + slices.IndexFunc(got, c.Accepts)
		r.Categories[j].add(rank, err)
		if rank != 1 {
			r.Misses = append(r.Misses, miss{Case: *c, Rank: rank, Got: got, Err: err})
		}
	}
	for i := range r.Categories {
		f := &r.Categories[i].Figures
		n := float64(f.Cases)
		f.MRR, f.HitAt1, f.HitAt5 = f.MRR/n, f.HitAt1/n, f.HitAt5/n
		of := float64(len(r.Categories))
		r.Macro.Cases += f.Cases
		r.Macro.Errors += f.Errors
		r.Macro.MRR += f.MRR / of
		r.Macro.HitAt1 += f.HitAt1 / of
		r.Macro.HitAt5 += f.HitAt5 / of
	}
	slices.SortStableFunc(r.Misses, func(a, b miss) int { return badness(b.Rank) - badness(a.Rank) })
	return r
}

func badness(rank int) int {
	if rank == 0 {
		return depth + 1
	}
	return rank
}

// add counts a case. The figures are sums until all cases are counted.
func (f *Figures) add(rank int, err error) {
	f.Cases++
	if err != nil {
		f.Errors++
		return
	}
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

// String returns the figures as a Markdown table, followed by the ten worst
// misses.
func (r report) String() string { return r.Table(depth) }

// Table returns the figures as a Markdown table, followed by at most misses of the
// worst misses.
func (r report) Table(misses int) string {
	var b strings.Builder
	b.WriteString("| category | cases | MRR@10 | hit@1 | hit@5 |\n|---|---|---|---|---|\n")
	row := func(name string, f Figures) {
		fmt.Fprintf(&b, "| %s | %d | %.3f | %.3f | %.3f |\n", name, f.Cases, f.MRR, f.HitAt1, f.HitAt5)
	}
	for _, c := range r.Categories {
		row(c.Category, c.Figures)
	}
	row("macro", r.Macro)
	for _, m := range r.Misses[:min(misses, len(r.Misses))] {
		fmt.Fprintf(&b, "\n%s %q %v: rank %d, expected %v, got %v", m.Case.Category, m.Case.Query, m.Case.Parameters, m.Rank, m.Case.Expected, m.Got[:min(3, len(m.Got))])
		if m.Err != nil {
			fmt.Fprintf(&b, " (%v)", m.Err)
		}
	}
	return b.String()
}
