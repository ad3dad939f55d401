package billing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/envelope"
)

// A Source is where credits come from. Smaller ones are spent first.
type Source uint8

// The sources of credits in the order in which they are spent.
const (
	DailyCredits        Source = iota + 1 // free credits of a day
	SubscriptionCredits                   // credits of a billing period
	PackCredits                           // bought once, kept for good
)

var sourceNames = [...]envelope.CreditSource{
	DailyCredits: envelope.SourceFreeDaily, SubscriptionCredits: envelope.SourceSubscription, PackCredits: envelope.SourcePack,
}

// Name returns the contract's name, e.g. "free_daily".
func (s Source) Name() envelope.CreditSource {
	if s == 0 || int(s) >= len(sourceNames) {
		return envelope.SourceNone
	}
	return sourceNames[s]
}

// String returns the contract's name.
func (s Source) String() string { return string(s.Name()) }

// ParseSource reads a contract's name of a source.
func ParseSource(s string) (Source, error) {
	for src := DailyCredits; src <= PackCredits; src++ {
		if string(sourceNames[src]) == s {
			return src, nil
		}
	}
	return 0, fmt.Errorf("billing: %q is no source of credits; expected free_daily, subscription or pack", s)
}

// MaxCredits is the most that one grant or one hold may have. Sums of a
// million of them stay exact.
const MaxCredits = math.MaxInt64 / 1_000_000

// A Grant is an amount of credits given to an account. Amount is always
// Remaining + Held + Settled; what remains past Expires has expired.
type Grant struct {
	Account   string
	Source    Source
	Reference string // tells grants of a source apart: a day, a period, an invoice
	Amount    int
	Remaining int
	Held      int
	Settled   int
	Granted   time.Time
	Expires   time.Time // zero: never
}

// Live reports whether the grant can be spent at a time by an account of the
// plan. Daily free credits are not for subscribers, and not for any day but
// their own: a clock that was ahead may have granted those of days to come.
func (g *Grant) Live(p Plan, now time.Time) bool {
	if g.Source == DailyCredits && (p.Paid() || now.Before(g.Granted)) {
		return false
	}
	return g.Remaining > 0 && (g.Expires.IsZero() || now.Before(g.Expires))
}

// CompareGrants orders grants as they are spent: by source, then by what
// expires first, then by age, then by reference.
func CompareGrants(a, b *Grant) int {
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

// Due returns the grants that the passing of time gives an account and that
// nobody has to enter: today's free credits.
func Due(a *Account, now time.Time) []Grant {
	n := a.Plan.Limits().DailyCredits
	if n == 0 {
		return nil
	}
	day := Day(now)
	return []Grant{{
		Account: a.ID, Source: DailyCredits, Reference: day.Start.Format(time.DateOnly),
		Amount: n, Remaining: n, Granted: day.Start, Expires: day.End,
	}}
}

// NewSubscriptionGrant returns the credits of the billing period that holds
// now. Its reference is the first day of the period, so that a period is
// granted once. credits 0 means what the account's plan has.
func NewSubscriptionGrant(a *Account, credits int, now time.Time) (Grant, error) {
	if !a.Plan.Paid() {
		return Grant{}, fmt.Errorf("billing: account %s is on the plan %s, which is no subscription; change its plan first, or grant a pack", a.ID, a.Plan)
	}
	if credits == 0 {
		credits = a.PeriodCredits()
	}
	if credits == 0 {
		return Grant{}, fmt.Errorf("billing: the plan %s has no fixed credits; give the amount that was agreed", a.Plan)
	}
	p := a.Period(now)
	return Grant{
		Account: a.ID, Source: SubscriptionCredits, Reference: p.Start.Format(time.DateOnly),
		Amount: credits, Granted: now, Expires: p.End,
	}, nil
}

// CheckGrant refuses a grant that cannot be entered.
func CheckGrant(g *Grant) error {
	switch {
	case g.Source < SubscriptionCredits || g.Source > PackCredits:
		return fmt.Errorf("billing: credits of source %s cannot be granted by hand; expected subscription or pack", g.Source)
	case g.Amount < 1 || g.Amount > MaxCredits:
		return fmt.Errorf("billing: grant of %d credits; expected 1 to %d", g.Amount, MaxCredits)
	case g.Reference == "":
		return errors.New("billing: a grant needs a reference, such as an invoice number, so that it is entered once")
	}
	return CheckName(g.Reference)
}

// A Hold asks for credits before the work that may use them.
type Hold struct {
	ID      string // the request's id; a hold with an id that is known is the same hold
	Account string
	Credits int           // the most that the request can cost; 0 is allowed
	Batch   bool          // a batch: its cost is approximate, and [Ledger].Cut always gives it back
	TTL     time.Duration // after which a sweep releases it; 0: [DefaultTTL]
}

// DefaultTTL is how long a hold lasts that nobody settles: longer than any
// request may take.
const DefaultTTL = 5 * time.Minute

// A Part is the credits of one source.
type Part struct {
	Source  Source
	Credits int
}

// A Receipt is the result of a call of a [Ledger].
type Receipt struct {
	Credits   int    // held, settled or given back
	Parts     []Part // of Credits, in the order in which sources are spent
	Remaining int    // credits that the account can still spend

	// Kept is the number of credits that stay charged for an answer that was
	// cut, because the account's refunds reached [RefundBound].
	Kept int

	// LastInTurn is set by Reserve for a batch of an account whose batch
	// refunds passed [RefundBound] today: its batches are worked one at a
	// time, after those of other accounts.
	LastInTurn bool
}

// Source returns meta.credits.source: the one source that paid, mixed, or none
// when nothing was paid.
func (r *Receipt) Source() envelope.CreditSource {
	switch len(r.Parts) {
	case 0:
		return envelope.SourceNone
	case 1:
		return r.Parts[0].Source.Name()
	default:
		return envelope.SourceMixed
	}
}

// Note splits what more than one source paid, e.g. "2 free_daily + 1 pack".
func (r *Receipt) Note() string {
	if len(r.Parts) < 2 {
		return ""
	}
	var b strings.Builder
	for i, p := range r.Parts {
		if i > 0 {
			b.WriteString(" + ")
		}
		fmt.Fprintf(&b, "%d %s", p.Credits, p.Source)
	}
	return b.String()
}

// Apply writes who paid into the credits of a response.
func (r *Receipt) Apply(c *envelope.Credits) {
	c.Source = r.Source()
	remaining := r.Remaining
	c.Remaining = &remaining
	if note := r.Note(); note != "" {
		if c.Breakdown.Note != "" {
			note = c.Breakdown.Note + "; " + note
		}
		c.Breakdown.Note = note
	}
}

// addPart adds credits to the part of a source.
func addPart(parts []Part, s Source, credits int) []Part {
	if credits == 0 {
		return parts
	}
	i, ok := slices.BinarySearchFunc(parts, s, func(p Part, s Source) int { return cmp.Compare(p.Source, s) })
	if ok {
		parts[i].Credits += credits
		return parts
	}
	return slices.Insert(parts, i, Part{s, credits})
}

// Parts adds up credits by source. What is added up already is returned as it
// is.
func Parts(parts ...Part) []Part {
	plain := len(parts) > 0
	for i, p := range parts {
		plain = plain && p.Credits != 0 && (i == 0 || parts[i-1].Source < p.Source)
	}
	if plain {
		return parts
	}
	var out []Part
	for _, p := range parts {
		out = addPart(out, p.Source, p.Credits)
	}
	return out
}

// A Balance is what an account has.
type Balance struct {
	Account   Account
	Available int     // can be spent now
	Held      int     // reserved for requests in flight
	Parts     []Part  // of Available
	Grants    []Grant // live ones and those with credits held, in the order in which they are spent
}

// A Ledger keeps the credits of accounts. A request reserves the most that it
// can cost, does its work, and settles what it did cost; Refund and Cut undo
// either. Every call is one transaction and may be repeated with the same id. For
// every grant, and so for every account, what was granted equals what remains,
// is held, is settled and has expired, after any schedule and any crash.
// Implementations are safe for concurrent use.
type Ledger interface {
	// Reserve holds credits: daily free ones first, then the subscription's,
	// then packs, and within a source those that expire first. It fails with
	// [*InsufficientError], [ErrAccountNotFound] or [ErrHoldClosed]. With the
	// id of an open hold of the same account and size it returns that hold.
	Reserve(ctx context.Context, h Hold) (Receipt, error)

	// Settle spends used credits of a hold and gives the rest back to the
	// grants it came from. When it returns nil, the credits are spent for
	// good. It fails with [ErrHoldNotFound], [ErrHoldClosed] when the hold
	// was released or settled with another number, and when used is more
	// than is held.
	Settle(ctx context.Context, id string, used int) (Receipt, error)

	// Refund gives everything back: of an open hold, which is then released,
	// and of a settled one, which is then refunded. It is for requests
	// whose answer was never begun, counts toward no bound and has none. A
	// hold that has given everything back stays as it is, and so does one
	// whose credits Cut has kept. It fails with [ErrHoldNotFound].
	Refund(ctx context.Context, id string) (Receipt, error)

	// Cut closes the hold of a request that the caller cut off: of a single
	// request after at least one byte of its answer was written, of a batch
	// after its work had begun.
	//
	// A settled single request is refunded in full while the account's
	// refunds of that kind in the last 24 hours, this one included, are at
	// most [RefundBound]. Beyond it the credits stay charged for good, and
	// the history gets an entry of the kind [CutKept].
	//
	// A batch is always refunded in full. This counts as a batch refund, of an
	// open hold with all its credits. When the account's batch refunds of the
	// last 24 hours exceed the bound, its batches are last in turn until the
	// next 00:00 UTC.
	//
	// The open hold of a single request is released. Other closed holds do not
	// change. Cut fails with [ErrHoldNotFound].
	Cut(ctx context.Context, id string) (Receipt, error)

	// Grant gives an account credits. A grant of the same source, reference
	// and amount is not given twice: the one that is there is returned, with
	// given false. Another amount under the same reference is an error.
	Grant(ctx context.Context, g Grant) (granted Grant, given bool, err error)

	// Balance returns what an account has.
	Balance(ctx context.Context, account string) (Balance, error)

	// Sweep releases the holds that are past their time and returns how many
	// they were. It is to be called every minute or so.
	Sweep(ctx context.Context) (int, error)
}

// Errors of ledgers.
var (
	ErrHoldNotFound = errors.New("billing: no credits are held for the request")
	ErrHoldClosed   = errors.New("billing: the request's credits were settled or given back already")

	// ErrUnavailable says that the store cannot be reached or written now.
	// Nothing was changed, unless ErrInDoubt matches, too; the caller may try
	// again.
	ErrUnavailable = errors.New("billing: the accounts cannot be reached")

	// ErrInDoubt says that a call may have been done although its answer was
	// lost. Asking again with the same id tells; a request that is given up
	// has to be refunded.
	ErrInDoubt = errors.New("billing: it is not known whether the call was done")
)

// An InsufficientError says that an account cannot pay. It is an
// [envelope.Failure].
type InsufficientError struct {
	Account         string
	Need, Available int
	Batch           bool // Need is approximate
}

// Error says what was needed.
func (e *InsufficientError) Error() string {
	return fmt.Sprintf("billing: account %s has %d credits, %d needed; grant it a pack", e.Account, e.Available, e.Need)
}

// ContractCode implements [envelope.Failure].
func (e *InsufficientError) ContractCode() envelope.Code { return envelope.CreditInsufficient }

// ContractMessage implements [envelope.Failure].
func (e *InsufficientError) ContractMessage() string {
	if e.Batch {
		return envelope.InsufficientBatchCredits(e.Need, e.Available)
	}
	return envelope.InsufficientCredits(e.Need, e.Available)
}
