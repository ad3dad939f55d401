package billing

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/wording"
)

const demoKey = "pg_demo_trytrytrytrytrytrytrytry"

// A gateWorld is a gate with accounts behind it.
type gateWorld struct {
	clock *storetest.Clock
	store *Store
	gate  *gate
}

func newGateWorld(t testing.TB) *gateWorld {
	t.Helper()
	w := &gateWorld{clock: storetest.NewClock()}
	var err error
	w.store, err = Open(t.Context(), filepath.Join(t.TempDir(), "accounts.db"), Options{Pepper: storetest.Pepper(), Create: true, Now: w.clock.Now, DemoKey: demoKey})
	check(t, err)
	t.Cleanup(func() { w.store.Close() })
	w.gate = w.store.gate
	for _, p := range Plans() {
		_, err := w.store.CreateAccount(t.Context(), Account{ID: string(p), Plan: p})
		check(t, err)
	}
	return w
}

func (w *gateWorld) newGate(t testing.TB, d directory) *gate {
	t.Helper()
	g, err := newGate(d, w.store.pepper, newMemoryLimiter(w.clock.Now, limitedKeys, limitedKeys), w.clock.Now, demoKey)
	check(t, err)
	return g
}

func (w *gateWorld) key(t testing.TB, k Key) (Key, string) {
	t.Helper()
	k, secret, err := w.store.CreateKey(t.Context(), k)
	check(t, err)
	return k, secret
}

// outcome is what a request gets: "ok" or its code and message.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	f := envelope.FaultOf(err)
	if f == nil {
		return "unexpected: " + err.Error()
	}
	return string(f.Code) + " " + f.Message
}

var home = netip.MustParseAddr("192.0.2.77")

// TestGateFamiliar looks up a key that was known before, while a flood of invented keys
// from its blocked address waits.
func TestGateFamiliar(t *testing.T) {
	w := newGateWorld(t)
	_, secret := w.key(t, Key{Account: string(Developer), Kind: Live})
	enter := func(key string) string {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := w.gate.enter(ctx, Credentials{Key: key, Addr: home})
		if errors.Is(err, context.DeadlineExceeded) {
			return "waits"
		}
		return outcome(err)
	}
	if got := enter(secret); got != "ok" {
		t.Fatal(got)
	}
	for range blockAttempts {
		enter("pg_live_" + strings.Repeat("x", 32))
	}
	w.gate.slow <- struct{}{} // the flood's turn
	for range 2 {
		_, err := w.store.UpdateAccount(t.Context(), string(Developer), func(*Account) error { return nil })
		check(t, err)
		w.clock.Advance(2 * recheck)
		if got := enter("pg_live_" + strings.Repeat("y", 32)); got != "waits" {
			t.Errorf("an invented key: %s", got)
		}
	}
	if got := enter(secret); got != "ok" {
		t.Errorf("the known key: %s", got)
	}
}

// The limits of a minute are the plans', the demo key's and the flood's.
func TestGateRates(t *testing.T) {
	w := newGateWorld(t)
	ctx := t.Context()
	count := func(c Credentials, wantCode envelope.Code) int {
		t.Helper()
		for n := 0; ; n++ {
			pass, err := w.gate.enter(ctx, c)
			var limit *RateLimitError
			if errors.As(err, &limit) {
				if limit.Window.Limit != n {
					t.Errorf("limit %+v after %d requests", limit.Window, n)
				}
				if c.Key != "" && pass.Window != limit.Window {
					t.Errorf("window %+v; want %+v", pass.Window, limit.Window)
				}
				return n
			}
			if got := outcome(err); !strings.HasPrefix(got, string(wantCode)) {
				t.Fatalf("request %d: %s", n, got)
			}
			if err == nil && pass.Window.Remaining != pass.Window.Limit-n-1 {
				t.Fatalf("request %d: %+v", n, pass.Window)
			}
		}
	}
	for plan, want := range map[Plan]int{
		Free: 60, Restricted: 20, Developer: 300, Professional: 300, Business: 600, Enterprise: 1800,
	} {
		for _, kind := range []KeyKind{Live, Test} {
			_, key := w.key(t, Key{Account: string(plan), Kind: kind})
			if got := count(Credentials{Key: key, Addr: home}, "ok"); got != want {
				t.Errorf("%s, %s: %d requests a minute; want %d", plan, kind, got, want)
			}
		}
	}
	for i := range 3 {
		addr := netip.AddrFrom4([4]byte{203, 0, 113, byte(i)})
		if got := count(Credentials{Key: demoKey, Addr: addr}, "ok"); got != 5 {
			t.Errorf("demo: %d requests a minute; want 5", got)
		}
		if got := count(Credentials{Addr: addr}, envelope.AuthMissingKey); got != 60 {
			t.Errorf("without a key: %d requests a minute; want 60", got)
		}
	}
	w.clock.Advance(time.Minute)
	if _, err := w.gate.enter(ctx, Credentials{Key: demoKey, Addr: netip.AddrFrom4([4]byte{203, 0, 113, 0})}); err != nil {
		t.Errorf("after a minute: %v", err)
	}
}

// What changes in the accounts is seen within a second, and at once by the
// clock of a gate that asks every time.
func TestGateSeesChanges(t *testing.T) {
	w := newGateWorld(t)
	k, key := w.key(t, Key{Account: "free", Kind: Live})
	enter := func() string {
		_, err := w.gate.enter(t.Context(), Credentials{Key: key, Addr: home})
		code, _, _ := strings.Cut(outcome(err), " ")
		return code
	}
	if got := enter(); got != "ok" {
		t.Fatal(got)
	}
	_, err := w.store.UpdateKey(t.Context(), k.ID, func(k *Key) error { k.Off = true; return nil })
	check(t, err)
	w.clock.Advance(time.Second)
	if got := enter(); got != "AUTH_INACTIVE_KEY" {
		t.Errorf("a second after it was deactivated: %s", got)
	}
}

// A directory that cannot be reached is no invalid key.
func TestGateUnavailable(t *testing.T) {
	w := newGateWorld(t)
	g := w.newGate(t, brokenDirectory{})
	for range 30 {
		_, err := g.enter(t.Context(), Credentials{Key: "pg_live_0123456789abcdefghjkmnpq", Addr: home})
		if got := outcome(err); got != "SERVICE_UNAVAILABLE "+wording.Unavailable || !errors.Is(err, ErrUnavailable) || !errors.Is(err, errBroken) {
			t.Fatalf("%s: %v", got, err)
		}
	}
}

var errBroken = errors.New("broken")

type brokenDirectory struct{}

func (brokenDirectory) findKey(context.Context, keyHash) (*holder, error) {
	return nil, errBroken
}
func (brokenDirectory) revision(context.Context) (int64, error) { return 1, nil }

var testPepper, _ = newPepper(storetest.Pepper())

// A demo key has 16 to 64 printable ASCII characters.
func TestGateDemoKeys(t *testing.T) {
	for _, key := range []string{strings.Repeat("k", 16), strings.Repeat("~", 64), "a demo key with spaces!"} {
		g, err := newGate(brokenDirectory{}, testPepper, newMemoryLimiter(time.Now, 1, 1), time.Now, key)
		check(t, err)
		pass, err := g.enter(t.Context(), Credentials{Key: key, Addr: home})
		if err != nil || pass.Identity.Kind != Demo {
			t.Errorf("%q: %+v, %v; want a demo caller", key, pass.Identity, err)
		}
		if _, err := g.enter(t.Context(), Credentials{Key: key[:len(key)-1], Addr: home}); err == nil {
			t.Errorf("%q passes without its last character", key)
		}
	}
}

// Whatever is sent as a key is answered with one of two fixed texts.
func FuzzGate(f *testing.F) {
	w := newGateWorld(f)
	_, good := w.key(f, Key{Account: "enterprise", Kind: Live})
	for _, s := range []string{"x", good[:31], good + " ", "pg_live_", strings.Repeat("\xff", 32), "' OR 1=1 --                     "} {
		f.Add(s)
	}
	n := 0
	f.Fuzz(func(t *testing.T, key string) {
		if key == "" || key == good || key == demoKey {
			t.Skip()
		}
		n++
		addr := netip.AddrFrom4([4]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
		_, err := w.gate.enter(context.Background(), Credentials{Key: key, Addr: addr})
		got := outcome(err)
		text := wording.InvalidKey
		if len(key) < 16 {
			text = wording.InvalidKeyFormat
		}
		if want := "AUTH_INVALID_KEY " + text; got != want {
			t.Errorf("%q: %s; want %s", key, got, want)
		}
	})
}

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
		check(t, err)
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
