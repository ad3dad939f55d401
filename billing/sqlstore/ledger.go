package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
)

// Reserve implements billing.Ledger.
func (s *Store) Reserve(ctx context.Context, h billing.Hold) (r billing.Receipt, err error) {
	if err := book.CheckHold(&h); err != nil {
		return r, err
	}
	return s.receipt(ctx, &op{kind: opReserve, account: h.Account, hold: h.ID}, func(ctx context.Context, b *books) (billing.Receipt, error) {
		a, err := b.account(ctx, h.Account)
		if err != nil {
			return billing.Receipt{}, err
		}
		if _, old, err := b.hold(ctx, h.ID); err != nil || old != nil {
			if err != nil {
				return billing.Receipt{}, err
			}
			return a.Again(old, &h, b.now)
		}
		if h.Once != nil {
			if first, err := b.charge(ctx, a, h.Once); err != nil || first != nil {
				if err != nil {
					return billing.Receipt{}, err
				}
				return a.Repeat(first, h.Once, b.now)
			}
		}
		n, r, err := a.Reserve(&h, b.now)
		if err == nil {
			b.holds[h.ID] = n
		}
		return r, err
	})
}

// receipt runs a call and returns its receipt, which is zero after an error.
func (s *Store) receipt(ctx context.Context, o *op, f func(context.Context, *books) (billing.Receipt, error)) (r billing.Receipt, err error) {
	o.run = func(ctx context.Context, b *books) (err error) {
		r, err = f(ctx, b)
		return err
	}
	if err := s.do(ctx, o); err != nil {
		return billing.Receipt{}, err
	}
	return r, nil
}

// onHold runs a call on a hold that must exist.
func (s *Store) onHold(ctx context.Context, kind opKind, id string, f func(context.Context, *books, *book.Book, *book.Hold) (billing.Receipt, error)) (billing.Receipt, error) {
	return s.receipt(ctx, &op{kind: kind, hold: id}, func(ctx context.Context, b *books) (billing.Receipt, error) {
		a, h, err := b.hold(ctx, id)
		switch {
		case err != nil:
			return billing.Receipt{}, err
		case h == nil:
			return billing.Receipt{}, billing.ErrHoldNotFound
		}
		return f(ctx, b, a, h)
	})
}

// Settle implements billing.Ledger.
func (s *Store) Settle(ctx context.Context, id string, used int) (billing.Receipt, error) {
	if err := book.CheckUsed(used); err != nil {
		return billing.Receipt{}, err
	}
	return s.onHold(ctx, opSettle, id, func(ctx context.Context, b *books, a *book.Book, h *book.Hold) (billing.Receipt, error) {
		if h.Once == nil || h.State == book.Settled {
			return a.Settle(h, used, b.now)
		}
		first, err := b.charge(ctx, a, h.Once)
		if err != nil {
			return billing.Receipt{}, err
		}
		if first == nil {
			r, err := a.Settle(h, used, b.now)
			if err == nil {
				b.charged[onceKey{a.Row, h.Once.Key}] = h
			}
			return r, err
		}
		if h.State == book.Held {
			if _, err := a.Refund(h, b.now); err != nil {
				return billing.Receipt{}, err
			}
		}
		return a.Repeat(first, h.Once, b.now)
	})
}

// Refund implements billing.Ledger. Sweep retries a refund that cannot be
// written now.
func (s *Store) Refund(ctx context.Context, id string) (billing.Receipt, error) {
	return s.undo(ctx, id, opRefund)
}

// Cut implements billing.Ledger. Sweep retries a cut that cannot be written now.
func (s *Store) Cut(ctx context.Context, id string) (billing.Receipt, error) {
	return s.undo(ctx, id, opCut)
}

func (s *Store) undo(ctx context.Context, id string, kind opKind) (billing.Receipt, error) {
	r, err := s.onHold(ctx, kind, id, func(ctx context.Context, b *books, a *book.Book, h *book.Hold) (billing.Receipt, error) {
		if kind == opRefund {
			return a.Refund(h, b.now)
		}
		past, err := b.past(ctx, a)
		if err != nil {
			return billing.Receipt{}, err
		}
		return a.Cut(h, past, b.now)
	})
	if errors.Is(err, billing.ErrUnavailable) || ctx.Err() != nil && err != nil {
		s.owed.Add(id, kind)
	}
	return r, err
}

// isGone reports whether there is no hold to refund.
func isGone(err error) bool { return errors.Is(err, billing.ErrHoldNotFound) }

// Balance implements billing.Ledger.
func (s *Store) Balance(ctx context.Context, account string) (bal billing.Balance, err error) {
	err = s.do(ctx, &op{kind: opBalance, account: account, run: func(ctx context.Context, b *books) error {
		a, err := b.account(ctx, account)
		if err == nil {
			err = b.addHeld(ctx, a)
		}
		if err == nil {
			bal = a.Balance(b.now)
		}
		return err
	}})
	if err != nil {
		return billing.Balance{}, err
	}
	return bal, nil
}

// Grant implements billing.Ledger.
func (s *Store) Grant(ctx context.Context, g billing.Grant) (granted billing.Grant, given bool, err error) {
	if err := billing.CheckGrant(&g); err != nil {
		return billing.Grant{}, false, err
	}
	err = s.change(ctx, func(ctx context.Context, c *session) error {
		b, err := lock(ctx, c, g.Account)
		if err != nil {
			return err
		}
		x, isNew, err := enterGrant(ctx, c, b, g)
		if err != nil {
			return err
		}
		if x.Amount != g.Amount {
			return fmt.Errorf("billing: account %s already has a grant %q of %d credits from %s; use another reference for another grant",
				x.Account, x.Reference, x.Amount, x.Source)
		}
		granted, given = x.Grant, isNew
		return nil
	})
	return granted, given, err
}

// enterGrant writes a grant of an account that the transaction has locked and adds
// it to the book. If the account has a grant with this source and reference,
// enterGrant returns that grant and false.
func enterGrant(ctx context.Context, c *session, b *book.Book, g billing.Grant) (x *book.Grant, isNew bool, err error) {
	err = c.Query(ctx, func(r *Row) error {
		x = scanGrant(r, b)
		return nil
	}, "SELECT "+grantColumns+" FROM grants WHERE account = $1 AND source = $2 AND reference = $3", b.Row, int(g.Source), g.Reference)
	if err != nil {
		return nil, false, err
	}
	if x != nil {
		if had := b.Grant(x.Row); had != nil {
			return had, false, nil
		}
		b.Add(x)
		return x, false, nil
	}
	g.Remaining, g.Held, g.Settled = g.Amount, 0, 0
	x = &book.Grant{Grant: g}
	err = c.Query(ctx, func(r *Row) error {
		x.Row = r.Int64()
		return nil
	}, "INSERT INTO grants (account, source, reference, amount, remaining, held, settled, granted, expires) VALUES ($1, $2, $3, $4, $4, 0, 0, $5, $6) RETURNING id",
		b.Row, int(g.Source), g.Reference, g.Amount, g.Granted, expiry(g.Expires))
	if err != nil {
		return nil, false, err
	}
	b.Add(x)
	return x, true, nil
}

// maxOwed bounds the number of refunds in memory. Only failures of the database
// in the middle of a request add one.
const maxOwed = 100_000

// owed holds the refunds and cuts that failed, for a sweep to retry. Its zero
// value is ready. It is safe for concurrent use.
type owed struct {
	mu  sync.Mutex
	ids map[string]opKind
}

// Add adds a hold. A refund replaces a cut of the same hold.
func (o *owed) Add(id string, kind opKind) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ids == nil {
		o.ids = map[string]opKind{}
	}
	if was, there := o.ids[id]; there {
		o.ids[id] = min(was, kind) // Refund is before Cut
	} else if len(o.ids) < maxOwed {
		o.ids[id] = kind
	}
}

// IDs returns the holds in order.
func (o *owed) IDs() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Sorted(maps.Keys(o.ids))
}

// Repay calls undo for every hold and removes the hold if undo returns nil. It
// stops at the first error.
func (o *owed) Repay(undo func(id string, kind opKind) error) error {
	o.mu.Lock()
	owed := maps.Clone(o.ids)
	o.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(owed)) {
		if err := undo(id, owed[id]); err != nil {
			return err
		}
		o.mu.Lock()
		delete(o.ids, id)
		o.mu.Unlock()
	}
	return nil
}
