package billing_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/storetest"
)

// Steps runs a random schedule on stores that share their accounts and on a model with
// the accounts, and returns the first difference. Each step is of any store and is
// followed by a look at the account's balance. Time moves between steps, over midnights
// and ends of periods and sometimes back.
func Steps(ctx context.Context, stores []*billing.Store, m *Model, accounts []string, clock *storetest.Clock, seed uint64, steps int) error {
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
	holds := map[string]billing.Hold{} // those that Reserve deferred
	hold := func(id string) billing.Hold {
		h := holds[id]
		if h.ID = id; m.holds[id] != nil {
			h.Account = m.holds[id].account
		}
		return h
	}
	var h billing.Hold
	for step := range steps {
		s, acct := stores[rnd.IntN(len(stores))], accounts[rnd.IntN(len(accounts))]
		var got, want any
		var gotErr, wantErr error
		var what string
		switch n := rnd.IntN(100); {
		case n < 40:
			if h.ID == "" || rnd.IntN(8) > 0 { // else the same again
				id := fmt.Sprintf("%06d-%d", step, seed)
				if rnd.IntN(3) == 0 {
					id = fmt.Sprintf("%06d-%d", rnd.IntN(steps), seed) // out of order, perhaps again
				}
				h = billing.Hold{ID: id, Account: acct, Credits: amount(rnd), TTL: time.Duration(1+rnd.IntN(600)) * time.Second, Batch: rnd.IntN(3) == 0, Brief: rnd.IntN(3) == 0}
				ids = append(ids, id)
			}
			what = fmt.Sprintf("Reserve(%+v)", h)
			r, err := s.Reserve(ctx, h)
			if got, gotErr = r, err; r.Deferred && h.Brief {
				holds[h.ID], want = h, got
				break
			}
			want, wantErr = m.Reserve(h)
		case n < 70:
			id, used := pick(), amount(rnd)
			if h := m.holds[id]; h != nil && rnd.IntN(5) > 0 {
				used = rnd.IntN(h.held + 1)
			} else if h == nil && holds[id].Brief {
				used = rnd.IntN(holds[id].Credits + 1)
			}
			what = fmt.Sprintf("Settle(%s, %d)", id, used)
			got, gotErr = s.Settle(ctx, hold(id), used)
			want, wantErr = m.Settle(hold(id), used)
		case n < 75:
			id := pick()
			what = fmt.Sprintf("Refund(%s)", id)
			got, gotErr = s.Refund(ctx, hold(id))
			want, wantErr = m.Refund(id)
		case n < 87:
			id := pick()
			for range 5 { // mostly one that is settled
				if h := m.holds[id]; h != nil && h.state == "settled" {
					break
				}
				id = pick()
			}
			what = fmt.Sprintf("Cut(%s)", id)
			got, gotErr = s.Cut(ctx, hold(id))
			want, wantErr = m.Cut(id)
		case n < 94:
			g := billing.Grant{
				Account: acct, Source: billing.PackCredits, Reference: fmt.Sprintf("invoice %d-%d", seed, step), Amount: 1 + rnd.IntN(3000), Granted: m.Now(),
			}
			if rnd.IntN(2) == 0 {
				g.Source, g.Expires = billing.SubscriptionCredits, m.Now().Add(time.Duration(1+rnd.IntN(100))*time.Hour)
			}
			what = fmt.Sprintf("Grant(%+v)", g)
			_, given, err := s.Grant(ctx, g)
			got, gotErr, want = given, err, m.Grant(g)
		case n < 97:
			what = "Sweep()"
			got, gotErr = s.Sweep(ctx)
			want = m.Sweep()
		case n < 99:
			what = "Refunds(" + acct + ")"
			got, gotErr = s.Refunds(ctx, acct, time.UnixMilli(0))
			want = m.Refunds(acct)
		default:
			p := []billing.Plan{billing.Free, billing.Developer}[rnd.IntN(2)]
			what = fmt.Sprintf("UpdateAccount(%s, %s)", acct, p)
			_, gotErr = s.UpdateAccount(ctx, acct, func(a *billing.Account) error {
				a.Subscribe(p, m.Now())
				return nil
			})
			m.accounts[acct].plan = p
		}
		err := same(got, want, gotErr, wantErr)
		if err == nil {
			b, failed := s.Balance(ctx, acct)
			available, held := m.Balance(acct)
			err = same([2]int{b.Available, b.Held}, [2]int{available, held}, failed, nil)
		}
		if err != nil {
			return fmt.Errorf("seed %d, step %d, %s: %w", seed, step, what, err)
		}
		if rnd.IntN(4) == 0 {
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
		if diff := cmp.Diff(need, is, cmp.Comparer(func(a, b envelope.Fault) bool { return true })); diff != "" {
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

// differ returns an error with the text of both. It wraps neither.
func differ(got, want error) error { return errors.New(fmt.Sprint("error ", got, "; want ", want)) }
