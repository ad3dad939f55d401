package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

// Books are what a transaction has in memory of an account whose row it has
// locked: the grants that may be spent and the holds that the calls name.
type books struct {
	book.Book
	now   time.Time
	holds map[string]*book.Hold
	past  *book.Past // only for cuts
}

const (
	accountColumns = "id, public, name, plan, suspended, created, anchor, monthly"
	grantColumns   = "id, source, reference, amount, remaining, held, settled, granted, nullif(expires, 'infinity')"

	lockAccount = "SELECT " + accountColumns + ", last_day FROM accounts WHERE public = $1 FOR NO KEY UPDATE"

	selectHolds = "SELECT id, account, batch, state, held, used, cut, time, expires, grants, parts_held, parts_used FROM holds WHERE id = ANY($1)"

	selectPast = "SELECT hour, kind, credits FROM usage WHERE account = (SELECT id FROM accounts WHERE public = $1) AND hour >= $2"

	// The grants that may be spent, those that the holds took from, and on
	// demand all that have credits held.
	selectGrants = "SELECT " + grantColumns + ` FROM grants WHERE account = (SELECT id FROM accounts WHERE public = $1) AND expires > $2
		UNION SELECT ` + grantColumns + ` FROM grants WHERE id = ANY(ARRAY(SELECT unnest(grants) FROM holds WHERE id = ANY($3)))
		AND account = (SELECT id FROM accounts WHERE public = $1)`
	selectHeldGrants = " UNION SELECT " + grantColumns + " FROM grants WHERE account = (SELECT id FROM accounts WHERE public = $1) AND held > 0"
)

// needs is what the calls of a transaction have to know of an account beside
// the grants that may be spent.
type needs struct {
	holds []string
	held  bool // all grants with credits held
	past  bool // the last hours
}

// open begins a transaction, locks an account and reads its book: one round
// trip. The reads come after the lock and see what others have committed.
func (s *Store) open(ctx context.Context, t *tx, account string, n needs) (*books, error) {
	b := &books{Book: book.Book{Changes: new(book.Changes)}, now: s.o.Now(), holds: map[string]*book.Hold{}}
	b.past = book.NewPast(b.now)
	query := selectGrants
	if n.held {
		query += selectHeldGrants
	}
	var batch pgx.Batch
	batch.Queue("BEGIN")
	batch.Queue(lockAccount, account).Query(func(rows pgx.Rows) error {
		var err error
		var last *time.Time
		b.Row, b.Account, err = oneAccount(rows, account, &last)
		b.LastDay = utc(last)
		return err
	})
	batch.Queue(selectHolds, n.holds).Query(b.scanHolds)
	batch.Queue(query, account, b.now, n.holds).Query(b.scanGrants)
	if n.past {
		batch.Queue(selectPast, account, b.past.Since()).Query(b.scanPast)
	}
	if err := t.send(ctx, &batch); err != nil {
		return nil, err
	}
	if err := b.due(ctx, t); err != nil {
		return nil, err
	}
	return b, nil
}

// send sends a batch and keeps errors of PostgreSQL apart from others.
func (t *tx) send(ctx context.Context, batch *pgx.Batch) error {
	err := t.SendBatch(ctx, batch).Close()
	if errors.Is(err, billing.ErrAccountNotFound) {
		return err
	}
	return failed(err)
}

// oneAccount reads the account with the id of rows that have it or nothing,
// and its LastDay.
func oneAccount(rows pgx.Rows, id string, last **time.Time) (row int64, a billing.Account, err error) {
	found := false
	for rows.Next() {
		found = true
		if row, a, err = scanAccount(rows, last); err != nil {
			return 0, a, err
		}
	}
	if err := rows.Err(); err != nil {
		return 0, a, err
	}
	if !found {
		return 0, a, book.NoAccount(id)
	}
	return row, a, nil
}

// scanAccount reads the columns of an account and those after them.
func scanAccount(rows pgx.Row, more ...any) (row int64, a billing.Account, err error) {
	var plan string
	var anchor *time.Time
	to := []any{&row, &a.ID, &a.Name, &plan, &a.Suspended, &a.Created, &anchor, &a.MonthlyCredits}
	if err = rows.Scan(append(to, more...)...); err != nil {
		return 0, a, err
	}
	a.Created, a.Anchor = a.Created.UTC(), utc(anchor)
	a.Plan, err = billing.ParsePlan(plan)
	return row, a, err
}

// utc reads a time that may be NULL, which is the zero time.
func utc(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}

// nullable is what utc reads.
func nullable(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (b *books) scanHolds(rows pgx.Rows) error {
	for rows.Next() {
		h := &book.Hold{Stored: true}
		var state int16
		var grants, held, used []int64
		if err := rows.Scan(&h.ID, &h.Account, &h.Batch, &state, &h.Held, &h.Used, &h.Cut, &h.Time, &h.Expires, &grants, &held, &used); err != nil {
			return err
		}
		h.State = book.State(state) // the table's check says that it is one
		for i := range grants {     // the table's check says that there are as many of each
			h.Lines = append(h.Lines, book.Line{Grant: grants[i], Held: int(held[i]), Used: int(used[i])})
		}
		b.holds[h.ID] = h
	}
	return rows.Err()
}

func (b *books) scanPast(rows pgx.Rows) error {
	var hour time.Time
	var kind int16
	var credits int64
	_, err := pgx.ForEachRow(rows, []any{&hour, &kind, &credits}, func() error {
		b.past.Add(hour, billing.EntryKind(kind), credits)
		return nil
	})
	return err
}

func (b *books) scanGrants(rows pgx.Rows) error {
	for rows.Next() {
		g, err := b.scanGrant(rows)
		if err != nil {
			return err
		}
		b.Add(g)
	}
	return rows.Err()
}

func (b *books) scanGrant(row pgx.Row) (*book.Grant, error) {
	g := &book.Grant{Grant: billing.Grant{Account: b.ID}}
	var source int16
	var expires *time.Time
	err := row.Scan(&g.Row, &source, &g.Reference, &g.Amount, &g.Remaining, &g.Held, &g.Settled, &g.Granted, &expires)
	g.Source, g.Granted, g.Expires = billing.Source(source), g.Granted.UTC(), utc(expires)
	return g, err
}

// due enters what the passing of time gives the account.
func (b *books) due(ctx context.Context, t *tx) error {
	for _, g := range b.Due(b.now) {
		n, _, err := b.enterGrant(ctx, t, g)
		if err != nil {
			return err
		}
		b.Add(n)
	}
	return nil
}

// enterGrant writes a grant, or returns the one with the same source and
// reference.
func (b *books) enterGrant(ctx context.Context, t *tx, g billing.Grant) (n *book.Grant, isNew bool, err error) {
	n, err = b.scanGrant(t.QueryRow(ctx, "INSERT INTO grants (account, source, reference, amount, remaining, held, settled, granted, expires)"+
		" VALUES ($1, $2, $3, $4, $4, 0, 0, $5, coalesce($6, 'infinity'::timestamptz)) ON CONFLICT DO NOTHING RETURNING "+grantColumns,
		b.Row, int16(g.Source), g.Reference, int64(g.Amount), g.Granted, nullable(g.Expires)))
	if !errors.Is(err, pgx.ErrNoRows) {
		return n, true, failed(err)
	}
	n, err = b.scanGrant(t.QueryRow(ctx, "SELECT "+grantColumns+" FROM grants WHERE account = $1 AND source = $2 AND reference = $3",
		b.Row, int16(g.Source), g.Reference))
	return n, false, failed(err)
}

// commit writes what is dirty and commits: one round trip.
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
