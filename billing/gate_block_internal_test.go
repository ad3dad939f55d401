package billing

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Twenty invalid keys block an address for requests whose key is missing or
// unknown, and for nobody else: behind a proxy that is not declared every
// customer has the same address.
func TestGateBlocks(t *testing.T) {
	w := newGateWorld(t)
	_, good := w.key(t, Key{Account: "business", Kind: Live})
	_, late := w.key(t, Key{Account: "business", Kind: Live})
	off, offKey := w.key(t, Key{Account: "business", Kind: Live})
	if _, err := w.store.UpdateKey(t.Context(), off.ID, func(k *Key) error { k.Off = true; return nil }); err != nil {
		t.Fatal(err)
	}
	enter := func(key string, addr netip.Addr) string {
		_, err := w.gate.enter(t.Context(), Credentials{Key: key, Addr: addr})
		code, _, _ := strings.Cut(outcome(err), " ")
		return code
	}
	if got := enter(good, home); got != "ok" {
		t.Fatalf("before the block: %s", got)
	}
	for i := range 20 {
		if got := enter(fmt.Sprintf("%032d", i), home); got != "AUTH_INVALID_KEY" {
			t.Fatalf("attempt %d: %s", i, got)
		}
	}
	for _, tt := range []struct{ name, key, want string }{
		{"a key in memory", good, "ok"},
		{"a key at its first use", late, "ok"},
		{"the demo key", demoKey, "ok"},
		{"an inactive key", offKey, "AUTH_INACTIVE_KEY"},
		{"an unknown key", "pg_live_0123456789abcdefghjkmnpq", "AUTH_IP_BLOCKED"},
		{"a short key", "x", "AUTH_IP_BLOCKED"},
		{"no key", "", "AUTH_IP_BLOCKED"},
	} {
		if got := enter(tt.key, home); got != tt.want {
			t.Errorf("%s: %s; want %s", tt.name, got, tt.want)
		}
	}
	if got := enter("x", netip.MustParseAddr("192.0.2.78")); got != "AUTH_INVALID_KEY" {
		t.Errorf("an unknown key from another address: %s", got)
	}
	w.clock.Advance(blockTime)
	if got := enter("x", home); got != "AUTH_INVALID_KEY" {
		t.Errorf("an unknown key after the block: %s", got)
	}
}

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

// The sites of one IPv6 network share four times the limit of one.
func TestGateNetworks(t *testing.T) {
	for _, tt := range []struct {
		key  string
		want int // for each site
	}{{demoKey, 5}, {"", 60}} {
		w := newGateWorld(t)
		passed := func(addr string) int {
			for n := 0; ; n++ {
				_, err := w.gate.enter(t.Context(), Credentials{Key: tt.key, Addr: netip.MustParseAddr(addr)})
				var limit *RateLimitError
				if errors.As(err, &limit) {
					return n
				}
			}
		}
		all := 0
		for i := range 100 {
			n := passed(fmt.Sprintf("2001:db8:1:%x::1", i))
			if n > tt.want || n == 0 && i < 4 {
				t.Errorf("site %d: %d requests; want at most %d", i, n, tt.want)
			}
			all += n
		}
		if all != 4*tt.want {
			t.Errorf("%d requests from one network; want %d", all, 4*tt.want)
		}
		if n := passed("2001:db8:2::1"); n != tt.want {
			t.Errorf("%d requests from another network; want %d", n, tt.want)
		}
	}
}
