package server_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
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
	if err := b.err["reserve"]; err != nil {
		return billing.Receipt{}, err
	}
	held := 0
	for _, n := range b.holds {
		held += n
	}
	if free := b.available() - held; h.Credits > free {
		return billing.Receipt{}, &billing.InsufficientError{Account: h.Account, Need: h.Credits, Available: free, Batch: h.Batch}
	}
	b.holds[h.ID] = h.Credits
	return billing.Receipt{Credits: h.Credits}, nil
}

func (b *book) Settle(_ context.Context, id string, used int) (billing.Receipt, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = append(b.log, "settle")
	if err := b.err["settle"]; err != nil {
		return billing.Receipt{}, err
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
		return billing.Receipt{}, &billing.UnavailableError{Err: errors.New("the line broke"), InDoubt: true}
	}
	most, ok := b.holds[id]
	if !ok || used > most {
		return billing.Receipt{}, billing.ErrHoldClosed
	}
	delete(b.holds, id)
	b.settled[id] = used
	return billing.Receipt{Credits: used, Parts: b.take(used), Remaining: b.available()}, nil
}

func (b *book) Refund(_ context.Context, id string) (billing.Receipt, error) {
	return b.giveBack("refund", id)
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

func (b *book) calls() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.Join(b.log, " ")
}

// people are the keys of the tests, by name; each name is spread to 32
// characters.
type people map[string]*billing.Holder

func key(name string) string { return name + strings.Repeat("0", billing.KeyLength-len(name)) }

func (p people) FindKey(_ context.Context, hash billing.KeyHash) (*billing.Holder, error) {
	for name, h := range p {
		if pepper.Hash(key(name)) == hash {
			return h, nil
		}
	}
	return nil, billing.ErrKeyNotFound
}

func (people) Revision(context.Context) (int64, error) { return 1, nil }

var pepper = func() *billing.Pepper {
	p, err := billing.NewPepper(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		panic(err)
	}
	return p
}()

var gateTime = time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)

func holder(plan billing.Plan, kind billing.KeyKind, set ...func(*billing.Holder)) *billing.Holder {
	h := &billing.Holder{
		Key:     billing.Key{ID: "key_" + plan.String() + "_" + kind.String(), Account: "acct_1", Kind: kind},
		Account: billing.Account{ID: "acct_1", Plan: plan},
	}
	for _, f := range set {
		f(h)
	}
	return h
}

// everybody are holders in every state.
func everybody(t testing.TB) people {
	addrs, err := billing.ParseAddrList([]string{"198.51.100.0/24"})
	if err != nil {
		t.Fatal(err)
	}
	origins, err := billing.ParseOrigins([]string{"https://app.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	return people{
		"free":       holder(billing.Free, billing.Live),
		"restricted": holder(billing.Restricted, billing.Live),
		"paid":       holder(billing.Developer, billing.Live),
		"debug":      holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Scopes = billing.ScopeDebug }),
		"test":       holder(billing.Developer, billing.Test),
		"free-test":  holder(billing.Free, billing.Test),
		"off":        holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Off = true }),
		"expired":    holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Expires = gateTime.Add(-time.Second) }),
		"rotating":   holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Rotated, h.Key.Expires = true, gateTime.Add(time.Hour) }),
		"suspended":  holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Account.Suspended = true }),
		"at-home":    holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Addrs = addrs }),
		"in-page":    holder(billing.Developer, billing.Live, func(h *billing.Holder) { h.Key.Origins = origins }),
	}
}

// withAccounts makes a server require keys and charge them to the book.
func withAccounts(t testing.TB, b *book) func(*server.Config) {
	t.Helper()
	gate, err := billing.NewGate(billing.GateOptions{
		Directory: everybody(t), Pepper: pepper, DemoKey: key("demo"),
		Now: func() time.Time { return gateTime },
	})
	if err != nil {
		t.Fatal(err)
	}
	proxies, err := billing.ParseAddrList([]string{"10.0.0.0/8"})
	if err != nil {
		t.Fatal(err)
	}
	return func(c *server.Config) {
		c.Accounts = &server.Accounts{Gate: gate, Ledger: b, TrustedProxies: proxies}
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
func (b *book) Cut(_ context.Context, id string) (billing.Receipt, error) {
	return b.giveBack("cut", id)
}
