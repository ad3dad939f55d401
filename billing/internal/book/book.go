package book

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// MaxHoldID is the longest id of a hold, in bytes.
const MaxHoldID = 128

// A Book is an account with the grants that it may spend or that have held
// credits.
type Book struct {
	billing.Account
	Row     int64    // the account's number in the store
	Grants  []*Grant // in spending order; see Add
	Changes *Changes // changes that the store must write

	// LastDay is the day, 00:00 UTC, when the account's batches are last in
	// turn. The zero time means none.
	LastDay time.Time
}

// A Grant is a grant of a book.
type Grant struct {
	billing.Grant
	Row   int64 // its number in the store
	dirty bool
}

// A State is the state of a hold.
type State uint8

// The states of holds. Their numbers are stored.
const (
	Held State = iota
	Settled
	Released
	Refunded
)

// A Hold is credits that a request has or had.
type Hold struct {
	ID         string
	Account    int64 // row
	Batch      bool
	State      State
	Cut        int // credits that Cut refunded or kept; 0: none
	Held, Used int
	Time       time.Time // of the last change of state
	Expires    time.Time
	Lines      []Line
	Once       *billing.Once
	Remaining  int  // credits of the account after a settlement with Once
	Repeated   bool // another request was delivered for its charge
	Stored     bool // the store has its row
	dirty      bool
}

// A Line is the part of a hold that one grant pays.
type Line struct {
	Grant      int64 // row
	Held, Used int
}

// Add adds grants in spending order.
func (b *Book) Add(grants ...*Grant) {
	b.Grants = append(b.Grants, grants...)
	slices.SortFunc(b.Grants, func(x, y *Grant) int { return compareGrants(&x.Grant, &y.Grant) })
}

// compareGrants compares grants in spending order: by source, expiry, age and
// reference.
func compareGrants(a, b *billing.Grant) int {
	return cmp.Or(
		cmp.Compare(a.Source, b.Source),
		compareExpiry(a.Expires, b.Expires),
		a.Granted.Compare(b.Granted),
		strings.Compare(a.Reference, b.Reference),
	)
}

func compareExpiry(a, b time.Time) int {
	if a.IsZero() || b.IsZero() {
		switch {
		case a.IsZero() && b.IsZero():
			return 0
		case a.IsZero():
			return 1
		default:
			return -1
		}
	}
	return a.Compare(b)
}

// Grant returns the grant with a number, or nil.
func (b *Book) Grant(row int64) *Grant {
	for _, g := range b.Grants {
		if g.Row == row {
			return g
		}
	}
	return nil
}

// Due returns the automatic grants that the book lacks: the day's free credits.
// They must be entered and added before any other call.
func (b *Book) Due(now time.Time) []billing.Grant {
	n := b.Plan.Limits().DailyCredits
	day := billing.Day(now)
	ref := day.Start.Format(time.DateOnly)
	if n == 0 || slices.ContainsFunc(b.Grants, func(x *Grant) bool { return x.Source == billing.DailyCredits && x.Reference == ref }) {
		return nil
	}
	return []billing.Grant{{
		Account: b.ID, Source: billing.DailyCredits, Reference: ref,
		Amount: n, Remaining: n, Granted: day.Start, Expires: day.End,
	}}
}

// Missing returns the rows of the grants of a hold that the book lacks.
func (b *Book) Missing(h *Hold) (rows []int64) {
	for _, l := range h.Lines {
		if b.Grant(l.Grant) == nil {
			rows = append(rows, l.Grant)
		}
	}
	return rows
}

// Available returns the credits that the account can spend.
func (b *Book) Available(now time.Time) int {
	sum := 0
	for _, g := range b.Grants {
		if g.Live(b.Plan, now) {
			sum += g.Remaining
		}
	}
	return sum
}

// Balance returns the credits of the account. The book must have all grants with
// held credits.
func (b *Book) Balance(now time.Time) billing.Balance {
	bal := billing.Balance{Account: b.Account}
	var parts []billing.Part
	for _, g := range b.Grants {
		live := g.Live(b.Plan, now)
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
	return bal
}

// CheckHold rejects an invalid hold and sets the default time to live.
func CheckHold(h *billing.Hold) error {
	if h.ID == "" || len(h.ID) > MaxHoldID {
		return fmt.Errorf("billing: hold with an id of %d bytes; expected 1 to %d", len(h.ID), MaxHoldID)
	}
	if h.Credits < 0 || h.Credits > billing.MaxCredits {
		return fmt.Errorf("billing: hold of %d credits; expected 0 to %d", h.Credits, billing.MaxCredits)
	}
	if h.TTL <= 0 {
		h.TTL = billing.DefaultTTL
	}
	return nil
}

// CheckUsed rejects a negative settlement.
func CheckUsed(used int) error {
	if used < 0 {
		return fmt.Errorf("billing: settlement of %d credits; expected 0 or more", used)
	}
	return nil
}

// Reserve takes the credits of a new hold from the grants. The hold is nil after
// an error.
func (b *Book) Reserve(h *billing.Hold, now time.Time) (*Hold, billing.Receipt, error) {
	available := b.Available(now)
	if available < h.Credits {
		return nil, billing.Receipt{}, &billing.InsufficientError{Account: b.ID, Need: h.Credits, Available: available, Batch: h.Batch}
	}
	n := &Hold{ID: h.ID, Account: b.Row, Batch: h.Batch, Held: h.Credits, Time: now, Expires: now.Add(h.TTL), Once: h.Once}
	r := billing.Receipt{Credits: h.Credits, Remaining: available - h.Credits, LastInTurn: h.Batch && b.Last(now)}
	left := h.Credits
	for _, g := range b.Grants {
		if left == 0 {
			break
		}
		if !g.Live(b.Plan, now) {
			continue
		}
		take := min(left, g.Remaining)
		left -= take
		g.Remaining -= take
		g.Held += take
		b.Changes.grant(g)
		n.Lines = append(n.Lines, Line{Grant: g.Row, Held: take})
		r.Parts = append(r.Parts, billing.Part{Source: g.Source, Credits: take})
	}
	r.Parts = billing.Parts(r.Parts...)
	b.Changes.hold(n)
	return n, r, nil
}

// Again returns the receipt of an earlier hold if h is the same hold.
func (b *Book) Again(old *Hold, h *billing.Hold, now time.Time) (billing.Receipt, error) {
	if old.State != Held || old.Account != b.Row || old.Held != h.Credits {
		return billing.Receipt{}, billing.ErrHoldClosed
	}
	r, err := b.receipt(old, now, func(l Line) int { return l.Held })
	r.LastInTurn = err == nil && old.Batch && b.Last(now)
	return r, err
}

// Settle spends used credits of a hold and gives the rest back.
func (b *Book) Settle(h *Hold, used int, now time.Time) (billing.Receipt, error) {
	switch {
	case h.State == Settled && h.Used == used:
		return b.receipt(h, now, func(l Line) int { return l.Used })
	case h.State != Held:
		return billing.Receipt{}, billing.ErrHoldClosed
	case used > h.Held:
		return billing.Receipt{}, fmt.Errorf("billing: settlement of %d credits exceeds its hold of %d; reserve the maximum cost of a request", used, h.Held)
	}
	if err := b.payable(h); err != nil {
		return billing.Receipt{}, err
	}
	left := used
	for i := range h.Lines {
		l := &h.Lines[i]
		g := b.Grant(l.Grant)
		l.Used = min(left, l.Held)
		left -= l.Used
		g.Held -= l.Held
		g.Settled += l.Used
		g.Remaining += l.Held - l.Used
		b.Changes.grant(g)
		b.Changes.spend(b.Row, g.Source, l.Used, now, 1)
	}
	h.Used, h.State, h.Time = used, Settled, now
	b.Changes.hold(h)
	r, err := b.receipt(h, now, func(l Line) int { return l.Used })
	h.Remaining = r.Remaining
	return r, err
}

// Repeat returns the charge of an earlier hold to a request with the same key.
func (b *Book) Repeat(first *Hold, once *billing.Once, now time.Time) (billing.Receipt, error) {
	if first.Once.Request != once.Request {
		return billing.Receipt{}, billing.ErrOnceUsed
	}
	if !first.Repeated {
		first.Repeated = true
		b.Changes.hold(first)
	}
	r, err := b.receipt(first, now, func(l Line) int { return l.Used })
	r.Remaining, r.Repeated = first.Remaining, true
	return r, err
}

// Refund returns all credits of a hold to their grants, unless they are kept.
func (b *Book) Refund(h *Hold, now time.Time) (billing.Receipt, error) {
	if h.State == Released || h.State == Refunded || h.Kept() {
		r, err := b.receipt(h, now, func(Line) int { return 0 })
		if err == nil {
			r.Kept = h.Used // 0 unless it was kept
		}
		return r, err
	}
	if err := b.payable(h); err != nil {
		return billing.Receipt{}, err
	}
	var r billing.Receipt
	for i := range h.Lines {
		l := &h.Lines[i]
		g := b.Grant(l.Grant)
		back := l.Held
		if h.State == Settled {
			back = l.Used
			g.Settled -= back
			b.Changes.spend(b.Row, g.Source, back, h.Time, -1)
		} else {
			g.Held -= back
		}
		g.Remaining += back
		b.Changes.grant(g)
		l.Used = 0
		r.Credits += back
		r.Parts = append(r.Parts, billing.Part{Source: g.Source, Credits: back})
	}
	if h.State == Settled {
		h.State = Refunded
	} else {
		h.State = Released
	}
	h.Used, h.Time = 0, now
	b.Changes.hold(h)
	r.Parts, r.Remaining = billing.Parts(r.Parts...), b.Available(now)
	return r, nil
}

// Expired reports whether a hold is open past its time.
func (h *Hold) Expired(now time.Time) bool { return h.State == Held && !now.Before(h.Expires) }

var errPayer = errors.New("billing: a hold refers to a grant that its account lacks")

// payable returns an error if the book lacks a grant of a hold.
func (b *Book) payable(h *Hold) error {
	if len(b.Missing(h)) > 0 {
		return &billing.UnavailableError{Err: fmt.Errorf("%w: hold %s", errPayer, h.ID)}
	}
	return nil
}

func (b *Book) receipt(h *Hold, now time.Time, credits func(Line) int) (billing.Receipt, error) {
	if err := b.payable(h); err != nil {
		return billing.Receipt{}, err
	}
	r := billing.Receipt{Remaining: b.Available(now)}
	if len(h.Lines) > 0 {
		r.Parts = make([]billing.Part, 0, len(h.Lines))
	}
	for _, l := range h.Lines {
		n := credits(l)
		r.Credits += n
		r.Parts = append(r.Parts, billing.Part{Source: b.Grant(l.Grant).Source, Credits: n})
	}
	r.Parts = billing.Parts(r.Parts...)
	return r, nil
}
