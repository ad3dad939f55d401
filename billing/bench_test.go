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

// A request reserves and settles, durably.
func BenchmarkRequest(b *testing.B) {
	for _, kind := range slices.Sorted(maps.Keys(databases)) {
		b.Run(kind, func(b *testing.B) {
			empty := databases[kind](b, "fsync=on")
			for _, accounts := range []int{1, 4} {
				for _, callers := range []int{1, 16, 64, 256} {
					b.Run(fmt.Sprintf("accounts=%d/callers=%d", accounts, callers), func(b *testing.B) {
						requests(b, empty()(b, time.Now), accounts, callers)
					})
				}
			}
		})
	}
}

func requests(b *testing.B, s *billing.Store, accounts, callers int) {
	for i := range accounts {
		id := fmt.Sprint("a", i)
		enterAccount(b, s, id, billing.Business)
		if _, _, err := s.Grant(b.Context(), billing.Grant{Account: id, Source: billing.PackCredits, Reference: "1", Amount: 1 << 40}); err != nil {
			b.Fatal(err)
		}
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	b.ReportAllocs()
	for range callers {
		wg.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				id := fmt.Sprintf("01%024d", n)
				_, err := s.Reserve(b.Context(), billing.Hold{ID: id, Account: fmt.Sprint("a", int(n)%accounts), Credits: 3})
				if err == nil {
					_, err = s.Settle(b.Context(), id, 2)
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
