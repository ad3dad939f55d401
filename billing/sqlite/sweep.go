package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

// sweepAtOnce is how many holds one transaction releases or removes.
const sweepAtOnce = 500

// Sweep implements billing.Ledger. It also makes up for refunds that failed,
// removes the records of requests that are older than the retention, and adds
// up the hours of old days.
func (s *Store) Sweep(ctx context.Context) (int, error) {
	err := s.owed.Repay(func(id string, cut bool) error {
		_, err := s.undo(ctx, id, cut)
		if errors.Is(err, billing.ErrHoldNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	released := 0
	for {
		n := 0
		err := s.w.do(ctx, alone, func(w *writer) (err error) {
			n, err = w.b.release(w.o.Now())
			return err
		})
		released += n
		if err != nil {
			return released, err
		}
		if n < sweepAtOnce {
			break
		}
	}
	for _, step := range []func(*books, time.Time) (more bool, err error){(*books).prune, (*books).addUp} {
		for more := true; more; {
			err := s.w.do(ctx, alone, func(w *writer) (err error) {
				more, err = step(w.b, w.o.Now())
				return err
			})
			if err != nil {
				return released, err
			}
		}
	}
	return released, nil
}

// addUp moves hours of old days into the first of their day.
func (b *books) addUp(now time.Time) (more bool, err error) {
	if err := b.w.sql(b.flush()); err != nil {
		return false, err
	}
	type old struct{ account, hour, kind, source, credits, requests int64 }
	var hours []old
	err = b.w.c.query(func(r *row) error {
		hours = append(hours, old{r.int(), r.int(), r.int(), r.int(), r.int(), r.int()})
		return nil
	}, "SELECT account, hour, kind, source, credits, requests FROM usage WHERE hour < ? AND hour % 24 > 0 LIMIT ?",
		book.OldHours(now).Unix()/3600, int64(sweepAtOnce))
	if b.w.sql(err) != nil {
		return false, err
	}
	for _, h := range hours {
		if err := b.w.sql(errors.Join(
			b.w.c.exec(addUsage, h.account, h.hour/24*24, h.kind, h.source, h.credits, h.requests),
			b.w.c.exec("DELETE FROM usage WHERE account = ? AND hour = ? AND kind = ? AND source = ?", h.account, h.hour, h.kind, h.source),
		)); err != nil {
			return false, err
		}
	}
	return len(hours) > 0, nil
}

var errNoHold = errors.New("an open hold is not there")

// release gives back the holds that are past their time.
func (b *books) release(now time.Time) (int, error) {
	if err := b.w.sql(b.flush()); err != nil {
		return 0, err
	}
	var ids []string
	err := b.w.c.query(func(r *row) error {
		ids = append(ids, r.text())
		return nil
	}, "SELECT id FROM holds WHERE state = 0 AND expires <= ? ORDER BY expires, id LIMIT ?", now.UnixMilli(), int64(sweepAtOnce))
	if b.w.sql(err) != nil {
		return 0, err
	}
	for _, id := range ids {
		h, err := b.hold(id)
		if err == nil && h == nil {
			err = b.w.sql(b.w.c.failed(errNoHold))
		}
		if err != nil {
			return 0, err
		}
		a, err := b.of(h)
		if err != nil {
			return 0, err
		}
		if _, err := a.Refund(h, now); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

// prune removes finished holds that got to their state before the retention. It
// looks at the smallest ids only: request ids begin with the time.
func (b *books) prune(now time.Time) (more bool, err error) {
	before := now.Add(-b.w.o.Retention)
	if err := b.w.sql(b.flush()); err != nil {
		return false, err
	}
	var holds, packs []string
	err = b.w.c.query(func(r *row) error {
		if id, state, at := r.text(), book.State(r.int()), r.time(); state != book.Held && at.Before(before) {
			holds = append(holds, id)
		}
		return nil
	}, "SELECT id, state, time FROM holds ORDER BY id LIMIT ?", int64(sweepAtOnce))
	if b.w.sql(err) != nil {
		return false, err
	}
	err = b.w.c.query(func(r *row) error {
		if first, at := r.text(), r.time(); at.Before(before) {
			packs = append(packs, first)
		}
		return nil
	}, "SELECT first, time FROM finished ORDER BY first LIMIT ?", int64(sweepAtOnce))
	if b.w.sql(err) != nil {
		return false, err
	}
	for _, id := range holds {
		if err := b.w.sql(b.w.c.exec("DELETE FROM holds WHERE id = ?", id)); err != nil {
			return false, err
		}
	}
	for _, first := range packs {
		if err := b.w.sql(b.w.c.exec("DELETE FROM finished WHERE first = ?", first)); err != nil {
			return false, err
		}
	}
	if more = len(holds)+len(packs) > 0; more {
		b.outdate(before)
	}
	return more, nil
}

// outdate forgets the finished holds that a prune may have removed.
func (b *books) outdate(before time.Time) {
	for id, h := range b.holds {
		if h.State != book.Held && h.Time.Before(before) {
			delete(b.holds, id)
			b.floor = max(b.floor, id)
		}
	}
}
