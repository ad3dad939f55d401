package suggest_test

import (
	"context"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// questions are what is asked in benchmarks, by the sort of question.
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
	{"include", "s", suggest.Options{Include: suggest.TypesOf(suggest.CBSA)}},
	{"limit-500", "s", suggest.Options{Limit: 500}},
}

// mostTimes is how many times a benchmark keeps.
const mostTimes = 1 << 16

// BenchmarkSuggest asks a national dataset.
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

// BenchmarkNew makes the engine, and tells what it keeps in memory beyond the
// dataset.
func BenchmarkNew(b *testing.B) {
	path := os.Getenv("POSTGEO_NATIONAL")
	if path == "" {
		b.Skip("set POSTGEO_NATIONAL to a national dataset to run this")
	}
	d, err := dataset.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	engine := suggest.New(d)
	runtime.GC()
	runtime.ReadMemStats(&after)
	for b.Loop() {
		suggest.New(d)
	}
	runtime.KeepAlive(engine)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1e6, "MB")
	b.ReportMetric(float64(d.Entities().Len()), "names")
}
