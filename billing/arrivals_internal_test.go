package billing

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/postgeo/postgeo/internal/storetest"
)

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
		if err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Fatalf("arrival %d of %s at %s: %+v; want %+v", i, keys[k], now, got, want)
		}
	}
	if refused == 0 || refused == arrivals {
		t.Errorf("%d of %d arrivals were refused", refused, arrivals)
	}
}
