package billing

import (
	"container/list"
	"net/netip"
	"sync"
	"time"
)

// The rule of decision D25: blockAttempts invalid keys from an address within
// blockWindow block it for blockTime.
const (
	blockAttempts = 20
	blockWindow   = 10 * time.Minute
	blockTime     = 15 * time.Minute

	blockedSites = 50_000 // maximum addresses and networks in memory, about 16 MB
)

// A blocker blocks addresses that repeatedly send invalid keys. It counts
// addresses by [Site], and IPv6 also by /48, with four times the limit. Its memory
// is bounded: a full blocker forgets the address with the oldest attempt. It is
// safe for concurrent use.
type blocker struct {
	now func() time.Time

	mu    sync.Mutex
	sites *recent[netip.Prefix, attempts]
}

// attempts has the times of the last invalid keys of a site, or of every fourth
// one of a network: the same ring of 20 then holds the limit of 80. It also has the end of
// a block. Times are nanoseconds of the Unix clock; 0 is none.
type attempts struct {
	at      [blockAttempts]int64 // a ring
	next    uint8
	skipped uint8 // since the last one in the ring; of a network
	last    int64 // attempt
	blocked int64 // end of the block
}

func newBlocker(now func() time.Time, sites int) *blocker {
	return &blocker{now: now, sites: newRecent[netip.Prefix, attempts](sites)}
}

// isBlocked reports whether an address is blocked.
func (b *blocker) isBlocked(addr netip.Addr) bool {
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
	all, ok := network(addr)
	return ok && blocked(netip.PrefixFrom(all, networkBits))
}

// sitePrefix returns the site of an address as a prefix of its full length. A
// network has a shorter one, so the two never collide as keys.
func sitePrefix(addr netip.Addr) netip.Prefix {
	site := Site(addr)
	return netip.PrefixFrom(site, site.BitLen())
}

// blocks reports whether a block is in force. A block that ends after more than
// blockTime was set by a clock that was ahead, and is over.
func (a *attempts) blocks(now int64) bool {
	return now < a.blocked && a.blocked-now <= int64(blockTime)
}

// invalid counts an invalid key from an address.
func (b *blocker) invalid(addr netip.Addr) {
	now := b.now().UnixNano()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.entry(sitePrefix(addr), now).count(now)
	all, ok := network(addr)
	if !ok {
		return
	}
	a := b.entry(netip.PrefixFrom(all, networkBits), now)
	if a.skipped++; a.skipped == networkFactor {
		a.skipped = 0
		a.count(now)
	}
}

// entry returns the attempts of a site or network. It adds them if necessary.
func (b *blocker) entry(p netip.Prefix, now int64) *attempts {
	a := b.sites.get(p, func(a *attempts) bool {
		return !a.blocks(now) && (now-a.last >= int64(blockWindow) || now < a.last)
	})
	a.last = now
	return a
}

// count records an invalid key and blocks after too many.
func (a *attempts) count(now int64) {
	a.at[a.next] = now
	a.next = (a.next + 1) % blockAttempts
	oldest := a.at[a.next] // with this one blockAttempts in all
	// The second bound is for a clock that was set back: old times lie ahead then.
	if oldest != 0 && now-oldest < int64(blockWindow) && oldest-now < int64(blockWindow) {
		a.blocked = now + int64(blockTime)
		a.at, a.next = [blockAttempts]int64{}, 0 // start over after the block
	}
}

// A recent is a table of bounded size that drops the least recently used entry. It
// is not safe for concurrent use.
type recent[K comparable, V any] struct {
	max   int
	index map[K]*list.Element
	order list.List // of entries, newest first
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

func newRecent[K comparable, V any](limit int) *recent[K, V] {
	return &recent[K, V]{max: max(limit, 1), index: map[K]*list.Element{}}
}

// peek returns the value of a key, or nil.
func (r *recent[K, V]) peek(key K) *V {
	if e, ok := r.index[key]; ok {
		return &e.Value.(*entry[K, V]).value
	}
	return nil
}

// get returns the value of a key, which becomes the newest. A new key has the zero
// value. It replaces the oldest entry if that is idle or the table is full.
func (r *recent[K, V]) get(key K, idle func(*V) bool) *V {
	e, ok := r.index[key]
	if !ok {
		// The oldest entry is used again if it can be. A flood of addresses then allocates
		// nothing in a full table, and a table grows only to the callers of one window.
		e = r.order.Back()
		if e == nil || len(r.index) < r.max && !idle(&e.Value.(*entry[K, V]).value) {
			e = r.order.PushFront(new(entry[K, V]))
		} else {
			delete(r.index, e.Value.(*entry[K, V]).key)
		}
		*e.Value.(*entry[K, V]) = entry[K, V]{key: key}
		r.index[key] = e
	}
	r.order.MoveToFront(e)
	return &e.Value.(*entry[K, V]).value
}
