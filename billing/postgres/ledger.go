package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

// maxOwners is how many of the holds that it made a store remembers the
// accounts of.
const maxOwners = 100_000

// Reserve implements billing.Ledger.
func (s *Store) Reserve(ctx context.Context, h billing.Hold) (r billing.Receipt, err error) {
	if err := book.CheckHold(&h); err != nil {
		return r, err
	}
	s.own(h.ID, h.Account)
	var got billing.Receipt
	err = s.do(ctx, h.Account, &op{hold: h.ID, run: func(b *books) (err error) {
		got, err = b.reserve(&h)
		return err
	}})
	if err != nil {
		if !errors.Is(err, billing.ErrUnavailable) {
			s.disown(h.ID) // it may be another account's
		}
		return r, err
	}
	return got, nil
}

// Settle implements billing.Ledger.
func (s *Store) Settle(ctx context.Context, id string, used int) (r billing.Receipt, err error) {
	if err := book.CheckUsed(used); err != nil {
		return r, err
	}
	return s.onHold(ctx, &op{hold: id}, func(b *books) (billing.Receipt, error) { return b.settle(id, used) })
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

func (s *Store) undo(ctx context.Context, id string, cut bool) (billing.Receipt, error) {
	r, err := s.onHold(ctx, &op{hold: id, past: cut}, func(b *books) (billing.Receipt, error) {
		if cut {
			return b.cut(id)
		}
		return b.refund(id)
	})
	switch {
	case err == nil:
		s.disown(id)
	case errors.Is(err, billing.ErrUnavailable), ctx.Err() != nil:
		s.owed.Add(id, cut)
	}
	return r, err
}

// onHold runs f as an op in the group of its hold's account.
func (s *Store) onHold(ctx context.Context, o *op, f func(*books) (billing.Receipt, error)) (r billing.Receipt, err error) {
	account, err := s.owner(ctx, o.hold)
	if err != nil {
		return r, err
	}
	var got billing.Receipt
	o.run = func(b *books) (err error) {
		got, err = f(b)
		return err
	}
	err = s.do(ctx, account, o)
	if err != nil {
		return r, err
	}
	return got, nil
}

func (s *Store) own(id, account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.owners) >= maxOwners {
		clear(s.owners) // the table knows them, too
	}
	s.owners[id] = account
}

func (s *Store) disown(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.owners, id)
}

// owner returns the account of a hold.
func (s *Store) owner(ctx context.Context, id string) (account string, err error) {
	s.mu.Lock()
	account, ok := s.owners[id]
	s.mu.Unlock()
	if ok {
		return account, nil
	}
	err = s.read(ctx, func(ctx context.Context, db querier) error {
		return failed(db.QueryRow(ctx, "SELECT a.public FROM holds h JOIN accounts a ON a.id = h.account WHERE h.id = $1", id).Scan(&account))
	})
	if errors.Is(err, pgx.ErrNoRows) {
		err = billing.ErrHoldNotFound
	}
	return account, err
}

// Grant implements billing.Ledger.
func (s *Store) Grant(ctx context.Context, g billing.Grant) (granted billing.Grant, given bool, err error) {
	if err := billing.CheckGrant(&g); err != nil {
		return billing.Grant{}, false, err
	}
	err = s.change(ctx, false, func(ctx context.Context, t *tx) error {
		row, a, err := t.account(ctx, g.Account)
		if err != nil {
			return err
		}
		b := books{Book: book.Book{Row: row, Account: a}}
		x, isNew, err := b.enterGrant(ctx, t, g)
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
func (s *Store) Balance(ctx context.Context, id string) (billing.Balance, error) {
	var got billing.Balance
	err := s.do(ctx, id, &op{all: true, run: func(b *books) error {
		got = b.Balance(b.now)
		return nil
	}})
	if err != nil {
		return billing.Balance{}, err
	}
	return got, nil
}
