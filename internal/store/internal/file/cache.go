package file

import (
	"iter"
	"sync"
)

// The size of a [Cache]: sets times ways pages of at most CachedBytes each, 8 MiB
// in all.
const (
	cacheBits   = 8
	cacheSets   = 1 << cacheBits
	cacheWays   = 8
	CachedBytes = PageSize / 2
)

// A Cache keeps the most recently read rows, such as the
// pages of neighboring areas. Each row belongs to one set, and replaces its least
// recently used row. The zero Cache is empty. It is safe for concurrent use.
type Cache[V any] struct{ sets [cacheSets]cacheSet[V] }

type cacheSet[V any] struct {
	mu   sync.Mutex
	rows [cacheWays]cachedRow[V] // the last used first
}

// The value of a cachedRow never changes.
type cachedRow[V any] struct {
	id    int64
	held  bool
	value V
}

// set spreads the pages of one area, which lie at equal distances in tables of
// equal size, over all sets (Fibonacci hashing).
func (c *Cache[V]) set(id int64) *cacheSet[V] {
	return &c.sets[uint64(id)*0x9e3779b97f4a7c15>>(64-cacheBits)]
}

// Get returns a row. ok is false if it is not cached.
func (c *Cache[V]) Get(id int64) (v V, ok bool) {
	s := c.set(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.rows {
		if r := s.rows[i]; r.id == id && r.held {
			s.toFront(i, r)
			return r.value, true
		}
	}
	return v, false
}

// Add keeps a row, unless its size in bytes is larger than CachedBytes.
func (c *Cache[V]) Add(id int64, v V, size int) {
	if size > CachedBytes {
		return
	}
	s := c.set(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	at := cacheWays - 1
	for i := range s.rows {
		if s.rows[i].id == id { // another goroutine read it too
			at = i
			break
		}
	}
	s.toFront(at, cachedRow[V]{id, true, v})
}

// toFront moves a row to the front of the rows before i and drops the one at i.
func (s *cacheSet[V]) toFront(i int, r cachedRow[V]) {
	copy(s.rows[1:i+1], s.rows[:i])
	s.rows[0] = r
}

// All yields the cached rows in no order.
func (c *Cache[V]) All() iter.Seq[V] {
	return func(yield func(V) bool) {
		for i := range c.sets {
			for _, r := range c.sets[i].rows {
				if r.held && !yield(r.value) {
					return
				}
			}
		}
	}
}
