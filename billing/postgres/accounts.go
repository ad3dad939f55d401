package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

// change runs f in a transaction. With announce it counts the revision up, so
// that every process learns that an account or key is not what it was.
func (s *Store) change(ctx context.Context, announce bool, f func(context.Context, *tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.calls.Done()
	return s.transact(func(ctx context.Context, t *tx) error {
		if _, err := t.Exec(ctx, "BEGIN"); err != nil {
			return failed(err)
		}
		if err := f(ctx, t); err != nil {
			return err
		}
		var batch pgx.Batch
		if announce {
			batch.Queue("UPDATE settings SET revision = revision + 1")
		}
		batch.Queue("COMMIT")
		t.committing = true
		return t.send(ctx, &batch)
	})
}

// account locks an account.
func (t *tx) account(ctx context.Context, id string) (row int64, a billing.Account, err error) {
	var batch pgx.Batch
	batch.Queue(lockAccount, id).Query(func(rows pgx.Rows) (err error) {
		var last *time.Time
		row, a, err = oneAccount(rows, id, &last)
		return err
	})
	return row, a, t.send(ctx, &batch)
}

// CreateAccount implements billing.Store.
func (s *Store) CreateAccount(ctx context.Context, a billing.Account) error {
	if err := book.CheckAccount(&a); err != nil {
		return err
	}
	return s.change(ctx, true, func(ctx context.Context, t *tx) error {
		tag, err := t.Exec(ctx, "INSERT INTO accounts (public, name, plan, suspended, created, anchor, monthly) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING",
			a.ID, a.Name, a.Plan.String(), a.Suspended, a.Created, nullable(a.Anchor), a.MonthlyCredits)
		if err == nil && tag.RowsAffected() == 0 {
			return book.AccountTaken(a.ID)
		}
		return failed(err)
	})
}

// Account implements billing.Store.
func (s *Store) Account(ctx context.Context, id string) (a billing.Account, err error) {
	err = s.read(ctx, func(ctx context.Context, db querier) error {
		a, err = findAccount(ctx, db, id)
		return err
	})
	return a, err
}

func findAccount(ctx context.Context, db querier, id string) (a billing.Account, err error) {
	_, a, err = scanAccount(db.QueryRow(ctx, "SELECT "+accountColumns+" FROM accounts WHERE public = $1", id))
	if isNone(err) {
		return a, book.NoAccount(id)
	}
	return a, failed(err)
}

// Accounts implements billing.Store.
func (s *Store) Accounts(ctx context.Context) (list []billing.Account, err error) {
	err = s.read(ctx, func(ctx context.Context, db querier) error {
		rows, err := db.Query(ctx, "SELECT "+accountColumns+" FROM accounts ORDER BY id")
		if err != nil {
			return failed(err)
		}
		list, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (billing.Account, error) {
			_, a, err := scanAccount(row)
			return a, err
		})
		return failed(err)
	})
	return list, err
}

// UpdateAccount implements billing.Store. The change is made again when the
// transaction has to be tried again.
func (s *Store) UpdateAccount(ctx context.Context, id string, change func(*billing.Account) error) (billing.Account, error) {
	var got billing.Account
	err := s.change(ctx, true, func(ctx context.Context, t *tx) error {
		row, old, err := t.account(ctx, id)
		if err != nil {
			return err
		}
		a, err := book.ChangeAccount(old, change)
		if err != nil {
			return err
		}
		got = a
		_, err = t.Exec(ctx, "UPDATE accounts SET name = $2, plan = $3, suspended = $4, anchor = $5, monthly = $6 WHERE id = $1",
			row, a.Name, a.Plan.String(), a.Suspended, nullable(a.Anchor), a.MonthlyCredits)
		return failed(err)
	})
	if err != nil {
		return billing.Account{}, err
	}
	return got, nil
}

// History implements billing.Store.
func (s *Store) History(ctx context.Context, account string, since time.Time) (list []billing.Entry, err error) {
	err = s.read(ctx, func(ctx context.Context, db querier) error {
		if _, err := findAccount(ctx, db, account); err != nil {
			return err
		}
		rows, err := db.Query(ctx, `SELECT 1::smallint, granted, source, amount, 0::bigint, reference, nullif(expires, 'infinity') FROM grants
				WHERE account = (SELECT id FROM accounts WHERE public = $1) AND granted >= $2
			UNION ALL
			SELECT kind, date_trunc('day', hour, 'UTC'), source, sum(credits)::bigint, sum(requests)::bigint, '', NULL FROM usage
				WHERE account = (SELECT id FROM accounts WHERE public = $1) AND date_trunc('day', hour, 'UTC') + interval '24 hours' > $2
				GROUP BY 1, 2, 3 HAVING sum(requests) > 0
			ORDER BY 2 DESC, 1 DESC, 3, 6`, account, since)
		if err != nil {
			return failed(err)
		}
		list, err = pgx.CollectRows(rows, scanEntry)
		return failed(err)
	})
	return list, err
}

// Refunds implements billing.Store.
func (s *Store) Refunds(ctx context.Context, account string, since time.Time) ([]billing.RefundDay, error) {
	var list *book.RefundDays
	err := s.read(ctx, func(ctx context.Context, db querier) error {
		list = book.NewRefundDays(s.o.Now())
		if account != "" {
			if _, err := findAccount(ctx, db, account); err != nil {
				return err
			}
		}
		rows, err := db.Query(ctx, `SELECT public, last_day, date_trunc('day', hour, 'UTC') AS day, kind, sum(credits)::bigint, sum(requests)::bigint
			FROM usage JOIN accounts a ON a.id = account
			WHERE kind > 2 AND ($1 = '' OR public = $1) AND hour >= $2
			GROUP BY a.id, day, kind ORDER BY day DESC, a.id, kind`, account, billing.Day(since).Start)
		if err != nil {
			return failed(err)
		}
		var id string
		var last *time.Time
		var day time.Time
		var kind int16
		var t billing.Tally
		_, err = pgx.ForEachRow(rows, []any{&id, &last, &day, &kind, &t.Credits, &t.Requests}, func() error {
			list.Add(id, utc(last), day.UTC(), billing.EntryKind(kind), t)
			return nil
		})
		return failed(err)
	})
	if err != nil {
		return nil, err
	}
	return list.Days(), nil
}

func scanEntry(row pgx.CollectableRow) (e billing.Entry, err error) {
	var kind, source int16
	var expires *time.Time
	err = row.Scan(&kind, &e.Time, &source, &e.Credits, &e.Requests, &e.Reference, &expires)
	e.Kind, e.Source, e.Time, e.Expires = billing.EntryKind(kind), billing.Source(source), e.Time.UTC(), utc(expires)
	return e, err
}
