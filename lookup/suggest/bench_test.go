package suggest_test

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup/suggest"
)

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

// BenchmarkSlowest runs every query of the relevance set, their beginnings, and
// hostile queries. The options are expensive. It reports the longest time, as
// the minimum of several attempts.
func BenchmarkSlowest(b *testing.B) {
	const tries = 7
	e := national(b)
	cases, err := loadRelevance()
	if err != nil {
		b.Fatal(err)
	}
	queries := map[string]bool{
		strings.Repeat("a ", 100): true, strings.Repeat("s", 200): true, strings.Repeat("saint ", 33): true, strings.Repeat("ca ", 66): true,
		strings.Repeat("é", 200): true, "north south east west new saint": true, "lake lake lake lake": true, "of of of": true, "s s s s s s": true,
		"school district county city": true, "district school": true, "\"*\" OR 1=1": true, strings.Repeat("ab", 20): true, "county county coun": true,
	}
	for _, c := range cases {
		for i := range c.Query {
			queries[c.Query[:i+1]] = true
		}
	}
	types := []suggest.Type{suggest.ZIP, suggest.Place, suggest.County, suggest.CBSA, suggest.FSA, suggest.State, suggest.SchoolDistrict, suggest.Postal, suggest.City}
	options := []suggest.Options{
		{},
		{Limit: suggest.MaxLimit},
		{Proximity: "39.8,-89.6"},
		{Proximity: "39.8,-89.6", Limit: suggest.MaxLimit},
		{Proximity: "CA"},
		{State: "CA"},
		{Country: "US"},
		{Country: "US", Limit: suggest.MaxLimit, Proximity: "40.7,-74"},
		{State: "ON", Limit: suggest.MaxLimit},
	}
	for _, t := range types {
		options = append(options, suggest.Options{Include: []suggest.Type{t}}, suggest.Options{Include: []suggest.Type{t}, Proximity: "40.7,-74", Limit: suggest.MaxLimit})
	}
	for b.Loop() {
		longest, which := time.Duration(0), ""
		for q := range queries {
			if strings.TrimSpace(q) == "" {
				continue
			}
			for _, o := range options {
				best := time.Hour
				for range tries {
					start := time.Now()
					if _, err := e.Suggest(b.Context(), q, o); err != nil {
						b.Fatal(err)
					}
					if best = min(best, time.Since(start)); best < longest {
						break
					}
				}
				if best > longest {
					longest, which = best, fmt.Sprintf("%q %+v", q, o)
				}
			}
		}
		b.Logf("slowest: %s", which)
		b.ReportMetric(float64(longest.Nanoseconds()), "slowest-ns")
	}
}

// BenchmarkNew builds the engine, and reports its memory beyond the dataset.
func BenchmarkNew(b *testing.B) {
	path := os.Getenv("POSTGEO_NATIONAL")
	if path == "" {
		b.Skip("set POSTGEO_NATIONAL to a national dataset to run this")
	}
	d, err := sqlite.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	engine := suggest.NewEngine(d)
	runtime.GC()
	runtime.ReadMemStats(&after)
	for b.Loop() {
		suggest.NewEngine(d)
	}
	runtime.KeepAlive(engine)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB")
	b.ReportMetric(float64(d.Entities().Len()), "names")
}
