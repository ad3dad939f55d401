// Package cache keeps recent results for goroutines that need the same ones.
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

type shard[V any] struct {
	mu   sync.RWMutex
	held map[string]entry[V]
	size int // about the bytes of all
	_    [64]byte
}

type entry[V any] struct {
	text  []byte
	value V
}

const shards = 64

// New returns a cache of about so many bytes.
func New[V any](bytes int) *Cache[V] {
	c := &Cache[V]{seed: maphash.MakeSeed(), most: bytes / shards}
	for i := range c.shards {
		c.shards[i].held = map[string]entry[V]{}
	}
	return c
}

func (c *Cache[V]) shard(key []byte) *shard[V] {
	return &c.shards[maphash.Bytes(c.seed, key)%shards]
}

// Get returns the text and the value of a key, and whether there are any. The text
// must not be changed.
func (c *Cache[V]) Get(key []byte) (text []byte, v V, ok bool) {
	s := c.shard(key)
	s.mu.RLock()
	e, ok := s.held[string(key)]
	s.mu.RUnlock()
	return e.text, e.value, ok
}

// Put stores a copy of a text and a value, whose memory is about so many bytes. It
// does not store what exceeds a shard.
func (c *Cache[V]) Put(key, text []byte, v V, bytes int) {
	const ofEntry = 32 // of the map, beside the entry
	bytes += len(key) + len(text) + ofEntry + int(unsafe.Sizeof(entry[V]{}))
	if bytes > c.most {
		return
	}
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.held[string(key)]; ok {
		return // another goroutine was faster
	}
	if s.size += bytes; s.size > c.most {
		clear(s.held)
		s.size = bytes
	}
	both := append(append(make([]byte, 0, len(key)+len(text)), key...), text...)
	s.held[unsafe.String(unsafe.SliceData(both), len(key))] = entry[V]{both[len(key):], v}
}
