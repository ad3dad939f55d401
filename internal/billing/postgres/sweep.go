package postgres

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/internal/billing/internal/book"
	"github.com/postgeo/postgeo/internal/billing/internal/store"
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
