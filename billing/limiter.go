package billing

import (
	"context"
	"net/netip"
	"sync"
	"time"
)

// A limitKey identifies the callers that a rate limit counts: by the public id of a
// key, by the [Site] of an address, or by its /48.
type limitKey struct {
	scope string
	id    string
	addr  netip.Addr
}

// The scopes of rate limits.
const (
	byKey   = "key"   // a live or test key
	byDemo  = "demo"  // an address with the demo key
	byFlood = "flood" // an address without a key

	ofNetwork = "48" // after one of the last two
)

// String returns the key as text for stores, e.g. "demo:192.0.2.1".
func (k limitKey) String() string {
	if k.scope == byKey {
		return k.scope + ":" + k.id
	}
	return k.scope + ":" + k.addr.String()
}

// A Window is the state of a caller's last minute.
type Window struct {
	Allowed   bool // whether the request has a permit
	Limit     int  // permits per minute
	Remaining int  // permits left now; 0 when not allowed
	Reset     time.Time
}

// windowLength is the length of a rate limit's window, and the Retry-After of a
// refused request.
const windowLength = time.Minute

// A limiter counts requests in six segments of ten seconds, aligned to the clock
// (decision D28). Each allowed request takes a permit; a refused one takes none.
// Any span of 50 seconds admits at most the limit: the oldest of six segments is forgotten
// as a whole when a seventh begins. In exchange a key costs eight numbers instead of the
// time of each request. Limiters are safe for concurrent use.
type limiter interface {
	// Allow takes a permit of a key with limit permits per minute. If the limiter
	// cannot decide it returns an error and the zero Window.
	Allow(ctx context.Context, key limitKey, limit int) (Window, error)
}

const (
	segments      = 6
	segmentLength = int64(windowLength/time.Second) / segments // seconds
)

// A ring counts the permits of the last six segments.
type ring struct {
	at     int64            // newest segment: Unix seconds / segmentLength
	counts [segments]uint32 // by segment modulo 6
	used   uint32           // their sum
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
	if to-r.at >= segments {
		*r = ring{at: to}
	}
	for r.at < to {
		r.at++
		n := &r.counts[slot(r.at)]
		r.used -= *n
		*n = 0
	}
}

// slot returns the index of a segment in a ring, also before 1970: % of a negative int64 is
// negative.
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

// limitedKeys is the maximum number of keys, and of addresses, in memory, about 20 MB each.
const limitedKeys = 100_000

// A memoryLimiter is a limiter for one process. Its memory is bounded: a full
// limiter forgets keys without recent permits first, then the least recently used.
// Separate tables keep many addresses from displacing keys. One lock is enough: it is held
// for a look-up and a few additions.
type memoryLimiter struct {
	now func() time.Time

	mu          sync.Mutex // guards both tables
	keys, addrs *recent[limitKey, ring]
}

func newMemoryLimiter(now func() time.Time, keys, addrs int) *memoryLimiter {
	return &memoryLimiter{now: now, keys: newRecent[limitKey, ring](keys), addrs: newRecent[limitKey, ring](addrs)}
}

// Allow implements limiter. It never fails.
func (l *memoryLimiter) Allow(_ context.Context, key limitKey, limit int) (Window, error) {
	now := l.now()
	at := now.Unix() / segmentLength
	w := Window{Limit: limit, Reset: now.Add(windowLength)}
	l.mu.Lock()
	defer l.mu.Unlock()
	table := l.addrs
	if key.scope == byKey {
		table = l.keys
	}
	r := table.get(key, func(r *ring) bool { return r.idle(at) })
	r.advance(at)
	w.Remaining, w.Allowed = r.take(limit)
	return w, nil
}
