package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
)

// A book is what a transaction has in memory of an account whose row it has
// locked: the grants that may be spent and the holds that the calls name.
type book struct {
	row int64
	now time.Time
	billing.Account
	grants []*grant // in the order in which they are spent
	holds  map[string]*hold

	dirty []*hold // in the order in which they were touched
	usage map[usageKey]usageSum
}

type grant struct {
	row   int64
	dirty bool
	billing.Grant
}

// States of holds, as in the table.
const (
	stateHeld int16 = iota
	stateSettled
	stateReleased
	stateRefunded
)

type hold struct {
	id         string
	account    int64
	state      int16
	held, used int
	time       time.Time // when it got to its state
	expires    time.Time
	lines      []line
	stored     bool // the table has a row of it
	dirty      bool
}

type line struct {
	grant      int64 // row
	held, used int
}

type usageKey struct {
	day    time.Time
	source billing.Source
}

type usageSum struct{ credits, requests int64 }

const (
	accountColumns = "id, public, name, plan, suspended, created, anchor, monthly"
	grantColumns   = "id, source, reference, amount, remaining, held, settled, granted, nullif(expires, 'infinity')"

	lockAccount = "SELECT " + accountColumns + " FROM accounts WHERE public = $1 FOR NO KEY UPDATE"

	selectHolds = "SELECT id, account, state, held, used, time, expires, grants, parts_held, parts_used FROM holds WHERE id = ANY($1)"

	// The grants that may be spent, those that the holds took from, and on
	// demand all that have credits held.
	selectGrants = "SELECT " + grantColumns + ` FROM grants WHERE account = (SELECT id FROM accounts WHERE public = $1) AND expires > $2
		UNION SELECT ` + grantColumns + ` FROM grants WHERE id = ANY(ARRAY(SELECT unnest(grants) FROM holds WHERE id = ANY($3)))
		AND account = (SELECT id FROM accounts WHERE public = $1)`
	selectHeldGrants = " UNION SELECT " + grantColumns + " FROM grants WHERE account = (SELECT id FROM accounts WHERE public = $1) AND held > 0"
)

// open begins a transaction, locks an account and reads its book: one round
// trip. The reads come after the lock and see what others have committed.
func (s *Store) open(ctx context.Context, t *tx, account string, holds []string, all bool) (*book, error) {
	b := &book{now: s.o.Now(), holds: map[string]*hold{}, usage: map[usageKey]usageSum{}}
	query := selectGrants
	if all {
		query += selectHeldGrants
	}
	var batch pgx.Batch
	batch.Queue("BEGIN")
	batch.Queue(lockAccount, account).Query(func(rows pgx.Rows) error {
		var err error
		b.row, b.Account, err = oneAccount(rows, account)
		return err
	})
	batch.Queue(selectHolds, holds).Query(b.scanHolds)
	batch.Queue(query, account, b.now, holds).Query(b.scanGrants)
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

// oneAccount reads the account with the id of rows that have it or nothing.
func oneAccount(rows pgx.Rows, id string) (row int64, a billing.Account, err error) {
	found := false
	for rows.Next() {
		found = true
		if row, a, err = scanAccount(rows); err != nil {
			return 0, a, err
		}
	}
	if err := rows.Err(); err != nil {
		return 0, a, err
	}
	if !found {
		return 0, a, fmt.Errorf("%w: %q", billing.ErrAccountNotFound, id)
	}
	return row, a, nil
}

func scanAccount(rows pgx.Row) (row int64, a billing.Account, err error) {
	var plan string
	var anchor *time.Time
	if err = rows.Scan(&row, &a.ID, &a.Name, &plan, &a.Suspended, &a.Created, &anchor, &a.MonthlyCredits); err != nil {
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

func (b *book) scanHolds(rows pgx.Rows) error {
	for rows.Next() {
		h := &hold{stored: true}
		var grants, held, used []int64
		if err := rows.Scan(&h.id, &h.account, &h.state, &h.held, &h.used, &h.time, &h.expires, &grants, &held, &used); err != nil {
			return err
		}
		for i := range grants { // the table's check says that there are as many of each
			h.lines = append(h.lines, line{grants[i], int(held[i]), int(used[i])})
		}
		b.holds[h.id] = h
	}
	return rows.Err()
}

func (b *book) scanGrants(rows pgx.Rows) error {
	for rows.Next() {
		g, err := b.scanGrant(rows)
		if err != nil {
			return err
		}
		b.grants = append(b.grants, g)
	}
	b.sort()
	return rows.Err()
}

func (b *book) scanGrant(row pgx.Row) (*grant, error) {
	g := &grant{Grant: billing.Grant{Account: b.ID}}
	var source int16
	var expires *time.Time
	err := row.Scan(&g.row, &source, &g.Reference, &g.Amount, &g.Remaining, &g.Held, &g.Settled, &g.Granted, &expires)
	g.Source, g.Granted, g.Expires = billing.Source(source), g.Granted.UTC(), utc(expires)
	return g, err
}

func (b *book) sort() {
	slices.SortFunc(b.grants, func(x, y *grant) int { return billing.CompareGrants(&x.Grant, &y.Grant) })
}

// due enters what the passing of time gives the account.
func (b *book) due(ctx context.Context, t *tx) error {
	for _, g := range billing.Due(&b.Account, b.now) {
		if slices.ContainsFunc(b.grants, func(x *grant) bool { return x.Source == g.Source && x.Reference == g.Reference }) {
			continue
		}
		n, _, err := b.enterGrant(ctx, t, g)
		if err != nil {
			return err
		}
		b.grants = append(b.grants, n)
		b.sort()
	}
	return nil
}

// enterGrant writes a grant, or returns the one with the same source and
// reference.
func (b *book) enterGrant(ctx context.Context, t *tx, g billing.Grant) (n *grant, isNew bool, err error) {
	n, err = b.scanGrant(t.QueryRow(ctx, "INSERT INTO grants (account, source, reference, amount, remaining, held, settled, granted, expires)"+
		" VALUES ($1, $2, $3, $4, $4, 0, 0, $5, coalesce($6, 'infinity'::timestamptz)) ON CONFLICT DO NOTHING RETURNING "+grantColumns,
		b.row, int16(g.Source), g.Reference, int64(g.Amount), g.Granted, nullable(g.Expires)))
	if !errors.Is(err, pgx.ErrNoRows) {
		return n, true, failed(err)
	}
	n, err = b.scanGrant(t.QueryRow(ctx, "SELECT "+grantColumns+" FROM grants WHERE account = $1 AND source = $2 AND reference = $3",
		b.row, int16(g.Source), g.Reference))
	return n, false, failed(err)
}

// commit writes what is dirty and commits: one round trip.
func (b *book) commit(ctx context.Context, t *tx) error {
	var batch pgx.Batch
	for _, g := range b.grants {
		if g.dirty {
			batch.Queue("UPDATE grants SET remaining = $2, held = $3, settled = $4 WHERE id = $1", g.row, g.Remaining, g.Held, g.Settled)
		}
	}
	for _, h := range b.dirty {
		b.write(&batch, h)
	}
	for _, k := range b.days() {
		u := b.usage[k]
		batch.Queue(`INSERT INTO usage (account, day, source, credits, requests) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (account, day, source) DO UPDATE SET credits = usage.credits + excluded.credits, requests = usage.requests + excluded.requests`,
			b.row, k.day, int16(k.source), u.credits, u.requests)
	}
	batch.Queue("COMMIT")
	t.committing = true
	return t.send(ctx, &batch)
}

// days lists the sums of spending in a fixed order, so that transactions do
// not wait for each other in a circle.
func (b *book) days() []usageKey {
	keys := make([]usageKey, 0, len(b.usage))
	for k := range b.usage {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y usageKey) int {
		if c := x.day.Compare(y.day); c != 0 {
			return c
		}
		return int(x.source) - int(y.source)
	})
	return keys
}

func (b *book) write(batch *pgx.Batch, h *hold) {
	grants, held, used := make([]int64, len(h.lines)), make([]int64, len(h.lines)), make([]int64, len(h.lines))
	for i, l := range h.lines {
		grants[i], held[i], used[i] = l.grant, int64(l.held), int64(l.used)
	}
	if h.stored {
		batch.Queue("UPDATE holds SET state = $2, used = $3, time = $4, parts_used = $5 WHERE id = $1", h.id, h.state, h.used, h.time, used)
		return
	}
	batch.Queue("INSERT INTO holds (id, account, state, held, used, time, expires, grants, parts_held, parts_used) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
		h.id, h.account, h.state, h.held, h.used, h.time, h.expires, grants, held, used)
}

func (b *book) touched(h *hold) {
	if !h.dirty {
		h.dirty = true
		b.dirty = append(b.dirty, h)
	}
}

// spend counts a line's settlement (sign 1) or its refund (sign -1) at the
// day of the settlement.
func (b *book) spend(g *grant, credits int, at time.Time, sign int64) {
	if credits == 0 {
		return
	}
	k := usageKey{billing.Day(at).Start, g.Source}
	u := b.usage[k]
	u.credits += sign * int64(credits)
	u.requests += sign
	b.usage[k] = u
}
