package billing

import (
	"fmt"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

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
	if _, err := l.Allow(t.Context(), key, 10); err != nil {
		t.Fatal(err)
	}
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
	clock := storetest.NewClock()
	l := newMemoryLimiter(clock.Now, limitedKeys, limitedKeys)
	var allowed atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				if w, _ := l.Allow(t.Context(), limitKey{scope: byKey, id: "k"}, 600); w.Allowed {
					allowed.Add(1)
				}
			}
		})
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
			if err != nil {
				t.Fatal(err)
			}
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
