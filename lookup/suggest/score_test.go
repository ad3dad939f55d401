package suggest_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// national opens the dataset in the environment variable; see docs/suggest.md.
func national(tb testing.TB) *suggest.Engine {
	tb.Helper()
	const variable = "POSTGEO_NATIONAL"
	path := os.Getenv(variable)
	if path == "" {
		tb.Skipf("set %s to a national dataset with populations to run this", variable)
	}
	d := lookuptest.OpenFile(tb, path)
	return suggest.NewEngine(d)
}

// suggested returns the suggestions for a case, best first.
func suggested(e *suggest.Engine, c *relevanceCase) ([]expectation, error) {
	types, err := suggest.ParseTypes([]string{c.Parameters["include"]})
	if err != nil {
		return nil, err
	}
	r, err := e.Suggest(context.Background(), c.Query, suggest.Options{
		Include: types, State: c.Parameters["state"], Country: c.Parameters["country"], Proximity: c.Parameters["proximity"],
	})
	if err != nil {
		return nil, err
	}
	var answers []expectation
	for _, m := range r.Matches {
		a := expectation{Type: string(m.Type), Name: m.Name, State: m.State + m.Province}
		switch m.Type {
		case suggest.ZIP, suggest.FSA, suggest.Postal:
			a.Code = m.Name
		case suggest.CBSA:
			a.Code = m.CBSACode
		}
		answers = append(answers, a)
	}
	return answers, nil
}

// TestRelevance scores both halves of the relevance set on a national dataset.
func TestRelevance(t *testing.T) {
	e := national(t)
	cases, err := loadRelevance()
	check(t, err)
	for _, half := range []string{"dev", "test"} {
		t.Run(half, func(t *testing.T) {
			some := slices.DeleteFunc(slices.Clone(cases), func(c relevanceCase) bool { return c.Half() != half })
			categories, mean := scoreRelevance(t, some, e)
			table := scoretest.Table{Title: half, Columns: []string{"category", ">cases", ">MRR@10", ">first", ">in the first five"}}
			for _, c := range append(categories, mean) {
				table.Rows = append(table.Rows, []any{strings.ReplaceAll(c.Category, "_", " "), c.Cases, fmt.Sprintf("%.3f", c.MRR), fmt.Sprintf("%.3f", c.HitAt1), fmt.Sprintf("%.3f", c.HitAt5)})
			}
			scoretest.Hold(t, "suggest", table)
			const mrr, hit1, hit5 = 0.98, 0.98, 0.985
			if mean.MRR < mrr || mean.HitAt1 < hit1 || mean.HitAt5 < hit5 {
				t.Errorf("MRR %.3f, hit@1 %.3f, hit@5 %.3f; want at least %g, %g, %g", mean.MRR, mean.HitAt1, mean.HitAt5, mrr, hit1, hit5)
			}
			for _, c := range categories {
				if c.Category == "prefix" && c.MRR < 0.97 || c.Category == "typo" && c.HitAt5 < 0.98 {
					t.Errorf("%s: MRR %.3f, hit@5 %.3f; want at least 0.97 for prefixes and 0.98 for typos", c.Category, c.MRR, c.HitAt5)
				}
			}
		})
	}
}

// questions are the queries of benchmarks, by kind.
var questions = []struct {
	name  string
	query string
	o     suggest.Options
}{
	{"1", "s", suggest.Options{}},
	{"2", "sa", suggest.Options{}},
	{"3", "san", suggest.Options{}},
	{"4", "spri", suggest.Options{}},
	{"5", "portl", suggest.Options{}},
	{"8", "philadel", suggest.Options{}},
	{"words", "new york ny", suggest.Options{}},
	{"zip", "902", suggest.Options{}},
	{"postal", "k1a", suggest.Options{}},
	{"typo", "pheonix", suggest.Options{}},
	{"typo-long", "philedelphia", suggest.Options{}},
	{"typos", "chigaco", suggest.Options{}},
	{"state", "san", suggest.Options{State: "TX"}},
	{"state-1", "s", suggest.Options{State: "WY"}},
	{"proximity", "spri", suggest.Options{Proximity: "39.8,-89.6"}},
	{"proximity-1", "s", suggest.Options{Proximity: "39.8,-89.6"}},
	{"include", "s", suggest.Options{Include: []suggest.Type{suggest.CBSA}}},
	{"zip-proximity", "9", suggest.Options{Proximity: "39.8,-89.6"}},
	{"limit-500", "s", suggest.Options{Limit: 500}},
}

// mostTimes is how many times a benchmark keeps.
const mostTimes = 1 << 16

// BenchmarkSuggest uses a national dataset.
func BenchmarkSuggest(b *testing.B) {
	e := national(b)
	for _, q := range questions {
		b.Run(q.name, func(b *testing.B) {
			ctx := context.Background()
			var times []time.Duration
			b.ReportAllocs()
			for b.Loop() {
				start := time.Now()
				if _, err := e.Suggest(ctx, q.query, q.o); err != nil {
					b.Fatal(err)
				}
				if len(times) < mostTimes {
					times = append(times, time.Since(start))
				}
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "p50-ns")
			b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds()), "p99-ns")
		})
	}
}
