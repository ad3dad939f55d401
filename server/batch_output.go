package server

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/price"
	"github.com/postgeo/postgeo/server/internal/compress"
)

// A batchOutput distributes the items of a batch to workers and spools their
// results in the order of the request.
type batchOutput[P, Q any, R entry] struct {
	b     *batch[P, Q, R]
	c     *call
	ctx   context.Context //nolint:containedctx // it lives as long as the request's work
	at    time.Time       // of the time zones
	items []batchItem[P]
	spool compress.Spool

	mu      sync.Mutex
	moved   sync.Cond // on mu: written has grown, or err is set
	taken   int       // items of workers
	written int       // items in the spool
	counts  envelope.Batch
	err     error // the batch fails as a whole
}

func (o *batchOutput[P, Q, R]) begin(echo Q) error {
	o.moved.L = &o.mu
	o.counts.Requested = len(o.items)
	head, err := envelope.AppendHead(nil, true, &echo)
	o.spool.Add(append(head, `,"results":[`...))
	return err
}

// next returns the index of the next item, or false if there is none or the batch
// has failed. A worker too far ahead of the first unfinished item waits; if wait is
// false, next returns false instead.
func (o *batchOutput[P, Q, R]) next(wait bool) (int, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.err == nil && o.taken < len(o.items) && o.taken >= o.written+aheadOf {
		if !wait {
			return 0, false
		}
		o.moved.Wait()
	}
	if o.err != nil || o.taken >= len(o.items) {
		return 0, false
	}
	o.taken++
	return o.taken - 1, true
}

func (o *batchOutput[P, Q, R]) fail(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		o.err = err
	}
}

// finish marks an item as done and writes all items whose predecessors are done.
func (o *batchOutput[P, Q, R]) finish(i int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.items[i].done = true
	for o.err == nil && o.written < len(o.items) && o.items[o.written].done {
		o.write(&o.items[o.written])
		o.written++
	}
	o.moved.Broadcast()
}

// write spools an item. The batch fails if the caller left or the time limit was
// exceeded before.
func (o *batchOutput[P, Q, R]) write(it *batchItem[P]) {
	if ended := o.ctx.Err(); it.err != nil && ended != nil && errors.Is(it.err, ended) {
		o.err = it.err
		return
	}
	if o.written > 0 {
		o.spool.Add([]byte{','})
	}
	if it.err == nil {
		o.spool.Add(it.text)
		it.text = nil
		o.counts.Succeeded++
		return
	}
	it.cost = price.Cost{}
	if it.worked {
		it.cost = o.b.task.failed(&it.parsed, it.err)
	}
	err := o.c.conceal(it.err)
	if o.b.reword != nil {
		err = o.b.reword(err)
	}
	failed := o.c.s.failed(o.b.task.input(&it.parsed), err)
	text, _ := envelope.Result[R]{Failed: &failed}.AppendJSON(nil) // a failed item has JSON
	o.spool.Add(text)
	o.counts.Failed++
}

func (o *batchOutput[P, Q, R]) costs() []price.Cost {
	costs := make([]price.Cost, len(o.items))
	for i := range o.items {
		costs[i] = o.items[i].cost
	}
	return costs
}
