package billing

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/storetest"
)

// A million random arrivals are answered as by an oracle that keeps every
// permit and counts them one by one.
func TestLimiterOracle(t *testing.T) {
	clock := storetest.NewClock()
	checkArrivals(t, newMemoryLimiter(clock.Now, limitedKeys, limitedKeys), clock, storetest.Times("POSTGEO_TEST_ARRIVALS", 100_000))
}

// Memory is bounded, and a flood of addresses costs no key its count.
func TestLimiterBounded(t *testing.T) {
	clock := storetest.NewClock()
	const keys, addrs = 160, 320
	l := newMemoryLimiter(clock.Now, keys, addrs)
	key := limitKey{scope: byKey, id: "k"}
	_, err := l.Allow(t.Context(), key, 10)
	check(t, err)
	for i := range 100_000 {
		a := limitKey{scope: byFlood, addr: netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})}
		if w, _ := l.Allow(t.Context(), a, 10); !w.Allowed {
			t.Fatalf("%s is refused at its first request", a)
		}
	}
	if n := len(l.keys.index) + len(l.addrs.index); n > keys+addrs {
		t.Errorf("%d entries; want at most %d", n, keys+addrs)
	}
	if w, _ := l.Allow(t.Context(), key, 10); w.Remaining != 8 {
		t.Errorf("the key has %d left; want 8", w.Remaining)
	}
}

func TestLimiterConcurrent(t *testing.T) {
	l := newMemoryLimiter(storetest.NewClock().Now, limitedKeys, limitedKeys)
	checkShared(t, l, l)
}

// checkShared checks that limiters which are used at the same time are one limit.
func checkShared(t *testing.T, limiters ...limiter) {
	t.Helper()
	var allowed atomic.Int64
	var wg sync.WaitGroup
	for _, l := range limiters {
		for range 4 {
			wg.Go(func() {
				for range 500 {
					w, err := l.Allow(t.Context(), limitKey{scope: byKey, id: "k"}, 600)
					if err != nil {
						t.Error(err)
						return
					}
					if w.Allowed {
						allowed.Add(1)
					}
				}
			})
		}
	}
	wg.Wait()
	if n := allowed.Load(); n != 600 {
		t.Errorf("%d permits; want 600", n)
	}
}

func TestLimiterAllocs(t *testing.T) {
	l := newMemoryLimiter(time.Now, limitedKeys, limitedKeys)
	for _, k := range []limitKey{{scope: byKey, id: "k"}, {scope: byDemo, addr: netip.MustParseAddr("2001:db8::1")}} {
		if n := testing.AllocsPerRun(1000, func() { _, _ = l.Allow(t.Context(), k, 1<<30) }); n != 0 {
			t.Errorf("%s: %v allocations", k, n)
		}
	}
}

// IPv6 addresses are blocked by their networks, and memory is bounded.
func TestBlockerNetworks(t *testing.T) {
	b := newBlocker(storetest.NewClock().Now, 100)
	// IPv6 is counted by its network of 64 bits.
	for i := range 20 {
		b.invalid(netip.MustParseAddr(fmt.Sprintf("2001:db8:1:2::%x", i)))
	}
	if !b.isBlocked(netip.MustParseAddr("2001:db8:1:2:ffff::1")) || b.isBlocked(netip.MustParseAddr("2001:db8:1:3::1")) {
		t.Error("20 addresses of one network do not block exactly their network")
	}
	// Its network of 48 bits is blocked after four times as many.
	for i := range 79 {
		b.invalid(netip.MustParseAddr(fmt.Sprintf("2001:db8:5:%x::1", i)))
	}
	if b.isBlocked(netip.MustParseAddr("2001:db8:5:ffff::1")) {
		t.Error("79 attempts from a network block it")
	}
	b.invalid(netip.MustParseAddr("2001:db8:5:ff::1"))
	if !b.isBlocked(netip.MustParseAddr("2001:db8:5:ffff::1")) || b.isBlocked(netip.MustParseAddr("2001:db8:6::1")) {
		t.Error("80 attempts from the sites of one network do not block exactly that network")
	}
	for i := range 10_000 {
		b.invalid(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}))
	}
	if n := len(b.sites.index); n > 100 {
		t.Errorf("%d addresses are remembered; want at most 100", n)
	}
}

// A clock that was ahead and is set right again leaves nobody without permits
// for longer than a window, and blocks nobody for longer than a block.
func TestClockSetBack(t *testing.T) {
	for _, ahead := range []time.Duration{time.Minute, time.Hour, 24 * time.Hour, 400 * 24 * time.Hour} {
		clock := storetest.NewClock()
		l := newMemoryLimiter(clock.Now, limitedKeys, limitedKeys)
		b := newBlocker(clock.Now, blockedSites)
		key, addr := limitKey{scope: byKey, id: "a"}, netip.MustParseAddr("192.0.2.1")
		allowed := func() bool {
			w, err := l.Allow(t.Context(), key, 5)
			check(t, err)
			return w.Allowed
		}
		clock.Advance(ahead)
		for range 5 {
			allowed()
		}
		for range blockAttempts {
			b.invalid(addr)
		}
		if allowed() || !b.isBlocked(addr) {
			t.Errorf("%v ahead: neither limited nor blocked", ahead)
		}
		clock.Advance(-ahead)
		if allowed() {
			t.Errorf("set back by %v: the permits of the window are there again", ahead)
		}
		clock.Advance(2 * windowLength)
		if !allowed() {
			t.Errorf("set back by %v: no permit two minutes later", ahead)
		}
		clock.Advance(blockTime)
		if b.isBlocked(addr) {
			t.Errorf("set back by %v: blocked a quarter of an hour later", ahead)
		}
	}
}

// checkArrivals holds a limiter to an oracle over random arrivals of several keys:
// the oracle keeps every permit and counts them one by one. The clock is the
// limiter's; it jumps, and it is set back now and then, by seconds or days.
func checkArrivals(t *testing.T, l limiter, clock *storetest.Clock, arrivals int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(28, 1))
	keys := []limitKey{{scope: byKey, id: "a"}, {scope: byKey, id: "b"}, {scope: byKey, id: "c"}}
	for i := range 3 {
		addr := netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
		keys = append(keys, limitKey{scope: byDemo, addr: addr}, limitKey{scope: byFlood, addr: addr})
	}
	keys = append(keys, limitKey{scope: byFlood + ofNetwork, addr: netip.MustParseAddr("2001:db8:1::")},
		limitKey{scope: byFlood, addr: netip.MustParseAddr("2001:db8:1::")}) // its first site
	limits := []int{1, 5, 20, 60, 300, 600, 1800}
	permits := make([][]int64, len(keys)) // segments, Unix seconds / 10
	newest := make([]int64, len(keys))
	refused := 0
	for i := range arrivals {
		switch rnd.IntN(1000) {
		case 0:
			clock.Advance(time.Duration(rnd.IntN(90)) * time.Second)
		case 1:
			clock.Advance(-time.Duration(rnd.IntN(15)) * time.Second)
		case 2: // set wrong by up to two days, either way
			clock.Advance(time.Duration(rnd.IntN(4*86400)-2*86400) * time.Second)
		default:
			clock.Advance(time.Duration(rnd.IntN(40)) * time.Millisecond)
		}
		k := rnd.IntN(len(keys))
		limit, now := limits[k%len(limits)], clock.Now()
		at := now.Unix() / 10
		if newest[k]-at >= 6 {
			newest[k] = at
			for i := range permits[k] {
				permits[k][i] = at
			}
		}
		newest[k] = max(newest[k], at)
		permits[k] = slices.DeleteFunc(permits[k], func(segment int64) bool { return segment <= newest[k]-6 })
		want := Window{Limit: limit, Allowed: len(permits[k]) < limit, Reset: now.Add(time.Minute)}
		if want.Allowed {
			permits[k] = append(permits[k], newest[k])
			want.Remaining = limit - len(permits[k])
		} else {
			refused++
		}
		got, err := l.Allow(t.Context(), keys[k], limit)
		check(t, err)
		if got != want {
			t.Fatalf("arrival %d of %s at %s: %+v; want %+v", i, keys[k], now, got, want)
		}
	}
	if refused == 0 || refused == arrivals {
		t.Errorf("%d of %d arrivals were refused", refused, arrivals)
	}
}

// The first and the last valid value of every limit is accepted, and the next
// one is rejected.
func TestLimits(t *testing.T) {
	list := func(entry string, n int) []string { return strings.Split(strings.Repeat(entry+" ", n-1)+entry, " ") }
	grant := func(credits int) error {
		return (&Grant{Source: PackCredits, Amount: credits, Reference: "1"}).check()
	}
	pepper := func(n int) error {
		_, err := newPepper(make([]byte, n))
		return err
	}
	addrs := func(entries ...string) error {
		_, err := ParseAddrList(entries)
		return err
	}
	origins := func(entries ...string) error {
		_, err := ParseOrigins(entries)
		return err
	}
	key := func(s string) string { return strings.Repeat("k", 15) + s }
	tests := []struct {
		name string
		err  error
		ok   bool
	}{
		{"name of 200 characters", CheckName(strings.Repeat("é", 200)), true},
		{"name of 201 characters", CheckName(strings.Repeat("é", 201)), false},
		{"name with a space", CheckName("a b"), true},
		{"name with a control character", CheckName("a\x1fb"), false},
		{"name with DEL", CheckName("a\x7fb"), false},
		{"name with a tilde", CheckName("~"), true},
		{"100 networks", addrs(list("192.0.2.0/24", 100)...), true},
		{"101 networks", addrs(list("192.0.2.0/24", 101)...), false},
		{"IPv4 in IPv6", addrs("::ffff:0:0/96"), true},
		{"more than IPv4 in IPv6", addrs("::ffff:0:0/95"), false},
		{"100 origins", origins(list("example.com", 100)...), true},
		{"101 origins", origins(list("example.com", 101)...), false},
		{"pepper of 16 bytes", pepper(16), true},
		{"pepper of 15 bytes", pepper(15), false},
		{"demo key of 16 characters", CheckDemoKey(key("~")), true},
		{"demo key of 15 characters", CheckDemoKey(key("")), false},
		{"demo key of 64 characters", CheckDemoKey(strings.Repeat("!", 64)), true},
		{"demo key of 65 characters", CheckDemoKey(strings.Repeat("!", 65)), false},
		{"demo key with an inner space", CheckDemoKey(key(" k")), true},
		{"demo key with a final space", CheckDemoKey(key("k ")), false},
		{"demo key with a control character", CheckDemoKey(key("\x1fk")), false},
		{"demo key with DEL", CheckDemoKey(key("\x7f")), false},
		{"grant of 1 credit", grant(1), true},
		{"grant of 0 credits", grant(0), false},
		{"grant of MaxCredits", grant(MaxCredits), true},
		{"grant of more", grant(MaxCredits + 1), false},
		{"subscription", (&Grant{Source: SubscriptionCredits, Amount: 1, Reference: "1"}).check(), true},
		{"daily credits", (&Grant{Source: DailyCredits, Amount: 1, Reference: "1"}).check(), false},
		{"unknown source", (&Grant{Source: "gold", Amount: 1, Reference: "1"}).check(), false},
	}
	for _, tt := range tests {
		if (tt.err == nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, tt.err)
		}
	}
}

// The default blocker blocks an address with the 20th invalid key within ten
// minutes, for 15 minutes, and counts other addresses separately.
func TestBlockerRule(t *testing.T) {
	addr, other := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	for name, tt := range map[string]struct {
		attempts int
		span     time.Duration // from the first attempt to the last
		blocked  bool
	}{
		"19 at once":            {19, 0, false},
		"20 at once":            {20, 0, true},
		"20 within ten minutes": {20, 10*time.Minute - time.Second, true},
		"20 in ten minutes":     {20, 10 * time.Minute, false},
	} {
		clock := storetest.NewClock()
		b := newBlocker(clock.Now, blockedSites)
		b.invalid(other)
		for i := range tt.attempts {
			if i == tt.attempts-1 {
				clock.Advance(tt.span)
			}
			b.invalid(addr)
		}
		if got := b.isBlocked(addr); got != tt.blocked {
			t.Errorf("%s: blocked %v", name, got)
		}
		if b.isBlocked(other) || len(b.sites.index) != 2 {
			t.Errorf("%s: another address is blocked, or forgotten", name)
		}
		clock.Advance(15*time.Minute - time.Second)
		if got := b.isBlocked(addr); got != tt.blocked {
			t.Errorf("%s: blocked %v before the end", name, got)
		}
		clock.Advance(time.Second)
		if b.isBlocked(addr) {
			t.Errorf("%s: blocked after the end", name)
		}
	}
}

var check = checktest.Check
