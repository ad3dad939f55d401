package store

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
func (s *Store) Reserve(ctx context.Context, h billing.Hold) (billing.Receipt, error) {
	if err := book.CheckHold(&h); err != nil {
		return billing.Receipt{}, err
	}
	return s.do(ctx, Call{Reserve, h.Account, h.ID}, func(t Turn) (billing.Receipt, error) {
		_, old, err := t.Hold(h.ID)
		if err != nil {
			return billing.Receipt{}, err
		}
		b, err := t.Account(h.Account)
		if err != nil {
			return billing.Receipt{}, err
		}
		if old != nil {
			return b.Again(old, &h, t.Now())
		}
		n, r, err := b.Reserve(&h, t.Now())
		if err == nil {
			t.Keep(n)
		}
		return r, err
	})
}

// do runs a call and returns its receipt, which is zero after an error.
func (s *Store) do(ctx context.Context, c Call, f func(Turn) (billing.Receipt, error)) (billing.Receipt, error) {
	var r billing.Receipt
	err := s.engine.Do(ctx, c, func(t Turn) (err error) {
		r, err = f(t)
		return err
	})
	if err != nil {
		return billing.Receipt{}, err
	}
	return r, nil
}

// onHold runs a call on a hold that must exist.
func (s *Store) onHold(ctx context.Context, kind CallKind, id string, f func(Turn, *book.Book, *book.Hold) (billing.Receipt, error)) (billing.Receipt, error) {
	return s.do(ctx, Call{Kind: kind, Hold: id}, func(t Turn) (billing.Receipt, error) {
		b, h, err := t.Hold(id)
		switch {
		case err != nil:
			return billing.Receipt{}, err
		case h == nil:
			return billing.Receipt{}, billing.ErrHoldNotFound
		}
		return f(t, b, h)
	})
}

// Settle implements billing.Ledger.
func (s *Store) Settle(ctx context.Context, id string, used int) (billing.Receipt, error) {
	if err := book.CheckUsed(used); err != nil {
		return billing.Receipt{}, err
	}
	return s.onHold(ctx, Settle, id, func(t Turn, b *book.Book, h *book.Hold) (billing.Receipt, error) {
		before := h.State
		r, err := b.Settle(h, used, t.Now())
		if err == nil && before != book.Settled {
			err = t.Settled(h)
		}
		return r, err
	})
}

// Refund implements billing.Ledger. Sweep retries a refund that cannot be
// written now.
func (s *Store) Refund(ctx context.Context, id string) (billing.Receipt, error) {
	return s.undo(ctx, id, Refund)
}

// Cut implements billing.Ledger. Sweep retries a cut that cannot be written now.
func (s *Store) Cut(ctx context.Context, id string) (billing.Receipt, error) {
	return s.undo(ctx, id, Cut)
}

func (s *Store) undo(ctx context.Context, id string, kind CallKind) (billing.Receipt, error) {
	r, err := s.onHold(ctx, kind, id, func(t Turn, b *book.Book, h *book.Hold) (billing.Receipt, error) {
		if kind == Refund {
			return b.Refund(h, t.Now())
		}
		past, err := t.Past(b)
		if err != nil {
			return billing.Receipt{}, err
		}
		return b.Cut(h, past, t.Now())
	})
	if errors.Is(err, billing.ErrUnavailable) || ctx.Err() != nil && err != nil {
		s.owed.Add(id, kind)
	}
	return r, err
}

// Balance implements billing.Ledger.
func (s *Store) Balance(ctx context.Context, account string) (billing.Balance, error) {
	var bal billing.Balance
	err := s.engine.Do(ctx, Call{Kind: Balance, Account: account}, func(t Turn) error {
		b, err := t.Account(account)
		if err == nil {
			bal = b.Balance(t.Now())
		}
		return err
	})
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
	err = s.engine.Change(ctx, false, func(ctx context.Context, tx Tx) error {
		b, err := tx.Lock(ctx, g.Account)
		if err != nil {
			return err
		}
		x, isNew, err := Enter(ctx, tx, b, g)
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

// Enter writes a grant of an account that the transaction has locked and adds
// it to the book. If the account has a grant with this source and reference,
// Enter returns that grant and false.
func Enter(ctx context.Context, q Queries, b *book.Book, g billing.Grant) (x *book.Grant, isNew bool, err error) {
	err = q.Query(ctx, func(r *Row) error {
		x = ScanGrant(r, b)
		return nil
	}, "SELECT "+GrantColumns+" FROM grants WHERE account = $1 AND source = $2 AND reference = $3", b.Row, int(g.Source), g.Reference)
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
	err = q.Query(ctx, func(r *Row) error {
		x.Row = r.Int64()
		return nil
	}, "INSERT INTO grants (account, source, reference, amount, remaining, held, settled, granted, expires) VALUES ($1, $2, $3, $4, $4, 0, 0, $5, $6) RETURNING id",
		b.Row, int(g.Source), g.Reference, g.Amount, g.Granted, Expiry(g.Expires))
	if err != nil {
		return nil, false, err
	}
	b.Add(x)
	return x, true, nil
}

// maxOwed bounds the number of refunds in memory. Only failures of the database
// in the middle of a request add one.
const maxOwed = 100_000

// Owed holds the refunds and cuts that failed, for a sweep to retry. Its zero
// value is ready. It is safe for concurrent use.
type Owed struct {
	mu  sync.Mutex
	ids map[string]CallKind
}

// Add adds a hold. A refund replaces a cut of the same hold.
func (o *Owed) Add(id string, kind CallKind) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ids == nil {
		o.ids = map[string]CallKind{}
	}
	if was, there := o.ids[id]; there {
		o.ids[id] = min(was, kind) // Refund is before Cut
	} else if len(o.ids) < maxOwed {
		o.ids[id] = kind
	}
}

// IDs returns the holds in order.
func (o *Owed) IDs() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Sorted(maps.Keys(o.ids))
}

// Repay calls undo for every hold and removes the hold if undo returns nil. It
// stops at the first error.
func (o *Owed) Repay(undo func(id string, kind CallKind) error) error {
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
