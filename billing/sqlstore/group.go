package sqlstore

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/postgeo/postgeo/billing"
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

// An opKind is the kind of a call on credits.
type opKind uint8

// The kinds of calls. Refunds replace cuts of the same hold.
const (
	opReserve opKind = iota
	opSettle
	opRefund
	opCut
	opBalance
)

// An op is a call on credits.
type op struct {
	kind    opKind
	account string // public id of opReserve and opBalance
	hold    string // id; "" for opBalance
	run     func(context.Context, *books) error

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
func (s *Store) do(ctx context.Context, o *op) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	key := ""
	if !s.d.oneWriter {
		if key, err = s.owner(ctx, o); err != nil {
			return err
		}
		defer func() { s.settleOwner(o, err) }()
	}
	o.done = make(chan error, 1)
	if err := s.enqueue(key, o); err != nil {
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
		// After a power failure no account pays for what was refunded.
		full := slices.ContainsFunc(ops, func(o *op) bool { return o.kind == opRefund || o.kind == opCut })
		err := s.transact(full, func(ctx context.Context, c *session) error { return s.runTogether(ctx, c, g.key, ops) })
		for _, o := range ops {
			if err != nil {
				o.err = err
			}
			o.done <- o.err
		}
	}
}

func (s *Store) runTogether(ctx context.Context, c *session, account string, ops []*op) error {
	b := newBooks(c)
	if account != "" { // the lock comes first, so that no hold is outdated
		if _, err := b.load(ctx, "public", account); err != nil {
			return err
		}
	}
	ids := make([]string, 0, len(ops))
	for _, o := range ops {
		if o.hold != "" {
			ids = append(ids, o.hold)
		}
	}
	if err := b.readHolds(ctx, ids); err != nil {
		return err
	}
	for _, o := range ops {
		o.err = o.run(ctx, b)
		if c.broken != nil {
			return c.broken
		}
	}
	return b.write(ctx)
}

// maxOwners bounds the number of holds whose accounts a process remembers.
const maxOwners = 100_000

// owner returns the account of a call.
func (s *Store) owner(ctx context.Context, o *op) (account string, err error) {
	s.mu.Lock()
	account, ok := s.owners[o.hold]
	if o.account != "" {
		if account, ok = o.account, true; o.kind == opReserve {
			if len(s.owners) >= maxOwners {
				clear(s.owners) // the table has them as well
			}
			s.owners[o.hold] = account
		}
	}
	s.mu.Unlock()
	if ok || o.kind == opReserve || o.kind == opBalance {
		return account, nil
	}
	err = s.read(ctx, func(ctx context.Context, c *session) error {
		return c.Query(ctx, func(r *Row) error {
			account = r.Text()
			return nil
		}, "SELECT a.public FROM holds h JOIN accounts a ON a.id = h.account WHERE h.id = $1", o.hold)
	})
	if err == nil && account == "" {
		err = billing.ErrHoldNotFound
	}
	return account, err
}

// settleOwner forgets the account of a hold that was refused or given back.
func (s *Store) settleOwner(o *op, err error) {
	refused := o.kind == opReserve && err != nil && !errors.Is(err, billing.ErrUnavailable)
	if refused || (o.kind == opRefund || o.kind == opCut) && err == nil {
		s.mu.Lock()
		delete(s.owners, o.hold)
		s.mu.Unlock()
	}
}
