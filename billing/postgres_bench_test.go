//go:build unix

package billing_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
)

// A pgRequest reserves and settles, durably.
func BenchmarkPostgres(b *testing.B) {
	server := pgserver.Start(b)
	for _, accounts := range []int{1, 16} {
		for _, callers := range []int{1, 16, 64, 256} {
			b.Run(fmt.Sprintf("accounts=%d/callers=%d", accounts, callers), func(b *testing.B) {
				s := openPG(b, server.Address(), billing.Options{Schema: fmt.Sprintf("s%d_%d_%d", accounts, callers, time.Now().UnixNano())})
				for i := range accounts {
					id := fmt.Sprint("a", i)
					enterAccount(b, s, id, billing.Business)
					if _, _, err := s.Grant(b.Context(), billing.Grant{Account: id, Source: billing.PackCredits, Reference: "1", Amount: 1 << 40, Granted: time.Now()}); err != nil {
						b.Fatal(err)
					}
				}
				var next atomic.Int64
				var wg sync.WaitGroup
				b.ResetTimer()
				for range callers {
					wg.Go(func() {
						for {
							n := next.Add(1)
							if n > int64(b.N) {
								return
							}
							id := fmt.Sprintf("01%024d", n)
							if _, err := s.Reserve(b.Context(), billing.Hold{ID: id, Account: fmt.Sprint("a", int(n)%accounts), Credits: 3}); err != nil {
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
}
