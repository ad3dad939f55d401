package book

import (
	"cmp"
	"slices"
	"time"

	"github.com/postgeo/postgeo/internal/billing"
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

// Grants returns the grants changed since the last Clear, by first change.
func (c *Changes) Grants() []*Grant { return c.grants }

// Holds returns the holds new or changed since the last Clear, by first change.
func (c *Changes) Holds() []*Hold { return c.holds }

// Books returns the books whose LastDay changed since the last Clear, by first
// change.
func (c *Changes) Books() []*Book { return c.books }

// Hours returns the hours changed since the last Clear. Their order is fixed, so
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

// Clear forgets all changes, after the store has written them.
func (c *Changes) Clear() {
	for i, g := range c.grants {
		g.dirty, c.grants[i] = false, nil
	}
	for i, h := range c.holds {
		h.dirty, c.holds[i] = false, nil
	}
	clear(c.hours)
	clear(c.books)
	c.grants, c.holds, c.books = c.grants[:0], c.holds[:0], c.books[:0]
}

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
