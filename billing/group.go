package billing

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"
)

// Calls on credits open no transactions of their own. Store.do sends an op to a writer, a
// goroutine that Open starts, and waits:
//
//  1. The writer takes one op, and those of all callers that are ready (gather).
//  2. It locks and reads their accounts, grants and holds at once (conn.load).
//  3. Each op changes these books in memory, in the order of the queue. An op that fails
//     leaves them consistent, so the others go on.
//  4. All changes are written (round.write), committed, and then the callers are woken.
//     A caller with a result therefore has a commit.
//
// A commit costs far more than the arithmetic, and the next ops queue while it is on its
// way, so groups grow with the load. With 64 callers a transaction has 19 calls. Without
// gather it had 4, and each call took half as much processor time again.
//
// There are two writers and queues. A file has one lock and needs only the first. In
// PostgreSQL another process may hold the row of an account; the first writer skips such
// accounts, whose ops go to the second one, which waits for locks. With one writer, an
// account locked elsewhere delayed the calls of all accounts up to the timeout.

// maxGroup is the maximum number of calls in a transaction.
const maxGroup = 200

// gather is how often the writer lets ready callers run before a transaction, so that
// their calls join it: a fuller transaction costs less than two. Yielding costs
// microseconds on an idle server; a timer would delay a single call.
const gather = 3

// An op is a call on credits. The writer runs all ops that have queued during a
// transaction together in the next one.
type op struct {
	hold   *Hold
	enters bool // the hold need not be there, and is not unless the call is repeated
	full   bool // the commit waits for the disk: a power failure must not undo a refund
	run    func(ctx context.Context, d *round, a *book, h *hold) (Receipt, error)

	// The writer sets these before it closes done; the caller reads them after.
	ran     bool          // and perhaps committed
	skipped bool          // another transaction holds the account
	done    chan struct{} // closed by the writer
	r       Receipt
	err     error
}

// firstWait is the time that a call waits for its turn before it watches its context, for
// which the server's contexts start a timer of their own. Most turns come sooner.
const firstWait = 10 * time.Millisecond

var timers = sync.Pool{New: func() any { return time.NewTimer(firstWait) }}

// do runs an op. A call whose context ends before its turn is not run. A running call is
// waited for, so that callers always learn its result.
func (s *Store) do(ctx context.Context, o *op) (Receipt, error) {
	if err := ctx.Err(); err != nil {
		return Receipt{}, err
	}
	if err := s.enter(); err != nil {
		return Receipt{}, err
	}
	defer s.calls.Done()
	for _, queue := range [...]chan *op{s.ops, s.held} {
		o.done = make(chan struct{})
		if err := o.queue(ctx, queue); err != nil {
			return Receipt{}, err
		}
		if <-o.done; !o.skipped {
			break
		}
	}
	if o.err != nil {
		return Receipt{}, o.err
	}
	return o.r, nil
}

// queue waits for the turn of an op, unless its context ends before. An op that ran in an
// attempt before it was skipped always gets its turn.
func (o *op) queue(ctx context.Context, queue chan<- *op) error {
	timer := timers.Get().(*time.Timer)
	defer timers.Put(timer)
	timer.Reset(firstWait) // also of a timer that has fired: since Go 1.23 it leaves no old tick
	select {
	case queue <- o:
		timer.Stop()
		return nil
	case <-timer.C:
	}
	left := ctx.Done()
	if o.ran {
		left = nil
	}
	// Not in a loop that looks at the context every 10 ms: each turn of it would lose the
	// place in the queue. With 4,000 callers the 99th percentile was 1.9 s instead of 0.4 s.
	select {
	case queue <- o:
		return nil
	case <-left:
		return ctx.Err()
	}
}

// write runs ops until their queue is closed. Without wait it skips those whose account
// another transaction holds, so that they delay no others.
func (s *Store) write(queue <-chan *op, wait bool) {
	defer s.writers.Done()
	for o := range queue {
		ops := append(make([]*op, 0, 64), o)
		for yields := 0; yields < gather && len(ops) < maxGroup; {
			select {
			case o := <-queue:
				ops = append(ops, o)
			default:
				runtime.Gosched()
				yields++
			}
		}
		full := slices.ContainsFunc(ops, func(o *op) bool { return o.full })
		var d *round
		again := false
		err := s.transact(full, func(ctx context.Context, c *conn) (err error) {
			d, err = c.runTogether(ctx, ops, wait, again)
			again = true
			return err
		})
		s.funds.remember(d, ops, err)
		for _, o := range ops {
			if err != nil { // the transaction failed as a whole, whatever the op returned in it
				o.err, o.skipped = err, false
			}
			close(o.done)
		}
	}
}

// runTogether runs ops in a transaction. Reserve and the Settle of brief work usually enter
// a new hold, so that looking for it first would be a needless read in every transaction.
// An id that exists after all (of a retry whose first attempt was committed) has one of two
// effects, and both run the ops again, with the holds read:
//   - the INSERT fails with a conflict, and transact repeats the transaction;
//   - the op fails before, for example because the first attempt took the credits that it
//     needs, and runTogether repeats itself in the same transaction.
//
// The second is possible because a run writes nothing but due grants until it ends.
func (c *conn) runTogether(ctx context.Context, ops []*op, wait, again bool) (*round, error) {
	var accounts, holds []string
	for _, o := range ops {
		if again || !o.enters || o.hold.Once != nil {
			holds = append(holds, o.hold.ID)
		}
		if !slices.Contains(accounts, o.hold.Account) {
			accounts = append(accounts, o.hold.Account)
		}
	}
	d, err := c.load(ctx, accounts, holds, wait)
	if err != nil {
		return nil, err
	}
	for _, o := range ops {
		a, h := d.books[o.hold.Account], d.holds[o.hold.ID]
		o.skipped = a == nil && !wait && c.s.d.skip != ""
		switch {
		case o.skipped:
		case a == nil && o.enters:
			o.err = noAccount(o.hold.Account)
		case a == nil, h == nil && !o.enters:
			o.err = ErrHoldNotFound
		case h != nil && h.account != a.row:
			o.err = ErrHoldClosed
		default:
			o.ran = true
			o.r, o.err = o.run(ctx, d, a, h)
			if o.err != nil && h == nil && c.broken == nil && !again {
				return c.runTogether(ctx, ops, wait, true)
			}
		}
		if c.broken != nil {
			return nil, c.broken
		}
	}
	err = d.write(ctx)
	return d, err
}

// funds are the credits that accounts had after their last transaction in this process.
// With them Reserve decides without the database that an account can pay for brief work,
// which then costs one transaction instead of two. They may be out of date, since other
// processes spend too: Settle checks the account itself, and fails for one that is
// exhausted meanwhile.
type funds struct {
	mu        sync.RWMutex
	available map[string]int // by account; an unknown account reserves
}

// briefFactor is how many times its credits an account must have for a request that is
// charged after its work: more such requests are hardly ever worked on at once.
const briefFactor = 100

// suffice reports whether an account had far more credits than a request needs.
func (f *funds) suffice(h *Hold) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	available, known := f.available[h.Account]
	return known && available/briefFactor >= h.Credits
}

// remember keeps the credits of the accounts of a transaction. If it failed, they are
// unknown.
func (f *funds) remember(d *round, ops []*op, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.available) >= maxKnown {
		clear(f.available) // costs each account one reservation
	}
	for _, o := range ops {
		delete(f.available, o.hold.Account)
	}
	if err == nil {
		for id, b := range d.books {
			f.available[id] = b.available(d.now)
		}
	}
}
