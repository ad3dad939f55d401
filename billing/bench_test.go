package billing_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// A request reserves and settles, durably, a brief one in one transaction.
func BenchmarkRequest(b *testing.B) {
	for _, kind := range slices.Sorted(maps.Keys(databases)) {
		b.Run(kind, func(b *testing.B) {
			empty := databases[kind](b, "fsync=on")
			for _, accounts := range []int{1, 4} {
				for _, callers := range []int{1, 16, 64, 256} {
					for _, brief := range []bool{false, true} {
						b.Run(fmt.Sprintf("accounts=%d/callers=%d/brief=%v", accounts, callers, brief), func(b *testing.B) {
							requests(b, empty()(b, time.Now), accounts, callers, brief)
						})
					}
				}
			}
		})
	}
}

func requests(b *testing.B, s *billing.Store, accounts, callers int, brief bool) {
	for i := range accounts {
		id := fmt.Sprint("a", i)
		enterAccount(b, s, id, billing.Business)
		grantPack(b, s, id, "1", 1<<40)
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	b.ReportAllocs()
	for range callers {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				h := billing.Hold{ID: fmt.Sprintf("01%024d", n), Account: fmt.Sprint("a", int(n)%accounts), Credits: 3, Brief: brief}
				_, err := s.Reserve(b.Context(), h)
				if err == nil {
					_, err = s.Settle(b.Context(), h, 2)
				}
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
}
