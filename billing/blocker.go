package billing

import (
	"net/netip"
	"sync"
	"time"
)

// The rule of decision D25: BlockAttempts invalid keys from an address within
// BlockWindow block it for BlockTime.
const (
	BlockAttempts = 20
	BlockWindow   = 10 * time.Minute
	BlockTime     = 15 * time.Minute
)

// A Blocker blocks addresses that repeatedly send invalid keys. It counts
// addresses by [Site], and IPv6 also by /48, with four times the limit. Its memory
// is bounded: a full blocker forgets the address with the oldest attempt. It is
// safe for concurrent use.
type Blocker struct {
	now func() time.Time

	mu    sync.Mutex
	sites *recent[netip.Prefix, attempts]
}

// attempts has the times of the last invalid keys of a site, or of every fourth
// one of a network. It also has the end of a block. Times are nanoseconds of the
// Unix clock; 0 is none.
type attempts struct {
	at      [BlockAttempts]int64 // a ring
	next    uint8
	skipped uint8 // since the last one in the ring; of a network
	last    int64
	blocked int64
}

// A BlockerOptions configures a Blocker.
type BlockerOptions struct {
	Now   func() time.Time // clock; nil: time.Now
	Sites int              // maximum addresses and networks; 0: 50,000, about 12 MB
}

// NewBlocker returns an empty blocker.
func NewBlocker(o BlockerOptions) *Blocker {
	const usual, most = 50_000, 1 << 30
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sites <= 0 {
		o.Sites = usual
	}
	return &Blocker{now: o.Now, sites: newRecent[netip.Prefix, attempts](min(o.Sites, most))}
}

// Blocked reports whether an address is blocked.
func (b *Blocker) Blocked(addr netip.Addr) bool {
	now := b.now().UnixNano()
	b.mu.Lock()
	defer b.mu.Unlock()
	blocked := func(p netip.Prefix) bool {
		a := b.sites.peek(p)
		return a != nil && a.blocks(now)
	}
	if blocked(sitePrefix(addr)) {
		return true
	}
	network, ok := networkPrefix(addr)
	return ok && blocked(network)
}

// sitePrefix returns the site of an address as a prefix of its full length. A
// network has a shorter one, so the two never collide as keys.
func sitePrefix(addr netip.Addr) netip.Prefix {
	site := Site(addr)
	return netip.PrefixFrom(site, site.BitLen())
}

func networkPrefix(addr netip.Addr) (netip.Prefix, bool) {
	n, ok := network(addr)
	return netip.PrefixFrom(n, networkBits), ok
}

// blocks reports whether a block is in force. A block that ends after more than
// BlockTime was set by a clock that was ahead, and is over.
func (a *attempts) blocks(now int64) bool {
	return now < a.blocked && a.blocked-now <= int64(BlockTime)
}

// Invalid counts an invalid key from an address.
func (b *Blocker) Invalid(addr netip.Addr) {
	now := b.now().UnixNano()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.entry(sitePrefix(addr), now).count(now)
	network, ok := networkPrefix(addr)
	if !ok {
		return
	}
	a := b.entry(network, now)
	if a.skipped++; a.skipped == networkFactor {
		a.skipped = 0
		a.count(now)
	}
}

// entry returns the attempts of a site or network. It adds them if necessary.
func (b *Blocker) entry(p netip.Prefix, now int64) *attempts {
	a := b.sites.get(p)
	if a == nil {
		a = b.sites.add(p, func(a *attempts) bool {
			return !a.blocks(now) && (now-a.last >= int64(BlockWindow) || now < a.last)
		})
	}
	a.last = now
	return a
}

// count records an invalid key and blocks after too many.
func (a *attempts) count(now int64) {
	a.at[a.next] = now
	a.next = (a.next + 1) % BlockAttempts
	oldest := a.at[a.next] // with this one BlockAttempts in all
	if oldest != 0 && now-oldest < int64(BlockWindow) && oldest-now < int64(BlockWindow) {
		a.blocked = now + int64(BlockTime)
		a.at, a.next = [BlockAttempts]int64{}, 0 // start over after the block
	}
}

// Len returns the number of addresses and networks in memory.
func (b *Blocker) Len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.sites.len()
}
