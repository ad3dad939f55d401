package book

import (
	"cmp"
	"slices"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// A Day is the spending of an account of one source on one day.
type Day struct {
	Account int64     // row
	Start   time.Time // 00:00 UTC
	Source  billing.Source
}

// A Sum is what a day's spending changed by.
type Sum struct{ Credits, Requests int64 }

// Changes collect what a store has to write.
type Changes struct {
	grants []*Grant
	holds  []*Hold
	days   map[Day]Sum
}

// Grants returns the grants that changed since the last Clear, in the order in
// which they did first.
func (c *Changes) Grants() []*Grant { return c.grants }

// Holds returns the holds that are new or changed since the last Clear, in the
// order in which they did first.
func (c *Changes) Holds() []*Hold { return c.holds }

// Days returns the days whose spending changed since the last Clear, in a
// fixed order, so that stores do not wait for each other in a circle.
func (c *Changes) Days() []Day {
	days := make([]Day, 0, len(c.days))
	for d := range c.days {
		days = append(days, d)
	}
	slices.SortFunc(days, func(x, y Day) int {
		return cmp.Or(cmp.Compare(x.Account, y.Account), x.Start.Compare(y.Start), cmp.Compare(x.Source, y.Source))
	})
	return days
}

// Sum returns what a day's spending changed by.
func (c *Changes) Sum(d Day) Sum { return c.days[d] }

// Clear says that everything was written.
func (c *Changes) Clear() {
	for i, g := range c.grants {
		g.dirty, c.grants[i] = false, nil
	}
	for i, h := range c.holds {
		h.dirty, c.holds[i] = false, nil
	}
	clear(c.days)
	c.grants, c.holds = c.grants[:0], c.holds[:0]
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

// spend counts a line's settlement (sign 1) or its refund (sign -1) at the
// day of the settlement.
func (c *Changes) spend(account int64, s billing.Source, credits int, at time.Time, sign int64) {
	if credits == 0 {
		return
	}
	if c.days == nil {
		c.days = map[Day]Sum{}
	}
	d := Day{account, billing.Day(at).Start, s}
	u := c.days[d]
	u.Credits += sign * int64(credits)
	u.Requests += sign
	c.days[d] = u
}
