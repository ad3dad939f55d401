package survey

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// DefaultMemory is the default size of the cache of segments in bytes: one profile
// of fourteen years of about 15,000 areas.
const DefaultMemory = 64 << 20

// AcsSegments caches the most recently used segments in at most limit bytes. If
// several goroutines request one at once, one of them reads it and the others
// wait. It is safe for concurrent use.
type AcsSegments struct {
	Mu      sync.Mutex
	Limit   int64
	Bytes   int64 // of the segments that were read
	entries map[AcsSegmentID]*acsSegmentEntry
	Used    acsSegmentEntry // the ring of those that were read, the last used first
}

// An AcsSegmentID identifies a segment of a selection.
type AcsSegmentID struct {
	of      *Selection
	Segment uint32
}

// An acsSegmentEntry is a segment that is kept or on its way. ready is closed
// when segment or err is there.
type acsSegmentEntry struct {
	id         AcsSegmentID
	prev, Next *acsSegmentEntry
	ready      chan struct{}
	Segment    *Segment
	err        error
}

// SetACSMemory limits the memory for segments of the tables of the American
// Community Survey, in bytes. Below one it disables the cache. A lower limit
// drops segments.
func (d *Reader) SetACSMemory(bytes int64) {
	c := &d.acsSegments
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.Limit = max(bytes, 0)
	c.shrink()
}

// ACSMemory returns the bound that [Reader.SetACSMemory] set, in bytes, and
// how many of them are in use.
func (d *Reader) ACSMemory() (limit, used int64) {
	c := &d.acsSegments
	c.Mu.Lock()
	defer c.Mu.Unlock()
	return c.Limit, c.Bytes
}

// ACSSegment returns the segment-th [SegmentAreas] areas of a selection, counted
// from 0. If it is not cached, it is read and replaces the least recently used
// ones; without read it is nil then. It returns errors of reading the rows.
func (d *Reader) ACSSegment(ctx context.Context, of *Selection, segment uint32, read bool) (*Segment, error) {
	t := of.Table
	if err := cmp.Or(d.file.Usable(), ctx.Err()); err != nil {
		return nil, err
	}
	if uint64(segment)*SegmentAreas >= uint64(d.acsAreas[t.Level-1].len()) {
		return nil, store.Invalid("segment %d of %s; it has %d areas", segment, t, d.acsAreas[t.Level-1].len())
	}
	var load func() (*Segment, error)
	if read {
		load = func() (*Segment, error) { return d.readSegment(ctx, of, segment) }
	}
	return d.acsSegments.Get(ctx, AcsSegmentID{of, segment}, load)
}

// Get returns a cached segment, or loads it. Without load it returns nil for one
// that is not cached.
func (c *AcsSegments) Get(ctx context.Context, id AcsSegmentID, load func() (*Segment, error)) (*Segment, error) {
	for {
		e, mine := c.find(id, load != nil)
		switch {
		case e == nil:
			return nil, nil
		case mine:
			return c.load(e, load)
		}
		select {
		case <-e.ready:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if e.err == nil {
			return e.Segment, nil
		}
		if !errors.Is(e.err, context.Canceled) && !errors.Is(e.err, context.DeadlineExceeded) {
			return nil, e.err
		}
		// The call that read it was canceled. Another one now reads it.
	}
}

// load reads the segment of an entry that the caller made. It releases the
// waiting goroutines even if load panics.
func (c *AcsSegments) load(e *acsSegmentEntry, load func() (*Segment, error)) (s *Segment, err error) {
	err = errors.New("dataset: the reading of a segment was broken off")
	defer func() { c.done(e, s, err) }()
	s, err = load()
	return s, err
}

// find returns the entry of a segment. mine is true if the caller made it and must
// complete it.
func (c *AcsSegments) find(id AcsSegmentID, read bool) (e *acsSegmentEntry, mine bool) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if e = c.entries[id]; e != nil {
		if e.Segment != nil {
			e.unlink()
			c.link(e)
		}
		return e, false
	}
	if !read {
		return nil, false
	}
	e = &acsSegmentEntry{id: id, ready: make(chan struct{})}
	if c.entries == nil {
		c.entries = map[AcsSegmentID]*acsSegmentEntry{}
	}
	c.entries[id] = e
	return e, true
}

// done keeps the segment, or removes the entry after an error.
func (c *AcsSegments) done(e *acsSegmentEntry, s *Segment, err error) {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if e.Segment, e.err = s, err; err != nil {
		delete(c.entries, e.id)
	} else {
		c.Bytes += s.Size()
		c.link(e)
		c.shrink()
	}
	close(e.ready)
}

func (c *AcsSegments) link(e *acsSegmentEntry) {
	r := &c.Used
	if r.Next == nil {
		r.Next, r.prev = r, r
	}
	e.prev, e.Next = r, r.Next
	e.prev.Next, e.Next.prev = e, e
}

func (e *acsSegmentEntry) unlink() { e.prev.Next, e.Next.prev = e.Next, e.prev }

// shrink drops the segments that were not used for the longest time until the
// rest is within the bound.
func (c *AcsSegments) shrink() {
	for c.Bytes > c.Limit {
		e := c.Used.prev
		e.unlink()
		delete(c.entries, e.id)
		c.Bytes -= e.Segment.Size()
	}
}
