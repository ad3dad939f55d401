package suggest_test

import (
	"context"
	"slices"
	"testing"
	"time"

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
