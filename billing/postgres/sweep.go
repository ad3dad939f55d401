package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing/internal/book"
	"github.com/postgeo/postgeo/billing/internal/store"
)

// AddUp implements store.Engine.
func (e *engine) AddUp(ctx context.Context) (more bool, err error) {
	err = e.Change(ctx, false, func(ctx context.Context, t store.Tx) error {
		return t.Query(ctx, func(r *store.Row) error {
			more = r.Int64() > 0
			return nil
		}, `WITH old AS (
				DELETE FROM usage WHERE (account, hour, kind, source) IN (
					SELECT account, hour, kind, source FROM usage WHERE hour < $1 AND extract(hour FROM hour AT TIME ZONE 'UTC') > 0 LIMIT $2
				) RETURNING *
			), added AS (
				INSERT INTO usage (account, hour, kind, source, credits, requests)
				SELECT account, date_trunc('day', hour, 'UTC'), kind, source, sum(credits), sum(requests) FROM old
				GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`+addUsage+`
			) SELECT count(*) FROM old`, book.OldHours(e.o.Now()), store.SweepStep)
	})
	return more, err
}

// Release implements store.Engine.
func (e *engine) Release(ctx context.Context) (found, released int, err error) {
	type due struct{ ID, Account string }
	var list []due
	err = e.Read(ctx, func(ctx context.Context, q store.Queries) error {
		list = nil
		return q.Query(ctx, func(r *store.Row) error {
			list = append(list, due{r.Text(), r.Text()})
			return nil
		}, "SELECT h.id, a.public FROM holds h JOIN accounts a ON a.id = h.account WHERE h.state = 0 AND h.expires <= $1 ORDER BY h.expires, h.id LIMIT $2",
			e.o.Now(), store.SweepStep)
	})
	if err != nil {
		return 0, 0, err
	}
	var done atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, len(list))
	for i, d := range list {
		wg.Go(func() {
			var did bool
			errs[i] = e.do(ctx, d.Account, &op{Call: store.Call{Kind: store.Refund, Hold: d.ID}, run: func(b *books) (err error) {
				did, err = b.release(d.ID)
				return err
			}})
			if errs[i] == nil && did {
				done.Add(1)
				e.disown(d.ID)
			}
		})
	}
	wg.Wait()
	return len(list), int(done.Load()), errors.Join(errs...)
}

// release gives back a hold past its time. It reports whether the hold was still
// open: another process may have settled or released it.
func (b *books) release(id string) (bool, error) {
	h := b.holds[id]
	if h == nil || !h.Expired(b.now) {
		return false, nil
	}
	_, err := b.Refund(h, b.now)
	return err == nil, err
}

// Prune implements store.Engine. It reads the smallest ids only: request ids
// begin with the time.
func (e *engine) Prune(ctx context.Context) (more bool, err error) {
	err = e.Change(ctx, false, func(ctx context.Context, t store.Tx) error {
		n, err := t.Exec(ctx, "DELETE FROM holds WHERE state <> 0 AND time < $1 AND id IN (SELECT id FROM holds ORDER BY id LIMIT $2)",
			e.o.Now().Add(-e.o.Retention), store.SweepStep)
		more = n > 0
		return err
	})
	return more, err
}

// Each query returns a description of an error in the books, or no row.
var audits = []string{
	`SELECT format('hold %s in state %s: holds %s and used %s, its lines %s and %s, cut %s', id, state, held, used, line_held, line_used, cut)
	FROM holds, LATERAL (SELECT coalesce(sum(h), 0) AS line_held, coalesce(sum(u), 0) AS line_used FROM unnest(parts_held, parts_used) AS l (h, u)) l
	WHERE held <> line_held OR used <> line_used OR state <> 1 AND used <> 0
		OR cut > 0 AND NOT CASE state WHEN 1 THEN NOT batch AND cut = used WHEN 2 THEN batch AND cut = held ELSE state = 3 END LIMIT 1`,

	`WITH lines AS (
		SELECT l.id, sum(l.h) FILTER (WHERE state = 0) AS held, sum(l.u) AS used
		FROM holds, LATERAL unnest(grants, parts_held, parts_used) AS l (id, h, u) GROUP BY l.id
	)
	SELECT format('grant %s of %s: %s remaining, %s held, %s settled; lines hold %s and used %s', id, amount, remaining, g.held, settled, l.held, l.used)
	FROM grants g FULL JOIN lines l USING (id)
	WHERE g.amount IS NULL OR amount <> remaining + g.held + settled OR g.held <> coalesce(l.held, 0) OR settled < coalesce(l.used, 0) LIMIT 1`,

	`SELECT format('account %s settled %s credits more than its hours', account, sum(n)) FROM (
		SELECT account, settled AS n FROM grants UNION ALL SELECT account, -credits FROM usage WHERE kind = 2
	) s GROUP BY account HAVING sum(n) <> 0 LIMIT 1`,

	`SELECT format('account %s: its holds have %s refunds of kind %s of %s credits, its hours count %s of %s', account, h.requests, kind, h.credits, u.requests, u.credits)
	FROM (
		SELECT account, CASE WHEN state = 1 THEN 4 WHEN batch THEN 5 ELSE 3 END AS kind, count(*) AS requests, sum(cut) AS credits
		FROM holds WHERE cut > 0 GROUP BY 1, 2
	) h LEFT JOIN (
		SELECT account, kind, sum(requests) AS requests, sum(credits) AS credits FROM usage WHERE kind > 2 GROUP BY 1, 2
	) u USING (account, kind)
	WHERE coalesce(u.requests, 0) < h.requests OR coalesce(u.credits, 0) < h.credits LIMIT 1`,
}

// Audit implements store.Engine. It checks that each grant equals remaining + held
// + settled, and that the lines of open holds add up to the held credits. The
// lines of settled holds add up to at most the settled credits, because old
// records are removed. The hours of an account add up to its settled credits, and
// its refunds count at least those of the recorded holds. It reads all records and
// may run concurrently with calls.
func (e *engine) Audit(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.enter(); err != nil {
		return err
	}
	defer e.calls.Done()
	tx, err := e.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}) // one moment for all reads
	if err != nil {
		return e.outcome(ctx, failed(err))
	}
	defer func() { _ = tx.Rollback(ctx) }() // nothing was written
	for _, query := range audits {
		var wrong string
		switch err := tx.QueryRow(ctx, query).Scan(&wrong); {
		case errors.Is(err, pgx.ErrNoRows):
		case err != nil:
			return e.outcome(ctx, failed(err))
		default:
			return fmt.Errorf("postgres: the books of %s do not balance: %s", e.where, wrong)
		}
	}
	return nil
}
