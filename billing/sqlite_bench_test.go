package billing_test

import (
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// A request reserves and settles, durably. ops/s are requests a second.
func BenchmarkRequest(b *testing.B) {
	for _, callers := range []int{1, 16, 64, 256, 1024} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			s := open(b, filepath.Join(b.TempDir(), "accounts.db"), time.Now)
			for i := range 4 {
				id := fmt.Sprint("a", i)
				enterAccount(b, s, id, billing.Business)
				if _, _, err := s.Grant(b.Context(), billing.Grant{Account: id, Source: billing.PackCredits, Reference: "1", Amount: 1 << 40, Granted: time.Now()}); err != nil {
					b.Fatal(err)
				}
			}
			var next atomic.Int64
			var wg sync.WaitGroup
			b.ResetTimer()
			b.ReportAllocs()
			for range callers {
				wg.Go(func() {
					for {
						n := next.Add(1)
						if n > int64(b.N) {
							return
						}
						id := fmt.Sprintf("01%024d", n)
						if _, err := s.Reserve(b.Context(), billing.Hold{ID: id, Account: fmt.Sprint("a", n%4), Credits: 3}); err != nil {
							b.Error(err)
							return
						}
						if _, err := s.Settle(b.Context(), id, 2); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}
