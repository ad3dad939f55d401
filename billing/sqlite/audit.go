package sqlite

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/billing"
)

// Audit implements billing.Store: every grant is what remains, is held and is
// settled of it; what is held is in the lines of open holds; what is settled
// is at least what the lines of settled ones have, whose records are not kept
// for ever; and the daily sums of every account are what it settled.
func (s *Store) Audit(ctx context.Context) error {
	var wrong error
	err := s.read(ctx, func(c *conn) error {
		if err := c.exec("BEGIN"); err != nil { // one moment for all reads
			return err
		}
		wrong = audit(c)
		return c.exec("ROLLBACK") // nothing was written
	})
	if wrong != nil {
		return fmt.Errorf("sqlite: the books of %s do not balance: %w", s.path, wrong)
	}
	return err
}

type sums struct{ held, used int64 }

func audit(c *conn) error {
	lines := map[int64]sums{}
	err := c.query(func(r *row) error {
		id, state := r.text(), r.int()
		held, used := r.int(), r.int()
		ls, err := decodeLines(r.blob())
		if err != nil {
			return fmt.Errorf("hold %s: %w", id, err)
		}
		var sum sums
		for _, l := range ls {
			sum.held += int64(l.held)
			sum.used += int64(l.used)
			n := lines[l.grant]
			if state == stateHeld {
				n.held += int64(l.held)
			}
			n.used += int64(l.used)
			lines[l.grant] = n
		}
		if sum.held != held || sum.used != used || state != stateSettled && used != 0 {
			return fmt.Errorf("hold %s in state %d: holds %d and used %d, its lines %d and %d", id, state, held, used, sum.held, sum.used)
		}
		return nil
	}, "SELECT id, state, held, used, lines FROM holds")
	if err != nil {
		return err
	}
	settled := map[int64]int64{}
	err = c.query(func(r *row) error {
		id, acct, amount, remaining, held, used := r.int(), r.int(), r.int(), r.int(), r.int(), r.int()
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
	if err := c.query(func(r *row) error {
		settled[r.int()] -= r.int()
		return nil
	}, "SELECT account, sum(credits) FROM usage GROUP BY account"); err != nil {
		return err
	}
	for acct, n := range settled {
		if n != 0 {
			return fmt.Errorf("account %d settled %d credits more than its days say", acct, n)
		}
	}
	return nil
}

var _ billing.Store = (*Store)(nil)
