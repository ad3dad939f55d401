package sqlstore

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/billing/internal/book"
)

// sweepStep is the number of holds, records or hours that one step of a sweep
// handles.
const sweepStep = 500

// Sweep implements billing.Ledger. It retries refunds that failed, removes the
// records of requests past the retention, and adds up the hours of old days.
func (s *Store) Sweep(ctx context.Context) (released int, err error) {
	if released, err = s.repay(ctx); err != nil {
		return released, err
	}
	for found := sweepStep; found == sweepStep; {
		var n int
		found, n, err = s.releaseSome(ctx)
		released += n
		if err != nil {
			return released, err
		}
	}
	for _, step := range []func(context.Context) (bool, error){s.prune, s.addUp} {
		for more := true; more; {
			if more, err = step(ctx); err != nil {
				return released, err
			}
		}
	}
	return released, nil
}

// repay retries the refunds that failed and returns their number.
func (s *Store) repay(ctx context.Context) (n int, err error) {
	err = s.owed.Repay(func(id string, kind opKind) error {
		if _, err := s.undo(ctx, id, kind); err != nil && !isGone(err) {
			return err
		}
		n++
		return nil
	})
	return n, err
}

// releaseSome gives back holds past their time. It returns the number of holds
// found and of those released: another process may have been faster.
func (s *Store) releaseSome(ctx context.Context) (found, released int, err error) {
	var ids []string
	err = s.read(ctx, func(ctx context.Context, c *session) error {
		ids = nil
		return c.Query(ctx, func(r *Row) error {
			ids = append(ids, r.Text())
			return nil
		}, "SELECT id FROM holds WHERE state = 0 AND expires <= $1 ORDER BY expires, id LIMIT $2", s.now(), sweepStep)
	})
	if err != nil {
		return 0, 0, err
	}
	var done atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, len(ids))
	for i, id := range ids {
		wg.Go(func() {
			var did bool
			errs[i] = s.do(ctx, &op{kind: opRefund, hold: id, run: func(ctx context.Context, b *books) error {
				did = false
				a, h, err := b.hold(ctx, id)
				if err != nil || h == nil || !h.Expired(b.now) {
					return err
				}
				_, err = a.Refund(h, b.now)
				did = err == nil
				return err
			}})
			if errs[i] == nil && did {
				done.Add(1)
			}
		})
	}
	wg.Wait()
	return len(ids), int(done.Load()), errors.Join(errs...)
}

// prune removes outdated records and reports whether there may be more. It reads
// the smallest ids only: request ids begin with the time.
func (s *Store) prune(ctx context.Context) (more bool, err error) {
	err = s.change(ctx, func(ctx context.Context, c *session) error {
		n, err := c.Exec(ctx, "DELETE FROM holds WHERE state <> 0 AND time < $1 AND id IN (SELECT id FROM holds ORDER BY id LIMIT $2)",
			s.now().Add(-s.o.Retention), sweepStep)
		more = n > 0
		return err
	})
	return more, err
}

// addUp moves hours of old days into the first hour of their day and reports
// whether there may be more.
func (s *Store) addUp(ctx context.Context) (more bool, err error) {
	err = s.change(ctx, func(ctx context.Context, c *session) error {
		type old struct{ account, hour, kind, source, credits, requests int64 }
		var hours, moved []old
		err := c.Query(ctx, func(r *Row) error {
			hours = append(hours, old{account: r.Int64(), hour: r.Int64(), kind: r.Int64(), source: r.Int64()})
			return nil
		}, "SELECT account, hour, kind, source FROM usage WHERE hour < $1 AND hour % 24 > 0 ORDER BY account, hour, kind, source LIMIT $2",
			hour(book.OldHours(s.now())), sweepStep)
		if err != nil {
			return err
		}
		for _, h := range hours {
			if err := c.Query(ctx, func(r *Row) error { // none if another process was faster
				h.credits, h.requests = r.Int64(), r.Int64()
				moved = append(moved, h)
				return nil
			}, "DELETE FROM usage WHERE account = $1 AND hour = $2 AND kind = $3 AND source = $4 RETURNING credits, requests", h.account, h.hour, h.kind, h.source); err != nil {
				return err
			}
		}
		for _, h := range moved {
			if _, err := c.Exec(ctx, addUsage, h.account, h.hour/24*24, h.kind, h.source, h.credits, h.requests); err != nil {
				return err
			}
		}
		more = len(hours) > 0
		return nil
	})
	return more, err
}
