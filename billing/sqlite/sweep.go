package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/postgeo/postgeo/billing/internal/book"
	"github.com/postgeo/postgeo/billing/internal/store"
)

// Release implements store.Engine.
func (e *engine) Release(ctx context.Context) (found, released int, err error) {
	err = e.w.do(ctx, alone, func(w *writer) (err error) {
		found, err = w.b.release(w.o.Now())
		return err
	})
	return found, found, err
}

// Prune implements store.Engine.
func (e *engine) Prune(ctx context.Context) (bool, error) { return e.step(ctx, (*books).prune) }

// AddUp implements store.Engine.
func (e *engine) AddUp(ctx context.Context) (bool, error) { return e.step(ctx, (*books).addUp) }

func (e *engine) step(ctx context.Context, f func(*books, time.Time) (bool, error)) (more bool, err error) {
	err = e.w.do(ctx, alone, func(w *writer) (err error) {
		more, err = f(w.b, w.o.Now())
		return err
	})
	return more, err
}

// addUp moves hours of old days into the first hour of their day.
func (b *books) addUp(now time.Time) (more bool, err error) {
	if err := b.w.sql(b.flush()); err != nil {
		return false, err
	}
	type old struct{ account, hour, kind, source, credits, requests int64 }
	var hours []old
	err = b.w.c.query(func(r *store.Row) error {
		hours = append(hours, old{r.Int64(), r.Int64(), r.Int64(), r.Int64(), r.Int64(), r.Int64()})
		return nil
	}, "SELECT account, hour, kind, source, credits, requests FROM usage WHERE hour < ? AND hour % 24 > 0 LIMIT ?",
		store.Hour(book.OldHours(now)), store.SweepStep)
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

func (b *books) release(now time.Time) (int, error) {
	if err := b.w.sql(b.flush()); err != nil {
		return 0, err
	}
	var ids []string
	err := b.w.c.query(func(r *store.Row) error {
		ids = append(ids, r.Text())
		return nil
	}, "SELECT id FROM holds WHERE state = 0 AND expires <= ? ORDER BY expires, id LIMIT ?", now, store.SweepStep)
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

// prune removes finished holds older than the retention. It reads the smallest ids
// only: request ids begin with the time.
func (b *books) prune(now time.Time) (more bool, err error) {
	before := now.Add(-b.w.o.Retention)
	if err := b.w.sql(b.flush()); err != nil {
		return false, err
	}
	var holds, packs []string
	err = b.w.c.query(func(r *store.Row) error {
		if id, state, at := r.Text(), book.State(r.Int()), r.Time(); state != book.Held && at.Before(before) {
			holds = append(holds, id)
		}
		return nil
	}, "SELECT id, state, time FROM holds ORDER BY id LIMIT ?", store.SweepStep)
	if b.w.sql(err) != nil {
		return false, err
	}
	err = b.w.c.query(func(r *store.Row) error {
		if first, at := r.Text(), r.Time(); at.Before(before) {
			packs = append(packs, first)
		}
		return nil
	}, "SELECT first, time FROM finished ORDER BY first LIMIT ?", store.SweepStep)
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

// outdate removes from memory the holds that a prune may have removed.
func (b *books) outdate(before time.Time) {
	for id, h := range b.holds {
		if h.State != book.Held && h.Time.Before(before) {
			delete(b.holds, id)
			b.floor = max(b.floor, id)
		}
	}
}
