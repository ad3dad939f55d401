package address_test

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
)

// BenchmarkMatch matches the cases, all of them and by category; p50 and p99 are
// of single matches.
func BenchmarkMatch(b *testing.B) {
	cases := truthLines[matchCase](b, "match_cases.jsonl.gz")
	m := truthFixture(b).engine(b)
	for _, category := range []string{"all", "clean", "no_zip", "typo1", "typo2", "typo1_nozip", "fake_street", "po_box"} {
		list := slices.DeleteFunc(slices.Clone(cases), func(c matchCase) bool { return category != "all" && c.Category != category })
		b.Run(category, func(b *testing.B) { benchmarkMatches(b, m, list) })
	}
}

func benchmarkMatches(b *testing.B, m *address.Engine, list []matchCase) {
	took := make([]time.Duration, 0, 1<<17)
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		began := time.Now()
		_, err := m.Match(b.Context(), list[i%len(list)].Text, address.Options{})
		if len(took) < cap(took) {
			took = append(took, time.Since(began))
		}
		if none := (*envelope.Failure)(nil); err != nil && !errors.As(err, &none) {
			b.Fatal(err)
		}
		i++
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "p50-us")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "p99-us")
}

// BenchmarkMatchParallel matches the cases on all cores at once.
func BenchmarkMatchParallel(b *testing.B) {
	cases := truthLines[matchCase](b, "match_cases.jsonl.gz")
	m := truthFixture(b).engine(b)
	var next atomic.Int64
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			_, err := m.Match(b.Context(), cases[int(next.Add(1))%len(cases)].Text, address.Options{})
			if none := (*envelope.Failure)(nil); err != nil && !errors.As(err, &none) {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "matches/s")
}
