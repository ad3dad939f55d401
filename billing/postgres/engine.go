package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
	"github.com/postgeo/postgeo/billing/internal/store"
)

// queries implements store.Queries on a pool or a connection.
type queries struct {
	db interface {
		Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
		Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	}
}

func (q queries) Query(ctx context.Context, f func(*store.Row) error, sql string, args ...any) error {
	rows, err := q.db.Query(ctx, sql, values(args)...)
	if err != nil {
		return failed(err)
	}
	return failed(each(rows, f))
}

func (q queries) Exec(ctx context.Context, sql string, args ...any) (int64, error) {
	tag, err := q.db.Exec(ctx, sql, values(args)...)
	return tag.RowsAffected(), failed(err)
}

func each(rows pgx.Rows, f func(*store.Row) error) error {
	defer rows.Close()
	var r store.Row
	for rows.Next() {
		var err error
		if r.Values, err = rows.Values(); err != nil {
			return err
		}
		r.Reset()
		if err := errors.Join(f(&r), r.Err); err != nil {
			return err
		}
	}
	return rows.Err()
}

// values replaces the types of package store by those of pgx.
func values(args []any) []any {
	for i, a := range args {
		switch a := a.(type) {
		case store.Optional:
			args[i] = nullable(time.Time(a))
		case store.Hour:
			args[i] = time.Time(a)
		case store.Expiry:
			if t := time.Time(a); t.IsZero() {
				args[i] = pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}
			} else {
				args[i] = t
			}
		}
	}
	return args
}

func nullable(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// Change implements store.Engine.
func (e *engine) Change(ctx context.Context, announce bool, f func(context.Context, store.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.enter(); err != nil {
		return err
	}
	defer e.calls.Done()
	return e.transact(func(ctx context.Context, t *tx) error {
		if _, err := t.Exec(ctx, "BEGIN"); err != nil {
			return err
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

const lockAccount = "SELECT " + store.BookColumns + " FROM accounts WHERE public = $1 FOR NO KEY UPDATE"

// Lock implements store.Tx.
func (t *tx) Lock(ctx context.Context, account string) (b *book.Book, err error) {
	err = t.Query(ctx, func(r *store.Row) (err error) {
		b, err = store.ScanBook(r)
		return err
	}, lockAccount, account)
	if err == nil && b == nil {
		err = store.NoAccount(account)
	}
	return b, err
}

// Do implements store.Engine.
func (e *engine) Do(ctx context.Context, c store.Call, f func(store.Turn) error) (err error) {
	account := c.Account
	switch c.Kind {
	case store.Reserve:
		e.own(c.Hold, account)
	case store.Settle, store.Refund, store.Cut:
		if account, err = e.owner(ctx, c.Hold); err != nil {
			return err
		}
	case store.Balance:
	}
	err = e.do(ctx, account, &op{Call: c, run: func(b *books) error { return f(turn{b}) }})
	switch c.Kind {
	case store.Reserve:
		if err != nil && !errors.Is(err, billing.ErrUnavailable) {
			e.disown(c.Hold) // it may belong to another account
		}
	case store.Refund, store.Cut:
		if err == nil {
			e.disown(c.Hold)
		}
	case store.Settle, store.Balance:
	}
	return err
}

// maxOwners bounds the number of holds whose accounts a process remembers.
const maxOwners = 100_000

func (e *engine) own(id, account string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.owners) >= maxOwners {
		clear(e.owners) // the table has them as well
	}
	e.owners[id] = account
}

func (e *engine) disown(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.owners, id)
}

func (e *engine) owner(ctx context.Context, id string) (account string, err error) {
	e.mu.Lock()
	account, ok := e.owners[id]
	e.mu.Unlock()
	if ok {
		return account, nil
	}
	err = e.Read(ctx, func(ctx context.Context, q store.Queries) error {
		return q.Query(ctx, func(r *store.Row) error {
			account = r.Text()
			return nil
		}, "SELECT a.public FROM holds h JOIN accounts a ON a.id = h.account WHERE h.id = $1", id)
	})
	if err == nil && account == "" {
		err = billing.ErrHoldNotFound
	}
	return account, err
}

// Flush implements store.Engine. Every settlement is committed before it is
// returned.
func (e *engine) Flush(ctx context.Context) error { return ctx.Err() }

// Probe implements store.Engine. It fails if the server cannot be reached or
// cannot write.
func (e *engine) Probe(ctx context.Context) error {
	return e.Change(ctx, false, func(ctx context.Context, t store.Tx) error {
		now := e.o.Now()
		_, err := t.Exec(ctx, `INSERT INTO holds (id, account, state, held, used, time, expires, grants, parts_held, parts_used)
			VALUES ($1, 0, $2, 0, 0, $3, $4, '{}', '{}', '{}') ON CONFLICT (id) DO UPDATE SET time = excluded.time, expires = excluded.expires`,
			book.ProbeID, int(book.Settled), now, now.Add(billing.DefaultTTL))
		return err
	})
}

// A turn implements store.Turn with the books that a transaction has read.
type turn struct{ b *books }

func (t turn) Now() time.Time { return t.b.now }

func (t turn) Account(string) (*book.Book, error) { return &t.b.Book, nil }

func (t turn) Hold(id string) (*book.Book, *book.Hold, error) { return &t.b.Book, t.b.holds[id], nil }

func (t turn) Keep(h *book.Hold) { t.b.holds[h.ID] = h }

func (t turn) Settled(*book.Hold) error { return nil }

func (t turn) Past(*book.Book) (*book.Past, error) { return t.b.past, nil }
