package sqlite

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

// change runs f in the writer and counts the revision up, so that every
// process learns that an account or key is not what it was.
func (s *Store) change(ctx context.Context, f func(*writer) error) error {
	return s.w.do(ctx, alone, func(w *writer) error {
		if err := f(w); err != nil {
			return err
		}
		return w.sql(w.c.exec("UPDATE settings SET revision = revision + 1"))
	})
}

// CreateAccount implements billing.Store.
func (s *Store) CreateAccount(ctx context.Context, a billing.Account) error {
	if err := book.CheckAccount(&a); err != nil {
		return err
	}
	return s.change(ctx, func(w *writer) error {
		taken := false
		err := w.c.query(func(*row) error { taken = true; return nil }, "SELECT 1 FROM accounts WHERE public = ?", a.ID)
		if w.sql(err) != nil {
			return err
		}
		if taken {
			return book.AccountTaken(a.ID)
		}
		return w.sql(w.c.exec("INSERT INTO accounts (public, name, plan, suspended, created, anchor, monthly) VALUES (?, ?, ?, ?, ?, ?, ?)",
			a.ID, a.Name, a.Plan.String(), bit(a.Suspended), a.Created.UnixMilli(), millis(a.Anchor), int64(a.MonthlyCredits)))
	})
}

// Account implements billing.Store.
func (s *Store) Account(ctx context.Context, id string) (a billing.Account, err error) {
	err = s.read(ctx, func(c *conn) error {
		a, err = findAccount(c, id)
		return err
	})
	return a, err
}

func findAccount(c *conn, id string) (a billing.Account, err error) {
	found := false
	err = c.query(func(r *row) (err error) {
		found = true
		_, a, err = scanAccount(r)
		return err
	}, "SELECT "+accountColumns+" FROM accounts WHERE public = ?", id)
	if err == nil && !found {
		err = book.NoAccount(id)
	}
	return a, err
}

// Accounts implements billing.Store.
func (s *Store) Accounts(ctx context.Context) (list []billing.Account, err error) {
	err = s.read(ctx, func(c *conn) error {
		return c.query(func(r *row) error {
			_, a, err := scanAccount(r)
			list = append(list, a)
			return err
		}, "SELECT "+accountColumns+" FROM accounts ORDER BY id")
	})
	return list, err
}

// UpdateAccount implements billing.Store.
func (s *Store) UpdateAccount(ctx context.Context, id string, change func(*billing.Account) error) (a billing.Account, err error) {
	err = s.change(ctx, func(w *writer) error {
		old, err := w.b.account(id)
		if err != nil {
			return err
		}
		if a, err = book.ChangeAccount(old.Account, change); err != nil {
			return err
		}
		old.Account = a
		return w.sql(w.c.exec("UPDATE accounts SET name = ?, plan = ?, suspended = ?, anchor = ?, monthly = ? WHERE id = ?",
			a.Name, a.Plan.String(), bit(a.Suspended), millis(a.Anchor), int64(a.MonthlyCredits), old.Row))
	})
	return a, err
}

// History implements billing.Store.
func (s *Store) History(ctx context.Context, account string, since time.Time) (list []billing.Entry, err error) {
	if err := s.w.settled(ctx); err != nil {
		return nil, err
	}
	err = s.read(ctx, func(c *conn) error {
		if _, err := findAccount(c, account); err != nil {
			return err
		}
		return c.query(func(r *row) error {
			list = append(list, billing.Entry{
				Kind: billing.EntryKind(r.int()), Time: r.time(), Source: billing.Source(r.int()),
				Credits: int(r.int()), Requests: int(r.int()), Reference: r.text(), Expires: r.time(),
			})
			return nil
		}, `SELECT 1, granted, source, amount, 0, reference, expires FROM grants
				WHERE account = (SELECT id FROM accounts WHERE public = ?1) AND granted >= ?2
			UNION ALL
			SELECT kind, hour / 24 * 86400000, source, sum(credits), sum(requests), '', NULL FROM usage
				WHERE account = (SELECT id FROM accounts WHERE public = ?1) AND (hour / 24 + 1) * 86400000 > ?2
				GROUP BY hour / 24, kind, source HAVING sum(requests) > 0
			ORDER BY 2 DESC, 1 DESC, 3, 6`, account, since.UnixMilli())
	})
	return list, err
}
