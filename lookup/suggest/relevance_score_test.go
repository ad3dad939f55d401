package suggest_test

import (
	"fmt"
	"slices"
	"strings"
)

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
