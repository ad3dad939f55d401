package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
)

// CreateAccount implements billing.Store.
func (s *Store) CreateAccount(ctx context.Context, a billing.Account) error {
	if err := checkAccount(&a); err != nil {
		return err
	}
	return s.announced(ctx, func(ctx context.Context, c *session) error {
		n, err := c.Exec(ctx, "INSERT INTO accounts (public, name, plan, suspended, created, anchor, monthly) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
			a.ID, a.Name, a.Plan.String(), a.Suspended, a.Created, optional(a.Anchor), a.MonthlyCredits)
		if err == nil && n == 0 {
			err = fmt.Errorf("billing: account %s already exists", a.ID)
		}
		return err
	})
}

// Account implements billing.Store.
func (s *Store) Account(ctx context.Context, id string) (a billing.Account, err error) {
	err = s.read(ctx, func(ctx context.Context, c *session) error {
		a, err = findAccount(ctx, c, id)
		return err
	})
	return a, err
}

func findAccount(ctx context.Context, c *session, id string) (a billing.Account, err error) {
	found := false
	err = c.Query(ctx, func(r *Row) (err error) {
		found = true
		_, a, err = scanAccount(r)
		return err
	}, "SELECT "+accountColumns+" FROM accounts WHERE public = $1", id)
	if err == nil && !found {
		err = noAccount(id)
	}
	return a, err
}

// noAccount returns an error that matches billing.ErrAccountNotFound.
func noAccount(id string) error { return fmt.Errorf("%w: %q", billing.ErrAccountNotFound, id) }

// Accounts implements billing.Store.
func (s *Store) Accounts(ctx context.Context) (list []billing.Account, err error) {
	err = s.read(ctx, func(ctx context.Context, c *session) error {
		list = nil
		return c.Query(ctx, func(r *Row) error {
			_, a, err := scanAccount(r)
			list = append(list, a)
			return err
		}, "SELECT "+accountColumns+" FROM accounts ORDER BY id")
	})
	return list, err
}

// UpdateAccount implements billing.Store. An account keeps its id and time of
// creation.
func (s *Store) UpdateAccount(ctx context.Context, id string, change func(*billing.Account) error) (a billing.Account, err error) {
	err = s.announced(ctx, func(ctx context.Context, c *session) error {
		b, err := lock(ctx, c, id)
		if err != nil {
			return err
		}
		a = b.Account
		if err := change(&a); err != nil {
			return err
		}
		a.ID, a.Created = b.ID, b.Created
		if err := checkAccount(&a); err != nil {
			return err
		}
		b.Account = a
		_, err = c.Exec(ctx, "UPDATE accounts SET name = $2, plan = $3, suspended = $4, anchor = $5, monthly = $6 WHERE id = $1",
			b.Row, a.Name, a.Plan.String(), a.Suspended, optional(a.Anchor), a.MonthlyCredits)
		return err
	})
	if err != nil {
		return billing.Account{}, err
	}
	return a, nil
}

func checkAccount(a *billing.Account) error {
	switch {
	case a.ID == "":
		return errors.New("billing: missing account id")
	case a.Plan.Limits().RatePerMinute == 0:
		return fmt.Errorf("billing: account %s has no plan", a.ID)
	case a.Plan.Paid() == a.Anchor.IsZero():
		return fmt.Errorf("billing: account %s on the plan %s: a paid plan requires the start of its subscription, a free plan must not have one", a.ID, a.Plan)
	case a.MonthlyCredits < 0 || a.MonthlyCredits > billing.MaxCredits:
		return fmt.Errorf("billing: account %s has %d credits per period; expected 0 to %d", a.ID, a.MonthlyCredits, billing.MaxCredits)
	}
	return billing.CheckName(a.Name)
}

// day is the start of the day of an hour.
const day = "hour / 24 * 86400000"

// readOf is read of an account that must exist unless it is "".
func (s *Store) readOf(ctx context.Context, account string, f func(context.Context, *session) error) error {
	return s.read(ctx, func(ctx context.Context, c *session) error {
		if account != "" {
			if _, err := findAccount(ctx, c, account); err != nil {
				return err
			}
		}
		return f(ctx, c)
	})
}

// History implements billing.Store.
func (s *Store) History(ctx context.Context, account string, since time.Time) (list []billing.Entry, err error) {
	err = s.readOf(ctx, account, func(ctx context.Context, c *session) error {
		list = nil
		return c.Query(ctx, func(r *Row) error {
			list = append(list, billing.Entry{
				Kind: billing.EntryKind(r.Int()), Time: r.Time(), Source: billing.Source(r.Int()),
				Credits: r.Int(), Requests: r.Int(), Reference: r.Text(), Expires: r.Time(),
			})
			return nil
		}, `SELECT 1, granted, source, amount, 0, reference, expires FROM grants
				WHERE account = (SELECT id FROM accounts WHERE public = $1) AND granted >= $2
			UNION ALL
			SELECT kind, `+day+`, source, CAST(sum(credits) AS bigint), CAST(sum(requests) AS bigint), '', NULL FROM usage
				WHERE account = (SELECT id FROM accounts WHERE public = $1) AND hour >= $3
				GROUP BY `+day+`, kind, source HAVING sum(requests) > 0
			ORDER BY 2 DESC, 1 DESC, 3, 6`, account, since, hour(billing.Day(since).Start))
	})
	if err != nil {
		return nil, err
	}
	return list, nil
}

// Refunds implements billing.Store.
func (s *Store) Refunds(ctx context.Context, account string, since time.Time) (days []billing.RefundDay, err error) {
	today := billing.Day(s.now()).Start
	err = s.readOf(ctx, account, func(ctx context.Context, c *session) error {
		days = nil
		return c.Query(ctx, func(r *Row) error {
			id, last, day, kind := r.Text(), r.Time(), r.Time(), billing.EntryKind(r.Int())
			n := len(days)
			if n == 0 || days[n-1].Account != id || !days[n-1].Day.Equal(day) {
				days = append(days, billing.RefundDay{Account: id, Day: day, LastInTurn: last.Equal(today)})
				n++
			}
			tally := billing.Tally{Credits: r.Int(), Requests: r.Int()}
			switch d := &days[n-1]; kind {
			case billing.CutRefunded:
				d.Cut = tally
			case billing.CutKept:
				d.Kept = tally
			case billing.BatchRefunded:
				d.Batch = tally
			case billing.Granted, billing.Spent:
			}
			return nil
		}, `SELECT public, last_day, `+day+`, kind, CAST(sum(credits) AS bigint), CAST(sum(requests) AS bigint)
			FROM usage JOIN accounts a ON a.id = account
			WHERE kind > 2 AND ($1 = '' OR public = $1) AND hour >= $2
			GROUP BY a.id, `+day+`, kind ORDER BY 3 DESC, a.id, kind`, account, hour(billing.Day(since).Start))
	})
	if err != nil {
		return nil, err
	}
	return days, nil
}

// lock locks an account until the transaction ends. Changes of the returned book's
// Account must be written to the table as well.
func lock(ctx context.Context, c *session, account string) (*book.Book, error) {
	b, err := lockAccount(ctx, c, "public", account)
	if err == nil && b == nil {
		err = noAccount(account)
	}
	return b, err
}
