package dataset

import (
	"context"
	"sync"
)

// The size of an acsCache: sets times ways pages of at most acsCachedBytes
// each, 8 MiB in all.
const (
	acsCacheBits   = 7
	acsCacheSets   = 1 << acsCacheBits
	acsCacheWays   = 8
	acsCachedBytes = pageSize/2 - 4 // of a page without its checksum
)

// An acsCache keeps the pages that were read last, after their checksums were
// found right, so that the areas of one neighbourhood, which share pages, are
// read from the file once: a batch of a hundred ZIP Codes of one region needs
// about five hundred pages for all profiles of all years. A page has one set
// that it may be kept in, and takes the place of the one that was not used for
// the longest time there. The zero acsCache is empty. It may be used by any
// number of goroutines at once.
type acsCache struct{ sets [acsCacheSets]acsCacheSet }

type acsCacheSet struct {
	mu    sync.Mutex
	pages [acsCacheWays]cachedACSPage // the last used first
}

// A cachedACSPage is a page that nobody changes any more; without a payload it
// is none.
type cachedACSPage struct {
	id      uint32
	payload []byte
}

// set spreads the pages of one area, which lie at equal distances in tables of
// equal size, over all sets (Fibonacci hashing).
func (c *acsCache) set(id uint32) *acsCacheSet { return &c.sets[id*0x9e3779b1>>(32-acsCacheBits)] }

// get returns the payload of a page; nil where it is not kept.
func (c *acsCache) get(id uint32) []byte {
	s := c.set(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.pages {
		if p := s.pages[i]; p.id == id && p.payload != nil {
			s.toFront(i, p)
			return p.payload
		}
	}
	return nil
}

// add keeps a page, unless it is one of those that a single long row made
// larger than others.
func (c *acsCache) add(id uint32, payload []byte) {
	if len(payload) > acsCachedBytes {
		return
	}
	s := c.set(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	at := acsCacheWays - 1
	for i := range s.pages {
		if s.pages[i].id == id { // another goroutine read it too
			at = i
			break
		}
	}
	s.toFront(at, cachedACSPage{id, payload})
}

// toFront puts a page in front of those that stand before i, and drops the one
// at i.
func (s *acsCacheSet) toFront(i int, p cachedACSPage) {
	copy(s.pages[1:i+1], s.pages[:i])
	s.pages[0] = p
}

// acsPayload returns a page that must not be changed, and keeps it if so told.
func (d *surveyReader) acsPayload(ctx context.Context, id uint32, keep bool) ([]byte, error) {
	if payload := d.acsCache.get(id); payload != nil {
		return payload, ctx.Err()
	}
	payload, err := d.file.row(ctx, acsRows, int64(id))
	if err == nil && keep {
		d.acsCache.add(id, payload)
	}
	return payload, err
}
