package survey

import (
	"context"
	"sync"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// The size of an AcsCache: sets times ways pages of at most acsCachedBytes
// each, 8 MiB in all.
const (
	acsCacheBits   = 7
	acsCacheSets   = 1 << acsCacheBits
	AcsCacheWays   = 8
	acsCachedBytes = store.PageSize/2 - 4 // of a page without its checksum
)

// An AcsCache keeps the most recently read pages with correct checksums.
// Neighboring areas share pages: a batch of a hundred ZIP Codes of one region
// needs about five hundred pages for all profiles of all years. Each page
// belongs to one set, and replaces its least recently used page. The zero
// AcsCache is empty. It is safe for concurrent use.
type AcsCache struct{ Sets [acsCacheSets]acsCacheSet }

type acsCacheSet struct {
	mu    sync.Mutex
	Pages [AcsCacheWays]CachedACSPage // the last used first
}

// A CachedACSPage is a page that nobody changes any more; without a payload it
// is none.
type CachedACSPage struct {
	id      uint32
	Payload []byte
}

// set spreads the pages of one area, which lie at equal distances in tables of
// equal size, over all sets (Fibonacci hashing).
func (c *AcsCache) set(id uint32) *acsCacheSet { return &c.Sets[id*0x9e3779b1>>(32-acsCacheBits)] }

// Get returns the payload of a page, or nil if it is not cached.
func (c *AcsCache) Get(id uint32) []byte {
	s := c.set(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.Pages {
		if p := s.Pages[i]; p.id == id && p.Payload != nil {
			s.toFront(i, p)
			return p.Payload
		}
	}
	return nil
}

// Add keeps a page, unless it is one of those that a single long row made
// larger than others.
func (c *AcsCache) Add(id uint32, payload []byte) {
	if len(payload) > acsCachedBytes {
		return
	}
	s := c.set(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	at := AcsCacheWays - 1
	for i := range s.Pages {
		if s.Pages[i].id == id { // another goroutine read it too
			at = i
			break
		}
	}
	s.toFront(at, CachedACSPage{id, payload})
}

// toFront moves a page to the front of the pages before i and drops the one at
// i.
func (s *acsCacheSet) toFront(i int, p CachedACSPage) {
	copy(s.Pages[1:i+1], s.Pages[:i])
	s.Pages[0] = p
}

// acsPayload returns a page, which must not be changed, and caches it if keep is
// true.
func (d *Reader) acsPayload(ctx context.Context, id uint32, keep bool) ([]byte, error) {
	if payload := d.acsCache.Get(id); payload != nil {
		return payload, ctx.Err()
	}
	payload, err := d.file.Row(ctx, acsRows, int64(id))
	if err == nil && keep {
		d.acsCache.Add(id, payload)
	}
	return payload, err
}
