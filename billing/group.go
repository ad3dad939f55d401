package billing

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
)

// maxGroup is the maximum number of calls in a transaction.
const maxGroup = 200

// A group runs calls on credits in transactions: those on one account, or all of a
// database with one writer. Calls during a transaction are run together in the next
// one.
type group struct {
	key   string
	queue []*op
}

// An op is a call on credits.
type op struct {
	account  string // public id, of a call that reserves; else that of the hold, which must exist
	hold     string // id
	reserves bool
	full     bool // after a power failure no account pays for what was refunded
	run      func(ctx context.Context, d *round, a *book, h *hold) (Receipt, error)

	state atomic.Int32
	done  chan struct{}
	r     Receipt
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
func (s *Store) do(ctx context.Context, o *op) (r Receipt, err error) {
	if err := ctx.Err(); err != nil {
		return r, err
	}
	key := ""
	if !s.d.oneWriter {
		if key, err = s.owner(ctx, o); err != nil {
			return r, err
		}
		defer func() { s.settleOwner(o, err) }()
	}
	o.done = make(chan struct{})
	if err := s.enqueue(key, o); err != nil {
		return r, err
	}
	select {
	case <-o.done:
	case <-ctx.Done():
		if o.state.CompareAndSwap(opQueued, opLeft) {
			return r, ctx.Err()
		}
		<-o.done
	}
	if o.err != nil {
		return r, o.err
	}
	return o.r, nil
}

func (s *Store) enqueue(key string, o *op) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	g := s.groups[key]
	if g == nil {
		g = &group{key: key}
		s.groups[key] = g
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
	for len(g.queue) > 0 {
		n := min(len(g.queue), maxGroup)
		var taken []*op
		for _, o := range g.queue[:n] {
			if o.state.CompareAndSwap(opQueued, opTaken) {
				taken = append(taken, o)
			}
		}
		if g.queue = g.queue[n:]; len(taken) > 0 {
			return taken
		}
	}
	delete(s.groups, g.key)
	return nil
}

func (s *Store) runGroup(g *group) {
	defer s.calls.Done()
	for ops := s.take(g); ops != nil; ops = s.take(g) {
		full := slices.ContainsFunc(ops, func(o *op) bool { return o.full })
		err := s.transact(full, func(ctx context.Context, c *conn) error { return c.runTogether(ctx, g.key, ops) })
		for _, o := range ops {
			if err != nil {
				o.err = err
			}
			close(o.done)
		}
	}
}

func (c *conn) runTogether(ctx context.Context, account string, ops []*op) error {
	accounts, holds := make([]string, 0, len(ops)), make([]string, 0, len(ops))
	for _, o := range ops {
		if id := o.account; id != "" && !slices.Contains(accounts, id) {
			accounts = append(accounts, id)
		}
		holds = append(holds, o.hold)
	}
	if account != "" {
		accounts = []string{account}
	}
	d, err := c.load(ctx, accounts, holds)
	if err != nil {
		return err
	}
	for _, o := range ops {
		h := d.holds[o.hold]
		a := d.books[o.account]
		if !o.reserves && h != nil {
			a = d.rows[h.account] // nil of a probe
		}
		switch {
		case a != nil:
			o.r, o.err = o.run(ctx, d, a, h)
		case o.reserves:
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

// maxOwners bounds the number of holds whose accounts a process remembers.
const maxOwners = 100_000

// owner returns the account of a call.
func (s *Store) owner(ctx context.Context, o *op) (account string, err error) {
	s.mu.Lock()
	account, ok := s.owners[o.hold]
	if o.reserves {
		if len(s.owners) >= maxOwners {
			clear(s.owners) // the table has them as well
		}
		account, ok = o.account, true
		s.owners[o.hold] = account
	}
	s.mu.Unlock()
	if ok {
		return account, nil
	}
	err = s.read(ctx, func(ctx context.Context, c *conn) error {
		return c.queryOne(ctx, []any{&account}, "SELECT a.public FROM holds h JOIN accounts a ON a.id = h.account WHERE h.id = $1", o.hold)
	})
	if err == nil && account == "" {
		err = ErrHoldNotFound
	}
	return account, err
}

// settleOwner forgets the account of a hold that was refused or given back.
func (s *Store) settleOwner(o *op, err error) {
	if o.reserves && err != nil && !errors.Is(err, ErrUnavailable) || o.full && err == nil {
		s.mu.Lock()
		delete(s.owners, o.hold)
		s.mu.Unlock()
	}
}
