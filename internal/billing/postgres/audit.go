package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
)

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
