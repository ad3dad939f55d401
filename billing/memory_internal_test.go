package billing

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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

// TestGateSameWork checks that unknown, short, long and wrong keys cost one lookup each,
// so that the time of a response does not depend on how near a key is.
func TestGateSameWork(t *testing.T) {
	w := newGateWorld(t)
	_, good := w.key(t, Key{Account: "free", Kind: Live})
	d := &countedDirectory{directory: w.store}
	g := w.newGate(t, d)
	for i, key := range []string{"x", good[:15], good[:31], good[:31] + "!", good + good, "pg_live_" + strings.Repeat("0", 24)} {
		for range 2 {
			d.finds = 0
			_, err := g.enter(t.Context(), Credentials{Key: key, Addr: netip.AddrFrom4([4]byte{10, 0, 0, byte(i)})})
			if !strings.HasPrefix(outcome(err), "AUTH_INVALID_KEY") || d.finds != 1 {
				t.Errorf("key %d: %v after %d lookups; want 1", i, err, d.finds)
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
