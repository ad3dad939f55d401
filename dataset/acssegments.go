package dataset

import (
	"cmp"
	"context"
	"errors"
	"sync"
)

// DefaultACSMemory is how many bytes of segments an open dataset keeps unless
// told otherwise: one profile of fourteen years of about 15,000 areas.
const DefaultACSMemory = 64 << 20

// acsSegments keeps the segments that were used last, in at most limit bytes.
// One that is asked for by several goroutines at once is read by one of them,
// and the others wait for it. It may be used by any number of goroutines.
type acsSegments struct {
	mu      sync.Mutex
	limit   int64
	bytes   int64 // of the segments that were read
	entries map[acsSegmentID]*acsSegmentEntry
	used    acsSegmentEntry // the ring of those that were read, the last used first
}

type acsSegmentID struct {
	of      *ACSSelection
	segment uint32
}

// An acsSegmentEntry is a segment that is kept or on its way. ready is closed
// when segment or err is there.
type acsSegmentEntry struct {
	id         acsSegmentID
	prev, next *acsSegmentEntry
	ready      chan struct{}
	segment    *ACSSegment
	err        error
}

// SetACSMemory bounds the memory for segments of the tables of the American
// Community Survey, in bytes. Below one nothing is kept. What is beyond a
// lower bound is dropped.
func (d *surveyReader) SetACSMemory(bytes int64) {
	c := &d.acsSegments
	c.mu.Lock()
	defer c.mu.Unlock()
	c.limit = max(bytes, 0)
	c.shrink()
}

// ACSMemory returns the bound that [Dataset.SetACSMemory] set, in bytes, and
// how many of them are in use.
func (d *surveyReader) ACSMemory() (limit, used int64) {
	c := &d.acsSegments
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.limit, c.bytes
}

// ACSSegment returns the segment-th [ACSSegmentAreas] areas of a selection,
// counted from 0. Where it is not in memory it is read and kept, in place of those that
// were not used for the longest time; without read it is nil then. The error is
// that of reading the rows.
func (d *surveyReader) ACSSegment(ctx context.Context, of *ACSSelection, segment uint32, read bool) (*ACSSegment, error) {
	t := of.Table
	if err := cmp.Or(d.file.usable(), ctx.Err()); err != nil {
		return nil, err
	}
	if uint64(segment)*ACSSegmentAreas >= uint64(d.acsAreas[t.Level-1].len()) {
		return nil, invalid("segment %d of %s; it has %d areas", segment, t, d.acsAreas[t.Level-1].len())
	}
	var load func() (*ACSSegment, error)
	if read {
		load = func() (*ACSSegment, error) { return d.readSegment(ctx, of, segment) }
	}
	return d.acsSegments.get(ctx, acsSegmentID{of, segment}, load)
}

// get returns a segment that is kept, or loads it; without load it is nil where
// it is not kept.
func (c *acsSegments) get(ctx context.Context, id acsSegmentID, load func() (*ACSSegment, error)) (*ACSSegment, error) {
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
			return e.segment, nil
		}
		if !errors.Is(e.err, context.Canceled) && !errors.Is(e.err, context.DeadlineExceeded) {
			return nil, e.err
		}
		// Whoever read it gave up: now somebody else does.
	}
}

// load reads the segment of an entry that the caller made. Nobody is left
// waiting for it, whatever becomes of the reading.
func (c *acsSegments) load(e *acsSegmentEntry, load func() (*ACSSegment, error)) (s *ACSSegment, err error) {
	err = errors.New("dataset: the reading of a segment was broken off")
	defer func() { c.done(e, s, err) }()
	s, err = load()
	return s, err
}

// find returns the entry of a segment; mine says that the caller made it and
// has to tell what became of it.
func (c *acsSegments) find(id acsSegmentID, read bool) (e *acsSegmentEntry, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e = c.entries[id]; e != nil {
		if e.segment != nil {
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
		c.entries = map[acsSegmentID]*acsSegmentEntry{}
	}
	c.entries[id] = e
	return e, true
}

// done keeps what was read, or forgets the entry.
func (c *acsSegments) done(e *acsSegmentEntry, s *ACSSegment, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.segment, e.err = s, err; err != nil {
		delete(c.entries, e.id)
	} else {
		c.bytes += s.size()
		c.link(e)
		c.shrink()
	}
	close(e.ready)
}

// link puts an entry first in the ring.
func (c *acsSegments) link(e *acsSegmentEntry) {
	r := &c.used
	if r.next == nil {
		r.next, r.prev = r, r
	}
	e.prev, e.next = r, r.next
	e.prev.next, e.next.prev = e, e
}

func (e *acsSegmentEntry) unlink() { e.prev.next, e.next.prev = e.next, e.prev }

// shrink drops the segments that were not used for the longest time until the
// rest is within the bound.
func (c *acsSegments) shrink() {
	for c.bytes > c.limit {
		e := c.used.prev
		e.unlink()
		delete(c.entries, e.id)
		c.bytes -= e.segment.size()
	}
}
