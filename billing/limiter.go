package billing

import (
	"context"
	"hash/maphash"
	"net/netip"
	"sync"
	"time"
)

// A LimitScope is the kind of callers that a rate limit counts.
type LimitScope uint8

// The scopes of rate limits.
const (
	ByKey          LimitScope = iota + 1 // a live or test key
	ByDemo                               // an address with the demo key
	ByFlood                              // an address without a key
	ByDemoNetwork                        // an IPv6 network with the demo key
	ByFloodNetwork                       // an IPv6 network without a key
)

var scopeMarks = [...]string{ByKey: "key", ByDemo: "demo", ByFlood: "flood", ByDemoNetwork: "demo48", ByFloodNetwork: "flood48"}

func (s LimitScope) network() LimitScope {
	if s == ByDemo {
		return ByDemoNetwork
	}
	return ByFloodNetwork
}

// A LimitKey identifies the caller that a rate limit counts. It is comparable.
type LimitKey struct {
	Scope LimitScope
	ID    string     // of a key: its public id
	Addr  netip.Addr // of an address: its [Site]; of a network: its /48
}

// String returns the key as text for stores, e.g. "demo:192.0.2.1".
func (k LimitKey) String() string {
	mark := "none"
	if int(k.Scope) < len(scopeMarks) && k.Scope > 0 {
		mark = scopeMarks[k.Scope]
	}
	if k.Scope == ByKey {
		return mark + ":" + k.ID
	}
	return mark + ":" + k.Addr.String()
}

// A Window is the state of a caller's last minute.
type Window struct {
	Allowed   bool
	Limit     int // permits per minute
	Remaining int // permits left now; 0 when not allowed
	Reset     time.Time
}

// WindowLength is the length of a rate limit's window, and the Retry-After of a
// refused request.
const WindowLength = time.Minute

// A Limiter counts requests in six segments of ten seconds, aligned to the clock
// (decision D28). Each allowed request takes a permit; a refused one takes none.
// Any span of 50 seconds admits at most the limit. Implementations are safe for
// concurrent use.
type Limiter interface {
	// Allow takes a permit of a key with limit permits per minute. If the limiter
	// cannot decide it returns an error and the zero Window.
	Allow(ctx context.Context, key LimitKey, limit int) (Window, error)
}

const (
	segments      = 6
	segmentLength = int64(WindowLength/time.Second) / segments // seconds
)

// A ring counts the permits of the last six segments.
type ring struct {
	at     int64 // newest segment: Unix seconds / segmentLength
	counts [segments]uint32
	used   uint32
}

// advance moves the ring to a segment. A clock that is set back within the window
// is ignored. After a larger step back the permits count as taken now, so that no
// key waits until the clock catches up.
func (r *ring) advance(to int64) {
	if r.at-to >= segments {
		*r = ring{at: to, used: r.used}
		r.counts[slot(to)] = r.used
		return
	}
	if to <= r.at {
		return
	}
	if to-r.at >= segments {
		*r = ring{at: to}
		return
	}
	for r.at < to {
		r.at++
		n := &r.counts[slot(r.at)]
		r.used -= *n
		*n = 0
	}
}

// slot returns the index of a segment in a ring, also before 1970.
func slot(segment int64) uint64 { return uint64(segment) % segments }

// idle reports whether a ring has no permits that count in a segment.
func (r *ring) idle(at int64) bool { return at-r.at >= segments || r.at-at >= segments }

// take takes a permit if one is left, and returns the number left.
func (r *ring) take(limit int) (left int, ok bool) {
	if int(r.used) >= limit {
		return 0, false
	}
	r.counts[slot(r.at)]++
	r.used++
	return limit - int(r.used), true
}

// limiterShards is the number of parts of a MemoryLimiter, each with its lock.
const limiterShards = 16

// A MemoryLimiter is a [Limiter] for one process. Its memory is bounded: a full
// limiter forgets keys without recent permits first, then the least recently used.
// Separate tables keep many addresses from displacing keys.
type MemoryLimiter struct {
	now    func() time.Time
	seed   maphash.Seed
	shards [limiterShards]limiterShard
}

type limiterShard struct {
	mu    sync.Mutex
	keys  *recent[string, ring]
	addrs *recent[addrKey, ring]
	_     [64]byte // separates the locks of adjacent shards
}

type addrKey struct {
	addr  netip.Addr
	scope LimitScope
}

// A MemoryLimiterOptions configures a MemoryLimiter.
type MemoryLimiterOptions struct {
	Now   func() time.Time // clock; nil: time.Now
	Keys  int              // maximum keys; 0: 100,000, about 10 MB
	Addrs int              // maximum addresses; 0: 100,000, about 12 MB
}

// NewMemoryLimiter returns an empty limiter.
func NewMemoryLimiter(o MemoryLimiterOptions) *MemoryLimiter {
	const usual, most = 100_000, 1 << 30
	if o.Now == nil {
		o.Now = time.Now
	}
	perShard := func(n int) int {
		if n <= 0 {
			n = usual
		}
		return (min(n, most) + limiterShards - 1) / limiterShards
	}
	l := &MemoryLimiter{now: o.Now, seed: maphash.MakeSeed()}
	for i := range l.shards {
		l.shards[i].keys = newRecent[string, ring](perShard(o.Keys))
		l.shards[i].addrs = newRecent[addrKey, ring](perShard(o.Addrs))
	}
	return l
}

// Allow implements [Limiter]. It never fails.
func (l *MemoryLimiter) Allow(_ context.Context, key LimitKey, limit int) (Window, error) {
	now := l.now()
	at := now.Unix() / segmentLength
	w := Window{Limit: limit, Reset: now.Add(WindowLength)}
	idle := func(r *ring) bool { return r.idle(at) }

	if key.Scope == ByKey {
		s := &l.shards[maphash.String(l.seed, key.ID)%limiterShards]
		s.mu.Lock()
		defer s.mu.Unlock()
		r := s.keys.get(key.ID)
		if r == nil {
			r = s.keys.add(key.ID, idle)
		}
		r.advance(at)
		w.Remaining, w.Allowed = r.take(limit)
		return w, nil
	}
	k := addrKey{key.Addr, key.Scope}
	s := &l.shards[maphash.Comparable(l.seed, k)%limiterShards]
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.addrs.get(k)
	if r == nil {
		r = s.addrs.add(k, idle)
	}
	r.advance(at)
	w.Remaining, w.Allowed = r.take(limit)
	return w, nil
}

// Len returns the number of keys and addresses in memory.
func (l *MemoryLimiter) Len() int {
	n := 0
	for i := range l.shards {
		s := &l.shards[i]
		s.mu.Lock()
		n += s.keys.len() + s.addrs.len()
		s.mu.Unlock()
	}
	return n
}
