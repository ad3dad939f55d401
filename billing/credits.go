package billing

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/postgeo/postgeo/envelope"
)

// Reserve holds credits: first daily free ones, then the subscription's, then
// packs, and within a source by expiry. It fails with [*InsufficientError],
// [ErrAccountNotFound] or [ErrHoldClosed]. With the id of an open hold of the
// same account and size it returns that hold. If the hold has a Once whose key
// was charged, Reserve returns that charge, or [ErrOnceUsed] if it was of
// another request. A charge that was returned once is not refunded any more.
//
// For brief work of an account that has far more credits Reserve holds nothing, and the
// receipt is deferred: Settle makes the whole charge in one transaction.
func (s *Store) Reserve(ctx context.Context, h Hold) (r Receipt, err error) {
	if err := h.check(); err != nil {
		return r, err
	}
	if h.Brief && s.funds.suffice(&h) {
		return Receipt{Deferred: true}, nil
	}
	// do runs this in the transaction of the writer, which has locked the account.
	return s.do(ctx, &op{hold: &h, enters: true, run: func(ctx context.Context, d *round, a *book, old *hold) (r Receipt, err error) {
		if old != nil {
			return a.again(old, &h, d.now)
		}
		if h.Once != nil {
			if first, err := d.charge(ctx, a, h.Once); err != nil {
				return r, err
			} else if first != nil {
				return a.repeat(first, h.Once, d.now)
			}
		}
		d.holds[h.ID], r, err = a.reserve(&h, d.now)
		return r, err
	}})
}

// Settle spends used credits of a hold and returns the rest to their grants.
// After nil the credits are spent for good. It fails with [ErrHoldNotFound],
// and with [ErrHoldClosed] if the hold was released or settled with another
// number. It also fails if used exceeds the hold. If another hold was charged
// under the same key meanwhile, Settle releases this one and returns as Reserve.
// Settle reserves a brief hold that is not there and fails as Reserve, or returns the
// charge under its key. It is slow for a brief hold that was reserved.
func (s *Store) Settle(ctx context.Context, h Hold, used int) (Receipt, error) {
	if err := h.check(); err != nil {
		return Receipt{}, err
	}
	if used < 0 {
		return Receipt{}, fmt.Errorf("billing: settlement of %d credits; expected 0 or more", used)
	}
	// x is the hold of Reserve, or nil for brief work that reserved nothing; first is
	// another hold that was charged under the same key. Each may be there without the
	// other.
	return s.do(ctx, &op{hold: &h, enters: h.Brief, run: func(ctx context.Context, d *round, a *book, x *hold) (Receipt, error) {
		once := h.Once
		if x != nil {
			once = x.once // as reserved, whatever h has now
		}
		var first *hold
		if once != nil && (x == nil || x.state != isSettled) {
			var err error
			if first, err = d.charge(ctx, a, once); err != nil {
				return Receipt{}, err
			}
		}
		switch {
		case first != nil && x == nil:
			return a.repeat(first, once, d.now)
		case x == nil && used > h.Credits:
			return Receipt{}, tooMuch(used, h.Credits)
		case x == nil:
			var err error
			if x, _, err = a.reserve(&h, d.now); err != nil {
				return Receipt{}, err
			}
			d.holds[h.ID] = x
		}
		if first == nil {
			r, err := a.settle(x, used, d.now)
			if err == nil && once != nil { // for later calls of this transaction
				d.charged[onceKey{a.row, once.Key}] = x
			}
			return r, err
		}
		if x.state == isHeld {
			if _, err := a.refund(x, d.now); err != nil {
				return Receipt{}, err
			}
		}
		return a.repeat(first, once, d.now)
	}})
}

// Refund returns all credits of a hold: an open hold is released, a settled
// one refunded. It is for requests without a response, and neither has a bound
// nor counts toward one. Refunded holds and those that Cut has kept stay
// unchanged. It fails with [ErrHoldNotFound]. Sweep retries a refund that cannot be
// written now.
func (s *Store) Refund(ctx context.Context, h Hold) (Receipt, error) {
	return s.undo(ctx, &h, false)
}

// Cut closes the hold of a request that the caller cut off. Single requests
// are cut after the first byte of their response was written, batches after
// their work began.
//
// A settled single request is refunded in full up to a bound: the account's refunds
// of that kind in the last 24 hours, with this one, are at most 100 credits or 2 % of
// its spending, if larger. Beyond it the credits stay charged for good, and the history
// gets an entry of the kind [CutKept].
//
// A batch is always refunded in full. This counts as a batch refund, of an
// open hold with all its credits. If the account's batch refunds of the last
// 24 hours exceed the bound, its batches are last in turn until the next 00:00
// UTC.
//
// The open hold of a single request is released. Other closed holds do not
// change. Cut fails with [ErrHoldNotFound]. Sweep retries a cut that cannot be written
// now.
func (s *Store) Cut(ctx context.Context, h Hold) (Receipt, error) {
	return s.undo(ctx, &h, true)
}

func (s *Store) undo(ctx context.Context, h *Hold, cut bool) (Receipt, error) {
	r, err := s.do(ctx, &op{hold: h, full: true, run: func(ctx context.Context, d *round, a *book, h *hold) (Receipt, error) {
		if !cut {
			return a.refund(h, d.now)
		}
		past, err := d.past(ctx, a)
		if err != nil {
			return Receipt{}, err
		}
		return a.cutOff(h, past, d.now)
	}})
	// The caller of a request that broke off does not try again, so the store does. A
	// context that ended before the call's turn is such a failure too.
	if errors.Is(err, ErrUnavailable) || ctx.Err() != nil && err != nil {
		s.owed.add(h, cut)
	}
	return r, err
}

// Grant adds credits to an account. A grant with the same source, reference
// and amount is not repeated: Grant returns the existing one, and false.
// Another amount with the same reference is an error. Credits of a subscription without
// Expires are those of the current billing period: they end with it, and their zero
// Amount and Reference are that of the account and the first day of the period.
func (s *Store) Grant(ctx context.Context, g Grant) (granted Grant, given bool, err error) {
	err = s.change(ctx, func(ctx context.Context, c *conn) error {
		a, err := c.lock(ctx, g.Account)
		if err != nil {
			return err
		}
		g := g
		if g.Granted.IsZero() {
			g.Granted = s.now()
		}
		if g.Source == SubscriptionCredits && g.Expires.IsZero() {
			if err := g.ofPeriod(&a.Account, g.Granted); err != nil {
				return err
			}
		}
		if err := g.check(); err != nil {
			return err
		}
		x, isNew, err := c.enterGrant(ctx, a, g)
		if err != nil {
			return err
		}
		if x.Amount != g.Amount {
			return fmt.Errorf("billing: account %s already has a grant %q of %d credits from %s; use another reference for another grant",
				x.Account, x.Reference, x.Amount, x.Source)
		}
		granted, given = x.Grant, isNew
		return nil
	})
	return granted, given, err
}

// Balance returns the credits of an account.
func (s *Store) Balance(ctx context.Context, account string) (bal Balance, err error) {
	err = s.read(ctx, func(ctx context.Context, c *conn) error {
		a, err := c.findAccount(ctx, account)
		if err != nil {
			return err
		}
		// Reading must not write: a daily grant that is due is shown without being entered.
		now := s.now()
		b := &book{Account: a.Account, row: a.row}
		if err := c.addGrants(ctx, map[int64]*book{b.row: b}, "account = $1 AND (expires > $2 OR held > 0)", b.row, now.UnixMilli()); err != nil {
			return err
		}
		if g, ok := b.due(now); ok {
			b.add(&grant{Grant: g})
		}
		bal = b.balance(now)
		return nil
	})
	return bal, err
}

// History returns the grants, spending and refunds of an account since a time,
// newest first. Spending is added up by day and source, refunds of cut
// responses by day and kind.
func (s *Store) History(ctx context.Context, account string, since time.Time) (list []Entry, err error) {
	err = s.read(ctx, func(ctx context.Context, c *conn) error {
		a, err := c.findAccount(ctx, account)
		if err != nil {
			return err
		}
		list = nil
		return c.query(ctx, func(r *sql.Rows) error {
			var e Entry
			err := r.Scan(&e.Kind, (*stamp)(&e.Time), &e.Source, &e.Credits, &e.Requests, &e.Reference, (*stamp)(&e.Expires))
			e.Source = cmp.Or(e.Source, envelope.SourceNone)
			list = append(list, e)
			return err
		}, `SELECT 'granted', granted, source, amount, 0, reference, expires FROM grants WHERE account = $1 AND granted >= $2
			UNION ALL
			SELECT kind, `+day+`, source, CAST(sum(credits) AS bigint), CAST(sum(requests) AS bigint), '', NULL FROM usage
				WHERE account = $1 AND hour >= $3 GROUP BY `+day+`, kind, source HAVING sum(requests) > 0`,
			a.row, since.UnixMilli(), hourOf(dayOf(since)))
	})
	if err != nil {
		return nil, err
	}
	kinds := []string{BatchRefunded, CutKept, CutRefunded, Spent, Granted}
	slices.SortFunc(list, func(x, y Entry) int {
		return cmp.Or(y.Time.Compare(x.Time), cmp.Compare(slices.Index(kinds, x.Kind), slices.Index(kinds, y.Kind)),
			cmp.Compare(rank(x.Source), rank(y.Source)), cmp.Compare(x.Reference, y.Reference))
	})
	return list, nil
}

// day is the start of the day of an hour, in milliseconds. Sums are CAST to bigint in
// queries because PostgreSQL's sum of bigint is numeric.
const day = "hour / 24 * 86400000"

// Refunds returns the days since a time with cut responses of an account,
// newest first. With an empty account it returns those of all accounts, oldest
// account first on each day.
func (s *Store) Refunds(ctx context.Context, account string, since time.Time) (days []RefundDay, err error) {
	today := dayOf(s.now())
	err = s.read(ctx, func(ctx context.Context, c *conn) error {
		if account != "" {
			if _, err := c.findAccount(ctx, account); err != nil {
				return err
			}
		}
		days = nil
		return c.query(ctx, func(r *sql.Rows) error {
			var d RefundDay
			var last time.Time
			var kind string
			var n Tally
			if err := r.Scan(&d.Account, (*stamp)(&last), (*stamp)(&d.Day), &kind, &n.Credits, &n.Requests); err != nil {
				return err
			}
			i := len(days) - 1
			if i < 0 || days[i].Account != d.Account || !days[i].Day.Equal(d.Day) {
				d.LastInTurn = last.Equal(today)
				days = append(days, d)
				i++
			}
			*map[string]*Tally{CutRefunded: &days[i].Cut, CutKept: &days[i].Kept, BatchRefunded: &days[i].Batch}[kind] = n
			return nil
		}, `SELECT public, last_day, `+day+`, kind, CAST(sum(credits) AS bigint), CAST(sum(requests) AS bigint)
			FROM usage JOIN accounts a ON a.id = account
			WHERE kind <> 'spent' AND ($1 = '' OR public = $1) AND hour >= $2
			GROUP BY a.id, `+day+`, kind ORDER BY 3 DESC, a.id, kind`, account, hourOf(dayOf(since)))
	})
	if err != nil {
		return nil, err
	}
	return days, nil
}

// maxOwed bounds the number of refunds in memory. Only failures of the database
// in the middle of a request add one.
const maxOwed = 100_000

// owed holds the refunds and cuts that failed, for a sweep to retry. It is in memory only:
// if the process is killed, open holds are released past their time, and settled ones stay
// charged. Its zero value is ready. It is safe for concurrent use.
type owed struct {
	mu    sync.Mutex
	holds map[string]owedHold // by id
}

type owedHold struct {
	Hold
	cut bool
}

// add adds a hold. A refund replaces a cut of the same hold: it is unconditional, and a cut
// of a request without a response would count toward the account's bound.
func (o *owed) add(h *Hold, cut bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.holds == nil {
		o.holds = map[string]owedHold{}
	}
	was, there := o.holds[h.ID]
	if there || len(o.holds) < maxOwed {
		o.holds[h.ID] = owedHold{*h, cut && (!there || was.cut)}
	}
}

// list returns the holds in order.
func (o *owed) list() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Sorted(maps.Keys(o.holds))
}

// repay retries the refunds that failed and returns their number. It stops at the first
// error.
func (s *Store) repay(ctx context.Context) (n int, err error) {
	for _, id := range s.owed.list() {
		s.owed.mu.Lock()
		h := s.owed.holds[id]
		s.owed.mu.Unlock()
		// Not under the lock: undo waits for the database, and adds the hold again if it fails.
		if _, err := s.undo(ctx, &h.Hold, h.cut); err != nil && !errors.Is(err, ErrHoldNotFound) {
			return n, err
		}
		s.owed.mu.Lock()
		delete(s.owed.holds, id)
		s.owed.mu.Unlock()
		n++
	}
	return n, nil
}
