package server_test

import (
	"bytes"
	"context"
	"crypto/sha512"
	"errors"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/server"
)

// A book is a minimal ledger in memory that records the calls of the server.
type book struct {
	mu      sync.Mutex
	grants  []billing.Part // remaining grants, in the order of spending
	holds   map[string]int // open holds
	settled map[string]int
	log     []string
	err     map[string]error // by the name of a call
	lost    int              // settlements whose replies are lost
	defers  bool             // brief requests are charged after their work
	brief   bool             // the last hold was
}

func newBook(grants ...billing.Part) *book {
	return &book{grants: grants, holds: map[string]int{}, settled: map[string]int{}, err: map[string]error{}}
}

func (b *book) available() (n int) {
	for _, g := range b.grants {
		n += g.Credits
	}
	return n
}

func (b *book) take(n int) (parts []billing.Part) {
	for i := range b.grants {
		part := min(n, b.grants[i].Credits)
		if part > 0 {
			parts = append(parts, billing.Part{Source: b.grants[i].Source, Credits: part})
		}
		b.grants[i].Credits -= part
		n -= part
	}
	return parts
}

func (b *book) Reserve(_ context.Context, h billing.Hold) (billing.Receipt, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = append(b.log, "reserve")
	b.brief = h.Brief
	if err := b.err["reserve"]; err != nil {
		return billing.Receipt{}, err
	}
	if b.defers && h.Brief {
		return billing.Receipt{Deferred: true}, nil
	}
	held := 0
	for _, n := range b.holds {
		held += n
	}
	if free := b.available() - held; h.Credits > free {
		text := wording.InsufficientCredits
		if h.Batch {
			text = wording.InsufficientBatchCredits
		}
		return billing.Receipt{}, &billing.InsufficientError{Fault: envelope.Fault{Code: envelope.CreditInsufficient, Message: text(h.Credits, free)}}
	}
	b.holds[h.ID] = h.Credits
	return billing.Receipt{Credits: h.Credits}, nil
}

func (b *book) Settle(_ context.Context, h billing.Hold, used int) (billing.Receipt, error) {
	id := h.ID
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = append(b.log, "settle")
	if err := b.err["settle"]; err != nil {
		return billing.Receipt{}, err
	}
	if h.Brief && !b.defers {
		return billing.Receipt{}, errors.New("a hold that was reserved is settled as a deferred one")
	}
	if _, again := b.settled[id]; b.defers && h.Brief && !again {
		b.holds[id] = h.Credits
	}
	if n, again := b.settled[id]; again && n == used && b.lost == 0 {
		return billing.Receipt{Credits: used, Remaining: b.available()}, nil
	}
	if b.lost > 0 {
		b.lost--
		if _, held := b.holds[id]; held {
			delete(b.holds, id)
			b.settled[id] = used
			b.take(used)
		}
		return billing.Receipt{}, away(true)
	}
	most, ok := b.holds[id]
	if !ok || used > most {
		return billing.Receipt{}, billing.ErrHoldClosed
	}
	delete(b.holds, id)
	b.settled[id] = used
	return billing.Receipt{Credits: used, Parts: b.take(used), Remaining: b.available()}, nil
}

func (b *book) Refund(_ context.Context, h billing.Hold) (billing.Receipt, error) {
	return b.giveBack("refund", h.ID)
}

func (b *book) giveBack(call, id string) (billing.Receipt, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = append(b.log, call)
	if err := b.err[call]; err != nil {
		return billing.Receipt{}, err
	}
	if n, ok := b.settled[id]; ok {
		b.grants[len(b.grants)-1].Credits += n
		delete(b.settled, id)
	} else if _, ok := b.holds[id]; !ok {
		return billing.Receipt{}, billing.ErrHoldNotFound
	}
	delete(b.holds, id)
	return billing.Receipt{}, nil
}

func (b *book) Ping(context.Context) error { return b.err["ping"] }

func (b *book) Probe(context.Context) error { return nil }

func (b *book) calls() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.log, " ")
}

// key returns the key of a name; everybody lists them.
func key(name string) string {
	if name == "demo" {
		return "pg_demo_" + strings.Repeat("0", 24)
	}
	kind := billing.Live
	if strings.HasSuffix(name, "test") {
		kind = billing.Test
	}
	b := drawn(name)
	for i := range b {
		b[i] = "0123456789abcdefghjkmnpqrstvwxyz"[b[i]&31]
	}
	return "pg_" + string(kind) + "_" + string(b[:24])
}

// drawn returns the random bytes from which the key of a name is made.
func drawn(name string) []byte {
	b := sha512.Sum512([]byte(name))
	return b[:]
}

var pepper = bytes.Repeat([]byte{7}, 32)

var gateTime = time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)

// persons has a name for every state of a key and its account.
var persons = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "persons")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	ctx, path, entropy := context.Background(), filepath.Join(dir, "accounts.db"), new(bytes.Buffer)
	store, err := billing.Open(ctx, path, billing.Options{Pepper: pepper, Create: true, Entropy: entropy, Now: func() time.Time { return gateTime.Add(-time.Hour) }})
	if err != nil {
		return nil, err
	}
	var errs []error
	add := func(name string, plan billing.Plan, kind billing.KeyKind, change func(*billing.Key)) {
		entropy.Reset()
		entropy.Write(drawn(name))
		_, err := store.CreateAccount(ctx, billing.Account{ID: "acct_" + name, Plan: plan})
		k, _, err2 := store.CreateKey(ctx, billing.Key{Account: "acct_" + name, Kind: kind})
		if errs = append(errs, err, err2); change != nil {
			_, err := store.UpdateKey(ctx, k.ID, func(k *billing.Key) error { change(k); return nil })
			errs = append(errs, err)
		}
	}
	addrs, err := billing.ParseAddrList([]string{"198.51.100.0/24"})
	errs = append(errs, err)
	origins, err := billing.ParseOrigins([]string{"https://app.example.com"})
	errs = append(errs, err)
	add("free", billing.Free, billing.Live, nil)
	add("restricted", billing.Restricted, billing.Live, nil)
	add("paid", billing.Developer, billing.Live, nil)
	add("debug", billing.Developer, billing.Live, func(k *billing.Key) { k.Debug = true })
	add("test", billing.Developer, billing.Test, nil)
	add("free-test", billing.Free, billing.Test, nil)
	add("off", billing.Developer, billing.Live, func(k *billing.Key) { k.Off = true })
	add("expired", billing.Developer, billing.Live, func(k *billing.Key) { k.Expires = gateTime.Add(-time.Second) })
	add("rotating", billing.Developer, billing.Live, func(k *billing.Key) { k.Rotated, k.Expires = true, gateTime.Add(time.Hour) })
	add("suspended", billing.Developer, billing.Live, nil)
	add("at-home", billing.Developer, billing.Live, func(k *billing.Key) { k.Addrs = addrs })
	add("in-page", billing.Developer, billing.Live, func(k *billing.Key) { k.Origins = origins })
	_, err = store.UpdateAccount(ctx, "acct_suspended", func(a *billing.Account) error { a.Suspended = true; return nil })
	if err := errors.Join(append(errs, err, store.Close())...); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// everybody returns a store with persons and the demo key.
func everybody(t testing.TB) *billing.Store {
	t.Helper()
	file, err := persons()
	path := filepath.Join(t.TempDir(), "accounts.db")
	if err == nil {
		err = os.WriteFile(path, file, 0o600)
	}
	check(t, err)
	store, err := billing.Open(t.Context(), path, billing.Options{Pepper: pepper, DemoKey: key("demo"), Now: func() time.Time { return gateTime }})
	check(t, err)
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	return store
}

// split are accounts whose keys and credits have two places.
type split struct {
	gate
	ledger
}

type gate interface {
	Enter(ctx context.Context, c billing.Credentials) (billing.Pass, error)
	AllowAddr(ctx context.Context, addr netip.Addr) error
	Limits() interface {
		Ping(ctx context.Context) error
	}
}

type ledger interface {
	Reserve(ctx context.Context, h billing.Hold) (billing.Receipt, error)
	Settle(ctx context.Context, h billing.Hold, used int) (billing.Receipt, error)
	Refund(ctx context.Context, h billing.Hold) (billing.Receipt, error)
	Cut(ctx context.Context, h billing.Hold) (billing.Receipt, error)
	Ping(ctx context.Context) error
	Probe(ctx context.Context) error
}

// withAccounts makes a server require keys and charge them to the book.
func withAccounts(t testing.TB, b *book) func(*server.Config) {
	t.Helper()
	gate := everybody(t)
	proxies, err := billing.ParseAddrList([]string{"10.0.0.0/8"})
	check(t, err)
	return func(c *server.Config) {
		c.Accounts, c.TrustedProxies = split{gate, b}, proxies
	}
}

// rich is a book with enough of everything.
func rich() *book { return newBook(billing.Part{Source: billing.SubscriptionCredits, Credits: 1000}) }

// as sends the key of a name in the header.
func as(name string, r *http.Request) *http.Request {
	r.Header.Set("X-Api-Key", key(name))
	return r
}

func with(r *http.Request, name, value string) *http.Request {
	r.Header.Set(name, value)
	return r
}

// Cut gives everything back, like Refund.
func (b *book) Cut(_ context.Context, h billing.Hold) (billing.Receipt, error) {
	return b.giveBack("cut", h.ID)
}

// away is the error of a ledger that cannot be reached, perhaps after it did the call.
func away(doubt bool) error {
	if doubt {
		return errors.Join(billing.ErrUnavailable, billing.ErrInDoubt)
	}
	return billing.ErrUnavailable
}
