package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
	"github.com/postgeo/postgeo/billing/internal/store"
)

// books is the part of a locked account that a transaction has read: the grants
// that may be spent and the holds of the calls.
type books struct {
	book.Book
	now   time.Time
	holds map[string]*book.Hold
	past  *book.Past // only for cuts
}

const (
	selectHolds = "SELECT id, account, batch, state, held, used, cut, time, expires, grants, parts_held, parts_used FROM holds WHERE id = ANY($1)"

	selectPast = "SELECT hour, kind, credits FROM usage WHERE account = (SELECT id FROM accounts WHERE public = $1) AND hour >= $2"

	// The grants that may be spent, those of the holds, and on request all with
	// held credits.
	selectGrants = "SELECT " + store.GrantColumns + ` FROM grants WHERE account = (SELECT id FROM accounts WHERE public = $1) AND expires > $2
		UNION SELECT ` + store.GrantColumns + ` FROM grants WHERE id = ANY(ARRAY(SELECT unnest(grants) FROM holds WHERE id = ANY($3)))
		AND account = (SELECT id FROM accounts WHERE public = $1)`
	selectHeldGrants = " UNION SELECT " + store.GrantColumns + " FROM grants WHERE account = (SELECT id FROM accounts WHERE public = $1) AND held > 0"
)

// needs is the data that the calls of a transaction need of an account besides
// the grants that may be spent.
type needs struct {
	holds []string
	held  bool // all grants with held credits
	past  bool // the last hours
}

// open begins a transaction, locks an account and reads its book, in one round
// trip. The reads follow the lock and see the commits of others.
func (e *engine) open(ctx context.Context, t *tx, account string, n needs) (*books, error) {
	b := &books{now: e.o.Now(), holds: map[string]*book.Hold{}}
	b.past = book.NewPast(b.now)
	query := selectGrants
	if n.held {
		query += selectHeldGrants
	}
	var batch pgx.Batch
	queue := func(f func(*store.Row) error, sql string, args ...any) {
		batch.Queue(sql, args...).Query(func(rows pgx.Rows) error { return each(rows, f) })
	}
	batch.Queue("BEGIN")
	queue(func(r *store.Row) error {
		x, err := store.ScanBook(r)
		b.Book = *x
		b.Changes = new(book.Changes)
		return err
	}, lockAccount, account)
	batch.Queue(selectHolds, n.holds).Query(b.scanHolds)
	queue(func(r *store.Row) error {
		b.Add(store.ScanGrant(r, &b.Book))
		return nil
	}, query, account, b.now, n.holds)
	if n.past {
		queue(func(r *store.Row) error {
			b.past.Add(r.Time(), billing.EntryKind(r.Int()), r.Int64())
			return nil
		}, selectPast, account, b.past.Since())
	}
	if err := t.send(ctx, &batch); err != nil {
		return nil, err
	}
	if b.Changes == nil {
		return nil, store.NoAccount(account)
	}
	for _, g := range b.Due(b.now) {
		if _, _, err := store.Enter(ctx, t, &b.Book, g); err != nil {
			return nil, err
		}
	}
	return b, nil
}

func (t *tx) send(ctx context.Context, batch *pgx.Batch) error {
	return failed(t.conn.SendBatch(ctx, batch).Close())
}

func (b *books) scanHolds(rows pgx.Rows) error {
	for rows.Next() {
		h := &book.Hold{Stored: true}
		var state int16
		var grants, held, used []int64
		if err := rows.Scan(&h.ID, &h.Account, &h.Batch, &state, &h.Held, &h.Used, &h.Cut, &h.Time, &h.Expires, &grants, &held, &used); err != nil {
			return err
		}
		h.State = book.State(state) // checked by the table
		for i := range grants {     // of equal length, checked by the table
			h.Lines = append(h.Lines, book.Line{Grant: grants[i], Held: int(held[i]), Used: int(used[i])})
		}
		b.holds[h.ID] = h
	}
	return rows.Err()
}

// commit writes the changes and commits, in one round trip.
func (b *books) commit(ctx context.Context, t *tx) error {
	var batch pgx.Batch
	for _, g := range b.Changes.Grants() {
		batch.Queue("UPDATE grants SET remaining = $2, held = $3, settled = $4 WHERE id = $1", g.Row, g.Remaining, g.Held, g.Settled)
	}
	for _, h := range b.Changes.Holds() {
		writeHold(&batch, h)
	}
	for _, h := range b.Changes.Hours() {
		sum := b.Changes.Sum(h)
		batch.Queue("INSERT INTO usage (account, hour, kind, source, credits, requests) VALUES ($1, $2, $3, $4, $5, $6)"+addUsage,
			h.Account, h.Start, int16(h.Kind), int16(h.Source), sum.Credits, sum.Requests)
	}
	for _, a := range b.Changes.Books() {
		batch.Queue("UPDATE accounts SET last_day = $2 WHERE id = $1", a.Row, nullable(a.LastDay))
	}
	batch.Queue("COMMIT")
	t.committing = true
	return t.send(ctx, &batch)
}

const addUsage = ` ON CONFLICT (account, hour, kind, source)
	DO UPDATE SET credits = usage.credits + excluded.credits, requests = usage.requests + excluded.requests`

func writeHold(batch *pgx.Batch, h *book.Hold) {
	grants, held, used := make([]int64, len(h.Lines)), make([]int64, len(h.Lines)), make([]int64, len(h.Lines))
	for i, l := range h.Lines {
		grants[i], held[i], used[i] = l.Grant, int64(l.Held), int64(l.Used)
	}
	if h.Stored {
		batch.Queue("UPDATE holds SET state = $2, used = $3, cut = $4, time = $5, parts_used = $6 WHERE id = $1", h.ID, int16(h.State), h.Used, h.Cut, h.Time, used)
		return
	}
	batch.Queue("INSERT INTO holds (id, account, batch, state, held, used, cut, time, expires, grants, parts_held, parts_used) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
		h.ID, h.Account, h.Batch, int16(h.State), h.Held, h.Used, h.Cut, h.Time, h.Expires, grants, held, used)
}
