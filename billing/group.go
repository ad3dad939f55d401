package billing

import (
	"context"
	"runtime"
	"slices"
)

// maxGroup is the maximum number of calls in a transaction.
const maxGroup = 200

// gather is how often the writer lets ready callers run before a transaction, so that
// their calls join it: a fuller transaction costs less than two.
const gather = 3

// An op is a call on credits. The writer runs all ops that have queued during a
// transaction together in the next one.
type op struct {
	account string // public id, of a call that reserves; "": that of the hold, which must exist
	hold    string // id
	full    bool   // after a power failure no account pays for what was refunded
	run     func(ctx context.Context, d *round, a *book, h *hold) (Receipt, error)

	ran     bool          // and perhaps committed
	skipped bool          // another transaction holds the account
	done    chan struct{} // closed by the writer
	r       Receipt
	err     error
}

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
	left := ctx.Done()
	for _, queue := range [...]chan *op{s.ops, s.held} {
		o.done = make(chan struct{})
		select {
		case queue <- o:
		case <-left:
			return Receipt{}, ctx.Err()
		}
		if <-o.done; !o.skipped {
			break
		}
		if o.ran { // in an attempt before it was skipped
			left = nil
		}
	}
	if o.err != nil {
		return Receipt{}, o.err
	}
	return o.r, nil
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
		err := s.transact(full, func(ctx context.Context, c *conn) error { return c.runTogether(ctx, ops, wait) })
		for _, o := range ops {
			if err != nil {
				o.err, o.skipped = err, false
			}
			close(o.done)
		}
	}
}

func (c *conn) runTogether(ctx context.Context, ops []*op, wait bool) error {
	var accounts, holds []string
	for _, o := range ops {
		holds = append(holds, o.hold)
		if o.account != "" && !slices.Contains(accounts, o.account) {
			accounts = append(accounts, o.account)
		}
	}
	d, err := c.load(ctx, accounts, holds, wait)
	if err != nil {
		return err
	}
	for _, o := range ops {
		h := d.holds[o.hold]
		a := d.books[o.account]
		if o.account == "" && h != nil {
			a = d.rows[h.account] // nil of a probe
		}
		o.skipped = a == nil && !wait && c.s.d.skip != ""
		switch {
		case o.skipped:
		case a != nil:
			o.ran = true
			o.r, o.err = o.run(ctx, d, a, h)
		case o.account != "":
			o.err = noAccount(o.account)
		default:
			o.err = ErrHoldNotFound
		}
		if c.broken != nil {
			return c.broken
		}
	}
	return d.write(ctx)
}
