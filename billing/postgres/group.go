package postgres

import (
	"context"
	"sync/atomic"
)

// maxGroup is how many calls one transaction has at most.
const maxGroup = 256

// A group runs the calls on one account. Those that come while a transaction
// is under way are run together in the next one, so that a busy account costs
// one commit for many calls and occupies one connection.
type group struct {
	account string // public id
	queue   []*op
}

// An op is a call on the credits of one account.
type op struct {
	run   func(*books) error
	hold  string // the id of the hold that it is about; "": none
	all   bool   // it looks at all grants with credits held
	past  bool   // it looks at the last hours
	state atomic.Int32
	done  chan error
	err   error
}

// States of an op.
const (
	opQueued int32 = iota
	opTaken
	opLeft // its caller went away before it was taken
)

// do runs an op in a group. A call whose context ends before its turn is not
// run; one that was taken is waited for, so that a caller always knows whether
// it happened.
func (s *Store) do(ctx context.Context, account string, o *op) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	o.done = make(chan error, 1)
	if err := s.enqueue(account, o); err != nil {
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

func (s *Store) enqueue(account string, o *op) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	g := s.groups[account]
	if g == nil {
		g = &group{account: account}
		s.groups[account] = g
		s.calls.Add(1)
		go s.runGroup(g)
	}
	g.queue = append(g.queue, o)
	return nil
}

// take returns the next calls of a group, or ends it when there are none.
func (s *Store) take(g *group) []*op {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := min(len(g.queue), maxGroup)
	if n == 0 {
		delete(s.groups, g.account)
		return nil
	}
	ops := g.queue[:n:n]
	g.queue = g.queue[n:]
	return ops
}

func (s *Store) runGroup(g *group) {
	defer s.calls.Done()
	for ops := s.take(g); ops != nil; ops = s.take(g) {
		taken := ops[:0]
		for _, o := range ops {
			if o.state.CompareAndSwap(opQueued, opTaken) {
				taken = append(taken, o)
			}
		}
		if len(taken) == 0 {
			continue
		}
		err := s.transact(func(ctx context.Context, t *tx) error { return s.runTogether(ctx, t, g.account, taken) })
		for _, o := range taken {
			if err != nil {
				o.err = err
			}
			o.done <- o.err
		}
	}
}

// runTogether runs calls in one transaction.
func (s *Store) runTogether(ctx context.Context, t *tx, account string, ops []*op) error {
	var n needs
	for _, o := range ops {
		n.held, n.past = n.held || o.all, n.past || o.past
		if o.hold != "" {
			n.holds = append(n.holds, o.hold)
		}
	}
	b, err := s.open(ctx, t, account, n)
	if err != nil {
		return err
	}
	for _, o := range ops {
		o.err = o.run(b)
	}
	return b.commit(ctx, t)
}
