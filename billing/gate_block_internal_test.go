package billing

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// In a flood of invented keys from a blocked address, one is looked up at a time. A valid
// key of the address waits for those before it and is not refused. Keys in memory and
// those of other addresses do not wait.
func TestGateBlockedFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const callers, lookup = 1000, time.Millisecond
		const valid, away = "pg_live_valid0000000000000000000", "pg_live_away00000000000000000000"
		known := &holder{Key{ID: "key_1", Account: "acct_1", Kind: Live}, Account{Plan: Enterprise}}
		d := &slowDirectory{lookup: lookup, keys: map[keyHash]*holder{testPepper.hash(valid): known, testPepper.hash(away): known}}
		g, err := newGate(d, testPepper, newMemoryLimiter(time.Now, limitedKeys, limitedKeys), time.Now, "")
		if err != nil {
			t.Fatal(err)
		}
		enter := func(c Credentials) (code string, waited time.Duration) {
			began := time.Now()
			_, err := g.enter(t.Context(), c)
			code, _, _ = strings.Cut(outcome(err), " ")
			return code, time.Since(began)
		}
		for i := range blockAttempts {
			enter(Credentials{Key: fmt.Sprintf("%032d", i), Addr: home})
		}
		d.most.Store(0)
		ctx, cancel := context.WithCancel(t.Context())
		var flood sync.WaitGroup
		for c := range callers {
			flood.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					if got, _ := enter(Credentials{Key: fmt.Sprintf("%016d%016d", c, n), Addr: home}); got != "AUTH_IP_BLOCKED" {
						t.Errorf("an invented key: %s", got)
					}
				}
			})
		}
		synctest.Wait()
		if got, waited := enter(Credentials{Key: valid, Addr: home}); got != "ok" || waited > (callers+1)*lookup {
			t.Errorf("a valid key: %s after %v", got, waited)
		}
		if most := d.most.Load(); most != 1 {
			t.Errorf("%d lookups at a time; want 1", most)
		}
		if got, waited := enter(Credentials{Key: valid, Addr: home}); got != "ok" || waited > 0 {
			t.Errorf("a key in memory: %s after %v", got, waited)
		}
		if got, waited := enter(Credentials{Key: away, Addr: netip.MustParseAddr("198.51.100.7")}); got != "ok" || waited > lookup {
			t.Errorf("a key of another address: %s after %v", got, waited)
		}
		cancel()
		flood.Wait()
	})
}

// A slowDirectory takes time for a lookup and counts those at the same time.
type slowDirectory struct {
	keys      map[keyHash]*holder
	lookup    time.Duration
	now, most atomic.Int64
}

func (d *slowDirectory) findKey(_ context.Context, hash keyHash) (*holder, error) {
	if n := d.now.Add(1); n > d.most.Load() {
		d.most.Store(n)
	}
	time.Sleep(d.lookup)
	d.now.Add(-1)
	if h := d.keys[hash]; h != nil {
		return h, nil
	}
	return nil, ErrKeyNotFound
}

func (*slowDirectory) revision(context.Context) (int64, error) { return 0, nil }
