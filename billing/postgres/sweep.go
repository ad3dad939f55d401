package postgres

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

// sweepAtOnce is how many holds one step releases or removes.
const sweepAtOnce = 500

// Sweep implements billing.Ledger. It also makes up for refunds that failed
// removes the records of requests that are older than the retention, and adds
// up the hours of old days. Several processes may sweep the same tables.
func (s *Store) Sweep(ctx context.Context) (int, error) {
	if err := s.repay(ctx); err != nil {
		return 0, err
	}
	released := 0
	for {
		found, n, err := s.releaseSome(ctx)
		released += n
		if err != nil {
			return released, err
		}
		if found < sweepAtOnce {
			break
		}
	}
	for _, step := range []func(context.Context) (int64, error){s.prune, s.addUp} {
		for n := int64(1); n > 0; {
			var err error
			if n, err = step(ctx); err != nil {
				return released, err
			}
		}
	}
	return released, nil
}

// addUp moves hours of old days into the first of their day.
func (s *Store) addUp(ctx context.Context) (moved int64, err error) {
	err = s.change(ctx, false, func(ctx context.Context, t *tx) error {
		return failed(t.QueryRow(ctx, `WITH old AS (
				DELETE FROM usage WHERE (account, hour, kind, source) IN (
					SELECT account, hour, kind, source FROM usage WHERE hour < $1 AND extract(hour FROM hour AT TIME ZONE 'UTC') > 0 LIMIT $2
				) RETURNING *
			), added AS (
				INSERT INTO usage (account, hour, kind, source, credits, requests)
				SELECT account, date_trunc('day', hour, 'UTC'), kind, source, sum(credits), sum(requests) FROM old
				GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`+addUsage+`
			) SELECT count(*) FROM old`, book.OldHours(s.o.Now()), sweepAtOnce).Scan(&moved))
	})
	return moved, err
}

// repay makes the refunds that could not be made when they were asked for.
func (s *Store) repay(ctx context.Context) error {
	return s.owed.Repay(func(id string, cut bool) error {
		_, err := s.undo(ctx, id, cut)
		if errors.Is(err, billing.ErrHoldNotFound) {
			return nil
		}
		return err
	})
}

// releaseSome gives back holds that are past their time.
func (s *Store) releaseSome(ctx context.Context) (found, released int, err error) {
	type due struct{ ID, Account string }
	var list []due
	err = s.read(ctx, func(ctx context.Context, db querier) error {
		rows, err := db.Query(ctx, "SELECT h.id, a.public FROM holds h JOIN accounts a ON a.id = h.account WHERE h.state = 0 AND h.expires <= $1 ORDER BY h.expires, h.id LIMIT $2",
			s.o.Now(), sweepAtOnce)
		if err != nil {
			return failed(err)
		}
		list, err = pgx.CollectRows(rows, pgx.RowToStructByPos[due])
		return failed(err)
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
			errs[i] = s.do(ctx, d.Account, &op{hold: d.ID, run: func(b *books) (err error) {
				did, err = b.release(d.ID)
				return err
			}})
			if errs[i] == nil && did {
				done.Add(1)
				s.disown(d.ID)
			}
		})
	}
	wg.Wait()
	return len(list), int(done.Load()), errors.Join(errs...)
}

// prune removes finished holds that got to their state before the retention.
// It looks at the smallest ids only: request ids begin with the time.
func (s *Store) prune(ctx context.Context) (removed int64, err error) {
	err = s.change(ctx, false, func(ctx context.Context, t *tx) error {
		tag, err := t.Exec(ctx, "DELETE FROM holds WHERE state <> 0 AND time < $1 AND id IN (SELECT id FROM holds ORDER BY id LIMIT $2)",
			s.o.Now().Add(-s.o.Retention), sweepAtOnce)
		removed = tag.RowsAffected()
		return failed(err)
	})
	return removed, err
}
