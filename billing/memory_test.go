package billing_test

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

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

// A countedDirectory counts the calls of a directory.
type countedDirectory struct {
	billing.Directory
	finds, revisions int
}

func (d *countedDirectory) FindKey(ctx context.Context, hash billing.KeyHash) (*billing.Holder, error) {
	d.finds++
	return d.Directory.FindKey(ctx, hash)
}

func (d *countedDirectory) Revision(ctx context.Context) (int64, error) {
	d.revisions++
	return d.Directory.Revision(ctx)
}

// TestGateMemory counts the lookups of keys in the directory. Keys stay in memory
// until there are more than MaxKnown.
func TestGateMemory(t *testing.T) {
	w := newGateWorld(t)
	var keys []string
	for range 3 {
		_, text := w.key(t, billing.Key{Account: "business", Kind: billing.Live})
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
		{"the default", 0, "012012", 3},
		{"a negative number", -1, "012012", 3},
	} {
		d := &countedDirectory{Directory: w.store}
		g, err := billing.NewGate(billing.GateOptions{Directory: d, Pepper: storetest.Pepper(), Now: w.clock.Now, MaxKnown: tt.most})
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range tt.enter {
			if _, err := g.Enter(t.Context(), billing.Credentials{Key: keys[k-'0'], Addr: home}); err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
		}
		if d.finds != tt.lookups {
			t.Errorf("%s: %d lookups, want %d", tt.name, d.finds, tt.lookups)
		}
	}
}

// TestGateRecheck checks that the gate reads the revision again from Recheck after
// the last time, or if the clock is set back.
func TestGateRecheck(t *testing.T) {
	for _, tt := range []struct {
		name    string
		recheck time.Duration
		step    time.Duration
		reads   int // after the first
	}{
		{"at once", time.Minute, 0, 0},
		{"before", time.Minute, time.Minute - 1, 0},
		{"due", time.Minute, time.Minute, 1},
		{"after", time.Minute, time.Minute + 1, 1},
		{"set back", time.Minute, -time.Minute, 1},
		{"before the default", 0, time.Second - 1, 0},
		{"after the default", 0, time.Second, 1},
		{"a negative time", -1, time.Second - 1, 0},
	} {
		w := newGateWorld(t)
		_, key := w.key(t, billing.Key{Account: "business", Kind: billing.Live})
		d := &countedDirectory{Directory: w.store}
		g, err := billing.NewGate(billing.GateOptions{Directory: d, Pepper: storetest.Pepper(), Now: w.clock.Now, Recheck: tt.recheck})
		if err != nil {
			t.Fatal(err)
		}
		enter := func() {
			t.Helper()
			if _, err := g.Enter(t.Context(), billing.Credentials{Key: key, Addr: home}); err != nil {
				t.Fatal(err)
			}
		}
		enter()
		first := d.revisions
		w.clock.Advance(tt.step)
		enter()
		if first != 1 || d.revisions-first != tt.reads {
			t.Errorf("%s: %d and %d reads, want 1 and %d", tt.name, first, d.revisions-first, tt.reads)
		}
		// The next check is due a whole Recheck later.
		enter()
		if d.revisions-first != tt.reads {
			t.Errorf("%s: a check before the next is due", tt.name)
		}
	}
}

// A listLimiter allows everything and lists the keys.
type listLimiter struct{ keys []string }

func (l *listLimiter) Allow(_ context.Context, k billing.LimitKey, limit int) (billing.Window, error) {
	l.keys = append(l.keys, fmt.Sprint(k, " ", limit))
	return billing.Window{Allowed: true, Limit: limit, Remaining: limit}, nil
}

// TestLimitKeys checks which callers a request counts for: a key, or an address
// and, with IPv6, its /48 with four times the limit.
func TestLimitKeys(t *testing.T) {
	w := newGateWorld(t)
	l := new(listLimiter)
	g, err := billing.NewGate(billing.GateOptions{Directory: w.store, Pepper: storetest.Pepper(), DemoKey: demoKey, Limiter: l, Now: w.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	v6 := netip.MustParseAddr("2001:db8:7:8:9::1")
	for _, c := range []billing.Credentials{{Key: demoKey, Addr: home}, {Key: demoKey, Addr: v6}, {Addr: home}, {Addr: v6}} {
		_, _ = g.Enter(t.Context(), c)
	}
	demo, flood := billing.DemoRatePerMinute, 60
	want := []string{
		fmt.Sprint("demo:192.0.2.77 ", demo),
		fmt.Sprint("demo:2001:db8:7:8:: ", demo), fmt.Sprint("demo48:2001:db8:7:: ", 4*demo),
		fmt.Sprint("flood:192.0.2.77 ", flood),
		fmt.Sprint("flood:2001:db8:7:8:: ", flood), fmt.Sprint("flood48:2001:db8:7:: ", 4*flood),
	}
	if diff := cmp.Diff(want, l.keys); diff != "" {
		t.Errorf("keys and limits (-want +got):\n%s", diff)
	}
	for scope, want := range map[billing.LimitScope]string{0: "none:192.0.2.77", billing.ByFloodNetwork: "flood48:192.0.2.77", billing.ByFloodNetwork + 1: "none:192.0.2.77"} {
		if got := (billing.LimitKey{Scope: scope, Addr: home}).String(); got != want {
			t.Errorf("scope %d: %s, want %s", scope, got, want)
		}
	}
}

// TestLimiterCapacity fills a limiter, which holds exactly the keys and addresses
// of its options if these are multiples of its parts.
func TestLimiterCapacity(t *testing.T) {
	for _, n := range []int{16, 32, 160} {
		l := billing.NewMemoryLimiter(billing.MemoryLimiterOptions{Now: storetest.NewClock().Now, Keys: n, Addrs: 2 * n})
		for i := range 20_000 {
			for _, k := range []billing.LimitKey{
				{Scope: billing.ByKey, ID: fmt.Sprint(i)},
				{Scope: billing.ByDemo, Addr: netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})},
			} {
				if _, err := l.Allow(t.Context(), k, 1); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := l.Len(); got != 3*n {
			t.Errorf("%d entries, want %d", got, 3*n)
		}
	}
}

// TestLimiterGivesBack takes a permit in each of six segments. Each becomes free
// after its minute, one by one.
func TestLimiterGivesBack(t *testing.T) {
	for _, limit := range []int{6, 7} {
		clock := storetest.NewClock()
		l := billing.NewMemoryLimiter(billing.MemoryLimiterOptions{Now: clock.Now})
		take := func() bool {
			w, err := l.Allow(t.Context(), billing.LimitKey{Scope: billing.ByKey, ID: "k"}, limit)
			if err != nil {
				t.Fatal(err)
			}
			return w.Allowed
		}
		for range 6 {
			if !take() {
				t.Fatalf("limit %d: a permit is refused", limit)
			}
			clock.Advance(10 * time.Second)
		}
		if limit == 7 && !take() {
			t.Error("the seventh permit is refused")
		}
		for segment := range 6 {
			if !take() || take() {
				t.Errorf("limit %d, %d s after the first minute: want one permit", limit, 10*segment)
			}
			clock.Advance(10 * time.Second)
		}
	}
}

// TestLimiterClockSetBack sets the clock back. A step of less than the window is
// ignored. After a longer one permits count as taken now.
func TestLimiterClockSetBack(t *testing.T) {
	for back, free := range map[time.Duration]time.Duration{
		50 * time.Second: 110 * time.Second, // when the clock catches up
		60 * time.Second: 60 * time.Second,
		70 * time.Second: 60 * time.Second,
		time.Hour:        60 * time.Second,
	} {
		clock := storetest.NewClock()
		l := billing.NewMemoryLimiter(billing.MemoryLimiterOptions{Now: clock.Now})
		take := func() bool {
			w, err := l.Allow(t.Context(), billing.LimitKey{Scope: billing.ByKey, ID: "k"}, 3)
			if err != nil {
				t.Fatal(err)
			}
			return w.Allowed
		}
		if got, want := [...]bool{take(), take(), take(), take()}, [...]bool{true, true, true, false}; got != want {
			t.Fatalf("permits %v, want %v", got, want)
		}
		clock.Advance(-back)
		if take() {
			t.Errorf("set back by %s: a permit at once", back)
		}
		clock.Advance(free - 10*time.Second)
		if take() {
			t.Errorf("set back by %s: a permit 10 s too early", back)
		}
		clock.Advance(10 * time.Second)
		if !take() {
			t.Errorf("set back by %s: no permit after %s", back, free)
		}
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
		b := billing.NewBlocker(billing.BlockerOptions{Now: clock.Now, Sites: size})
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
			b.Invalid(a)
			if s.invalid++; s.invalid == billing.BlockAttempts {
				s.invalid, s.blocked = 0, true
				blocks++
			}
			model = append(model, s)
			for i := range 2*size + 1 {
				at := slices.IndexFunc(model, func(s site) bool { return s.addr == addr(i) })
				if want := at >= 0 && model[at].blocked; b.Blocked(addr(i)) != want {
					t.Fatalf("size %d, step %d: %s is blocked: %v, want %v", size, step, addr(i), !want, want)
				}
			}
			if b.Len() != len(model) {
				t.Fatalf("size %d: %d entries, want %d", size, b.Len(), len(model))
			}
			if step%500 == 499 {
				clock.Advance(billing.BlockTime + billing.BlockWindow) // everything is forgiven
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
		source  billing.Source
		plan    billing.Plan
		granted time.Time
		want    bool
	}{
		{"daily", billing.DailyCredits, billing.Free, now, true},
		{"daily of a paid plan", billing.DailyCredits, billing.Business, now, false},
		{"daily of the future", billing.DailyCredits, billing.Free, now.Add(1), false},
		{"pack of a paid plan", billing.PackCredits, billing.Business, now, true},
		{"pack of the future", billing.PackCredits, billing.Free, now.Add(1), true},
		{"subscription of a paid plan", billing.SubscriptionCredits, billing.Business, now, true},
	} {
		g := billing.Grant{Source: tt.source, Remaining: 1, Granted: tt.granted}
		if got := g.Live(tt.plan, now); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// TestShownPart checks the public part of a key: its mark and four characters.
func TestShownPart(t *testing.T) {
	s, err := billing.NewSecret(billing.Live, strings.NewReader(strings.Repeat("random", 100)))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.Shown(), s.Reveal()[:12]; got != want || !strings.HasPrefix(got, "pg_live_") {
		t.Errorf("%q, want %q", got, want)
	}
	if got := (billing.Secret{}).Shown(); got != "" {
		t.Errorf("the zero Secret shows %q", got)
	}
}

// TestHashesDiffer changes one character of a text, or its length.
func TestHashesDiffer(t *testing.T) {
	p := storetest.Pepper()
	seen := map[billing.KeyHash]string{}
	base := strings.Repeat("k", billing.KeyLength)
	texts := []string{"", base, base + "\x00", base[1:], base[1:] + "\x00", strings.Repeat("k", 70), strings.Repeat("k", 71)}
	for i := range base {
		texts = append(texts, base[:i]+"x"+base[i+1:])
	}
	for _, text := range texts {
		h := p.Hash(text)
		if other, ok := seen[h]; ok {
			t.Errorf("%q and %q have one hash", text, other)
		}
		seen[h] = text
	}
}
