package sqlite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// maxHoldID is the longest id of a hold, in bytes.
const maxHoldID = 128

// Reserve implements billing.Ledger.
func (s *Store) Reserve(ctx context.Context, h billing.Hold) (r billing.Receipt, err error) {
	if h.ID == "" || len(h.ID) > maxHoldID {
		return r, fmt.Errorf("sqlite: hold with an id of %d bytes; expected 1 to %d", len(h.ID), maxHoldID)
	}
	if h.Credits < 0 || h.Credits > billing.MaxCredits {
		return r, fmt.Errorf("sqlite: hold of %d credits; expected 0 to %d", h.Credits, billing.MaxCredits)
	}
	if h.TTL <= 0 {
		h.TTL = billing.DefaultTTL
	}
	err = s.w.do(ctx, true, func(w *writer) error {
		r, err = w.b.reserve(&h, w.o.Now())
		return err
	})
	return r, err
}

// Settle implements billing.Ledger.
func (s *Store) Settle(ctx context.Context, id string, used int) (r billing.Receipt, err error) {
	if used < 0 {
		return r, fmt.Errorf("sqlite: settlement of %d credits; expected 0 or more", used)
	}
	err = s.w.do(ctx, false, func(w *writer) error {
		r, err = w.b.settle(id, used, w.o.Now())
		return err
	})
	return r, err
}

// Refund implements billing.Ledger.
func (s *Store) Refund(ctx context.Context, id string) (r billing.Receipt, err error) {
	err = s.w.do(ctx, false, func(w *writer) error {
		h, err := w.b.hold(id)
		if err != nil {
			return err
		}
		if h == nil {
			return billing.ErrHoldNotFound
		}
		r, err = w.b.refund(h, w.o.Now())
		return err
	})
	return r, err
}

// reserve decides about a hold.
func (b *books) reserve(h *billing.Hold, now time.Time) (billing.Receipt, error) {
	old, err := b.hold(h.ID)
	if err != nil {
		return billing.Receipt{}, err
	}
	a, err := b.account(h.Account)
	if err != nil {
		return billing.Receipt{}, err
	}
	if old != nil {
		if old.state != stateHeld || old.acct != a || old.held != h.Credits {
			return billing.Receipt{}, billing.ErrHoldClosed
		}
		return b.receipt(old, now, func(l line) int { return l.held })
	}
	if err := b.due(a, now); err != nil {
		return billing.Receipt{}, err
	}
	available := a.available(now)
	if available < h.Credits {
		return billing.Receipt{}, &billing.InsufficientError{Account: a.ID, Need: h.Credits, Available: available, Batch: h.Batch}
	}
	n := &hold{id: h.ID, acct: a, held: h.Credits, time: now, expires: now.Add(h.TTL), fresh: true}
	r := billing.Receipt{Credits: h.Credits, Remaining: available - h.Credits}
	left := h.Credits
	for _, g := range a.grants {
		if left == 0 {
			break
		}
		if !g.Live(a.Plan, now) {
			continue
		}
		take := min(left, g.Remaining)
		left -= take
		g.Remaining -= take
		g.Held += take
		b.changed(g)
		n.lines = append(n.lines, line{grant: g.row, held: take})
		r.Parts = append(r.Parts, billing.Part{Source: g.Source, Credits: take})
	}
	r.Parts = billing.Parts(r.Parts...)
	b.holds[n.id] = n
	b.lastID = max(b.lastID, n.id)
	b.fresh++
	b.touched(n)
	return r, nil
}

func (a *account) available(now time.Time) int {
	sum := 0
	for _, g := range a.grants {
		if g.Live(a.Plan, now) {
			sum += g.Remaining
		}
	}
	return sum
}

// due enters what the passing of time gives the account, and drops grants that
// nothing can be spent of any more.
func (b *books) due(a *account, now time.Time) error {
	for _, g := range billing.Due(&a.Account, now) {
		if slices.ContainsFunc(a.grants, func(x *grant) bool { return x.Source == g.Source && x.Reference == g.Reference }) {
			continue
		}
		if _, _, err := b.enter(a, g); err != nil {
			return err
		}
		a.grants = slices.DeleteFunc(a.grants, func(x *grant) bool {
			return !x.dirty && x.Held == 0 && !x.Expires.IsZero() && !now.Before(x.Expires)
		})
	}
	return nil
}

// enter writes a grant, or returns the one with the same source and reference.
func (b *books) enter(a *account, g billing.Grant) (*grant, bool, error) {
	var found *grant
	err := b.w.c.query(func(r *row) error {
		found = a.scanGrant(r)
		return nil
	}, "SELECT "+grantColumns+" FROM grants WHERE account = ? AND source = ? AND reference = ?", a.row, int64(g.Source), g.Reference)
	if b.w.sql(err) != nil {
		return nil, false, err
	}
	if found != nil {
		for _, x := range a.grants {
			if x.row == found.row {
				return x, false, nil
			}
		}
		a.grants = append(a.grants, found)
		a.sort()
		return found, false, nil
	}
	g.Remaining, g.Held, g.Settled = g.Amount, 0, 0
	row, err := b.w.c.insert("INSERT INTO grants (account, source, reference, amount, remaining, held, settled, granted, expires) VALUES (?, ?, ?, ?, ?, 0, 0, ?, ?)",
		a.row, int64(g.Source), g.Reference, int64(g.Amount), int64(g.Amount), g.Granted.UnixMilli(), millis(g.Expires))
	if b.w.sql(err) != nil {
		return nil, false, err
	}
	n := &grant{row: row, acct: a, Grant: g}
	a.grants = append(a.grants, n)
	a.sort()
	return n, true, nil
}

// settle spends used of a hold and gives the rest back.
func (b *books) settle(id string, used int, now time.Time) (billing.Receipt, error) {
	h, err := b.hold(id)
	switch {
	case err != nil:
		return billing.Receipt{}, err
	case h == nil:
		return billing.Receipt{}, billing.ErrHoldNotFound
	case h.state == stateSettled && h.used == used:
		return b.receipt(h, now, func(l line) int { return l.used })
	case h.state != stateHeld:
		return billing.Receipt{}, billing.ErrHoldClosed
	case used > h.held:
		return billing.Receipt{}, fmt.Errorf("sqlite: settlement of %d credits of a hold of %d; hold the most that a request can cost", used, h.held)
	}
	grants, err := b.grants(h, now)
	if err != nil {
		return billing.Receipt{}, err
	}
	left := used
	for i := range h.lines {
		l, g := &h.lines[i], grants[i]
		l.used = min(left, l.held)
		left -= l.used
		g.Held -= l.held
		g.Settled += l.used
		g.Remaining += l.held - l.used
		b.changed(g)
		b.spend(g, l.used, now, 1)
	}
	h.used = used
	b.close(h, stateSettled, now)
	return b.receipt(h, now, func(l line) int { return l.used })
}

// refund gives back everything that a hold has or had.
func (b *books) refund(h *hold, now time.Time) (billing.Receipt, error) {
	if h.state == stateReleased || h.state == stateRefunded {
		return b.receipt(h, now, func(line) int { return 0 })
	}
	grants, err := b.grants(h, now)
	if err != nil {
		return billing.Receipt{}, err
	}
	given := make([]billing.Part, 0, len(h.lines))
	r := billing.Receipt{}
	for i := range h.lines {
		l, g := &h.lines[i], grants[i]
		back := l.held
		if h.state == stateSettled {
			back = l.used
			g.Settled -= back
			b.spend(g, back, h.time, -1)
		} else {
			g.Held -= back
		}
		g.Remaining += back
		l.used = 0
		b.changed(g)
		r.Credits += back
		given = append(given, billing.Part{Source: g.Source, Credits: back})
	}
	h.used = 0
	if h.state == stateSettled {
		b.close(h, stateRefunded, now)
	} else {
		b.close(h, stateReleased, now)
	}
	r.Parts, r.Remaining = billing.Parts(given...), h.acct.available(now)
	return r, nil
}

func (b *books) close(h *hold, state int64, now time.Time) {
	if h.fresh {
		h.fresh = false
		b.fresh--
	}
	h.state, h.time = state, now
	b.touched(h)
}

// grants returns the grants of a hold's lines, and sees to it that the account
// has what is due.
func (b *books) grants(h *hold, now time.Time) ([]*grant, error) {
	if err := b.due(h.acct, now); err != nil {
		return nil, err
	}
	grants := make([]*grant, len(h.lines))
	for i, l := range h.lines {
		var err error
		if grants[i], err = b.grant(h.acct, l.grant); err != nil {
			return nil, err
		}
	}
	return grants, nil
}

// receipt tells what credits of each line count.
func (b *books) receipt(h *hold, now time.Time, credits func(line) int) (billing.Receipt, error) {
	grants, err := b.grants(h, now)
	if err != nil {
		return billing.Receipt{}, err
	}
	r := billing.Receipt{Remaining: h.acct.available(now)}
	for i, l := range h.lines {
		n := credits(l)
		r.Credits += n
		r.Parts = append(r.Parts, billing.Part{Source: grants[i].Source, Credits: n})
	}
	r.Parts = billing.Parts(r.Parts...)
	return r, nil
}

// Grant implements billing.Ledger.
func (s *Store) Grant(ctx context.Context, g billing.Grant) (granted billing.Grant, given bool, err error) {
	if err := billing.CheckGrant(&g); err != nil {
		return billing.Grant{}, false, err
	}
	err = s.w.do(ctx, false, func(w *writer) error {
		a, err := w.b.account(g.Account)
		if err != nil {
			return err
		}
		x, isNew, err := w.b.enter(a, g)
		if err != nil {
			return err
		}
		if x.Amount != g.Amount {
			return fmt.Errorf("sqlite: account %s has a grant %q of %d credits from %s; give another reference for another grant",
				g.Account, x.Reference, x.Amount, x.Source)
		}
		granted, given = x.Grant, isNew
		return nil
	})
	return granted, given, err
}

// Balance implements billing.Ledger.
func (s *Store) Balance(ctx context.Context, id string) (bal billing.Balance, err error) {
	err = s.w.do(ctx, true, func(w *writer) error {
		a, err := w.b.account(id)
		if err != nil {
			return err
		}
		now := w.o.Now()
		if err := w.b.due(a, now); err != nil {
			return err
		}
		bal = billing.Balance{Account: a.Account}
		var parts []billing.Part
		for _, g := range a.grants {
			live := g.Live(a.Plan, now)
			if live {
				bal.Available += g.Remaining
				parts = append(parts, billing.Part{Source: g.Source, Credits: g.Remaining})
			}
			bal.Held += g.Held
			if live || g.Held > 0 {
				bal.Grants = append(bal.Grants, g.Grant)
			}
		}
		bal.Parts = billing.Parts(parts...)
		return nil
	})
	return bal, err
}

// sweepAtOnce is how many holds one transaction releases or removes.
const sweepAtOnce = 500

// Sweep implements billing.Ledger. It also removes the records of requests
// that are older than the retention.
func (s *Store) Sweep(ctx context.Context) (int, error) {
	released := 0
	for {
		n := 0
		err := s.w.do(ctx, false, func(w *writer) (err error) {
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
	for more := true; more; {
		err := s.w.do(ctx, false, func(w *writer) (err error) {
			more, err = w.b.prune(w.o.Now().Add(-w.o.Retention))
			return err
		})
		if err != nil {
			return released, err
		}
	}
	return released, nil
}

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
			err = b.w.sql(b.w.c.failed(errors.New("an open hold is not there")))
		}
		if err != nil {
			return 0, err
		}
		if _, err := b.refund(h, now); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

// prune removes finished holds that got to their state before a time. It looks
// at the smallest ids only: request ids begin with the time.
func (b *books) prune(before time.Time) (more bool, err error) {
	if err := b.w.sql(b.flush()); err != nil {
		return false, err
	}
	var ids []string
	err = b.w.c.query(func(r *row) error {
		if id, state, at := r.text(), r.int(), r.time(); state != stateHeld && at.Before(before) {
			ids = append(ids, id)
		}
		return nil
	}, "SELECT id, state, time FROM holds ORDER BY id LIMIT ?", int64(sweepAtOnce))
	if b.w.sql(err) != nil {
		return false, err
	}
	for _, id := range ids {
		if err := b.w.sql(b.w.c.exec("DELETE FROM holds WHERE id = ?", id)); err != nil {
			return false, err
		}
		delete(b.holds, id)
	}
	return len(ids) > 0, nil
}
