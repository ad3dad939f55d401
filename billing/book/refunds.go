package book

import (
	"time"

	"github.com/postgeo/postgeo/billing"
)

// RefundDays makes the list of billing.Store.Refunds from sums by account, day
// and kind.
type RefundDays struct {
	today time.Time
	days  []billing.RefundDay
}

// NewRefundDays returns an empty list at a time.
func NewRefundDays(now time.Time) *RefundDays { return &RefundDays{today: billing.Day(now).Start} }

// Add adds the sum of one kind. Those of an account and a day come one after
// the other; last is the account's LastDay.
func (l *RefundDays) Add(account string, last, day time.Time, kind billing.EntryKind, t billing.Tally) {
	n := len(l.days)
	if n == 0 || l.days[n-1].Account != account || !l.days[n-1].Day.Equal(day) {
		l.days = append(l.days, billing.RefundDay{Account: account, Day: day, LastInTurn: last.Equal(l.today)})
		n++
	}
	switch d := &l.days[n-1]; kind {
	case billing.CutRefunded:
		d.Cut = t
	case billing.CutKept:
		d.Kept = t
	case billing.BatchRefunded:
		d.Batch = t
	case billing.Granted, billing.Spent:
	}
}

// Days returns the list.
func (l *RefundDays) Days() []billing.RefundDay { return l.days }
