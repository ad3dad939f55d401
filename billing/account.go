package billing

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"time"
	"unicode/utf8"
)

// An Account has credits and keys.
type Account struct {
	ID        string // "acct_" and 16 characters
	Name      string // chosen by the owner; at most 200 characters, may be empty
	Plan      Plan
	Suspended bool
	Created   time.Time

	// Anchor is the start of the subscription. Billing periods begin on its
	// anniversaries. Zero without a subscription.
	Anchor time.Time

	// MonthlyCredits are the agreed credits per billing period. 0: those of the
	// plan.
	MonthlyCredits int
}

// ErrAccountNotFound is returned for an unknown account id.
var ErrAccountNotFound = errors.New("billing: account not found")

// State returns "active" or "suspended".
func (a *Account) State() string {
	if a.Suspended {
		return "suspended"
	}
	return "active"
}

// PeriodCredits returns the credits per billing period.
func (a *Account) PeriodCredits() int {
	if !a.Plan.Paid() {
		return 0
	}
	if a.MonthlyCredits > 0 {
		return a.MonthlyCredits
	}
	return a.Plan.Limits().MonthlyCredits
}

// Period returns the billing period that holds t. It is the zero Period for
// accounts without a subscription.
func (a *Account) Period(t time.Time) Period {
	if !a.Plan.Paid() {
		return Period{}
	}
	return Month(a.Anchor, t)
}

// Subscribe changes the plan. A new subscription begins now; a change between paid
// plans keeps the anniversary.
func (a *Account) Subscribe(p Plan, now time.Time) {
	switch {
	case !p.Paid():
		a.Anchor, a.MonthlyCredits = time.Time{}, 0
	case !a.Plan.Paid():
		a.Anchor = now
	}
	a.Plan = p
}

// maxNameLength is the longest name of an account or key, in characters.
const maxNameLength = 200

// CheckName rejects a name that is too long or not printable text.
func CheckName(name string) error {
	if n := utf8.RuneCountInString(name); n > maxNameLength {
		return fmt.Errorf("billing: name of %d characters; expected at most %d", n, maxNameLength)
	}
	if !utf8.ValidString(name) {
		return errors.New("billing: name is not UTF-8 text")
	}
	for _, r := range name {
		if r < ' ' || r == 0x7f {
			return fmt.Errorf("billing: name has the control character %U; expected printable text", r)
		}
	}
	return nil
}

// An Access identifies callers by keys and charges them.
type Access struct {
	Gate   Entrance
	Ledger Spender

	// Limits is the server of rate limits, which the metrics report. Nil means
	// that this process counts requests.
	Limits Pinger

	// TrustedProxies may set X-Forwarded-For. If empty, the header is ignored.
	TrustedProxies AddrList
}

// An Entrance decides who may call. [*Gate] is one.
type Entrance interface {
	// Enter admits a request or returns an envelope.Failure.
	Enter(ctx context.Context, c Credentials) (Pass, error)

	// AllowAddr takes a permit of the minute for a request without a key.
	AllowAddr(ctx context.Context, addr netip.Addr) (Window, error)
}

// A Spender reserves, spends and returns credits by the id of a request. It is a
// part of [Ledger].
type Spender interface {
	Reserve(ctx context.Context, h Hold) (Receipt, error)
	Settle(ctx context.Context, id string, used int) (Receipt, error)
	Refund(ctx context.Context, id string) (Receipt, error)
	Cut(ctx context.Context, id string) (Receipt, error)
	Pinger
}

// A Pinger is a store that may be unreachable.
type Pinger interface {
	// Ping reads without a cache.
	Ping(ctx context.Context) error
}
