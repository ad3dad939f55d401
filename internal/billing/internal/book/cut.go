package book

import (
	"time"

	"github.com/postgeo/postgeo/internal/billing"
)

// A Past is the spending and the refunds of an account in the last 24 hours, in
// whole hours. An hour that began earlier counts for refunds but not for
// spending.
type Past struct {
	now               time.Time
	spent, cut, batch int64
}

// NewPast returns a past without entries.
func NewPast(now time.Time) *Past { return &Past{now: now} }

// Since returns the first hour that counts.
func (p *Past) Since() time.Time { return HourOf(p.now.Add(-24 * time.Hour)) }

// Add adds credits of an hour. If a clock was ahead, refunds of future hours
// count and spending does not.
func (p *Past) Add(hour time.Time, kind billing.EntryKind, credits int64) {
	if hour.Before(p.Since()) {
		return
	}
	switch kind {
	case billing.Spent:
		if !hour.Before(p.now.Add(-24*time.Hour)) && !hour.After(p.now) {
			p.spent += credits
		}
	case billing.CutRefunded:
		p.cut += credits
	case billing.BatchRefunded:
		p.batch += credits
	case billing.Granted, billing.CutKept:
	}
}

// OldHours returns the time before which hours may be added up by day. A Past
// never needs them, even after a change of the clock.
func OldHours(now time.Time) time.Time { return billing.Day(now).Start.AddDate(0, 0, -7) }

// Kept reports whether a hold stays charged although its response was cut.
func (h *Hold) Kept() bool { return h.State == Settled && h.Cut > 0 }

// CutKind returns the kind of refund of a hold; 0: none. It returns false if the
// state of the hold contradicts its Cut.
func (h *Hold) CutKind() (billing.EntryKind, bool) {
	switch {
	case h.Cut == 0:
		return 0, true
	case h.Kept():
		return billing.CutKept, !h.Batch && h.Cut == h.Used
	case h.Batch:
		return billing.BatchRefunded, h.State == Refunded || h.State == Released && h.Cut == h.Held
	default:
		return billing.CutRefunded, h.State == Refunded
	}
}

// Last reports whether the account's batches are last in turn.
func (b *Book) Last(now time.Time) bool {
	return !b.LastDay.IsZero() && billing.Day(now).Start.Equal(b.LastDay)
}

// Cut closes a hold whose request was cut off. It refunds the hold, or keeps it
// charged if the account has reached its bound. The past has the hours that the
// store has written; Cut adds those in Changes.
func (b *Book) Cut(h *Hold, written *Past, now time.Time) (billing.Receipt, error) {
	credits := h.Used
	if h.State == Held && h.Batch {
		credits = h.Held
	}
	if h.State != Held && h.State != Settled || h.Kept() || credits == 0 {
		return b.Refund(h, now)
	}
	past := b.past(*written)
	if h.State == Settled { // the spending of h does not raise its own bound
		past.Add(HourOf(h.Time), billing.Spent, -int64(credits))
	}
	bound := int64(billing.RefundBound(int(past.spent)))
	if !h.Batch && past.cut+int64(credits) > bound {
		return b.keep(h, now)
	}
	r, err := b.Refund(h, now)
	if err != nil {
		return r, err
	}
	h.Cut = credits
	kind := billing.CutRefunded
	if h.Batch {
		kind = billing.BatchRefunded
		if past.batch+int64(credits) > bound && !b.Last(now) {
			b.LastDay = billing.Day(now).Start
			b.Changes.book(b)
		}
	}
	b.Changes.count(Hour{Account: b.Row, Start: HourOf(now), Kind: kind}, int64(credits), 1)
	return r, nil
}

// keep leaves a settled hold charged for good.
func (b *Book) keep(h *Hold, now time.Time) (billing.Receipt, error) {
	r, err := b.receipt(h, now, func(Line) int { return 0 })
	if err != nil {
		return r, err
	}
	h.Cut, r.Kept = h.Used, h.Used
	b.Changes.hold(h)
	b.Changes.count(Hour{Account: b.Row, Start: HourOf(now), Kind: billing.CutKept}, int64(h.Used), 1)
	return r, nil
}

// past adds the hours that are not yet written.
func (b *Book) past(p Past) Past {
	for h, sum := range b.Changes.hours {
		if h.Account == b.Row {
			p.Add(h.Start, h.Kind, sum.Credits)
		}
	}
	return p
}
