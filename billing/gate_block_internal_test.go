package billing

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A flood of invented keys from a blocked address costs at most a thousand
// lookups a second, and a valid key from the same address is never refused.
func TestGateBlockedFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const callers, seconds = 3000, 10
		holder := &holder{Key{ID: "key_1", Account: "acct_1", Kind: Live}, Account{Plan: Enterprise}}
		d := &mapDirectory{keys: directoryKeys{}}
		valid := make([]string, seconds)
		for i := range valid {
			valid[i] = fmt.Sprintf("pg_live_valid%019d", i)
			d.keys[testPepper.hash(valid[i])] = holder
		}
		g, err := newGate(d, testPepper, newMemoryLimiter(time.Now, limitedKeys, limitedKeys), time.Now, "")
		if err != nil {
			t.Fatal(err)
		}
		enter := func(key string) string {
			_, err := g.enter(t.Context(), Credentials{Key: key, Addr: home})
			code, _, _ := strings.Cut(outcome(err), " ")
			return code
		}
		for i := range blockAttempts {
			enter(fmt.Sprintf("%032d", i))
		}
		d.finds.Store(0)
		ctx, cancel := context.WithTimeout(t.Context(), seconds*time.Second)
		defer cancel()
		var wg sync.WaitGroup
		for c := range callers {
			wg.Go(func() {
				for n := 0; ctx.Err() == nil; n++ {
					if got := enter(fmt.Sprintf("%016d%016d", c, n)); got != "AUTH_IP_BLOCKED" {
						t.Errorf("an invented key: %s", got)
					}
				}
			})
		}
		for i, key := range valid {
			began := time.Now()
			if got := enter(key); got != "ok" {
				t.Errorf("valid key %d: %s", i, got)
			}
			if waited := time.Since(began); waited > time.Second {
				t.Errorf("valid key %d waited %v", i, waited)
			}
			before := time.Now()
			d.at.Add(1) // an account changed: the key is looked up again, but not in the line
			time.Sleep(time.Until(before.Add(time.Second)))
			before = time.Now()
			if got := enter(key); got != "ok" || time.Since(before) > 0 {
				t.Errorf("valid key %d again: %s after %v", i, got, time.Since(before))
			}
		}
		wg.Wait()
		// The line holds a thousand; everybody else works after a second.
		if most := int64((seconds + 1) * (1000 + callers)); d.finds.Load() > most {
			t.Errorf("%d lookups in %d s; want at most %d", d.finds.Load(), seconds, most)
		}
	})
}

type directoryKeys = map[keyHash]*holder

// A mapDirectory counts its lookups.
type mapDirectory struct {
	keys  directoryKeys
	finds atomic.Int64
	at    atomic.Int64
}

func (d *mapDirectory) findKey(_ context.Context, hash keyHash) (*holder, error) {
	d.finds.Add(1)
	if h := d.keys[hash]; h != nil {
		return h, nil
	}
	return nil, ErrKeyNotFound
}

func (d *mapDirectory) revision(context.Context) (int64, error) { return d.at.Load(), nil }
