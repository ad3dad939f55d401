package billing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// A Plan is the plan of an account. The empty Plan has no rights.
type Plan string

// The plans, from the smallest.
const (
	Free         Plan = "free"         // daily free credits
	Restricted   Plan = "restricted"   // Free under review: a lower rate
	Developer    Plan = "developer"    // the smallest paid plan
	Professional Plan = "professional" // between Developer and Business
	Business     Plan = "business"     // the largest plan with a price
	Enterprise   Plan = "enterprise"   // agreed one by one
)

// Plans lists all plans in their order.
func Plans() []Plan {
	return []Plan{Free, Restricted, Developer, Professional, Business, Enterprise}
}

// Limits are the limits of a plan.
type Limits struct {
	RatePerMinute  int  // per key, in six segments of ten seconds
	DailyCredits   int  // free credits a day, 00:00 to 24:00 UTC; 0: none
	MonthlyCredits int  // credits per billing period; 0: none, or agreed with the account
	CentroidMiles  int  // largest radius in centroid mode
	SpatialMiles   int  // largest radius in spatial mode
	Suggestions    int  // maximum suggestions per call
	Keys           int  // maximum usable keys
	Batch          bool // batch routes may be called
}

// DemoRatePerMinute is the number of requests with the demo key, per address.
const DemoRatePerMinute = 5

// Limits returns the limits of the plan, all zero for an invalid plan.
func (p Plan) Limits() Limits {
	free := Limits{RatePerMinute: 60, DailyCredits: 2_500, CentroidMiles: 100, SpatialMiles: 50, Suggestions: 15, Keys: 2}
	paid := Limits{RatePerMinute: 300, CentroidMiles: 500, SpatialMiles: 250, Suggestions: 500, Batch: true}
	switch p {
	case Free:
		return free
	case Restricted:
		free.RatePerMinute = 20
		return free
	case Developer:
		paid.MonthlyCredits, paid.Keys = 100_000, 5
	case Professional:
		paid.MonthlyCredits, paid.Keys = 350_000, 10
	case Business:
		paid.RatePerMinute, paid.MonthlyCredits, paid.Keys = 600, 1_500_000, 25
	case Enterprise:
		paid.RatePerMinute, paid.Keys = 1_800, 100
	default:
		return Limits{}
	}
	return paid
}

// Paid reports whether the plan is a subscription.
func (p Plan) Paid() bool {
	return slices.Contains([]Plan{Developer, Professional, Business, Enterprise}, p)
}

// PackSizes returns the credits of the packs on offer, ascending.
func PackSizes() []int { return []int{25_000, 65_000, 150_000, 300_000, 2_000_000} }

// An Account has credits and keys.
type Account struct {
	ID        string // "acct_" and 16 characters
	Name      string // chosen by the owner; at most 200 characters, may be empty
	Plan      Plan
	Suspended bool // its keys are refused
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

// PeriodCredits returns the credits per billing period.
func (a *Account) PeriodCredits() int {
	switch {
	case !a.Plan.Paid():
		return 0
	case a.MonthlyCredits > 0:
		return a.MonthlyCredits
	}
	return a.Plan.Limits().MonthlyCredits
}

// Period returns the start and the end of the billing period that holds t. They are
// zero for accounts without a subscription. Periods begin at the anchor's time and day
// of the month, in shorter months on the last day: after January 31 follow February 28
// or 29 and March 31. Before the anchor, Period returns the first period.
func (a *Account) Period(t time.Time) (start, end time.Time) {
	if !a.Plan.Paid() {
		return start, end
	}
	// Counted from the anchor, never from the period before: after February 28 a subscription
	// of the 31st would stay at the 28th.
	anchor, t := a.Anchor.UTC(), t.UTC()
	n := (t.Year()-anchor.Year())*12 + int(t.Month()-anchor.Month())
	if t.Before(monthsAfter(anchor, n)) {
		n--
	}
	n = max(n, 0)
	return monthsAfter(anchor, n), monthsAfter(anchor, n+1)
}

// monthsAfter returns the anniversary n months after the anchor.
func monthsAfter(anchor time.Time, n int) time.Time {
	first := time.Date(anchor.Year(), anchor.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	h, m, s := anchor.Clock()
	return time.Date(first.Year(), first.Month(), min(anchor.Day(), last), h, m, s, anchor.Nanosecond(), time.UTC)
}

// dayOf returns the 00:00 UTC before t.
func dayOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

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

// check rejects an account that cannot be stored.
func (a *Account) check() error {
	switch {
	case a.Plan.Limits().RatePerMinute == 0:
		return fmt.Errorf("billing: account %s has no plan", a.ID)
	case a.Plan.Paid() == a.Anchor.IsZero():
		return fmt.Errorf("billing: account %s on the plan %s: a paid plan requires the start of its subscription, a free plan must not have one", a.ID, a.Plan)
	case a.MonthlyCredits < 0 || a.MonthlyCredits > MaxCredits:
		return fmt.Errorf("billing: account %s has %d credits per period; expected 0 to %d", a.ID, a.MonthlyCredits, MaxCredits)
	}
	return cmp.Or(CheckName(a.ID), CheckName(a.Name))
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
