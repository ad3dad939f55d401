package billing

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/storetest"
)

// A countedDirectory counts the calls of a directory.
type countedDirectory struct {
	directory
	finds, revisions int
}

func (d *countedDirectory) findKey(ctx context.Context, hash keyHash) (*holder, error) {
	d.finds++
	return d.directory.findKey(ctx, hash)
}

func (d *countedDirectory) revision(ctx context.Context) (int64, error) {
	d.revisions++
	return d.directory.revision(ctx)
}

// TestGateMemory counts the lookups of keys in the directory. Keys stay in memory
// until there are more than MaxKnown.
func TestGateMemory(t *testing.T) {
	w := newGateWorld(t)
	var keys []string
	for range 3 {
		_, text := w.key(t, Key{Account: "business", Kind: Live})
		keys = append(keys, text)
	}
	for _, tt := range []struct {
		name    string
		most    int
		enter   string // keys by their numbers
		lookups int
	}{
		{"one key", 2, "0000", 1},
		{"as many as fit", 2, "01010101", 2},
		{"one too many", 2, "012", 3},
		{"after one too many", 2, "0120", 4},
		{"the last of too many", 2, "0122", 3},
		{"one place", 1, "0101", 4},
	} {
		d := &countedDirectory{directory: w.store}
		g := w.newGate(t, d)
		g.maxKnown = tt.most
		for _, k := range tt.enter {
			if _, err := g.enter(t.Context(), Credentials{Key: keys[k-'0'], Addr: home}); err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
		}
		if d.finds != tt.lookups {
			t.Errorf("%s: %d lookups, want %d", tt.name, d.finds, tt.lookups)
		}
	}
}

// TestGateRecheck checks that the gate reads the revision again from a second after
// the last time, or if the clock is set back.
func TestGateRecheck(t *testing.T) {
	w := newGateWorld(t)
	_, key := w.key(t, Key{Account: "business", Kind: Live})
	for step, reads := range map[time.Duration]int{0: 0, time.Second - 1: 0, time.Second: 1, time.Second + 1: 1, -time.Minute: 1} {
		d := &countedDirectory{directory: w.store}
		g := w.newGate(t, d)
		for i, want := range []int{1, 1 + reads, 1 + reads} { // the next check is due a second later
			if i == 1 {
				w.clock.Advance(step)
			}
			if _, err := g.enter(t.Context(), Credentials{Key: key, Addr: home}); err != nil {
				t.Fatal(err)
			}
			if d.revisions != want {
				t.Errorf("after %s: %d reads, want %d", step, d.revisions, want)
			}
		}
	}
}

// A listLimiter allows everything and lists the keys.
type listLimiter struct{ keys []string }

func (l *listLimiter) Allow(_ context.Context, k limitKey, limit int) (Window, error) {
	l.keys = append(l.keys, fmt.Sprint(k, " ", limit))
	return Window{Allowed: true, Limit: limit, Remaining: limit}, nil
}

// TestLimitKeys checks which callers a request counts for: a key, or an address
// and, with IPv6, its /48 with four times the limit.
func TestLimitKeys(t *testing.T) {
	w := newGateWorld(t)
	l := new(listLimiter)
	g := w.newGate(t, w.store)
	g.limiter = l
	v6 := netip.MustParseAddr("2001:db8:7:8:9::1")
	for _, c := range []Credentials{{Key: demoKey, Addr: home}, {Key: demoKey, Addr: v6}, {Addr: home}, {Addr: v6}} {
		_, _ = g.enter(t.Context(), c)
	}
	demo, flood := DemoRatePerMinute, 60
	want := []string{
		fmt.Sprint("demo:192.0.2.77 ", demo),
		fmt.Sprint("demo:2001:db8:7:8:: ", demo), fmt.Sprint("demo48:2001:db8:7:: ", 4*demo),
		fmt.Sprint("flood:192.0.2.77 ", flood),
		fmt.Sprint("flood:2001:db8:7:8:: ", flood), fmt.Sprint("flood48:2001:db8:7:: ", 4*flood),
	}
	if diff := cmp.Diff(want, l.keys); diff != "" {
		t.Errorf("keys and limits (-want +got):\n%s", diff)
	}
}

// TestBlockerForgets compares a small blocker with a list: a full one forgets the
// address with the oldest attempt.
func TestBlockerForgets(t *testing.T) {
	type site struct {
		addr    netip.Addr
		invalid int
		blocked bool
	}
	for _, size := range []int{1, 2, 5} {
		clock := storetest.NewClock()
		b := newBlocker(clock.Now, size)
		var model []site // by their last attempts
		rng := rand.New(rand.NewPCG(1, uint64(size)))
		addr := func(i int) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}) }
		blocks := 0
		for step := range 4000 {
			// Mostly few addresses, so that some reach a block.
			a := addr(rng.IntN(max(2, size)))
			if rng.IntN(12) == 0 {
				a = addr(rng.IntN(2*size + 1))
			}
			s := site{addr: a}
			if i := slices.IndexFunc(model, func(s site) bool { return s.addr == a }); i >= 0 {
				s = model[i]
				model = slices.Delete(model, i, i+1)
			} else if len(model) == size {
				model = model[1:]
			}
			b.invalid(a)
			if s.invalid++; s.invalid == blockAttempts {
				s.invalid, s.blocked = 0, true
				blocks++
			}
			model = append(model, s)
			for i := range 2*size + 1 {
				at := slices.IndexFunc(model, func(s site) bool { return s.addr == addr(i) })
				if want := at >= 0 && model[at].blocked; b.isBlocked(addr(i)) != want {
					t.Fatalf("size %d, step %d: %s is blocked: %v, want %v", size, step, addr(i), !want, want)
				}
			}
			if len(b.sites.index) != len(model) {
				t.Fatalf("size %d: %d entries, want %d", size, len(b.sites.index), len(model))
			}
			if step%500 == 499 {
				clock.Advance(blockTime + blockWindow) // everything is forgiven
				for i := range model {
					model[i] = site{addr: model[i].addr}
				}
			}
		}
		if blocks < 5 && size > 1 {
			t.Errorf("size %d: only %d blocks", size, blocks)
		}
	}
}

// TestDailyGrantLive checks daily free credits, which are for free plans from
// their grant on. Other credits depend on neither.
func TestDailyGrantLive(t *testing.T) {
	now := storetest.NewClock().Now()
	for _, tt := range []struct {
		name    string
		source  envelope.CreditSource
		plan    Plan
		granted time.Time
		want    bool
	}{
		{"daily", DailyCredits, Free, now, true},
		{"daily of a paid plan", DailyCredits, Business, now, false},
		{"daily of the future", DailyCredits, Free, now.Add(1), false},
		{"pack of a paid plan", PackCredits, Business, now, true},
		{"pack of the future", PackCredits, Free, now.Add(1), true},
		{"subscription of a paid plan", SubscriptionCredits, Business, now, true},
	} {
		g := Grant{Source: tt.source, Remaining: 1, Granted: tt.granted}
		if got := g.live(tt.plan, now); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestHashesDiffer changes one character of a text, or its length.
func TestHashesDiffer(t *testing.T) {
	p := testPepper
	seen := map[keyHash]string{}
	base := strings.Repeat("k", keyLength)
	texts := []string{"", base, base + "\x00", base[1:], base[1:] + "\x00", strings.Repeat("k", 70), strings.Repeat("k", 71)}
	for i := range base {
		texts = append(texts, base[:i]+"x"+base[i+1:])
	}
	for _, text := range texts {
		h := p.hash(text)
		if other, ok := seen[h]; ok {
			t.Errorf("%q and %q have one hash", text, other)
		}
		seen[h] = text
	}
}
