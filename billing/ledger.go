package billing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/enum"
	"github.com/postgeo/postgeo/internal/wording"
)

// A Source is the origin of credits. Smaller sources are spent first.
type Source uint8

// The sources of credits in spending order.
const (
	DailyCredits        Source = iota + 1 // free credits of a day
	SubscriptionCredits                   // credits of a billing period
	PackCredits                           // bought once, kept for good
)

var sourceNames = enum.Names[Source]{
	DailyCredits: string(envelope.SourceFreeDaily), SubscriptionCredits: string(envelope.SourceSubscription), PackCredits: string(envelope.SourcePack),
}

// Name returns the contract's name, e.g. "free_daily".
func (s Source) Name() envelope.CreditSource { return envelope.CreditSource(s.String()) }

// String returns the contract's name.
func (s Source) String() string { return cmp.Or(sourceNames.Of(s), string(envelope.SourceNone)) }

// ParseSource reads a contract's name of a source.
func ParseSource(s string) (Source, error) {
	if src, ok := sourceNames.Find(s); ok {
		return src, nil
	}
	return 0, fmt.Errorf("billing: %q is not a source of credits; expected free_daily, subscription or pack", s)
}

// MaxCredits is the maximum of one grant or hold. The sum of a million of them is
// exact.
const MaxCredits = math.MaxInt64 / 1_000_000

// A Grant is an amount of credits given to an account. Amount is always Remaining
// + Held + Settled. Remaining credits expire at Expires.
type Grant struct {
	Account   string
	Source    Source
	Reference string // identifies a grant of a source: a day, a period, an invoice
	Amount    int
	Remaining int
	Held      int
	Settled   int
	Granted   time.Time
	Expires   time.Time // zero: never
}

// Live reports whether an account of the plan can spend the grant at a time. Daily
// free credits are for free plans and their day only. A clock that was ahead may
// have granted those of future days.
func (g *Grant) Live(p Plan, now time.Time) bool {
	if g.Source == DailyCredits && (p.Paid() || now.Before(g.Granted)) {
		return false
	}
	return g.Remaining > 0 && (g.Expires.IsZero() || now.Before(g.Expires))
}

// NewSubscriptionGrant returns the credits of the current billing period. Its
// reference is the first day of the period, so that a period is granted once. If
// credits is 0, the account's plan sets them.
func NewSubscriptionGrant(a *Account, credits int, now time.Time) (Grant, error) {
	if !a.Plan.Paid() {
		return Grant{}, fmt.Errorf("billing: account %s is on the plan %s, which is not a subscription; change its plan first, or grant a pack", a.ID, a.Plan)
	}
	credits = cmp.Or(credits, a.PeriodCredits())
	if credits == 0 {
		return Grant{}, fmt.Errorf("billing: the plan %s has no fixed credits; give the amount that was agreed", a.Plan)
	}
	p := a.Period(now)
	return Grant{
		Account: a.ID, Source: SubscriptionCredits, Reference: p.Start.Format(time.DateOnly),
		Amount: credits, Granted: now, Expires: p.End,
	}, nil
}

// CheckGrant rejects an invalid grant.
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

// A Hold reserves credits before the work that may use them.
type Hold struct {
	ID      string // the request's id; holds with the same id are the same hold
	Account string
	Credits int           // the maximum cost of the request; 0 is allowed
	Batch   bool          // a batch: its cost is approximate, and [Ledger].Cut always refunds it
	TTL     time.Duration // time until a sweep releases it; 0: [DefaultTTL]
	Once    *Once         // requests with equal ones are charged once; nil: each is charged
}

// A Once identifies a request of an account that is charged once, however often
// it is sent within [OnceFor].
type Once struct {
	Key     [16]byte // digest of the key that the caller chose
	Request [16]byte // digest of the request; another one under the key fails
}

// OnceFor is the time for which a charge is repeated under its key.
const OnceFor = 24 * time.Hour

// DefaultTTL is the default time to live of a hold, longer than any request may
// take.
const DefaultTTL = 5 * time.Minute

// A Part is the credits of one source.
type Part struct {
	Source  Source
	Credits int
}

// A Receipt is the result of a call of a [Ledger].
type Receipt struct {
	Credits   int    // held, settled or refunded
	Parts     []Part // of Credits, in spending order
	Remaining int    // credits that the account can still spend

	// Kept is the number of credits that stay charged for a cut response, because
	// the account's refunds reached [RefundBound].
	Kept int

	// Repeated is set if the request was charged before under the key of its
	// [Once]. Credits, Parts and Remaining are those of that charge, and nothing
	// is held.
	Repeated bool

	// LastInTurn is set by Reserve for a batch if the account's batch refunds
	// exceed [RefundBound] today. The server works such batches one at a time,
	// after those of other accounts.
	LastInTurn bool
}

// Source returns meta.credits.source: the only source that paid, mixed, or none.
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

// Note lists the credits by source, e.g. "2 free_daily + 1 pack", or "" for one
// source.
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

// Apply writes the source and the remaining credits into those of a response.
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

// Parts adds up credits by source.
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

// A Balance lists the credits of an account.
type Balance struct {
	Account   Account
	Available int     // can be spent now
	Held      int     // reserved for requests in progress
	Parts     []Part  // of Available
	Grants    []Grant // live ones and those with held credits, in spending order
}

// A Ledger keeps the credits of accounts. A request reserves its maximum cost,
// does its work, and settles its actual cost. Refund and Cut undo either. Every
// call is one transaction and may be repeated with the same id. Every grant equals
// its remaining, held, settled and expired credits, after any schedule and any
// crash. Implementations are safe for concurrent use.
type Ledger interface {
	// Reserve holds credits: first daily free ones, then the subscription's, then
	// packs, and within a source by expiry. It fails with [*InsufficientError],
	// [ErrAccountNotFound] or [ErrHoldClosed]. With the id of an open hold of the
	// same account and size it returns that hold. If the hold has a Once whose key
	// was charged, Reserve returns that charge, or [ErrOnceUsed] if it was of
	// another request. A charge that was returned once is not refunded any more.
	Reserve(ctx context.Context, h Hold) (Receipt, error)

	// Settle spends used credits of a hold and returns the rest to their grants.
	// After nil the credits are spent for good. It fails with [ErrHoldNotFound],
	// and with [ErrHoldClosed] if the hold was released or settled with another
	// number. It also fails if used exceeds the hold. If another hold was charged
	// under the same key meanwhile, Settle releases this one and returns as Reserve.
	Settle(ctx context.Context, id string, used int) (Receipt, error)

	// Refund returns all credits of a hold: an open hold is released, a settled
	// one refunded. It is for requests without a response, and neither has a bound
	// nor counts toward one. Refunded holds and those that Cut has kept stay
	// unchanged. It fails with [ErrHoldNotFound].
	Refund(ctx context.Context, id string) (Receipt, error)

	// Cut closes the hold of a request that the caller cut off. Single requests
	// are cut after the first byte of their response was written, batches after
	// their work began.
	//
	// A settled single request is refunded in full up to a bound. The account's
	// refunds of that kind in the last 24 hours, with this one, are at most
	// [RefundBound]. Beyond it the credits stay charged for good, and the history
	// gets an entry of the kind [CutKept].
	//
	// A batch is always refunded in full. This counts as a batch refund, of an
	// open hold with all its credits. If the account's batch refunds of the last
	// 24 hours exceed the bound, its batches are last in turn until the next 00:00
	// UTC.
	//
	// The open hold of a single request is released. Other closed holds do not
	// change. Cut fails with [ErrHoldNotFound].
	Cut(ctx context.Context, id string) (Receipt, error)

	// Grant adds credits to an account. A grant with the same source, reference
	// and amount is not repeated: Grant returns the existing one, and false.
	// Another amount with the same reference is an error.
	Grant(ctx context.Context, g Grant) (granted Grant, given bool, err error)

	// Balance returns the credits of an account.
	Balance(ctx context.Context, account string) (Balance, error)

	// Sweep releases the holds past their time, retries refunds that failed, and
	// returns their number. Call it about once per minute.
	Sweep(ctx context.Context) (int, error)
}

// Errors of ledgers.
var (
	// ErrOnceUsed is returned if the key of a [Once] was charged for another
	// request (decision D76). It is an [envelope.Failure].
	ErrOnceUsed error = &envelope.Fault{Code: envelope.BadRequest, Message: wording.KeyReused, Status: 422}

	ErrHoldNotFound = errors.New("billing: no credits are held for the request")
	ErrHoldClosed   = errors.New("billing: the request's credits were settled or given back already")

	// ErrUnavailable is returned if the store cannot be reached or written now.
	// Nothing was changed, unless the error also matches ErrInDoubt. Callers may
	// retry.
	ErrUnavailable = errors.New("billing: the accounts cannot be reached")

	// ErrInDoubt is returned for a call that may have succeeded although its
	// result was lost. A retry with the same id resolves the doubt. Refund a
	// request that is given up.
	ErrInDoubt = errors.New("billing: it is not known whether the call was done")
)

// An InsufficientError means that an account cannot pay. It is an
// [envelope.Failure].
type InsufficientError struct {
	Account         string
	Need, Available int
	Batch           bool // Need is approximate
}

// Error returns the required and the available credits.
func (e *InsufficientError) Error() string {
	return fmt.Sprintf("billing: account %s has %d credits, %d needed; grant it a pack", e.Account, e.Available, e.Need)
}

// ContractCode implements [envelope.Failure].
func (e *InsufficientError) ContractCode() envelope.Code { return envelope.CreditInsufficient }

// ContractMessage implements [envelope.Failure].
func (e *InsufficientError) ContractMessage() string {
	if e.Batch {
		return wording.InsufficientBatchCredits(e.Need, e.Available)
	}
	return wording.InsufficientCredits(e.Need, e.Available)
}

// Refunds of cut responses are limited in 24 hours: to freeRefunds credits or one
// part in refundShare of the account's spending, if larger (decision D52).
const (
	freeRefunds = 100
	refundShare = 50
)

// RefundBound returns the maximum credits refunded in 24 hours for single requests
// with cut responses. It is the larger of 100 credits and 2 % of the spending.
// Batch refunds are unlimited, but batches of accounts above this bound are last
// in turn.
func RefundBound(spent int) int { return max(freeRefunds, spent/refundShare) }

// A RefundDay adds up the cut requests of an account on one day.
type RefundDay struct {
	Account string
	Day     time.Time // 00:00 UTC
	Cut     Tally     // single requests that were refunded
	Kept    Tally     // single requests that stay charged
	Batch   Tally     // batches, which are always refunded

	// LastInTurn reports whether the account's batches are last in turn now.
	LastInTurn bool
}

// A Tally is a number of requests and their credits.
type Tally struct{ Requests, Credits int }

const (
	turnEvery = time.Millisecond // between two turns
	turnWait  = time.Second      // the longest wait for one
)

// turns limits the work that a flood of requests causes to one call per
// millisecond. A caller that has waited for a second continues without a turn:
// each connection of a flood gets one turn per second at most. The zero value is
// ready to use.
type turns struct {
	mu   sync.Mutex
	next time.Time
}

// wait returns when it is the caller's turn, or with the context's error.
func (t *turns) wait(ctx context.Context) error {
	t.mu.Lock()
	now := time.Now() // the monotonic clock, which is never set
	if t.next.Before(now) {
		t.next = now
	}
	d := t.next.Sub(now)
	if d < turnWait {
		t.next = t.next.Add(turnEvery)
	}
	t.mu.Unlock()
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
