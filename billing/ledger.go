package billing

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/wording"
)

// The sources of credits in spending order.
const (
	DailyCredits        = envelope.SourceFreeDaily    // free credits of a day
	SubscriptionCredits = envelope.SourceSubscription // credits of a billing period
	PackCredits         = envelope.SourcePack         // bought once, kept for good
)

// rank returns the place of a source in spending order, or -1.
func rank(s envelope.CreditSource) int {
	return slices.Index([]envelope.CreditSource{DailyCredits, SubscriptionCredits, PackCredits}, s)
}

// MaxCredits is the maximum of one grant or hold. The sum of a million of them is
// exact. Credits are counted in int, which must have 64 bits: the constant does not compile
// on other platforms.
const MaxCredits int = math.MaxInt64 / 1_000_000

// A Grant is an amount of credits given to an account. Amount is always Remaining
// + Held + Settled. Remaining credits expire at Expires.
type Grant struct {
	Account   string // the account's id
	Source    envelope.CreditSource
	Reference string    // identifies a grant of a source: a day, a period, an invoice
	Amount    int       // credits when granted
	Remaining int       // credits that can be spent
	Held      int       // credits reserved for requests
	Settled   int       // credits spent
	Granted   time.Time // zero when given: now
	Expires   time.Time // zero: never
}

// live reports whether an account of the plan can spend the grant at a time. Daily
// free credits are for free plans and their day only. A clock that was ahead may
// have granted those of future days.
func (g *Grant) live(p Plan, now time.Time) bool {
	if g.Source == DailyCredits && (p.Paid() || now.Before(g.Granted)) {
		return false
	}
	return g.Remaining > 0 && (g.Expires.IsZero() || now.Before(g.Expires))
}

// ofPeriod completes the grant of an account's current billing period. Its reference is
// the first day of the period, so that a period is granted once, and its amount that of
// the account, unless they are set.
func (g *Grant) ofPeriod(a *Account, now time.Time) error {
	if !a.Plan.Paid() {
		return fmt.Errorf("billing: account %s is on the plan %s, which is not a subscription; change its plan first, or grant a pack", a.ID, a.Plan)
	}
	if g.Amount == 0 {
		g.Amount = a.PeriodCredits()
	}
	if g.Amount == 0 {
		return fmt.Errorf("billing: the plan %s has no fixed credits; give the amount that was agreed", a.Plan)
	}
	start, end := a.Period(now)
	if g.Reference == "" {
		g.Reference = start.Format(time.DateOnly)
	}
	g.Expires = end
	return nil
}

// check rejects an invalid grant.
func (g *Grant) check() error {
	switch {
	case rank(g.Source) < 1:
		return fmt.Errorf("billing: credits of source %s cannot be granted by hand; expected subscription or pack", g.Source)
	case g.Amount < 1 || g.Amount > MaxCredits:
		return fmt.Errorf("billing: grant of %d credits; expected 1 to %d", g.Amount, MaxCredits)
	case g.Reference == "":
		return errors.New("billing: a grant needs a reference, such as an invoice number, so that it is entered once")
	}
	return CheckName(g.Reference)
}

// A Hold reserves credits before the work that may use them. The calls after
// [Store.Reserve] identify it by the ID and the Account.
type Hold struct {
	// ID is the request's id, 1 to 128 bytes of UTF-8. Holds with the same id are the same
	// hold. Old records whose ids ascend with time, such as ULIDs, are removed by the next
	// Sweep, others by one of the following.
	ID string

	Account string        // the account's id
	Credits int           // the maximum cost of the request; 0 is allowed
	Batch   bool          // a batch: its cost is approximate, and [Store.Cut] always refunds it
	Brief   bool          // the work is small: it may be done before its credits are reserved
	TTL     time.Duration // time until a sweep releases it; 0: [DefaultTTL]
	Once    *Once         // requests with equal ones are charged once; nil: each is charged
}

// A Once identifies a request of an account that is charged once, however often
// it is sent within [OnceFor].
type Once struct {
	Key     [16]byte // digest of the key that the caller chose
	Request [16]byte // digest of the request; another one under the key fails
}

const (
	// OnceFor is the time for which a charge is repeated under its key.
	OnceFor = 24 * time.Hour

	// DefaultTTL is the default time to live of a hold, longer than any request may
	// take.
	DefaultTTL = 5 * time.Minute

	maxHoldID = 128 // bytes
)

// check rejects an invalid hold and sets the default time to live.
func (h *Hold) check() error {
	if h.ID == "" || len(h.ID) > maxHoldID {
		return fmt.Errorf("billing: hold with an id of %d bytes; expected 1 to %d", len(h.ID), maxHoldID)
	}
	if !utf8.ValidString(h.ID) {
		return errors.New("billing: the id of a hold is not UTF-8 text")
	}
	if h.Credits < 0 || h.Credits > MaxCredits {
		return fmt.Errorf("billing: hold of %d credits; expected 0 to %d", h.Credits, MaxCredits)
	}
	if h.TTL <= 0 {
		h.TTL = DefaultTTL
	}
	return nil
}

// A Part is the credits of one source.
type Part struct {
	Source  envelope.CreditSource
	Credits int // of the source
}

// A Receipt is the result of a call that reserves, spends or returns credits.
type Receipt struct {
	Credits   int    // held, settled or refunded
	Parts     []Part // of Credits, in spending order
	Remaining int    // credits that the account can still spend

	// Kept is the number of credits that stay charged for a cut response, because
	// the account's refunds reached their bound.
	Kept int

	// Repeated is set if the request was charged before under the key of its
	// [Once]. Credits, Parts and Remaining are those of that charge, and nothing
	// is held.
	Repeated bool

	// Deferred is set by Reserve if it held nothing for brief work. Settle charges it. A
	// request that is not settled needs no refund.
	Deferred bool

	// LastInTurn is set by Reserve for a batch if the account's batch refunds
	// exceed their bound today. The server works such batches one at a time,
	// after those of other accounts.
	LastInTurn bool
}

// Apply writes the source and the remaining credits into those of a response. The
// source is the only one that paid, mixed, or none. Several are listed in a note, e.g.
// "2 free_daily + 1 pack".
func (r *Receipt) Apply(c *envelope.Credits) {
	remaining := r.Remaining
	c.Remaining = &remaining
	switch len(r.Parts) {
	case 0:
		c.Source = envelope.SourceNone
		return
	case 1:
		c.Source = r.Parts[0].Source
		return
	}
	c.Source = envelope.SourceMixed
	parts := make([]string, len(r.Parts))
	for i, p := range r.Parts {
		parts[i] = fmt.Sprintf("%d %s", p.Credits, p.Source)
	}
	note := strings.Join(parts, " + ")
	if c.Breakdown.Note != "" {
		note = c.Breakdown.Note + "; " + note
	}
	c.Breakdown.Note = note
}

// addPart adds credits to parts in spending order, after those of the same or an
// earlier source.
func addPart(parts []Part, s envelope.CreditSource, credits int) []Part {
	n := len(parts)
	switch {
	case credits == 0:
		return parts
	case n > 0 && parts[n-1].Source == s:
		parts[n-1].Credits += credits
		return parts
	}
	return append(parts, Part{s, credits})
}

// A Balance lists the credits of an account.
type Balance struct {
	Account   Account
	Available int     // can be spent now
	Held      int     // reserved for requests in progress
	Parts     []Part  // of Available
	Grants    []Grant // live ones and those with held credits, in spending order
}

// An Entry is a line of an account's history.
type Entry struct {
	Time      time.Time             // of a grant; else the day's 00:00 UTC
	Kind      string                // [Granted], [Spent], [CutRefunded], [CutKept] or [BatchRefunded]
	Source    envelope.CreditSource // none for refunds
	Credits   int                   // granted, spent or refunded
	Requests  int                   // number of requests; 0 for a grant
	Reference string                // of a grant
	Expires   time.Time             // of a grant; zero: never
}

// The kinds of entries. Spent excludes refunded credits and includes kept ones.
const (
	Granted       = "granted"
	Spent         = "spent"          // settled and not refunded
	CutRefunded   = "cut_refunded"   // single requests that [Store.Cut] refunded
	CutKept       = "cut_kept"       // single requests that stay charged after a cut
	BatchRefunded = "batch_refunded" // batches that [Store.Cut] refunded
)

// A RefundDay adds up the cut requests of an account on one day.
type RefundDay struct {
	Account string    // the account's id
	Day     time.Time // 00:00 UTC
	Cut     Tally     // single requests that were refunded
	Kept    Tally     // single requests that stay charged
	Batch   Tally     // batches, which are always refunded

	// LastInTurn reports whether the account's batches are last in turn now.
	LastInTurn bool
}

// A Tally is a number of requests and their credits.
type Tally struct {
	Requests, Credits int // number of requests, and their credits
}

// Refunds of cut responses are limited in 24 hours: to freeRefunds credits or one
// part in refundShare of the account's spending, if larger.
const (
	freeRefunds = 100
	refundShare = 50
)

// refundBound returns the maximum credits refunded in 24 hours for single requests
// with cut responses. Batch refunds are unlimited, but batches of accounts above this
// bound are last in turn.
func refundBound(spent int) int { return max(freeRefunds, spent/refundShare) }

// Errors of calls on credits.
var (
	// ErrOnceUsed is returned if the key of a [Once] was charged for another
	// request. It is an [envelope.Fault].
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
// [envelope.Fault].
type InsufficientError struct {
	envelope.Fault
	Account         string // the account's id
	Need, Available int    // credits of the request, and those that can be spent
	Batch           bool   // Need is approximate
}

func insufficient(account string, h *Hold, available int) error {
	text := wording.InsufficientCredits
	if h.Batch {
		text = wording.InsufficientBatchCredits
	}
	failure := envelope.Fault{Code: envelope.CreditInsufficient, Message: text(h.Credits, available)}
	return &InsufficientError{Fault: failure, Account: account, Need: h.Credits, Available: available, Batch: h.Batch}
}

// An unavailableError is the reason why a store or limiter cannot be used now. It
// matches [ErrUnavailable] and is an [envelope.Fault] that callers may retry.
type unavailableError struct {
	err   error
	doubt bool // the call may have succeeded; matches [ErrInDoubt]
}

// Error returns the reason.
func (e *unavailableError) Error() string { return ErrUnavailable.Error() + ": " + e.err.Error() }

// Unwrap returns the causes.
func (e *unavailableError) Unwrap() []error {
	if e.doubt {
		return []error{ErrUnavailable, errRetry, ErrInDoubt, e.err}
	}
	return []error{ErrUnavailable, errRetry, e.err}
}

var errRetry = &envelope.Fault{Code: envelope.ServiceUnavailable, Message: wording.Unavailable}
