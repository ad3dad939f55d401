package billing

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/wording"
)

// Credentials identify the sender of a request.
type Credentials struct {
	Key    string     // of the header or the query; "": none
	Bearer bool       // there is no key, but an Authorization: Bearer header
	Addr   netip.Addr // see [ClientAddr]
	Origin string     // the Origin header; "": none
}

// A Pass is the result of [Gate.Enter]. Its window is set for authenticated
// requests.
type Pass struct {
	Identity Identity
	Window   Window
}

// A Gate decides who may call. It first checks the flood limit of requests without
// a key and the address block of missing or unknown keys. Then it checks the state
// of key and account, the lists of addresses and origins, and the requests per
// minute. It is safe for concurrent use.
//
// A known key passes even if its address is blocked (decision D57): customers
// behind one proxy share its address. Gates look keys up in memory first. Unknown
// keys from blocked addresses share 1,000 lookups per second in the directory, and
// wait a second at most. A flood of invented keys costs little, and no valid key
// is refused.
type Gate struct {
	o       GateOptions
	demo    KeyHash
	hasDemo bool
	slow    turns // lookups for blocked addresses

	mu       sync.RWMutex
	known    map[KeyHash]*Holder
	seen     map[KeyHash]struct{} // keys found before; their lookups do not wait
	revision int64
	check    atomic.Int64 // when the revision is looked at again, Unix nanoseconds
}

// GateOptions configures a [Gate].
type GateOptions struct {
	Directory Directory // needed
	Pepper    *Pepper   // needed
	Limiter   Limiter   // nil: a new [MemoryLimiter]
	Blocker   *Blocker  // nil: a new one

	// DemoKey is the shared key for trying the service, 16 to 64 printable
	// ASCII characters as [CheckDemoKey] requires. "": none.
	DemoKey string

	// Flood is the number of requests without a key that one address may send per
	// minute. 0: 60.
	Flood int

	// Recheck is the maximum age of keys in memory before the gate checks the
	// directory for changes. 0: one second.
	Recheck time.Duration

	// MaxKnown is the maximum number of keys in memory. 0: 50,000.
	MaxKnown int

	Now func() time.Time // clock; nil: time.Now
}

const (
	defaultFlood    = 60
	defaultRecheck  = time.Second
	defaultMaxKnown = 50_000
)

// NewGate returns a gate.
func NewGate(o GateOptions) (*Gate, error) {
	if o.Directory == nil || o.Pepper == nil {
		return nil, errors.New("billing: a gate needs a directory and a pepper")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Limiter == nil {
		o.Limiter = NewMemoryLimiter(MemoryLimiterOptions{Now: o.Now})
	}
	if o.Blocker == nil {
		o.Blocker = NewBlocker(BlockerOptions{Now: o.Now})
	}
	if o.Flood <= 0 {
		o.Flood = defaultFlood
	}
	if o.Recheck <= 0 {
		o.Recheck = defaultRecheck
	}
	if o.MaxKnown <= 0 {
		o.MaxKnown = defaultMaxKnown
	}
	g := &Gate{o: o, known: map[KeyHash]*Holder{}, seen: map[KeyHash]struct{}{}}
	if o.DemoKey != "" {
		if err := CheckDemoKey(o.DemoKey); err != nil {
			return nil, err
		}
		g.demo, g.hasDemo = o.Pepper.Hash(o.DemoKey), true
	}
	return g, nil
}

// Enter admits a request or returns an [envelope.Failure]. Above the rate limit
// the error is a [*RateLimitError] and the pass has the window. The pass of a known key
// has its identity, also with an error, for logs. No error contains the key.
func (g *Gate) Enter(ctx context.Context, c Credentials) (Pass, error) {
	if c.Key == "" {
		return Pass{}, g.keyless(ctx, c)
	}
	hash := g.o.Pepper.Hash(c.Key)
	if g.hasDemo && hmac.Equal(hash[:], g.demo[:]) {
		return g.permit(ctx, Identity{Kind: Demo}, c.Addr)
	}
	blocked := g.o.Blocker.Blocked(c.Addr)
	holder, err := g.find(ctx, hash, blocked)
	switch {
	case errors.Is(err, ErrKeyNotFound) && blocked:
		return Pass{}, errBlocked()
	case errors.Is(err, ErrKeyNotFound):
		g.o.Blocker.Invalid(c.Addr)
		text := wording.InvalidKey
		if len(c.Key) < minKeyLength {
			text = wording.InvalidKeyFormat
		}
		return Pass{}, envelope.NewFault(envelope.AuthInvalidKey, text)
	case err != nil:
		return Pass{}, err
	}
	k := &holder.Key
	id := Identity{Kind: k.Kind, KeyID: k.ID, Account: k.Account, Plan: holder.Account.Plan, Scopes: k.Scopes}
	if k.Kind == Demo {
		id.Plan, id.Account = 0, ""
	}
	if err := g.admit(holder, &c); err != nil {
		return Pass{Identity: id}, err
	}
	return g.permit(ctx, id, c.Addr)
}

// keyless admits or refuses a request without a key.
func (g *Gate) keyless(ctx context.Context, c Credentials) error {
	if w, err := g.AllowAddr(ctx, c.Addr); err != nil {
		return err
	} else if !w.Allowed {
		return &RateLimitError{Window: w, Flood: true}
	}
	if g.o.Blocker.Blocked(c.Addr) {
		return errBlocked()
	}
	if c.Bearer {
		return &envelope.Fault{Code: envelope.AuthMissingKey, Message: wording.BearerKey, AuthDocs: true}
	}
	return envelope.NewFault(envelope.AuthMissingKey, wording.MissingKey)
}

func errBlocked() error { return envelope.NewFault(envelope.AuthIPBlocked, wording.AddressBlocked) }

// AllowAddr takes a permit of the flood limit for a request without a key from
// the address.
func (g *Gate) AllowAddr(ctx context.Context, addr netip.Addr) (Window, error) {
	return g.allowAddr(ctx, ByFlood, addr, g.o.Flood)
}

// allowAddr takes a permit of an address's [Site] and, for IPv6, one of its /48.
func (g *Gate) allowAddr(ctx context.Context, scope LimitScope, addr netip.Addr, limit int) (Window, error) {
	w, err := g.o.Limiter.Allow(ctx, LimitKey{Scope: scope, Addr: Site(addr)}, limit)
	if err != nil {
		return Window{}, unavailable(err)
	}
	all48, ok := network(addr)
	if !ok || !w.Allowed {
		return w, nil
	}
	all, err := g.o.Limiter.Allow(ctx, LimitKey{Scope: scope.network(), Addr: all48}, networkFactor*limit)
	if err != nil {
		return Window{}, unavailable(err)
	}
	if !all.Allowed {
		return all, nil
	}
	w.Remaining = min(w.Remaining, all.Remaining)
	return w, nil
}

func (g *Gate) admit(h *Holder, c *Credentials) error {
	k := &h.Key
	switch {
	case !k.Usable(g.o.Now()):
		return envelope.NewFault(envelope.AuthInactiveKey, wording.InactiveKey)
	case h.Account.Suspended:
		return envelope.NewFault(envelope.AuthInactiveAccount, wording.InactiveAccount)
	case len(k.Addrs) > 0 && !k.Addrs.Contains(c.Addr):
		return envelope.NewFault(envelope.AuthIPRestricted, wording.AddressNotAllowed)
	case len(k.Origins) > 0 && !slices.ContainsFunc(k.Origins, func(o Origin) bool { return o.Match(c.Origin) }):
		return envelope.NewFault(envelope.AuthOriginRestricted, wording.OriginNotAllowed)
	}
	return nil
}

func (g *Gate) permit(ctx context.Context, id Identity, addr netip.Addr) (Pass, error) {
	var w Window
	var err error
	if id.Kind == Demo {
		w, err = g.allowAddr(ctx, ByDemo, addr, DemoRatePerMinute)
	} else if w, err = g.o.Limiter.Allow(ctx, LimitKey{Scope: ByKey, ID: id.KeyID}, id.Plan.Limits().RatePerMinute); err != nil {
		err = unavailable(err)
	}
	switch {
	case err != nil:
		w = Window{}
	case !w.Allowed:
		err = &RateLimitError{Window: w}
	}
	return Pass{Identity: id, Window: w}, err
}

// find returns the holder of a key from memory, else from the directory. If its
// address is blocked, a key that was never found waits for its turn. Unknown keys
// are not kept in memory: their number is unbounded.
func (g *Gate) find(ctx context.Context, hash KeyHash, blocked bool) (*Holder, error) {
	if err := g.recheck(ctx); err != nil {
		return nil, err
	}
	g.mu.RLock()
	h := g.known[hash]
	_, seen := g.seen[hash]
	revision := g.revision
	g.mu.RUnlock()
	if h != nil {
		return h, nil
	}
	if blocked && !seen {
		if err := g.slow.wait(ctx); err != nil {
			return nil, err
		}
	}
	h, err := g.o.Directory.FindKey(ctx, hash)
	if err != nil {
		if errors.Is(err, ErrKeyNotFound) {
			return nil, ErrKeyNotFound
		}
		return nil, unavailable(err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.revision == revision {
		if len(g.known) >= g.o.MaxKnown {
			clear(g.known)
		}
		g.known[hash] = h
	}
	if len(g.seen) >= g.o.MaxKnown {
		clear(g.seen)
	}
	g.seen[hash] = struct{}{}
	return h, nil
}

// recheck clears the memory after a change of the directory.
func (g *Gate) recheck(ctx context.Context) error {
	now, due := g.o.Now().UnixNano(), g.check.Load()
	if now < due && due-now <= int64(g.o.Recheck) {
		return nil
	}
	if !g.check.CompareAndSwap(due, now+int64(g.o.Recheck)) {
		return nil // another request queries it
	}
	revision, err := g.o.Directory.Revision(ctx)
	if err != nil {
		g.check.CompareAndSwap(now+int64(g.o.Recheck), 0) // the memory may be out of date
		return unavailable(err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if revision != g.revision {
		g.revision = revision
		clear(g.known)
	}
	return nil
}

func unavailable(err error) error {
	if errors.Is(err, ErrUnavailable) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &UnavailableError{Err: err}
}

// A RateLimitError means that a caller has no permit left. It is an
// [envelope.Failure].
type RateLimitError struct {
	Window Window
	Flood  bool // requests without a key
}

// Error returns the limit.
func (e *RateLimitError) Error() string {
	return fmt.Sprintf("billing: %s", e.ContractMessage())
}

// ContractCode implements [envelope.Failure].
func (e *RateLimitError) ContractCode() envelope.Code { return envelope.RateLimitMinute }

// ContractMessage implements [envelope.Failure].
func (e *RateLimitError) ContractMessage() string {
	if e.Flood {
		return wording.FloodLimited
	}
	return wording.RateLimited(e.Window.Limit)
}

// Meta returns meta.rate_limit.
func (e *RateLimitError) Meta() envelope.RateLimit {
	return envelope.RateLimit{Limit: e.Window.Limit, Window: "minute", RetryAfter: int(WindowLength / time.Second)}
}
