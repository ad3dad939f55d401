package billing_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

func testAccounts(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	ctx := t.Context()
	var want []billing.Account
	for i, p := range billing.Plans() {
		a := billing.Account{ID: fmt.Sprint("a", i), Name: "Köln & Co. " + string(p), Plan: p, Created: clock.Now()}
		if p.Paid() {
			a.Anchor = clock.Now().Add(-time.Hour)
			a.MonthlyCredits = i
		}
		_, err := s.CreateAccount(ctx, a)
		check(t, err)
		want = append(want, a)
	}
	got, err := s.Accounts(ctx)
	check(t, err)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := s.CreateAccount(ctx, want[0]); err == nil {
		t.Error("an id was given twice")
	}
	for _, bad := range []billing.Account{
		{ID: "x"},
		{ID: "x", Plan: billing.Free, Anchor: clock.Now()},
		{ID: "x", Plan: billing.Free, Name: "line\nbreak"},
		{ID: "x\xff", Plan: billing.Free},
		{ID: "x", Plan: billing.Free, Name: strings.Repeat("x", 201)},
	} {
		if _, err := s.CreateAccount(ctx, bad); err == nil {
			t.Errorf("CreateAccount(%+v) succeeded", bad)
		}
	}
	if _, err := s.Reserve(ctx, billing.Hold{ID: "1\xff", Account: "a1"}); err == nil {
		t.Error("reserved under an id that is not UTF-8")
	}
	revision, err := s.Revision(ctx)
	check(t, err)
	a, err := s.UpdateAccount(ctx, "a1", func(a *billing.Account) error { a.Suspended = true; return nil })
	if err != nil || !a.Suspended {
		t.Errorf("UpdateAccount: %+v, %v", a, err)
	}
	if again, err := s.Balance(ctx, "a1"); err != nil || again.Account != a {
		t.Errorf("Balance: %+v, %v; want %+v", again.Account, err, a)
	}
	if r, err := s.Revision(ctx); err != nil || r <= revision {
		t.Errorf("revision %d, %v; want more than %d", r, err, revision)
	}
	stop := errors.New("stop")
	if _, err := s.UpdateAccount(ctx, "a1", func(a *billing.Account) error { a.Name = "lost"; return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of the change: %v", err)
	}
	if again, _ := s.Balance(ctx, "a1"); again.Account != a {
		t.Errorf("a change that failed is there: %+v", again)
	}
	if _, err := s.Balance(ctx, "nobody"); !errors.Is(err, billing.ErrAccountNotFound) {
		t.Errorf("no account: %v", err)
	}
	check(t, s.Ping(ctx))
}

func testKeys(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	ctx := t.Context()
	enterAccount(t, s, "a", billing.Free)

	addrs, err := billing.ParseAddrList([]string{"192.0.2.0/24", "2001:db8::1"})
	check(t, err)
	origins, err := billing.ParseOrigins([]string{"https://*.example.com", "example.org"})
	check(t, err)
	k1, secret1, err := s.CreateKey(ctx, billing.Key{
		Account: "a", Kind: billing.Live, Name: "web", Debug: true, Expires: clock.Now().Add(10 * 24 * time.Hour), Addrs: addrs, Origins: origins,
	})
	check(t, err)
	if got, err := s.Key(ctx, k1.ID); err != nil || !cmp.Equal(k1, got, cmpKeys...) {
		t.Errorf("Key: %v\n%s", err, cmp.Diff(k1, got, cmpKeys...))
	}
	if k, a, err := s.FindKey(ctx, secret1); err != nil || k.ID != k1.ID || a.ID != "a" {
		t.Errorf("FindKey: %+v, %+v, %v", k, a, err)
	}
	if _, _, err := s.FindKey(ctx, secret1+" "); !errors.Is(err, billing.ErrKeyNotFound) {
		t.Errorf("a wrong key: %v", err)
	}

	k2, _, err := s.CreateKey(ctx, billing.Key{Account: "a", Kind: billing.Test})
	check(t, err)
	if _, _, err := s.CreateKey(ctx, billing.Key{Account: "a", Kind: billing.Live}); !errors.Is(err, billing.ErrKeyLimit) {
		t.Errorf("a third key on the free plan: %v", err)
	}
	if _, _, err := s.CreateKey(ctx, billing.Key{Account: "nobody", Kind: billing.Live}); !errors.Is(err, billing.ErrAccountNotFound) {
		t.Errorf("a key of nobody: %v", err)
	}

	k3, secret3, err := s.RotateKey(ctx, k1.ID, time.Hour)
	check(t, err)
	if k3.Name != k1.Name || k3.Debug != k1.Debug || !k3.Expires.Equal(k1.Expires) || k3.Shown == k1.Shown {
		t.Errorf("the new key %+v; want the rights of %+v", k3, k1)
	}
	state := func(id string) string {
		t.Helper()
		k, err := s.Key(ctx, id)
		check(t, err)
		return k.State(clock.Now())
	}
	if got := state(k1.ID) + " " + state(k3.ID); got != "rotating active" {
		t.Errorf("states after a rotation: %s", got)
	}
	if _, _, err := s.RotateKey(ctx, k1.ID, time.Hour); !errors.Is(err, billing.ErrKeyUnusable) {
		t.Errorf("rotated twice: %v", err)
	}
	clock.Advance(time.Hour)
	if got := state(k1.ID) + " " + state(k3.ID); got != "expired active" {
		t.Errorf("states after the grace time: %s", got)
	}
	if _, err := s.UpdateKey(ctx, k3.ID, func(k *billing.Key) error { k.Off, k.Account, k.Shown = true, "b", "x"; return nil }); err != nil {
		t.Error(err)
	}
	if k, _, err := s.FindKey(ctx, secret3); err != nil || k.State(clock.Now()) != billing.Inactive || k.Account != "a" || k.Shown != k3.Shown {
		t.Errorf("a deactivated key: %+v, %v", k, err)
	}
	keys, err := s.Keys(ctx, "a")
	if err != nil || len(keys) != 3 || keys[0].ID != k1.ID || keys[1].ID != k2.ID || keys[2].ID != k3.ID {
		t.Errorf("Keys: %+v, %v", keys, err)
	}
	if _, err := s.Keys(ctx, "nobody"); !errors.Is(err, billing.ErrAccountNotFound) {
		t.Errorf("keys of nobody: %v", err)
	}
}

var cmpKeys = []cmp.Option{
	cmp.Comparer(func(a, b billing.Origin) bool { return a == b }),
	cmp.Comparer(func(a, b billing.AddrList) bool { return fmt.Sprint(a.Strings()) == fmt.Sprint(b.Strings()) }),
}
