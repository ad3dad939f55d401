package postgres

import (
	"context"
	"sync/atomic"

	"github.com/postgeo/postgeo/billing/internal/store"
)

// maxGroup is the maximum number of calls in a transaction.
const maxGroup = 256

// A group runs the calls on one account. Calls during a transaction are run
// together in the next one. A busy account needs one commit for many calls, and
// one connection.
type group struct {
	account string // public id
	queue   []*op
}

// An op is a call on the credits of one account.
type op struct {
	store.Call
	run   func(*books) error
	state atomic.Int32
	done  chan error
	err   error
}

// States of an op.
const (
	opQueued int32 = iota
	opTaken
	opLeft // its caller left before it was taken
)

// do runs an op in a group. A call whose context ends before its turn is not run.
// A running call is waited for, so that callers always learn its result.
func (e *engine) do(ctx context.Context, account string, o *op) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o.done = make(chan error, 1)
	if err := e.enqueue(account, o); err != nil {
		return err
	}
	select {
	case err := <-o.done:
		return err
	case <-ctx.Done():
		if o.state.CompareAndSwap(opQueued, opLeft) {
			return ctx.Err()
		}
		return <-o.done
	}
}

func (e *engine) enqueue(account string, o *op) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return ErrClosed
	}
	g := e.groups[account]
	if g == nil {
		g = &group{account: account}
		e.groups[account] = g
		e.calls.Add(1)
		go e.runGroup(g)
	}
	g.queue = append(g.queue, o)
	return nil
}

// take returns the next calls of a group, or ends it when there are none.
func (e *engine) take(g *group) []*op {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := min(len(g.queue), maxGroup)
	if n == 0 {
		delete(e.groups, g.account)
		return nil
	}
	ops := g.queue[:n:n]
	g.queue = g.queue[n:]
	return ops
}

func (e *engine) runGroup(g *group) {
	defer e.calls.Done()
	for ops := e.take(g); ops != nil; ops = e.take(g) {
		taken := ops[:0]
		for _, o := range ops {
			if o.state.CompareAndSwap(opQueued, opTaken) {
				taken = append(taken, o)
			}
		}
		if len(taken) == 0 {
			continue
		}
		err := e.transact(func(ctx context.Context, t *tx) error { return e.runTogether(ctx, t, g.account, taken) })
		for _, o := range taken {
			if err != nil {
				o.err = err
			}
			o.done <- o.err
		}
	}
}

func (e *engine) runTogether(ctx context.Context, t *tx, account string, ops []*op) error {
	var n needs
	for _, o := range ops {
		n.held, n.past = n.held || o.Kind == store.Balance, n.past || o.Kind == store.Cut
		if o.Hold != "" {
			n.holds = append(n.holds, o.Hold)
		}
	}
	b, err := e.open(ctx, t, account, n)
	if err != nil {
		return err
	}
	for _, o := range ops {
		o.err = o.run(b)
	}
	return b.commit(ctx, t)
}
