package billing

import (
	"net/netip"
	"sync"
	"time"
)

// The rule of decision D25: so many invalid keys from one address in so short
// a time block the address for so long.
const (
	BlockAttempts = 20
	BlockWindow   = 10 * time.Minute
	BlockTime     = 15 * time.Minute
)

// A Blocker blocks addresses that send invalid keys again and again. Addresses
// are counted by their [Site]. Its memory is bounded: when it is full, the
// address whose last invalid key is oldest is forgotten. It is safe for
// concurrent use.
type Blocker struct {
	now func() time.Time

	mu    sync.Mutex
	sites *recent[netip.Addr, attempts]
}

// attempts are the times of the last invalid keys of a site and the time until
// which it is blocked, in nanoseconds of the Unix clock; 0 is none.
type attempts struct {
	at      [BlockAttempts]int64 // a ring
	next    uint8
	last    int64
	blocked int64
}

// A BlockerOptions configures a Blocker.
type BlockerOptions struct {
	Now   func() time.Time // clock; nil: time.Now
	Sites int              // most addresses; 0: 50,000, about 12 MB
}

// NewBlocker returns a blocker that blocks nobody.
func NewBlocker(o BlockerOptions) *Blocker {
	const usual, most = 50_000, 1 << 30
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sites <= 0 {
		o.Sites = usual
	}
	return &Blocker{now: o.Now, sites: newRecent[netip.Addr, attempts](min(o.Sites, most))}
}

// Blocked reports whether an address is blocked.
func (b *Blocker) Blocked(addr netip.Addr) bool {
	site, now := Site(addr), b.now().UnixNano()
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.sites.peek(site)
	return a != nil && a.blocks(now)
}

// blocks reports whether a block lasts. One that would last longer than any is
// from a clock that was set back since, and over.
func (a *attempts) blocks(now int64) bool {
	return now < a.blocked && a.blocked-now <= int64(BlockTime)
}

// Invalid counts an invalid key from an address.
func (b *Blocker) Invalid(addr netip.Addr) {
	site, now := Site(addr), b.now().UnixNano()
	b.mu.Lock()
	defer b.mu.Unlock()
	a := b.sites.get(site)
	if a == nil {
		a = b.sites.add(site, func(a *attempts) bool {
			return !a.blocks(now) && (now-a.last >= int64(BlockWindow) || now < a.last)
		})
	}
	a.at[a.next], a.last = now, now
	a.next = (a.next + 1) % BlockAttempts
	oldest := a.at[a.next] // with this one BlockAttempts in all
	if oldest != 0 && now-oldest < int64(BlockWindow) && oldest-now < int64(BlockWindow) {
		a.blocked = now + int64(BlockTime)
		a.at, a.next = [BlockAttempts]int64{}, 0 // counted anew after the block
	}
}

// Len returns how many addresses are remembered.
func (b *Blocker) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sites.len()
}
