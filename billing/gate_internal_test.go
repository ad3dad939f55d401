package billing

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
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
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.store.Close() })
	w.gate = w.store.gate
	for _, p := range Plans() {
		if _, err := w.store.CreateAccount(t.Context(), Account{ID: string(p), Plan: p}); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *gateWorld) newGate(t testing.TB, d directory) *gate {
	t.Helper()
	g, err := newGate(d, w.store.pepper, newMemoryLimiter(w.clock.Now, limitedKeys, limitedKeys), w.clock.Now, demoKey)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (w *gateWorld) key(t testing.TB, k Key) (Key, string) {
	t.Helper()
	k, secret, err := w.store.CreateKey(t.Context(), k)
	if err != nil {
		t.Fatal(err)
	}
	return k, secret
}

// outcome is what a request gets: "ok" or its code and message.
func outcome(err error) string {
	if err == nil {
		return "ok"
	}
	var f envelope.Failure
	if !envelope.AsFailure(err, &f) {
		return "unexpected: " + err.Error()
	}
	return string(f.ContractCode()) + " " + f.ContractMessage()
}

var home = netip.MustParseAddr("192.0.2.77")

func TestGate(t *testing.T) {
	w := newGateWorld(t)
	ctx := t.Context()
	addrs, _ := ParseAddrList([]string{"198.51.100.0/24"})
	origins, _ := ParseOrigins([]string{"https://example.com"})

	_, good := w.key(t, Key{Account: "business", Kind: Live, Debug: true})
	off, offKey := w.key(t, Key{Account: "business", Kind: Live})
	_, expired := w.key(t, Key{Account: "business", Kind: Live, Expires: w.clock.Now().Add(time.Minute)})
	_, listed := w.key(t, Key{Account: "business", Kind: Live, Addrs: addrs, Origins: origins})
	_, stored := w.key(t, Key{Account: "business", Kind: Demo})
	_, suspended := w.key(t, Key{Account: "developer", Kind: Live})
	suspOff, suspendedOff := w.key(t, Key{Account: "developer", Kind: Live})
	for _, id := range []string{off.ID, suspOff.ID} {
		if _, err := w.store.UpdateKey(ctx, id, func(k *Key) error { k.Off = true; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.store.UpdateAccount(ctx, "developer", func(a *Account) error { a.Suspended = true; return nil }); err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(time.Minute)

	tests := []struct {
		name string
		c    Credentials
		want string
	}{
		{"good", Credentials{Key: good}, "ok"},
		{"good beside a bearer header", Credentials{Key: good, Bearer: true}, "ok"},
		{"none", Credentials{}, "AUTH_MISSING_KEY " + wording.MissingKey},
		{"bearer", Credentials{Bearer: true}, "AUTH_MISSING_KEY " + wording.BearerKey},
		{"short", Credentials{Key: good[:15]}, "AUTH_INVALID_KEY " + wording.InvalidKeyFormat},
		{"half", Credentials{Key: good[:16]}, "AUTH_INVALID_KEY " + wording.InvalidKey},
		{"one too few", Credentials{Key: good[:31]}, "AUTH_INVALID_KEY " + wording.InvalidKey},
		{"one too many", Credentials{Key: good + "\x00"}, "AUTH_INVALID_KEY " + wording.InvalidKey},
		{"very long", Credentials{Key: strings.Repeat(good, 1000)}, "AUTH_INVALID_KEY " + wording.InvalidKey},
		{"unknown", Credentials{Key: good[:31] + "!"}, "AUTH_INVALID_KEY " + wording.InvalidKey},
		{"inactive", Credentials{Key: offKey}, "AUTH_INACTIVE_KEY " + wording.InactiveKey},
		{"expired", Credentials{Key: expired}, "AUTH_INACTIVE_KEY " + wording.InactiveKey},
		{"suspended", Credentials{Key: suspended}, "AUTH_INACTIVE_ACCOUNT " + wording.InactiveAccount},
		{"inactive and suspended", Credentials{Key: suspendedOff}, "AUTH_INACTIVE_KEY " + wording.InactiveKey},
		{"address and origin not listed", Credentials{Key: listed}, "AUTH_IP_RESTRICTED " + wording.AddressNotAllowed},
		{"origin not listed", Credentials{Key: listed, Addr: netip.MustParseAddr("198.51.100.7"), Origin: "https://example.org"}, "AUTH_ORIGIN_RESTRICTED " + wording.OriginNotAllowed},
		{"no origin", Credentials{Key: listed, Addr: netip.MustParseAddr("198.51.100.7")}, "AUTH_ORIGIN_RESTRICTED " + wording.OriginNotAllowed},
		{"listed", Credentials{Key: listed, Addr: netip.MustParseAddr("198.51.100.7"), Origin: "https://example.com"}, "ok"},
		{"demo", Credentials{Key: demoKey}, "ok"},
		{"stored demo", Credentials{Key: stored, Addr: netip.MustParseAddr("198.51.100.8")}, "ok"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if !tt.c.Addr.IsValid() {
				tt.c.Addr = home
			}
			for range 2 { // the second time from memory
				pass, err := w.gate.enter(ctx, tt.c)
				if got := outcome(err); got != tt.want {
					t.Errorf("%s; want %s", got, tt.want)
				}
				if (err == nil) != pass.Window.Allowed {
					t.Errorf("the window is %+v", pass.Window)
				}
				if err != nil && tt.c.Key != "" && strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), tt.c.Key) {
					t.Error("the error holds the key")
				}
			}
		})
	}
	var fault *envelope.Fault
	if _, err := w.gate.enter(ctx, Credentials{Bearer: true, Addr: home}); !errors.As(err, &fault) || !fault.AuthDocs {
		t.Errorf("a bearer header does not lead to the section on authentication: %v", err)
	}

	pass, err := w.gate.enter(ctx, Credentials{Key: good, Addr: home})
	if err != nil {
		t.Fatal(err)
	}
	want := Identity{Kind: Live, KeyID: pass.Identity.KeyID, Account: "business", Plan: Business, Debug: true}
	if diff := cmp.Diff(want, pass.Identity); diff != "" || !strings.HasPrefix(want.KeyID, "key_") {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if pass.Window.Limit != 600 || !pass.Window.Reset.Equal(w.clock.Now().Add(time.Minute)) {
		t.Errorf("window %+v", pass.Window)
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
	if _, err := w.store.UpdateKey(t.Context(), k.ID, func(k *Key) error { k.Off = true; return nil }); err != nil {
		t.Fatal(err)
	}
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

// Unknown, short, long and wrong keys are looked for in the same way, so that
// the time of an answer does not depend on how near a key is.
func TestGateSameWork(t *testing.T) {
	w := newGateWorld(t)
	_, good := w.key(t, Key{Account: "free", Kind: Live})
	d := &countingDirectory{directory: w.store}
	g := w.newGate(t, d)
	for i, key := range []string{"x", good[:15], good[:31], good[:31] + "!", good + good, "pg_live_" + strings.Repeat("0", 24)} {
		for range 2 {
			d.finds = 0
			_, err := g.enter(t.Context(), Credentials{Key: key, Addr: netip.AddrFrom4([4]byte{10, 0, 0, byte(i)})})
			if !strings.HasPrefix(outcome(err), "AUTH_INVALID_KEY") || d.finds != 1 {
				t.Errorf("key %d: %v after %d searches; want 1", i, err, d.finds)
			}
		}
	}
}

type countingDirectory struct {
	directory
	finds int
}

func (d *countingDirectory) findKey(ctx context.Context, hash keyHash) (*holder, error) {
	d.finds++
	return d.directory.findKey(ctx, hash)
}

func TestNewGateRefuses(t *testing.T) {
	for _, key := range []string{strings.Repeat("k", 15), strings.Repeat("k", 65), strings.Repeat("k", 20) + "\n", strings.Repeat("k", 20) + "é", " " + strings.Repeat("k", 20)} {
		if _, err := newGate(brokenDirectory{}, testPepper, nil, time.Now, key); err == nil {
			t.Errorf("%q is accepted", key)
		}
	}
}

var testPepper, _ = newPepper(storetest.Pepper())

// A demo key has 16 to 64 printable ASCII characters.
func TestGateDemoKeys(t *testing.T) {
	for _, key := range []string{strings.Repeat("k", 16), "try-these-codes-without-signup", strings.Repeat("~", 64), "a demo key with spaces!"} {
		g, err := newGate(&mapDirectory{}, testPepper, newMemoryLimiter(time.Now, 1, 1), time.Now, key)
		if err != nil {
			t.Errorf("%q: %v", key, err)
			continue
		}
		pass, err := g.enter(t.Context(), Credentials{Key: key, Addr: home})
		if err != nil || pass.Identity.Kind != Demo {
			t.Errorf("%q: %+v, %v; want a demo caller", key, pass.Identity, err)
		}
		if _, err := g.enter(t.Context(), Credentials{Key: key[:len(key)-1], Addr: home}); err == nil {
			t.Errorf("%q passes without its last character", key)
		}
	}
}

func BenchmarkGate(b *testing.B) {
	w := newGateWorld(b)
	_, key := w.key(b, Key{Account: "enterprise", Kind: Live})
	gate := w.newGate(b, w.store)
	c := Credentials{Key: key, Addr: home}
	b.ReportAllocs()
	for b.Loop() {
		_, _ = gate.enter(b.Context(), c) // over its limit most of the time
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
