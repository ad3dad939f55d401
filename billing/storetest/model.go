package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
)

// A Model is the plainest ledger that can be: lists that are searched from
// front to end. It is written to be read, and to be compared with.
type Model struct {
	Now      func() time.Time
	accounts map[string]*modelAccount
	holds    map[string]*modelHold
}

type modelAccount struct {
	plan   billing.Plan
	grants []*billing.Grant
}

type modelHold struct {
	account string
	state   string // held, settled, released, refunded
	held    int
	used    int
	expires time.Time
	lines   []modelLine
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

// Grant gives credits, or says that it had given them.
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
	for _, source := range []billing.Source{billing.DailyCredits, billing.SubscriptionCredits, billing.PackCredits} {
		var of []*billing.Grant
		for _, g := range a.grants {
			begun := source != billing.DailyCredits || !g.Granted.After(now) // a day to come was seen by a clock that was ahead
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
		return m.receipt(old, func(l modelLine) int { return l.held }), nil
	}
	live, sum := m.live(h.Account)
	if sum < h.Credits {
		return billing.Receipt{}, &billing.InsufficientError{Account: h.Account, Need: h.Credits, Available: sum, Batch: h.Batch}
	}
	n := &modelHold{account: h.Account, state: "held", held: h.Credits, expires: m.Now().Add(h.TTL)}
	for left := h.Credits; left > 0; live = live[1:] {
		g := live[0]
		take := min(left, g.Remaining)
		g.Remaining -= take
		g.Held += take
		left -= take
		n.lines = append(n.lines, modelLine{grant: g, held: take})
	}
	m.holds[h.ID] = n
	return m.receipt(n, func(l modelLine) int { return l.held }), nil
}

// Settle is billing.Ledger's.
func (m *Model) Settle(id string, used int) (billing.Receipt, error) {
	h := m.holds[id]
	switch {
	case h == nil:
		return billing.Receipt{}, billing.ErrHoldNotFound
	case h.state == "settled" && h.used == used:
		return m.receipt(h, func(l modelLine) int { return l.used }), nil
	case h.state != "held":
		return billing.Receipt{}, billing.ErrHoldClosed
	case used > h.held:
		return billing.Receipt{}, errTooMuch
	}
	h.state, h.used = "settled", used
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
	case "settled":
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

// Books returns what was granted to an account and what became of it.
func (m *Model) Books(account string) (granted, remaining, held, settled, expired int) {
	now := m.Now()
	for _, g := range m.accounts[account].grants {
		granted += g.Amount
		held += g.Held
		settled += g.Settled
		if g.Expires.IsZero() || g.Expires.After(now) {
			remaining += g.Remaining
		} else {
			expired += g.Remaining
		}
	}
	return granted, remaining, held, settled, expired
}

// Balance returns what Balance of a store has to.
func (m *Model) Balance(account string) (available, held int) {
	_, available = m.live(account)
	for _, g := range m.accounts[account].grants {
		held += g.Held
	}
	return available, held
}

// Steps runs a random schedule on a store and a model with the accounts, and
// returns the first difference. Time moves between steps, over midnights and
// ends of periods and sometimes back, when clock is not nil.
func Steps(ctx context.Context, s billing.Store, m *Model, accounts []string, clock *Clock, seed uint64, steps int) error {
	rnd := rand.New(rand.NewPCG(seed, 7))
	var ids []string
	pick := func() string {
		if len(ids) == 0 || rnd.IntN(50) == 0 {
			return "unknown"
		}
		if rnd.IntN(3) > 0 { // a recent one
			return ids[len(ids)-1-rnd.IntN(min(10, len(ids)))]
		}
		return ids[rnd.IntN(len(ids))]
	}
	for step := range steps {
		acct := accounts[rnd.IntN(len(accounts))]
		var got, want any
		var gotErr, wantErr error
		var what string
		switch n := rnd.IntN(100); {
		case n < 40:
			id := fmt.Sprintf("%06d-%d", step, seed)
			if rnd.IntN(3) == 0 {
				id = fmt.Sprintf("%06d-%d", rnd.IntN(steps), seed) // out of order, perhaps again
			}
			h := billing.Hold{ID: id, Account: acct, Credits: amount(rnd), TTL: time.Duration(1+rnd.IntN(600)) * time.Second, Batch: rnd.IntN(2) == 0}
			ids = append(ids, id)
			what = fmt.Sprintf("Reserve(%+v)", h)
			got, gotErr = s.Reserve(ctx, h)
			want, wantErr = m.Reserve(h)
		case n < 70:
			id, used := pick(), amount(rnd)
			if h := m.holds[id]; h != nil && rnd.IntN(5) > 0 {
				used = rnd.IntN(h.held + 1)
			}
			what = fmt.Sprintf("Settle(%s, %d)", id, used)
			got, gotErr = s.Settle(ctx, id, used)
			want, wantErr = m.Settle(id, used)
		case n < 85:
			id := pick()
			what = fmt.Sprintf("Refund(%s)", id)
			got, gotErr = s.Refund(ctx, id)
			want, wantErr = m.Refund(id)
		case n < 92:
			g := billing.Grant{
				Account: acct, Source: billing.PackCredits, Reference: fmt.Sprintf("invoice %d-%d", seed, step), Amount: 1 + rnd.IntN(3000), Granted: m.Now(),
			}
			if rnd.IntN(2) == 0 {
				g.Source, g.Expires = billing.SubscriptionCredits, m.Now().Add(time.Duration(1+rnd.IntN(100))*time.Hour)
			}
			what = fmt.Sprintf("Grant(%+v)", g)
			_, given, err := s.Grant(ctx, g)
			got, gotErr, want = given, err, m.Grant(g)
		case n < 95 && clock != nil:
			what = "Sweep()"
			got, gotErr = s.Sweep(ctx)
			want = m.Sweep()
		default:
			what = "Balance(" + acct + ")"
			b, err := s.Balance(ctx, acct)
			a, h := m.Balance(acct)
			got, want, gotErr = [2]int{b.Available, b.Held}, [2]int{a, h}, err
		}
		if err := same(got, want, gotErr, wantErr); err != nil {
			return fmt.Errorf("seed %d, step %d, %s: %w", seed, step, what, err)
		}
		if granted, remaining, held, settled, expired := m.Books(acct); granted != remaining+held+settled+expired {
			return fmt.Errorf("seed %d, step %d: the model does not balance", seed, step)
		}
		if clock != nil && rnd.IntN(4) == 0 {
			clock.Advance(time.Duration(rnd.IntN(200)) * time.Second)
			if rnd.IntN(50) == 0 {
				clock.Advance(time.Duration(rnd.IntN(30)) * time.Hour)
			}
			if rnd.IntN(80) == 0 { // set wrong, and right again
				clock.Advance(-time.Duration(rnd.IntN(40)) * time.Hour)
			}
		}
	}
	return nil
}

func amount(rnd *rand.Rand) int {
	switch rnd.IntN(10) {
	case 0:
		return 0
	case 1:
		return rnd.IntN(5000)
	default:
		return 1 + rnd.IntN(60)
	}
}

func same(got, want any, gotErr, wantErr error) error {
	var need *billing.InsufficientError
	switch {
	case wantErr == nil && gotErr != nil, wantErr != nil && gotErr == nil:
		return differ(gotErr, wantErr)
	case errors.Is(wantErr, errTooMuch):
		return nil
	case errors.As(wantErr, &need):
		var is *billing.InsufficientError
		if !errors.As(gotErr, &is) {
			return differ(gotErr, wantErr)
		}
		if diff := cmp.Diff(need, is); diff != "" {
			return errors.New(diff)
		}
		return nil
	case wantErr != nil:
		if !errors.Is(gotErr, wantErr) {
			return differ(gotErr, wantErr)
		}
		return nil
	}
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("(-want +got):\n%s", diff)
	}
	return nil
}

// differ tells two errors. Neither is the cause of what is told.
func differ(got, want error) error { return errors.New(fmt.Sprint("error ", got, "; want ", want)) }
