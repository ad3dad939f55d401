package book

import (
	"cmp"
	"slices"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// An Hour identifies the spending of an account from one source in one hour, or
// its refunds of one kind.
type Hour struct {
	Account int64     // row
	Start   time.Time // UTC
	Kind    billing.EntryKind
	Source  billing.Source // 0 for refunds
}

// HourOf returns the start of the hour of t, in UTC.
func HourOf(t time.Time) time.Time { return t.UTC().Truncate(time.Hour) }

// A Sum is the change of an hour.
type Sum struct{ Credits, Requests int64 }

// Changes collects the changes that a store must write.
type Changes struct {
	grants []*Grant
	holds  []*Hold
	books  []*Book
	hours  map[Hour]Sum
}

// Grants returns the grants changed, by first change.
func (c *Changes) Grants() []*Grant { return c.grants }

// Holds returns the holds new or changed, by first change.
func (c *Changes) Holds() []*Hold { return c.holds }

// Books returns the books whose LastDay changed, by first
// change.
func (c *Changes) Books() []*Book { return c.books }

// Hours returns the hours changed. Their order is fixed, so
// that stores that write them cannot deadlock.
func (c *Changes) Hours() []Hour {
	hours := make([]Hour, 0, len(c.hours))
	for h := range c.hours {
		hours = append(hours, h)
	}
	slices.SortFunc(hours, func(x, y Hour) int {
		return cmp.Or(cmp.Compare(x.Account, y.Account), x.Start.Compare(y.Start), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Source, y.Source))
	})
	return hours
}

// Sum returns the change of an hour.
func (c *Changes) Sum(h Hour) Sum { return c.hours[h] }

func (c *Changes) grant(g *Grant) {
	if !g.dirty {
		g.dirty = true
		c.grants = append(c.grants, g)
	}
}

func (c *Changes) hold(h *Hold) {
	if !h.dirty {
		h.dirty = true
		c.holds = append(c.holds, h)
	}
}

// book records a change of LastDay.
func (c *Changes) book(b *Book) {
	if !slices.Contains(c.books, b) {
		c.books = append(c.books, b)
	}
}

// spend records the settlement of a line (sign 1) or its refund (sign -1) in the
// hour of the settlement.
func (c *Changes) spend(account int64, s billing.Source, credits int, at time.Time, sign int64) {
	c.count(Hour{account, HourOf(at), billing.Spent, s}, sign*int64(credits), sign)
}

func (c *Changes) count(h Hour, credits, requests int64) {
	if credits == 0 {
		return
	}
	if c.hours == nil {
		c.hours = map[Hour]Sum{}
	}
	u := c.hours[h]
	u.Credits += credits
	u.Requests += requests
	c.hours[h] = u
}

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

// Kept reports whether a hold stays charged although its response was cut or lost.
func (h *Hold) Kept() bool { return h.State == Settled && (h.Cut > 0 || h.Repeated) }

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
