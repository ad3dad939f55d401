package billing

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"
)

// maxGroup is the maximum number of calls in a transaction.
const maxGroup = 200

// gather is how often the writer lets ready callers run before a transaction, so that
// their calls join it: a fuller transaction costs less than two.
const gather = 3

// An op is a call on credits. The writer runs all ops that have queued during a
// transaction together in the next one.
type op struct {
	hold   *Hold
	enters bool // the hold need not be there, and is not unless the call is repeated
	full   bool // after a power failure no account pays for what was refunded
	run    func(ctx context.Context, d *round, a *book, h *hold) (Receipt, error)

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
	timer.Reset(firstWait)
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
	select { // not in a loop: it would lose its place in the queue each time
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
			if err != nil {
				o.err, o.skipped = err, false
			}
			close(o.done)
		}
	}
}

// runTogether runs ops in a transaction. It looks for holds that should not be there only
// when it runs again, after it could not enter one: that may have been entered before. A
// run has written nothing but due grants until it ends, so that it can be repeated.
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

// funds are the credits that accounts had after their last transaction in this process,
// so that Reserve need not ask the database whether an account can pay for brief work.
type funds struct {
	mu        sync.RWMutex
	available map[string]int
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
		clear(f.available)
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
