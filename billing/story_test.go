package billing_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/storetest"
)

// stories are the files of testdata that every kind of database runs.
var stories = []string{"order", "idempotent", "plans", "once", "history", "retention", "cut", "batches"}

// runStory returns a test that compares the outcomes of the calls in a file of testdata.
func runStory(name string) func(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	return func(t *testing.T, s *billing.Store, clock *storetest.Clock) {
		story := newStory(t, s, clock)
		lookuptest.Table(t, name+".txt", *billing.Update, story.do)
	}
}

// A story makes calls of a store, which are written in words:
//
//	account ID PLAN, plan ID PLAN
//	grant ACCOUNT SOURCE REFERENCE CREDITS [for DURATION], grant ACCOUNT subscription
//	reserve ID ACCOUNT CREDITS [batch] [brief] [key=REQUEST] [ttl=DURATION]
//	spend ID ACCOUNT CREDITS [batch] (reserves twice the credits), settle ID CREDITS, refund ID, cut ID
//	turn ACCOUNT, balance ACCOUNT, history ACCOUNT [today], refunds [ACCOUNT]
//	wait DURATION, tomorrow DURATION (after midnight), sweep
//
// Successful reservations, settlements, refunds and cuts are made twice.
type story struct {
	t     testing.TB
	s     *billing.Store
	clock *storetest.Clock
	holds map[string]billing.Hold
	turns int
}

func newStory(t testing.TB, s *billing.Store, clock *storetest.Clock) *story {
	return &story{t: t, s: s, clock: clock, holds: map[string]billing.Hold{}}
}

// must makes calls that succeed.
func (p *story) must(calls ...string) {
	p.t.Helper()
	for _, call := range calls {
		if got := p.do(call); strings.HasPrefix(got, "error: ") {
			p.t.Fatalf("%s: %s", call, got)
		}
	}
}

// do returns the outcome of a call.
func (p *story) do(text string) string {
	p.t.Helper()
	ctx, w := p.t.Context(), strings.Fields(text)
	word := func(i int) string {
		if i < len(w) {
			return w[i]
		}
		return ""
	}
	switch w[0] {
	case "account":
		_, err := p.s.CreateAccount(ctx, billing.Account{ID: w[1], Plan: billing.Plan(w[2])})
		return said("entered", err)
	case "plan":
		_, err := p.s.UpdateAccount(ctx, w[1], func(a *billing.Account) error {
			a.Subscribe(billing.Plan(w[2]), p.clock.Now())
			return nil
		})
		return said("changed", err)
	case "grant":
		g := billing.Grant{Account: w[1], Source: envelope.CreditSource(w[2]), Reference: word(3)}
		if len(w) > 3 {
			g.Amount, g.Granted = p.number(w[4]), p.clock.Now()
		}
		if word(5) == "for" {
			g.Expires = g.Granted.Add(p.duration(w[6]))
		}
		_, given, err := p.s.Grant(ctx, g)
		return said(map[bool]string{true: "granted", false: "granted before"}[given], err)
	case "reserve":
		h := billing.Hold{ID: w[1], Account: w[2], Credits: p.number(w[3])}
		for _, option := range w[4:] {
			switch key, value, _ := strings.Cut(option, "="); key {
			case "batch":
				h.Batch = true
			case "brief":
				h.Brief = true
			case "key":
				h.Once = &billing.Once{Key: [16]byte{'k'}, Request: [16]byte{value[0]}}
			case "ttl":
				h.TTL = p.duration(value)
			}
		}
		return p.reserve(h)
	case "spend":
		h := billing.Hold{ID: w[1], Account: w[2], Credits: 2 * p.number(w[3]), Batch: word(4) == "batch", TTL: 100 * time.Hour}
		if got := p.reserve(h); strings.HasPrefix(got, "error: ") {
			return got
		}
		return p.do("settle " + w[1] + " " + w[3])
	case "settle":
		return p.twice(true, func(h billing.Hold) (billing.Receipt, error) { return p.s.Settle(ctx, h, p.number(w[2])) }, w[1])
	case "refund":
		return p.twice(false, func(h billing.Hold) (billing.Receipt, error) { return p.s.Refund(ctx, h) }, w[1])
	case "cut":
		return p.twice(false, func(h billing.Hold) (billing.Receipt, error) { return p.s.Cut(ctx, h) }, w[1])
	case "turn":
		return p.turn(w[1])
	case "balance":
		b, err := p.s.Balance(ctx, w[1])
		list := []string{fmt.Sprintf("%d available, %d held", b.Available, b.Held)}
		for _, g := range b.Grants {
			list = append(list, fmt.Sprintf("%d of %s %s", g.Remaining, g.Source, g.Reference))
		}
		return said(strings.Join(list, "; "), err)
	case "history":
		from := time.UnixMilli(0)
		if word(2) == "today" {
			from = day(p.clock.Now())
		}
		entries, err := p.s.History(ctx, w[1], from)
		return said(listed(entries, func(e billing.Entry) string {
			out := fmt.Sprintf("%s %s %d %s", date(e.Time), e.Kind, e.Credits, e.Source)
			if e.Kind == billing.Granted {
				return out + " " + e.Reference + map[bool]string{false: " until " + date(e.Expires)}[e.Expires.IsZero()]
			}
			return out + fmt.Sprintf(" in %d", e.Requests)
		}), err)
	case "refunds":
		days, err := p.s.Refunds(ctx, word(1), time.UnixMilli(0))
		return said(listed(days, func(d billing.RefundDay) string {
			tally := func(x billing.Tally) string { return fmt.Sprintf("%d in %d", x.Credits, x.Requests) }
			return fmt.Sprintf("%s %s cut %s, kept %s, batches %s%s", date(d.Day), d.Account, tally(d.Cut), tally(d.Kept), tally(d.Batch),
				map[bool]string{true: ", last in turn"}[d.LastInTurn])
		}), err)
	case "wait":
		p.clock.Advance(p.duration(w[1]))
		return p.clock.Now().UTC().Format("2006-01-02 15:04")
	case "tomorrow":
		p.clock.Advance(day(p.clock.Now()).AddDate(0, 0, 1).Sub(p.clock.Now()) + p.duration(w[1]))
		return p.clock.Now().UTC().Format("2006-01-02 15:04")
	case "sweep":
		n, err := p.s.Sweep(ctx)
		return said(fmt.Sprintf("%d released", n), err)
	}
	p.t.Fatalf("unknown call %q", text)
	return ""
}

func (p *story) number(s string) int {
	p.t.Helper()
	n, err := strconv.Atoi(s)
	check(p.t, err)
	return n
}

func (p *story) duration(s string) time.Duration {
	p.t.Helper()
	d, err := time.ParseDuration(s)
	check(p.t, err)
	return d
}

func (p *story) reserve(h billing.Hold) string {
	p.t.Helper()
	if !h.Brief {
		p.holds[h.ID] = billing.Hold{ID: h.ID, Account: h.Account}
		return p.twice(true, func(billing.Hold) (billing.Receipt, error) { return p.s.Reserve(p.t.Context(), h) }, h.ID)
	}
	p.holds[h.ID] = h // settled in one transaction
	return "brief"
}

// twice makes a call of a hold again if it succeeded. The receipt is the same, or returns
// no credits again.
func (p *story) twice(same bool, call func(billing.Hold) (billing.Receipt, error), id string) string {
	p.t.Helper()
	h, ok := p.holds[id]
	if !ok {
		h = of(id)
	}
	r, err := call(h)
	if err != nil {
		return said("", err)
	}
	again, err := call(h)
	want := receipt(r)
	if !same {
		want = receipt(billing.Receipt{Kept: r.Kept, Remaining: r.Remaining})
	}
	if got := receipt(again); err != nil || got != want {
		p.t.Errorf("hold %s: %s, %v; want %s", id, got, err, want)
	}
	return receipt(r)
}

// turn reports the turn of a batch. Single requests have none.
func (p *story) turn(account string) string {
	p.t.Helper()
	last := false
	for _, batch := range []bool{true, false} {
		p.turns++
		h := billing.Hold{ID: fmt.Sprint("turn", p.turns), Account: account, Credits: 2, Batch: batch}
		for range 2 {
			r, err := p.s.Reserve(p.t.Context(), h)
			if check(p.t, err); batch {
				last = r.LastInTurn
			} else if r.LastInTurn {
				p.t.Error("a single request is last in turn")
			}
		}
		_, err := p.s.Refund(p.t.Context(), h)
		check(p.t, err)
	}
	return map[bool]string{true: "last in turn", false: "in turn"}[last]
}

// said returns an outcome, or the reason of an error.
func said(outcome string, err error) string {
	var need *billing.InsufficientError
	switch {
	case err == nil:
		return outcome
	case errors.As(err, &need):
		return fmt.Sprintf("error: need %d, have %d, batch %t", need.Need, need.Available, need.Batch)
	}
	reasons := map[error]string{
		billing.ErrAccountNotFound: "no account", billing.ErrHoldNotFound: "no hold", billing.ErrHoldClosed: "closed", billing.ErrUnavailable: "unavailable",
	}
	for reason, word := range reasons {
		if errors.Is(err, reason) {
			return "error: " + word
		}
	}
	if fault := envelope.FaultOf(err); errors.Is(err, billing.ErrOnceUsed) && fault != nil {
		return fmt.Sprint("error: key used, status ", fault.Status)
	}
	return "error: refused"
}

// receipt writes a receipt with its parts.
func receipt(r billing.Receipt) string {
	parts := make([]string, len(r.Parts))
	for i, part := range r.Parts {
		parts[i] = fmt.Sprintf("%d %s", part.Credits, part.Source)
	}
	out := fmt.Sprintf("%d = %s, %d remain", r.Credits, cmp.Or(strings.Join(parts, " + "), "nothing"), r.Remaining)
	if r.Kept > 0 {
		out += fmt.Sprintf(", %d kept", r.Kept)
	}
	return out + map[bool]string{true: ", repeated"}[r.Repeated]
}

func listed[T any](list []T, line func(T) string) string {
	var lines []string
	for v := range slices.Values(list) {
		lines = append(lines, line(v))
	}
	return cmp.Or(strings.Join(lines, "; "), "nothing")
}

func date(t time.Time) string { return t.UTC().Format("2006-01-02") }
