// Package cache keeps recent results for goroutines that need the same ones.
package cache

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A Cache is a bounded map from keys to a text and a value. It is safe for
// concurrent use. A full shard is emptied, which costs less than a record of the
// use of each result.
type Cache[V any] struct {
	seed   maphash.Seed
	shards [shards]shard[V]
	most   int // bytes of a shard
}

// A shard has a lock for writers. Readers would spend more time on a lock than on a
// search.
type shard[V any] struct {
	table  atomic.Pointer[table[V]]
	mu     sync.Mutex
	text   int // bytes in use
	values int
	size   int // about the bytes of all
}

// A table is a hash table with open addressing. A search touches a slot and the text
// behind it. The other fields of a slot are written before its hash and never change.
type table[V any] struct {
	slots  []slot                 // a power of two, at most half of them used
	text   atomic.Pointer[[]byte] // keys, each with its text after it
	values atomic.Pointer[[]V]
}

type slot struct {
	hash      atomic.Uint64 // 0 for a free slot
	at        uint32        // in text
	value     uint32        // number in values
	key, text uint32        // lengths
}

const (
	shards     = 64
	firstSlots = 64
)

// New returns a cache of about so many bytes, at most 64 GiB.
func New[V any](bytes int) *Cache[V] {
	c := &Cache[V]{seed: maphash.MakeSeed(), most: bytes / shards}
	for i := range c.shards {
		c.shards[i].empty()
	}
	return c
}

// empty starts a new table. Readers may still use the old one.
func (s *shard[V]) empty() {
	t := &table[V]{slots: make([]slot, firstSlots)}
	t.text.Store(new([]byte))
	t.values.Store(new([]V))
	s.table.Store(t)
	s.text, s.values, s.size = 0, 0, 0
}

// find returns the shard of a key and its hash, which is not 0.
func (c *Cache[V]) find(key []byte) (*shard[V], uint64) {
	h := maphash.Bytes(c.seed, key) | 1
	return &c.shards[h>>58], h
}

// slot returns the slot of a key, or the free one that it would take.
func (t *table[V]) slot(h uint64, key []byte) (s *slot, found bool) {
	for i := h >> 1; ; i++ {
		s = &t.slots[i%uint64(len(t.slots))]
		switch s.hash.Load() {
		case 0:
			return s, false
		case h:
			if string((*t.text.Load())[s.at:s.at+s.key]) == string(key) {
				return s, true
			}
		}
	}
}

// Get returns the text and the value of a key, and whether there are any. The text
// must not be changed.
func (c *Cache[V]) Get(key []byte) (text []byte, v V, ok bool) {
	shard, h := c.find(key)
	t := shard.table.Load()
	s, ok := t.slot(h, key)
	if !ok {
		return nil, v, false
	}
	from := s.at + s.key
	return (*t.text.Load())[from : from+s.text : from+s.text], (*t.values.Load())[s.value], true
}

// Put stores a copy of a text and a value, whose memory is about so many bytes. It
// does not store what exceeds a shard.
func (c *Cache[V]) Put(key, text []byte, v V, bytes int) {
	const slotsOfValue = 3 // on average
	bytes += len(key) + len(text) + slotsOfValue*int(unsafe.Sizeof(slot{})) + int(unsafe.Sizeof(v))
	if bytes > c.most {
		return
	}
	s, h := c.find(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size+bytes > c.most {
		s.empty()
	}
	t := s.table.Load()
	if 2*s.values >= len(t.slots) {
		t = t.grown()
		s.table.Store(t)
	}
	to, found := t.slot(h, key)
	if found {
		return // another goroutine was faster
	}
	to.at, to.value, to.key, to.text = uint32(s.text), uint32(s.values), uint32(len(key)), uint32(len(text))
	room(&t.text, s.text, len(key)+len(text))
	room(&t.values, s.values, 1)
	all := *t.text.Load()
	s.text += copy(all[s.text:], key)
	s.text += copy(all[s.text:], text)
	(*t.values.Load())[s.values] = v
	s.values++
	s.size += bytes
	to.hash.Store(h) // readers see it last
}

// room makes room for n entries after those in use.
func room[E any](list *atomic.Pointer[[]E], used, n int) {
	old := *list.Load()
	if used+n <= len(old) {
		return
	}
	const least = 64
	grown := make([]E, max(least, 2*len(old), used+n))
	copy(grown, old[:used])
	list.Store(&grown)
}

// grown returns a table with twice the slots.
func (t *table[V]) grown() *table[V] {
	n := &table[V]{slots: make([]slot, 2*len(t.slots))}
	n.text.Store(t.text.Load())
	n.values.Store(t.values.Load())
	for i := range t.slots {
		from := &t.slots[i]
		h := from.hash.Load()
		if h == 0 {
			continue
		}
		for j := h >> 1; ; j++ {
			if to := &n.slots[j%uint64(len(n.slots))]; to.hash.Load() == 0 {
				to.at, to.value, to.key, to.text = from.at, from.value, from.key, from.text
				to.hash.Store(h)
				break
			}
		}
	}
	return n
}
