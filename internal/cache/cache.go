// Package cache keeps results of recent keys for goroutines that evaluate rows.
package cache

import (
	"hash/maphash"
	"sync"
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

// A shard is a hash table with open addressing. A search touches a slot and the
// text behind it.
type shard[V any] struct {
	sync.RWMutex
	slots  []slot // a power of two, at most half of them used
	text   []byte // keys, each with its text after it; only appended to
	values []V
	size   int // about the bytes of all
}

type slot struct {
	hash      uint64 // 0 for a free slot
	at        uint32 // in text
	value     uint32 // number in values
	key, text uint32 // lengths
}

const (
	shards     = 64
	firstSlots = 64
)

// New returns a cache of about so many bytes, at most 64 GiB.
func New[V any](bytes int) *Cache[V] {
	return &Cache[V]{seed: maphash.MakeSeed(), most: bytes / shards}
}

// find returns the shard of a key and its hash, which is not 0.
func (c *Cache[V]) find(key []byte) (*shard[V], uint64) {
	h := maphash.Bytes(c.seed, key) | 1
	return &c.shards[h>>58], h
}

// slot returns the slot of a key, or the free one that it would take.
func (s *shard[V]) slot(h uint64, key []byte) *slot {
	for i := h >> 1; ; i++ {
		t := &s.slots[i%uint64(len(s.slots))]
		if t.hash == 0 || t.hash == h && string(s.text[t.at:t.at+t.key]) == string(key) {
			return t
		}
	}
}

// Get returns the text and the value of a key, and whether there are any. The text
// must not be changed.
func (c *Cache[V]) Get(key []byte) (text []byte, v V, ok bool) {
	s, h := c.find(key)
	s.RLock()
	defer s.RUnlock()
	if len(s.values) == 0 {
		return nil, v, false
	}
	t := s.slot(h, key)
	if t.hash == 0 {
		return nil, v, false
	}
	from := t.at + t.key
	return s.text[from : from+t.text : from+t.text], s.values[t.value], true
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
	s.Lock()
	defer s.Unlock()
	if s.size+bytes > c.most {
		s.text, s.values, s.size = nil, nil, 0 // readers may still have parts of the text
		clear(s.slots)
	}
	if 2*len(s.values) >= len(s.slots) {
		s.grow()
	}
	t := s.slot(h, key)
	if t.hash != 0 {
		return // another goroutine was faster
	}
	*t = slot{h, uint32(len(s.text)), uint32(len(s.values)), uint32(len(key)), uint32(len(text))}
	s.text = append(append(s.text, key...), text...)
	s.values = append(s.values, v)
	s.size += bytes
}

func (s *shard[V]) grow() {
	old := s.slots
	s.slots = make([]slot, max(firstSlots, 2*len(old)))
	for _, t := range old {
		if t.hash == 0 {
			continue
		}
		for i := t.hash >> 1; ; i++ {
			if to := &s.slots[i%uint64(len(s.slots))]; to.hash == 0 {
				*to = t
				break
			}
		}
	}
}
