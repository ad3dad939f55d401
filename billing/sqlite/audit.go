package sqlite

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
	"github.com/postgeo/postgeo/billing/internal/store"
)

// Audit implements store.Engine. It checks that each grant equals remaining +
// held + settled, and that the lines of open holds add up to the held credits.
// The lines of settled holds add up to at most the settled credits, because
// old records are removed. The hours of an account add up to its settled
// credits, and its refunds count at least those of the recorded holds.
func (e *engine) Audit(ctx context.Context) error {
	var wrong error
	err := e.read(ctx, func(c *conn) error {
		if err := c.exec("BEGIN"); err != nil { // one snapshot for all reads
			return err
		}
		wrong = audit(c)
		return c.exec("ROLLBACK") // nothing was written
	})
	if wrong != nil {
		return fmt.Errorf("sqlite: the books of %s do not balance: %w", e.path, wrong)
	}
	return err
}

type sums struct{ held, used int64 }

// A refundKey identifies the refunds of one kind of an account.
type refundKey struct {
	account int64
	kind    billing.EntryKind
}

func audit(c *conn) error {
	lines := map[int64]sums{}
	known := map[string]bool{}
	cuts := map[refundKey]book.Sum{}
	count := func(h *book.Hold) error {
		var sum sums
		for _, l := range h.Lines {
			sum.held += int64(l.Held)
			sum.used += int64(l.Used)
			n := lines[l.Grant]
			if h.State == book.Held {
				n.held += int64(l.Held)
			}
			n.used += int64(l.Used)
			lines[l.Grant] = n
		}
		if sum.held != int64(h.Held) || sum.used != int64(h.Used) || h.State != book.Settled && h.Used != 0 {
			return fmt.Errorf("hold %s in state %d: holds %d and used %d, its lines %d and %d", h.ID, h.State, h.Held, h.Used, sum.held, sum.used)
		}
		kind, ok := h.CutKind()
		if !ok {
			return fmt.Errorf("hold %s in state %d: %d credits of it were cut", h.ID, h.State, h.Cut)
		}
		if kind != 0 {
			n := cuts[refundKey{h.Account, kind}]
			n.Credits += int64(h.Cut)
			n.Requests++
			cuts[refundKey{h.Account, kind}] = n
		}
		return nil
	}
	err := c.query(func(r *store.Row) (err error) {
		h := &book.Hold{ID: r.Text(), Account: r.Int64(), Batch: r.Bool(), State: book.State(r.Int()), Held: r.Int(), Used: r.Int(), Cut: r.Int()}
		known[h.ID] = true
		if h.Lines, _, err = nextLines(r.Bytes(), -1); err != nil {
			return fmt.Errorf("hold %s: %w", h.ID, err)
		}
		return count(h)
	}, "SELECT id, account, batch, state, held, used, cut, lines FROM holds")
	if err != nil {
		return err
	}
	err = c.query(func(r *store.Row) error {
		return unpack(r.Bytes(), func(h *book.Hold) error {
			if known[h.ID] { // has a later state
				return nil
			}
			return count(h)
		})
	}, "SELECT data FROM finished")
	if err != nil {
		return err
	}
	settled := map[int64]int64{}
	err = c.query(func(r *store.Row) error {
		id, acct, amount, remaining, held, used := r.Int64(), r.Int64(), r.Int64(), r.Int64(), r.Int64(), r.Int64()
		settled[acct] += used
		l := lines[id]
		delete(lines, id)
		if amount != remaining+held+used || held != l.held || used < l.used {
			return fmt.Errorf("grant %d of %d: %d remaining, %d held, %d settled; lines hold %d and used %d", id, amount, remaining, held, used, l.held, l.used)
		}
		return nil
	}, "SELECT id, account, amount, remaining, held, settled FROM grants")
	if err != nil {
		return err
	}
	if len(lines) > 0 {
		return fmt.Errorf("%d grants are named by holds and are not there", len(lines))
	}
	if err := c.query(func(r *store.Row) error {
		settled[r.Int64()] -= r.Int64()
		return nil
	}, "SELECT account, sum(credits) FROM usage WHERE kind = 2 GROUP BY account"); err != nil {
		return err
	}
	for acct, n := range settled {
		if n != 0 {
			return fmt.Errorf("account %d settled %d credits more than its hours", acct, n)
		}
	}
	return auditRefunds(c, cuts)
}

// auditRefunds compares the counted refunds with those of holds.
func auditRefunds(c *conn, cuts map[refundKey]book.Sum) error {
	err := c.query(func(r *store.Row) error {
		key := refundKey{r.Int64(), billing.EntryKind(r.Int())}
		n := cuts[key]
		cuts[key] = book.Sum{Credits: n.Credits - r.Int64(), Requests: n.Requests - r.Int64()}
		return nil
	}, "SELECT account, kind, sum(credits), sum(requests) FROM usage WHERE kind > 2 GROUP BY account, kind")
	if err != nil {
		return err
	}
	for key, n := range cuts {
		if n.Credits > 0 || n.Requests > 0 {
			return fmt.Errorf("account %d: holds of %d requests and %d credits more are %s than its refunds count", key.account, n.Requests, n.Credits, key.kind)
		}
	}
	return nil
}
