package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
	"github.com/postgeo/postgeo/billing/internal/store"
)

// Change implements store.Engine.
func (e *engine) Change(ctx context.Context, announce bool, f func(context.Context, store.Tx) error) error {
	return e.w.do(ctx, alone, func(w *writer) error {
		if err := f(ctx, w); err != nil || !announce {
			return err
		}
		return w.sql(w.c.exec("UPDATE settings SET revision = revision + 1"))
	})
}

// Query implements store.Queries.
func (w *writer) Query(_ context.Context, f func(*store.Row) error, sql string, args ...any) error {
	return w.sql(w.c.query(f, sql, args...))
}

// Exec implements store.Queries.
func (w *writer) Exec(ctx context.Context, sql string, args ...any) (int64, error) {
	n, err := w.c.Exec(ctx, sql, args...)
	return n, w.sql(err)
}

// Lock implements store.Tx. The writer holds the lock of the whole file.
func (w *writer) Lock(_ context.Context, account string) (*book.Book, error) {
	return w.b.account(account)
}

// Do implements store.Engine.
func (e *engine) Do(ctx context.Context, c store.Call, f func(store.Turn) error) error {
	end := decided
	switch {
	case c.Kind == store.Refund || c.Kind == store.Cut:
		end = alone
	case c.Kind == store.Settle && e.o.Strict:
		end = together
	}
	return e.w.do(ctx, end, func(w *writer) error { return f(turn{w}) })
}

// Flush implements store.Engine.
func (e *engine) Flush(ctx context.Context) error { return e.w.settled(ctx) }

// A turn implements store.Turn with the books of the open round.
type turn struct{ w *writer }

func (t turn) Now() time.Time { return t.w.o.Now() }

func (t turn) Account(id string) (*book.Book, error) {
	a, err := t.w.b.account(id)
	if err != nil {
		return nil, err
	}
	return a, t.w.b.ready(a)
}

func (t turn) Hold(id string) (*book.Book, *book.Hold, error) {
	h, err := t.w.b.hold(id)
	if err != nil || h == nil {
		return nil, nil, err
	}
	a, err := t.w.b.of(h)
	if err != nil {
		return nil, nil, err
	}
	return a, h, t.w.b.ready(a)
}

func (t turn) Keep(h *book.Hold) { t.w.b.holds[h.ID] = h }

func (t turn) Settled(h *book.Hold) error { return t.w.record(h) }

// Past reads the hours of an account that the round has written.
func (t turn) Past(a *book.Book) (*book.Past, error) {
	past := book.NewPast(t.Now())
	err := t.w.c.query(func(r *store.Row) error {
		past.Add(time.Unix(r.Int64()*3600, 0), billing.EntryKind(r.Int()), r.Int64())
		return nil
	}, "SELECT hour, kind, credits FROM usage WHERE account = ? AND hour >= ?", a.Row, store.Hour(past.Since()))
	return past, t.w.sql(err)
}

// Probe implements store.Engine. Like a request, it writes to the journal, to the
// table of holds and to the disk. It cannot detect a disk with room for the probe
// only.
func (e *engine) Probe(ctx context.Context) error {
	return e.w.do(ctx, alone, func(w *writer) error {
		h := &book.Hold{ID: book.ProbeID, State: book.Settled, Time: w.o.Now()}
		h.Expires = h.Time.Add(billing.DefaultTTL)
		err := w.j.probe()
		if err == nil {
			err = w.c.exec("DELETE FROM holds WHERE id = ?", h.ID)
		}
		if err == nil {
			err = w.b.write(h)
		}
		return w.sql(err)
	})
}

// probeBytes exceeds the size of most rounds in the journal.
const probeBytes = 4096

// probe writes an end of the journal at its next entry, and the space after it.
func (j *journal) probe() error {
	if _, err := j.f.WriteAt(make([]byte, probeBytes), j.at); err != nil {
		return fmt.Errorf("sqlite: journal of the accounts: %w", err)
	}
	return nil
}
