package billing_test

import (
	"errors"
	"slices"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
)

// A Model is the plainest ledger that can be: lists that are searched from
// front to end. It is written to be read, and to be compared with.
type Model struct {
	Now      func() time.Time
	accounts map[string]*modelAccount
	holds    map[string]*modelHold
	usage    []modelUsage
}

type modelAccount struct {
	plan    billing.Plan
	grants  []*billing.Grant
	lastDay time.Time // on which batches are last in turn
}

type modelHold struct {
	account string
	batch   bool
	state   string // held, settled, kept, released, refunded
	held    int
	used    int
	settled time.Time
	expires time.Time
	lines   []modelLine
}

// A modelUsage is one request that was settled, cut or refunded in an hour. A
// refund is a settlement of fewer credits in the hour of the settlement.
type modelUsage struct {
	account string
	hour    time.Time
	kind    string
	credits int
}

type modelLine struct {
	grant      *billing.Grant
	held, used int
}

// NewModel returns a ledger without accounts.
func NewModel(now func() time.Time) *Model {
	return &Model{Now: now, accounts: map[string]*modelAccount{}, holds: map[string]*modelHold{}}
}

// AddAccount enters an account.
func (m *Model) AddAccount(a billing.Account) { m.accounts[a.ID] = &modelAccount{plan: a.Plan} }

// Grant adds a grant. It returns false if it exists.
func (m *Model) Grant(g billing.Grant) bool {
	a := m.accounts[g.Account]
	for _, x := range a.grants {
		if x.Source == g.Source && x.Reference == g.Reference {
			return false
		}
	}
	g.Remaining = g.Amount
	a.grants = append(a.grants, &g)
	return true
}

func (m *Model) live(id string) (live []*billing.Grant, sum int) {
	a, now := m.accounts[id], m.Now()
	if a.plan == billing.Free {
		y, mo, d := now.Date()
		start := time.Date(y, mo, d, 0, 0, 0, 0, time.UTC)
		m.Grant(billing.Grant{
			Account: id, Source: billing.DailyCredits, Reference: start.Format("2006-01-02"),
			Amount: 2500, Granted: start, Expires: start.Add(24 * time.Hour),
		})
	}
	for _, source := range []envelope.CreditSource{billing.DailyCredits, billing.SubscriptionCredits, billing.PackCredits} {
		var of []*billing.Grant
		for _, g := range a.grants {
			// Paid plans have no daily credits. A clock that was ahead saw a day to come.
			begun := source != billing.DailyCredits || a.plan == billing.Free && !g.Granted.After(now)
			if g.Source == source && begun && g.Remaining > 0 && (g.Expires.IsZero() || g.Expires.After(now)) {
				of = append(of, g)
				sum += g.Remaining
			}
		}
		slices.SortStableFunc(of, func(x, y *billing.Grant) int {
			switch {
			case x.Expires.IsZero() != y.Expires.IsZero():
				if x.Expires.IsZero() {
					return 1
				}
				return -1
			case !x.Expires.Equal(y.Expires):
				return x.Expires.Compare(y.Expires)
			default:
				return x.Granted.Compare(y.Granted)
			}
		})
		live = append(live, of...)
	}
	return live, sum
}

// Reserve is billing.Ledger's.
func (m *Model) Reserve(h billing.Hold) (billing.Receipt, error) {
	if old := m.holds[h.ID]; old != nil {
		if old.state != "held" || old.account != h.Account || old.held != h.Credits {
			return billing.Receipt{}, billing.ErrHoldClosed
		}
		return m.reserved(old), nil
	}
	live, sum := m.live(h.Account)
	if sum < h.Credits {
		return billing.Receipt{}, &billing.InsufficientError{Account: h.Account, Need: h.Credits, Available: sum, Batch: h.Batch}
	}
	n := &modelHold{account: h.Account, batch: h.Batch, state: "held", held: h.Credits, expires: m.Now().Add(h.TTL)}
	for left := h.Credits; left > 0; live = live[1:] {
		g := live[0]
		take := min(left, g.Remaining)
		g.Remaining -= take
		g.Held += take
		left -= take
		n.lines = append(n.lines, modelLine{grant: g, held: take})
	}
	m.holds[h.ID] = n
	return m.reserved(n), nil
}

func (m *Model) reserved(h *modelHold) billing.Receipt {
	r := m.receipt(h, func(l modelLine) int { return l.held })
	r.LastInTurn = h.batch && m.last(h.account)
	return r
}

func (m *Model) last(account string) bool {
	return m.accounts[account].lastDay.Equal(m.Now().Truncate(24 * time.Hour))
}

// Settle is billing.Ledger's.
func (m *Model) Settle(hold billing.Hold, used int) (billing.Receipt, error) {
	if m.holds[hold.ID] == nil && hold.Brief {
		if used > hold.Credits {
			return billing.Receipt{}, errTooMuch
		}
		if _, err := m.Reserve(hold); err != nil {
			return billing.Receipt{}, err
		}
	}
	h := m.holds[hold.ID]
	switch {
	case h == nil:
		return billing.Receipt{}, billing.ErrHoldNotFound
	case (h.state == "settled" || h.state == "kept") && h.used == used:
		return m.receipt(h, func(l modelLine) int { return l.used }), nil
	case h.state != "held":
		return billing.Receipt{}, billing.ErrHoldClosed
	case used > h.held:
		return billing.Receipt{}, errTooMuch
	}
	h.state, h.used, h.settled = "settled", used, m.Now()
	m.count(h.account, billing.Spent, h.settled, used)
	left := used
	for i := range h.lines {
		l := &h.lines[i]
		l.used = min(left, l.held)
		left -= l.used
		l.grant.Held -= l.held
		l.grant.Settled += l.used
		l.grant.Remaining += l.held - l.used
	}
	return m.receipt(h, func(l modelLine) int { return l.used }), nil
}

var errTooMuch = errors.New("more than is held")

// Refund is billing.Ledger's.
func (m *Model) Refund(id string) (billing.Receipt, error) {
	h := m.holds[id]
	if h == nil {
		return billing.Receipt{}, billing.ErrHoldNotFound
	}
	back := map[*billing.Grant]int{}
	switch h.state {
	case "held":
		h.state = "released"
		for _, l := range h.lines {
			l.grant.Held -= l.held
			l.grant.Remaining += l.held
			back[l.grant] += l.held
		}
	case "kept":
		r := m.receipt(h, func(modelLine) int { return 0 })
		r.Kept = h.used
		return r, nil
	case "settled":
		m.count(h.account, billing.Spent, h.settled, -h.used)
		h.state, h.used = "refunded", 0
		for i, l := range h.lines {
			l.grant.Settled -= l.used
			l.grant.Remaining += l.used
			back[l.grant] += l.used
			h.lines[i].used = 0
		}
	}
	return m.receipt(h, func(l modelLine) int { return back[l.grant] }), nil
}

// Cut is billing.Ledger's.
func (m *Model) Cut(id string) (billing.Receipt, error) {
	h := m.holds[id]
	if h == nil {
		return billing.Receipt{}, billing.ErrHoldNotFound
	}
	var credits int
	switch {
	case h.state == "settled":
		credits = h.used
	case h.state == "held" && h.batch:
		credits = h.held
	}
	if credits == 0 {
		return m.Refund(id)
	}
	kind := billing.CutRefunded
	if h.batch {
		kind = billing.BatchRefunded
	}
	over := m.lastDaySum(h.account, kind)+credits > m.bound(h)
	switch {
	case over && h.batch:
		m.accounts[h.account].lastDay = m.Now().Truncate(24 * time.Hour)
	case over:
		h.state = "kept"
		m.count(h.account, billing.CutKept, m.Now(), credits)
		return m.Refund(id)
	}
	m.count(h.account, kind, m.Now(), credits)
	return m.Refund(id)
}

// bound returns the account's bound without the spending of the hold itself.
func (m *Model) bound(h *modelHold) int {
	if h.state == "settled" {
		m.count(h.account, billing.Spent, h.settled, -h.used)
		defer func() { m.usage = m.usage[:len(m.usage)-1] }()
	}
	return max(100, m.lastDaySum(h.account, billing.Spent)/50)
}

func (m *Model) count(account string, kind string, at time.Time, credits int) {
	m.usage = append(m.usage, modelUsage{account, at.Truncate(time.Hour), kind, credits})
}

// lastDaySum adds up the hours of the last day. Hours of spending must begin in it
// and not in the future. Hours of refunds must end in it or later.
func (m *Model) lastDaySum(account string, kind string) (sum int) {
	now := m.Now()
	from := now.Add(-24 * time.Hour)
	for _, u := range m.usage {
		in := u.hour.Add(time.Hour).After(from)
		if kind == billing.Spent {
			in = !u.hour.Before(from) && !u.hour.After(now)
		}
		if u.account == account && u.kind == kind && in {
			sum += u.credits
		}
	}
	return sum
}

// Refunds returns what Refunds of a store has to.
func (m *Model) Refunds(account string) (days []billing.RefundDay) {
	byDay := map[time.Time]billing.RefundDay{}
	for _, u := range m.usage {
		if u.account != account || u.kind == billing.Spent {
			continue
		}
		day := u.hour.Truncate(24 * time.Hour)
		d := byDay[day]
		d.Account, d.Day, d.LastInTurn = account, day, m.last(account)
		tally := map[string]*billing.Tally{billing.CutRefunded: &d.Cut, billing.CutKept: &d.Kept, billing.BatchRefunded: &d.Batch}[u.kind]
		tally.Requests++
		tally.Credits += u.credits
		byDay[day] = d
	}
	for _, d := range byDay {
		days = append(days, d)
	}
	slices.SortFunc(days, func(x, y billing.RefundDay) int { return y.Day.Compare(x.Day) })
	return days
}

// Sweep is billing.Ledger's.
func (m *Model) Sweep() int {
	n := 0
	for id, h := range m.holds {
		if h.state == "held" && !h.expires.After(m.Now()) {
			if _, err := m.Refund(id); err != nil {
				panic(err)
			}
			n++
		}
	}
	return n
}

func (m *Model) receipt(h *modelHold, credits func(modelLine) int) billing.Receipt {
	_, sum := m.live(h.account)
	r := billing.Receipt{Remaining: sum}
	for _, l := range h.lines {
		n := credits(l)
		r.Credits += n
		if n == 0 {
			continue
		}
		if last := len(r.Parts) - 1; last >= 0 && r.Parts[last].Source == l.grant.Source {
			r.Parts[last].Credits += n
		} else {
			r.Parts = append(r.Parts, billing.Part{Source: l.grant.Source, Credits: n})
		}
	}
	return r
}

// Balance returns what Balance of a store has to.
func (m *Model) Balance(account string) (available, held int) {
	_, available = m.live(account)
	for _, g := range m.accounts[account].grants {
		held += g.Held
	}
	return available, held
}
