package billing

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// sweepEvery sweeps until the context's end. Every process sweeps, and each hold is released
// by the first one that finds it.
func (s *Store) sweepEvery(ctx context.Context) {
	defer s.calls.Done()
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		n, err := s.Sweep(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			s.o.Logger.Error("credits of lost requests not released; next try in a minute", "error", err.Error())
		case n > 0:
			s.o.Logger.Warn("credits of lost requests released", "requests", n)
		}
	}
}

// sweepStep is the number of holds or records that one step of a sweep handles.
const sweepStep = 500

// Sweep releases the holds past their time, retries refunds that failed, and returns
// their number. It removes the records of requests past the retention.
func (s *Store) Sweep(ctx context.Context) (released int, err error) {
	if released, err = s.repay(ctx); err != nil {
		return released, err
	}
	for n := sweepStep; n == sweepStep && err == nil; {
		n, err = s.releaseSome(ctx)
		released += n
	}
	if err == nil {
		err = s.prune(ctx)
	}
	return released, err
}

// releaseSome gives back holds past their time and returns their number. They belong to
// requests of processes that were killed. It omits those of accounts that other
// transactions hold: the next sweep is soon, and waiting would delay all others. An error
// of one hold does not stop the others; undoing the transaction for it would release
// nothing, at every sweep.
func (s *Store) releaseSome(ctx context.Context) (n int, err error) {
	var kept error
	err = s.change(ctx, func(ctx context.Context, c *conn) error {
		n, kept = 0, nil
		var accounts, ids []string
		if err := c.query(ctx, func(r *sql.Rows) error {
			var account, id string
			err := r.Scan(&account, &id)
			accounts, ids = append(accounts, account), append(ids, id)
			return err
		}, `SELECT a.public, h.id FROM holds h JOIN accounts a ON a.id = h.account WHERE h.state = 0 AND h.expires <= $1
			ORDER BY h.expires, h.id LIMIT $2`, s.now().UnixMilli(), sweepStep); err != nil || len(ids) == 0 {
			return err
		}
		d, err := c.load(ctx, accounts, ids, false)
		if err != nil {
			return err
		}
		for _, h := range d.holds {
			if a := d.rows[h.account]; a != nil && h.expired(d.now) { // another process may have been faster
				if _, err := a.refund(h, d.now); err != nil {
					kept = errors.Join(kept, err)
					continue
				}
				n++
			}
		}
		return d.write(ctx)
	})
	return n, errors.Join(err, kept)
}

// prune removes outdated records without an index by time, which every request would write.
// Ids of requests begin with the time (ULID), so it removes the smallest ones first. Ids of
// other callers may have any order: each sweep then continues where the last one ended, and
// goes on while a tenth of a step is outdated. So at most about a tenth of the table is.
func (s *Store) prune(ctx context.Context) error {
	for n := int64(1); n > 0; {
		var err error
		if n, _, err = s.pruneSome(ctx, ""); err != nil {
			return err
		}
	}
	last, _ := s.pruned.Load().(string)
	for n := int64(sweepStep); n >= sweepStep/10; {
		var err error
		if n, last, err = s.pruneSome(ctx, last); err != nil {
			return err
		}
		s.pruned.Store(last)
	}
	return nil
}

// pruneSome removes the outdated records of the first ids after one. It returns their number
// and the last of these ids, "" at the end. Steps of 500 keep the writer free for requests.
func (s *Store) pruneSome(ctx context.Context, after string) (n int64, last string, err error) {
	err = s.change(ctx, func(ctx context.Context, c *conn) error {
		last = ""
		if err := c.queryOne(ctx, []any{&last}, "SELECT COALESCE(max(id), '') FROM (SELECT id FROM holds WHERE id > $1 ORDER BY id LIMIT $2) AS step", after, sweepStep); err != nil {
			return err
		}
		var err error
		n, err = c.exec(ctx, "DELETE FROM holds WHERE state <> 0 AND time < $1 AND id IN (SELECT id FROM holds WHERE id > $2 ORDER BY id LIMIT $3)",
			s.now().Add(-s.o.Retention).UnixMilli(), after, sweepStep)
		return err
	})
	return n, last, err
}

// Audit checks that each grant equals remaining + held + settled, and that the lines of
// open holds add up to the held credits. The lines of settled holds add up to at most the
// settled credits, because old records are removed. The hours of an account add up to its
// settled credits, and its refunds count at least those of the recorded holds. It reads
// all records and may run concurrently with calls.
func (s *Store) Audit(ctx context.Context) error {
	return s.read(ctx, func(ctx context.Context, c *conn) error {
		// All tables at one moment: a call between two queries would look like an error.
		if _, err := c.exec(ctx, s.d.snapshot); err != nil {
			return err
		}
		err := c.audit(ctx)
		if _, undone := c.exec(ctx, "ROLLBACK"); undone != nil {
			c.discard()
		}
		if err != nil && c.broken == nil {
			err = fmt.Errorf("%s: the books of %s do not balance: %w", s.d.name, s.where, err)
		}
		return err
	})
}

// A refundKey identifies the refunds of one kind of an account.
type refundKey struct {
	account int64
	kind    string
}

// An auditor adds up holds.
type auditor struct {
	lines map[int64]line // of grants: credits held by open holds, and used
	cuts  map[refundKey]tally
}

func (a *auditor) count(h *hold) error {
	var sum line
	for _, l := range h.lines {
		sum.held += l.held
		sum.used += l.used
		n := a.lines[l.grant]
		if h.state == isHeld {
			n.held += l.held
		}
		n.used += l.used
		a.lines[l.grant] = n
	}
	// The lines of a hold that was given back keep the credits held, and used is 0.
	if sum.held != h.held || sum.used != h.used || h.state != isSettled && h.used != 0 {
		return fmt.Errorf("hold %s in state %d: holds %d and used %d, its lines %d and %d", h.id, h.state, h.held, h.used, sum.held, sum.used)
	}
	kind, ok := h.cutKind()
	if !ok {
		return fmt.Errorf("hold %s in state %d: %d credits of it were cut", h.id, h.state, h.cut)
	}
	if kind != "" {
		a.cut(h.account, kind, tally{h.cut, 1})
	}
	return nil
}

func (a *auditor) cut(account int64, kind string, n tally) {
	was := a.cuts[refundKey{account, kind}]
	a.cuts[refundKey{account, kind}] = tally{was.credits + n.credits, was.requests + n.requests}
}

func (c *conn) audit(ctx context.Context) error {
	a := auditor{map[int64]line{}, map[refundKey]tally{}}
	if err := c.query(ctx, func(r *sql.Rows) error {
		h, err := scanHold(r)
		if err != nil {
			return err
		}
		return a.count(h)
	}, "SELECT "+holdColumns+" FROM holds"); err != nil {
		return err
	}
	settled := map[int64]int{}
	if err := c.query(ctx, func(r *sql.Rows) error {
		var id, account int64
		var amount, remaining, held, used int
		if err := r.Scan(&id, &account, &amount, &remaining, &held, &used); err != nil {
			return err
		}
		settled[account] += used
		l := a.lines[id]
		delete(a.lines, id)
		if amount != remaining+held+used || held != l.held || used < l.used {
			return fmt.Errorf("grant %d of %d: %d remaining, %d held, %d settled; lines hold %d and used %d", id, amount, remaining, held, used, l.held, l.used)
		}
		return nil
	}, "SELECT id, account, amount, remaining, held, settled FROM grants"); err != nil {
		return err
	}
	if len(a.lines) > 0 {
		return fmt.Errorf("%d grants are named by holds and are not there", len(a.lines))
	}
	if err := c.query(ctx, func(r *sql.Rows) error {
		var account int64
		var kind string
		var n tally
		err := r.Scan(&account, &kind, &n.credits, &n.requests)
		if kind == Spent {
			settled[account] -= n.credits
		} else {
			a.cut(account, kind, tally{-n.credits, -n.requests})
		}
		return err
	}, "SELECT account, kind, CAST(sum(credits) AS bigint), CAST(sum(requests) AS bigint) FROM usage GROUP BY account, kind"); err != nil {
		return err
	}
	for account, n := range settled {
		if n != 0 {
			return fmt.Errorf("account %d settled %d credits more than its hours", account, n)
		}
	}
	for key, n := range a.cuts { // less than 0: hours outlive the records of their requests
		if n.credits > 0 || n.requests > 0 {
			return fmt.Errorf("account %d: holds of %d requests and %d credits more are %s than its refunds count", key.account, n.requests, n.credits, key.kind)
		}
	}
	return nil
}
