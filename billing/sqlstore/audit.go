package sqlstore

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
)

// Audit implements billing.Store. It checks that each grant equals remaining + held
// + settled, and that the lines of open holds add up to the held credits. The lines
// of settled holds add up to at most the settled credits, because old records are
// removed. The hours of an account add up to its settled credits, and its refunds
// count at least those of the recorded holds. It reads all records and may run
// concurrently with calls.
func (s *Store) Audit(ctx context.Context) error {
	return s.read(ctx, func(ctx context.Context, _ *session) error {
		conn, err := s.db.Conn(ctx)
		c := &session{s: s, conn: conn}
		if err != nil {
			return c.failed(err)
		}
		defer conn.Close()
		if _, err := c.Exec(ctx, s.d.snapshot); err != nil {
			return err
		}
		err = audit(ctx, c)
		if _, undone := c.Exec(ctx, "ROLLBACK"); undone != nil {
			c.discard()
		}
		if err != nil && c.broken == nil {
			err = fmt.Errorf("%s: the books of %s do not balance: %w", s.d.name, s.where, err)
		}
		return err
	})
}

type sums struct{ held, used int64 }

// A refundKey identifies the refunds of one kind of an account.
type refundKey struct {
	account int64
	kind    billing.EntryKind
}

// An auditor adds up holds.
type auditor struct {
	lines map[int64]sums // of grants
	cuts  map[refundKey]book.Sum
}

func (a *auditor) count(h *book.Hold) error {
	var sum sums
	for _, l := range h.Lines {
		sum.held += int64(l.Held)
		sum.used += int64(l.Used)
		n := a.lines[l.Grant]
		if h.State == book.Held {
			n.held += int64(l.Held)
		}
		n.used += int64(l.Used)
		a.lines[l.Grant] = n
	}
	if sum.held != int64(h.Held) || sum.used != int64(h.Used) || h.State != book.Settled && h.Used != 0 {
		return fmt.Errorf("hold %s in state %d: holds %d and used %d, its lines %d and %d", h.ID, h.State, h.Held, h.Used, sum.held, sum.used)
	}
	kind, ok := h.CutKind()
	if !ok {
		return fmt.Errorf("hold %s in state %d: %d credits of it were cut", h.ID, h.State, h.Cut)
	}
	if kind != 0 {
		n := a.cuts[refundKey{h.Account, kind}]
		a.cuts[refundKey{h.Account, kind}] = book.Sum{Credits: n.Credits + int64(h.Cut), Requests: n.Requests + 1}
	}
	return nil
}

func audit(ctx context.Context, c *session) error {
	a := auditor{map[int64]sums{}, map[refundKey]book.Sum{}}
	if err := c.Query(ctx, func(r *Row) error {
		h, err := scanHold(r)
		if err != nil {
			return err
		}
		return a.count(h)
	}, "SELECT "+holdColumns+" FROM holds"); err != nil {
		return err
	}
	settled := map[int64]int64{}
	if err := c.Query(ctx, func(r *Row) error {
		id, account, amount, remaining, held, used := r.Int64(), r.Int64(), r.Int64(), r.Int64(), r.Int64(), r.Int64()
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
	if err := c.Query(ctx, func(r *Row) error {
		settled[r.Int64()] -= r.Int64()
		return nil
	}, "SELECT account, CAST(sum(credits) AS bigint) FROM usage WHERE kind = 2 GROUP BY account"); err != nil {
		return err
	}
	for account, n := range settled {
		if n != 0 {
			return fmt.Errorf("account %d settled %d credits more than its hours", account, n)
		}
	}
	if err := c.Query(ctx, func(r *Row) error {
		key := refundKey{r.Int64(), billing.EntryKind(r.Int())}
		n := a.cuts[key]
		a.cuts[key] = book.Sum{Credits: n.Credits - r.Int64(), Requests: n.Requests - r.Int64()}
		return nil
	}, "SELECT account, kind, CAST(sum(credits) AS bigint), CAST(sum(requests) AS bigint) FROM usage WHERE kind > 2 GROUP BY account, kind"); err != nil {
		return err
	}
	for key, n := range a.cuts {
		if n.Credits > 0 || n.Requests > 0 {
			return fmt.Errorf("account %d: holds of %d requests and %d credits more are %s than its refunds count", key.account, n.Requests, n.Credits, key.kind)
		}
	}
	return nil
}
