package billing

import (
	"context"
	"crypto/hmac"
	"errors"
	"maps"
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
	Addr   netip.Addr // of the client, behind trusted proxies too
	Origin string     // the Origin header; "": none
}

// A Pass is the result of [Store.Enter]. Its window is set for authenticated
// requests.
type Pass struct {
	Identity Identity
	Window   Window
}

// A directory finds keys for authentication. It is safe for concurrent use.
type directory interface {
	// findKey returns the key with the hash and its account, or [ErrKeyNotFound].
	// They are shared and must not be changed.
	findKey(ctx context.Context, hash keyHash) (*holder, error)

	// revision returns a number that increases with every change of an account or
	// key, by any process.
	revision(ctx context.Context) (int64, error)
}

// A holder is a key and its account.
type holder struct {
	key     Key
	account Account
}

// A gate decides who may call, see [Store.Enter]. It looks keys up in memory first.
// Unknown keys from blocked addresses are looked up one at a time: a flood of invented keys
// costs little, and no valid key is refused.
//
// The memory holds valid keys of one revision of the directory. Once a second one request
// reads the revision, and if it changed, forgets all keys. A deactivated key thus works for
// about a second more in each process, and processes send each other no messages. The map has
// hashes of keys, so that the time of a comparison reveals nothing about a key.
//
// Keys of earlier revisions stay in before, only to distinguish them from invented ones.
// After a change every key is looked up again, and a customer whose address is blocked
// would otherwise wait in the line of the invented keys.
type gate struct {
	directory directory
	pepper    *pepper
	limiter   limiter
	blocker   *blocker
	demo      keyHash
	hasDemo   bool
	now       func() time.Time
	slow      chan struct{} // of capacity 1; held by the lookup for a blocked address

	mu     sync.RWMutex // guards known, before and at
	known  map[keyHash]*holder
	before map[keyHash]*holder // known at earlier revisions, so not invented
	at     int64               // revision of known
	check  atomic.Int64        // when the revision is looked at again, Unix nanoseconds
}

const (
	floodLimit = 60          // requests per minute without a key from one address
	recheck    = time.Second // maximum age of keys in memory before the gate looks for changes
	maxKnown   = 50_000
)

func newGate(d directory, p *pepper, l limiter, now func() time.Time, demoKey string) (*gate, error) {
	g := &gate{
		directory: d, pepper: p, limiter: l, blocker: newBlocker(now, blockedSites), now: now,
		slow: make(chan struct{}, 1), known: map[keyHash]*holder{}, before: map[keyHash]*holder{},
	}
	if demoKey != "" {
		if err := CheckDemoKey(demoKey); err != nil {
			return nil, err
		}
		g.demo, g.hasDemo = p.hash(demoKey), true
	}
	return g, nil
}

// enter implements [Store.Enter].
func (g *gate) enter(ctx context.Context, c Credentials) (Pass, error) {
	if c.Key == "" {
		return Pass{}, g.keyless(ctx, c)
	}
	hash := g.pepper.hash(c.Key)
	// The configured demo key is compared first: it works without the database.
	if g.hasDemo && hmac.Equal(hash[:], g.demo[:]) {
		return g.permit(ctx, Identity{Kind: Demo}, c.Addr)
	}
	h, err := g.find(ctx, hash, c.Addr)
	switch {
	case errors.Is(err, ErrKeyNotFound) && g.blocker.isBlocked(c.Addr):
		return Pass{}, errBlocked()
	case errors.Is(err, ErrKeyNotFound):
		g.blocker.invalid(c.Addr)
		text := wording.InvalidKey
		if len(c.Key) < minKeyLength {
			text = wording.InvalidKeyFormat
		}
		return Pass{}, &envelope.Fault{Code: envelope.AuthInvalidKey, Message: text}
	case err != nil:
		return Pass{}, err
	}
	k := &h.key
	id := Identity{Kind: k.Kind, KeyID: k.ID, Account: k.Account, Plan: h.account.Plan, Debug: k.Debug}
	if k.Kind == Demo {
		id.Plan, id.Account = "", ""
	}
	if err := g.admit(h, &c); err != nil {
		return Pass{Identity: id}, err
	}
	return g.permit(ctx, id, c.Addr)
}

// keyless refuses a request without a key.
func (g *gate) keyless(ctx context.Context, c Credentials) error {
	w, err := g.allowAddr(ctx, byFlood, c.Addr, floodLimit)
	switch {
	case err != nil:
		return err
	case !w.Allowed:
		return rateLimited(w, true)
	case g.blocker.isBlocked(c.Addr):
		return errBlocked()
	case c.Bearer:
		return &envelope.Fault{Code: envelope.AuthMissingKey, Message: wording.BearerKey, AuthDocs: true}
	}
	return &envelope.Fault{Code: envelope.AuthMissingKey, Message: wording.MissingKey}
}

func errBlocked() error {
	return &envelope.Fault{Code: envelope.AuthIPBlocked, Message: wording.AddressBlocked}
}

// allowAddr takes a permit of an address's [Site] and, for IPv6, one of its /48.
func (g *gate) allowAddr(ctx context.Context, scope string, addr netip.Addr, limit int) (Window, error) {
	w, err := g.limiter.Allow(ctx, limitKey{scope: scope, addr: Site(addr)}, limit)
	all48, ok := network(addr)
	if err != nil || !ok || !w.Allowed {
		return w, unavailable(err)
	}
	all, err := g.limiter.Allow(ctx, limitKey{scope: scope + ofNetwork, addr: all48}, networkFactor*limit)
	if err != nil || !all.Allowed {
		return all, unavailable(err)
	}
	w.Remaining = min(w.Remaining, all.Remaining)
	return w, nil
}

func (g *gate) admit(h *holder, c *Credentials) error {
	k := &h.key
	state := k.State(g.now())
	switch {
	case state != Active && state != Rotating:
		return &envelope.Fault{Code: envelope.AuthInactiveKey, Message: wording.InactiveKey}
	case h.account.Suspended:
		return &envelope.Fault{Code: envelope.AuthInactiveAccount, Message: wording.InactiveAccount}
	case len(k.Addrs) > 0 && !k.Addrs.Contains(c.Addr):
		return &envelope.Fault{Code: envelope.AuthIPRestricted, Message: wording.AddressNotAllowed}
	case len(k.Origins) > 0 && !slices.ContainsFunc(k.Origins, func(o Origin) bool { return o.match(c.Origin) }):
		return &envelope.Fault{Code: envelope.AuthOriginRestricted, Message: wording.OriginNotAllowed}
	}
	return nil
}

func (g *gate) permit(ctx context.Context, id Identity, addr netip.Addr) (Pass, error) {
	var w Window
	var err error
	if id.Kind == Demo {
		w, err = g.allowAddr(ctx, byDemo, addr, DemoRatePerMinute)
	} else {
		w, err = g.limiter.Allow(ctx, limitKey{scope: byKey, id: id.KeyID}, id.Plan.Limits().RatePerMinute)
	}
	switch {
	case err != nil:
		return Pass{Identity: id}, unavailable(err)
	case !w.Allowed:
		err = rateLimited(w, false)
	}
	return Pass{Identity: id, Window: w}, err
}

// find returns the holder of a key from memory, else from the directory. Unknown keys
// are not kept in memory: their number is unbounded.
func (g *gate) find(ctx context.Context, hash keyHash, addr netip.Addr) (*holder, error) {
	if err := g.recheck(ctx); err != nil {
		return nil, err
	}
	g.mu.RLock()
	h, at, invented := g.known[hash], g.at, g.before[hash] == nil
	g.mu.RUnlock()
	if h != nil {
		return h, nil
	}
	if invented && g.blocker.isBlocked(addr) {
		select {
		case g.slow <- struct{}{}:
			defer func() { <-g.slow }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	h, err := g.directory.findKey(ctx, hash)
	if err != nil {
		if errors.Is(err, ErrKeyNotFound) {
			return nil, ErrKeyNotFound
		}
		return nil, unavailable(err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.at == at { // else h may be from before the change, and would stay
		if len(g.known) >= maxKnown {
			g.forget()
		}
		g.known[hash] = h
	}
	return h, nil
}

// recheck clears the memory after a change of the directory. The swap lets one request
// read the revision; the others go on with the memory as it is, also while the directory does
// not respond. If the directory fails, that request fails and the next one tries again.
func (g *gate) recheck(ctx context.Context) error {
	now, due := g.now().UnixNano(), g.check.Load()
	if now < due && due-now <= int64(recheck) { // a longer time is of a clock that was ahead
		return nil
	}
	if !g.check.CompareAndSwap(due, now+int64(recheck)) {
		return nil // another request queries it
	}
	at, err := g.directory.revision(ctx)
	if err != nil {
		g.check.CompareAndSwap(now+int64(recheck), 0) // the memory may be out of date
		return unavailable(err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if at != g.at {
		g.at = at
		g.forget()
	}
	return nil
}

// forget empties the memory.
func (g *gate) forget() {
	if len(g.before) >= maxKnown {
		clear(g.before)
	}
	maps.Copy(g.before, g.known)
	clear(g.known)
}

// unavailable makes errors of a directory or limiter failures that callers may retry. Ends
// of the caller's context stay as they are: nobody reads that response.
func unavailable(err error) error {
	if err == nil || errors.Is(err, ErrUnavailable) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &unavailableError{err: err}
}

// A RateLimitError means that a caller has no permit left. It is an
// [envelope.Fault].
type RateLimitError struct {
	envelope.Fault
	Window Window
	Flood  bool // requests without a key
}

func rateLimited(w Window, flood bool) error {
	text := wording.FloodLimited
	if !flood {
		text = wording.RateLimited(w.Limit)
	}
	return &RateLimitError{Fault: envelope.Fault{Code: envelope.RateLimitMinute, Message: text}, Window: w, Flood: flood}
}
