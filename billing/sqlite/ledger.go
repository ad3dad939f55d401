package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

// Reserve implements billing.Ledger.
func (s *Store) Reserve(ctx context.Context, h billing.Hold) (r billing.Receipt, err error) {
	if err := book.CheckHold(&h); err != nil {
		return r, err
	}
	err = s.w.do(ctx, decided, func(w *writer) error {
		r, err = w.b.reserve(&h, w.o.Now())
		return err
	})
	return r, err
}

func (b *books) reserve(h *billing.Hold, now time.Time) (billing.Receipt, error) {
	old, err := b.hold(h.ID)
	if err != nil {
		return billing.Receipt{}, err
	}
	a, err := b.account(h.Account)
	if err != nil {
		return billing.Receipt{}, err
	}
	if err := b.ready(a, now); err != nil {
		return billing.Receipt{}, err
	}
	if old != nil {
		return b.again(a, old, h, now)
	}
	n, r, err := a.Reserve(h, now)
	if err == nil {
		b.holds[n.ID] = n
	}
	return r, err
}

func (b *books) again(a *book.Book, old *book.Hold, h *billing.Hold, now time.Time) (billing.Receipt, error) {
	if _, err := b.of(old); err != nil {
		return billing.Receipt{}, err
	}
	return a.Again(old, h, now)
}

// Settle implements billing.Ledger.
func (s *Store) Settle(ctx context.Context, id string, used int) (r billing.Receipt, err error) {
	if err := book.CheckUsed(used); err != nil {
		return r, err
	}
	end := decided
	if s.o.Strict {
		end = together
	}
	err = s.w.do(ctx, end, func(w *writer) error {
		now := w.o.Now()
		a, h, err := w.b.holder(id, now)
		if err != nil {
			return err
		}
		before := h.State
		if r, err = a.Settle(h, used, now); err != nil || before == book.Settled {
			return err
		}
		return w.record(h)
	})
	return r, err
}

// holder returns a hold and the book of its account.
func (b *books) holder(id string, now time.Time) (*book.Book, *book.Hold, error) {
	h, err := b.hold(id)
	switch {
	case err != nil:
		return nil, nil, err
	case h == nil:
		return nil, nil, billing.ErrHoldNotFound
	}
	a, err := b.of(h)
	if err != nil {
		return nil, nil, err
	}
	return a, h, b.ready(a, now)
}

// Refund implements billing.Ledger. Sweep makes up for one that cannot be
// written now.
func (s *Store) Refund(ctx context.Context, id string) (billing.Receipt, error) {
	return s.undo(ctx, id, false)
}

// Cut implements billing.Ledger. Sweep makes up for one that cannot be written
// now.
func (s *Store) Cut(ctx context.Context, id string) (billing.Receipt, error) {
	return s.undo(ctx, id, true)
}

func (s *Store) undo(ctx context.Context, id string, cut bool) (r billing.Receipt, err error) {
	err = s.w.do(ctx, alone, func(w *writer) error {
		now := w.o.Now()
		a, h, err := w.b.holder(id, now)
		if err != nil {
			return err
		}
		if !cut {
			r, err = a.Refund(h, now)
			return err
		}
		past, err := w.b.past(a, now)
		if err != nil {
			return err
		}
		r, err = a.Cut(h, past, now)
		return err
	})
	if errors.Is(err, billing.ErrUnavailable) || ctx.Err() != nil {
		s.owed.Add(id, cut)
	}
	return r, err
}

// past reads the hours of an account that the round has written.
func (b *books) past(a *book.Book, now time.Time) (*book.Past, error) {
	past := book.NewPast(now)
	err := b.w.c.query(func(r *row) error {
		past.Add(time.Unix(r.int()*3600, 0), billing.EntryKind(r.int()), r.int())
		return nil
	}, "SELECT hour, kind, credits FROM usage WHERE account = ? AND hour >= ?", a.Row, past.Since().Unix()/3600)
	return past, b.w.sql(err)
}

// Grant implements billing.Ledger.
func (s *Store) Grant(ctx context.Context, g billing.Grant) (granted billing.Grant, given bool, err error) {
	if err := billing.CheckGrant(&g); err != nil {
		return billing.Grant{}, false, err
	}
	err = s.w.do(ctx, alone, func(w *writer) error {
		a, err := w.b.account(g.Account)
		if err != nil {
			return err
		}
		x, isNew, err := w.b.enter(a, g)
		if err != nil {
			return err
		}
		if err := book.SameGrant(&x.Grant, &g); err != nil {
			return err
		}
		granted, given = x.Grant, isNew
		return nil
	})
	return granted, given, err
}

// Balance implements billing.Ledger.
func (s *Store) Balance(ctx context.Context, id string) (bal billing.Balance, err error) {
	err = s.w.do(ctx, decided, func(w *writer) error {
		a, err := w.b.account(id)
		if err != nil {
			return err
		}
		now := w.o.Now()
		if err := w.b.ready(a, now); err != nil {
			return err
		}
		bal = a.Balance(now)
		return nil
	})
	return bal, err
}
