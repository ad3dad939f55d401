package billing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A book is an account in a transaction, with the grants that it may spend or that
// pay its holds. It decides which grants pay a hold, and returns unused or refunded
// credits to them. After an error it is unchanged: all checks come before the first change,
// since the other calls of the transaction go on with it.
//
// Credits only move between the three counters of a grant, so that their sum is always
// the grant's amount; tables have the same rule as a CHECK:
//
//	reserve   remaining → held
//	settle    held → settled, and the rest of held → remaining
//	refund    held or settled → remaining
//
// A hold keeps a line for each grant that pays it. Without lines a refund could not return
// credits to the grants that they came from, and would turn credits that expire today into
// those of a pack. Credits returned to a grant that has expired meanwhile are lost, as they
// would be without the request.
//
// A book is pure arithmetic: it does no SQL, and notes its changes for round.write.
type book struct {
	Account
	row     int64
	lastDay time.Time // 00:00 UTC of the day when its batches are last in turn; zero: none
	grants  []*grant  // in spending order; see add
	changes *changes
}

// A grant is a grant of a book.
type grant struct {
	Grant
	row   int64
	dirty bool // in changes.grants
}

// A holdState is the state of a hold. Its number is stored.
type holdState int

const (
	isHeld holdState = iota
	isSettled
	isReleased
	isRefunded
)

// A hold is credits that a request has or had.
type hold struct {
	id         string
	account    int64 // row
	batch      bool
	state      holdState
	cut        int // credits that Cut refunded or kept; 0: none
	held, used int
	time       time.Time // of the last change of state
	expires    time.Time
	lines      []line
	once       *Once
	remaining  int  // credits of the account after a settlement with once, for repetitions
	repeated   bool // another request was delivered for its charge
	stored     bool // the store has its row
	dirty      bool
}

// A line is the part of a hold that one grant pays.
type line struct {
	grant      int64 // row
	held, used int
}

// changes are those that a transaction must write. A grant or hold that several calls
// change is written once, in its last state.
type changes struct {
	grants []*grant
	holds  []*hold
	last   []*book // those whose lastDay changed
	hours  map[hour]tally
}

// An hour identifies the spending of an account from one source in one hour, or its
// refunds of one kind.
type hour struct {
	account int64 // row
	at      int64 // hours since 1970
	kind    string
	source  string // "" for refunds
}

// A tally is a change of an hour.
type tally struct{ credits, requests int }

func hourOf(t time.Time) int64 { return t.Unix() / 3600 }

func (c *changes) grant(g *grant) {
	if !g.dirty {
		g.dirty = true
		c.grants = append(c.grants, g)
	}
}

func (c *changes) hold(h *hold) {
	if !h.dirty {
		h.dirty = true
		c.holds = append(c.holds, h)
	}
}

func (c *changes) count(h hour, credits, requests int) {
	if credits == 0 {
		return
	}
	if c.hours == nil {
		c.hours = map[hour]tally{}
	}
	n := c.hours[h]
	c.hours[h] = tally{n.credits + credits, n.requests + requests}
}

// add adds grants in spending order: by source, expiry, age and reference.
func (b *book) add(grants ...*grant) {
	if len(grants) == 0 {
		return
	}
	b.grants = append(b.grants, grants...)
	slices.SortFunc(b.grants, func(x, y *grant) int {
		return cmp.Or(
			cmp.Compare(rank(x.Source), rank(y.Source)),
			cmp.Compare(never(x.Expires), never(y.Expires)), x.Expires.Compare(y.Expires),
			x.Granted.Compare(y.Granted), cmp.Compare(x.Reference, y.Reference),
		)
	})
}

// never returns 1 for grants that do not expire.
func never(expires time.Time) int {
	if expires.IsZero() {
		return 1
	}
	return 0
}

// grant returns the grant with a number, or nil.
func (b *book) grant(row int64) *grant {
	for _, g := range b.grants {
		if g.row == row {
			return g
		}
	}
	return nil
}

// due returns the grant of the day's free credits if the book lacks it. Daily grants are
// entered by the first call of the day: no job must run at 00:00 UTC for all accounts, and
// accounts that are not used have no rows.
func (b *book) due(now time.Time) (g Grant, ok bool) {
	n, day := b.Plan.Limits().DailyCredits, dayOf(now)
	ref := day.Format(time.DateOnly)
	if n == 0 || slices.ContainsFunc(b.grants, func(x *grant) bool { return x.Source == DailyCredits && x.Reference == ref }) {
		return g, false
	}
	return Grant{Account: b.ID, Source: DailyCredits, Reference: ref, Amount: n, Remaining: n, Granted: day, Expires: day.AddDate(0, 0, 1)}, true
}

// available returns the credits that the account can spend.
func (b *book) available(now time.Time) (sum int) {
	for _, g := range b.grants {
		if g.live(b.Plan, now) {
			sum += g.Remaining
		}
	}
	return sum
}

// balance returns the credits of the account. The book must have all grants with
// held credits.
func (b *book) balance(now time.Time) Balance {
	bal := Balance{Account: b.Account}
	for _, g := range b.grants {
		live := g.live(b.Plan, now)
		if live {
			bal.Available += g.Remaining
			bal.Parts = addPart(bal.Parts, g.Source, g.Remaining)
		}
		bal.Held += g.Held
		if live || g.Held > 0 {
			bal.Grants = append(bal.Grants, g.Grant)
		}
	}
	return bal
}

// reserve takes the credits of a new hold from the grants.
func (b *book) reserve(h *Hold, now time.Time) (*hold, Receipt, error) {
	available := b.available(now)
	if available < h.Credits {
		return nil, Receipt{}, insufficient(b.ID, h, available)
	}
	n := &hold{id: h.ID, account: b.row, batch: h.Batch, held: h.Credits, time: now, expires: now.Add(h.TTL), once: h.Once}
	r := Receipt{Credits: h.Credits, Remaining: available - h.Credits, LastInTurn: h.Batch && b.isLast(now)}
	left := h.Credits
	for _, g := range b.grants {
		if left == 0 {
			break
		}
		if !g.live(b.Plan, now) {
			continue
		}
		take := min(left, g.Remaining) // available has shown that there are enough in all
		left -= take
		g.Remaining -= take
		g.Held += take
		b.changes.grant(g)
		n.lines = append(n.lines, line{grant: g.row, held: take})
		r.Parts = addPart(r.Parts, g.Source, take)
	}
	b.changes.hold(n)
	return n, r, nil
}

// again returns the receipt of an earlier hold if h is the same hold.
func (b *book) again(old *hold, h *Hold, now time.Time) (Receipt, error) {
	if old.state != isHeld || old.account != b.row || old.held != h.Credits {
		return Receipt{}, ErrHoldClosed
	}
	r, err := b.receipt(old, now, func(l line) int { return l.held })
	r.LastInTurn = err == nil && old.batch && b.isLast(now)
	return r, err
}

func used(l line) int { return l.used }

func none(line) int { return 0 }

// settle spends used credits of a hold and gives the rest back.
func (b *book) settle(h *hold, credits int, now time.Time) (Receipt, error) {
	switch {
	case h.state == isSettled && h.used == credits:
		return b.receipt(h, now, used)
	case h.state != isHeld:
		return Receipt{}, ErrHoldClosed
	case credits > h.held:
		return Receipt{}, tooMuch(credits, h.held)
	}
	if err := b.payable(h); err != nil {
		return Receipt{}, err
	}
	left := credits
	for i := range h.lines { // in spending order, so that the rest returns to the last grants
		l := &h.lines[i]
		g := b.grant(l.grant)
		l.used = min(left, l.held)
		left -= l.used
		g.Held -= l.held
		g.Settled += l.used
		g.Remaining += l.held - l.used
		b.changes.grant(g)
		b.changes.count(hour{b.row, hourOf(now), Spent, string(g.Source)}, l.used, 1)
	}
	h.used, h.state, h.time = credits, isSettled, now
	b.changes.hold(h)
	r, err := b.receipt(h, now, used)
	h.remaining = r.Remaining
	return r, err
}

func tooMuch(credits, held int) error {
	return fmt.Errorf("billing: settlement of %d credits exceeds its hold of %d; reserve the maximum cost of a request", credits, held)
}

// repeat returns the charge of an earlier hold to a request with the same key (decision
// D76). It marks the first hold: a request whose charge was delivered to another one must
// not be refunded, or a caller could have one response for nothing by cutting the other.
func (b *book) repeat(first *hold, once *Once, now time.Time) (Receipt, error) {
	if first.once.Request != once.Request {
		return Receipt{}, ErrOnceUsed
	}
	if !first.repeated {
		first.repeated = true
		b.changes.hold(first)
	}
	r, err := b.receipt(first, now, used)
	r.Remaining, r.Repeated = first.remaining, true
	return r, err
}

// refund returns all credits of a hold to their grants, unless they are kept.
func (b *book) refund(h *hold, now time.Time) (Receipt, error) {
	if h.state == isReleased || h.state == isRefunded || h.kept() {
		r, err := b.receipt(h, now, none)
		if err == nil {
			r.Kept = h.used // 0 unless it was kept
		}
		return r, err
	}
	if err := b.payable(h); err != nil {
		return Receipt{}, err
	}
	var r Receipt
	for i := range h.lines {
		l := &h.lines[i]
		g := b.grant(l.grant)
		back := l.held
		if h.state == isSettled {
			back = l.used
			g.Settled -= back
			// In the hour of the settlement, so that each hour has its own spending.
			b.changes.count(hour{b.row, hourOf(h.time), Spent, string(g.Source)}, -back, -1)
		} else {
			g.Held -= back
		}
		g.Remaining += back
		b.changes.grant(g)
		l.used = 0
		r.Credits += back
		r.Parts = addPart(r.Parts, g.Source, back)
	}
	if h.state == isSettled {
		h.state = isRefunded
	} else {
		h.state = isReleased
	}
	h.used, h.time = 0, now
	b.changes.hold(h)
	r.Remaining = b.available(now)
	return r, nil
}

// expired reports whether a hold is open past its time.
func (h *hold) expired(now time.Time) bool { return h.state == isHeld && !now.Before(h.expires) }

// kept reports whether a hold stays charged although its response was cut or lost.
func (h *hold) kept() bool { return h.state == isSettled && (h.cut > 0 || h.repeated) }

// cutKind returns the kind of refund of a hold; "": none. It returns false if the
// state of the hold contradicts its cut.
func (h *hold) cutKind() (string, bool) {
	switch {
	case h.cut == 0:
		return "", true
	case h.kept():
		return CutKept, !h.batch && h.cut == h.used
	case h.batch:
		return BatchRefunded, h.state == isRefunded || h.state == isReleased && h.cut == h.held
	default:
		return CutRefunded, h.state == isRefunded
	}
}

// isLast reports whether the account's batches are last in turn.
func (b *book) isLast(now time.Time) bool { return b.lastDay.Equal(dayOf(now)) }

// cutOff closes a hold whose request was cut off. It refunds the hold, or keeps it
// charged if the account has reached its bound. The past has the credits of the last
// hours.
//
// Without the bound a caller could read nearly all of a response, reset the connection and
// get it for nothing, any number of times (decision D52). The contract refunds batches in
// any case, so their accounts only lose their turn.
func (b *book) cutOff(h *hold, past map[string]int, now time.Time) (Receipt, error) {
	credits := h.used
	if h.state == isHeld && h.batch {
		credits = h.held
	}
	if h.state != isHeld && h.state != isSettled || h.kept() || credits == 0 {
		return b.refund(h, now)
	}
	from, to := spentHours(now)
	if at := hourOf(h.time); h.state == isSettled && from <= at && at <= to { // the spending of h does not raise its own bound
		past[Spent] -= credits
	}
	bound := refundBound(past[Spent])
	if !h.batch && past[CutRefunded]+credits > bound {
		r, err := b.receipt(h, now, none)
		if err != nil {
			return r, err
		}
		h.cut, r.Kept = h.used, h.used
		b.changes.hold(h)
		b.changes.count(hour{account: b.row, at: hourOf(now), kind: CutKept}, h.used, 1)
		return r, nil
	}
	r, err := b.refund(h, now)
	if err != nil {
		return r, err
	}
	h.cut = credits
	kind := CutRefunded
	if h.batch {
		kind = BatchRefunded
		if past[BatchRefunded]+credits > bound && !b.isLast(now) {
			b.lastDay = dayOf(now)
			b.changes.last = append(b.changes.last, b)
		}
	}
	b.changes.count(hour{account: b.row, at: hourOf(now), kind: kind}, credits, 1)
	return r, nil
}

// boundTime is the time in which refunds are bounded.
const boundTime = 24 * time.Hour

// spentHours returns the first and the last hour whose spending raises the bound of
// refunds. The hour that began earlier counts for refunds only. If a clock was ahead,
// refunds of future hours count and spending does not. Hours are coarser than the 24 hours
// of decision D52; both ends are rounded so that fewer refunds are allowed, never more.
func spentHours(now time.Time) (from, to int64) {
	return hourOf(now.Add(-boundTime + time.Hour - time.Millisecond)), hourOf(now)
}

var errPayer = errors.New("billing: a hold refers to a grant that its account lacks")

// payable returns an error if the book lacks a grant of a hold. That means damaged tables;
// the check before every change prevents that a part of the hold's lines is returned.
func (b *book) payable(h *hold) error {
	for _, l := range h.lines {
		if b.grant(l.grant) == nil {
			return &unavailableError{err: fmt.Errorf("%w: hold %s", errPayer, h.id)}
		}
	}
	return nil
}

func (b *book) receipt(h *hold, now time.Time, credits func(line) int) (Receipt, error) {
	if err := b.payable(h); err != nil {
		return Receipt{}, err
	}
	r := Receipt{Remaining: b.available(now)}
	for _, l := range h.lines {
		n := credits(l)
		r.Credits += n
		r.Parts = addPart(r.Parts, b.grant(l.grant).Source, n)
	}
	return r, nil
}
