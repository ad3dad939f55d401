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

// Refund implements billing.Ledger. What cannot be written now, Sweep makes up
// for.
func (s *Store) Refund(ctx context.Context, id string) (r billing.Receipt, err error) {
	err = s.w.do(ctx, alone, func(w *writer) error {
		now := w.o.Now()
		a, h, err := w.b.holder(id, now)
		if err != nil {
			return err
		}
		r, err = a.Refund(h, now)
		return err
	})
	if errors.Is(err, billing.ErrUnavailable) || ctx.Err() != nil {
		s.owed.Add(id)
	}
	return r, err
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
