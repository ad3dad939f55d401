package billing

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// An Account is somebody who has credits and keys.
type Account struct {
	ID        string // "acct_" and 16 characters
	Name      string // what its owner calls it; at most 200 characters, may be empty
	Plan      Plan
	Suspended bool
	Created   time.Time

	// Anchor is when the subscription began; billing periods begin on its
	// anniversaries. Zero without one.
	Anchor time.Time

	// MonthlyCredits are the credits of a billing period where another number
	// than the plan's was agreed. 0: the plan's.
	MonthlyCredits int
}

// ErrAccountNotFound says that there is no account with the id.
var ErrAccountNotFound = errors.New("billing: account not found")

// State returns "active" or "suspended".
func (a *Account) State() string {
	if a.Suspended {
		return "suspended"
	}
	return "active"
}

// PeriodCredits returns the credits that a billing period of the account has.
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

// Subscribe changes the plan. A subscription begins at now when there was none
// before; from one paid plan to another the anniversary stays.
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

// CheckName refuses a name that is too long or is not printable text.
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
