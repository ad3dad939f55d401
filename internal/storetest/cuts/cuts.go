// Package cuts charges accounts whose requests were cut off, for tests.
package cuts

import (
	"fmt"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// Some enters an account with an open hold and with cut requests: 60 credits
// refunded, 150 kept, and batches of 70 and 160 refunded.
func Some(t *testing.T, s *billing.Store) {
	t.Helper()
	ctx, now := t.Context(), time.Now()
	if _, err := s.CreateAccount(ctx, billing.Account{ID: "a", Plan: billing.Business}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Grant(ctx, billing.Grant{Account: "a", Source: billing.PackCredits, Reference: "1", Amount: 1_000_000, Granted: now}); err != nil {
		t.Fatal(err)
	}
	for i, call := range []struct {
		held, used int
		batch, cut bool
	}{
		{120, 60, false, true},
		{300, 150, false, true},
		{140, 70, true, true},
		{160, -1, true, true},
		{2, -1, false, false},
	} {
		hold := billing.Hold{ID: fmt.Sprintf("a-%04d", i), Account: "a", Credits: call.held, Batch: call.batch, TTL: 100 * time.Hour}
		if _, err := s.Reserve(ctx, hold); err != nil {
			t.Fatal(err)
		}
		if call.used >= 0 {
			if _, err := s.Settle(ctx, hold, call.used); err != nil {
				t.Fatal(err)
			}
		}
		if call.cut {
			if _, err := s.Cut(ctx, hold); err != nil {
				t.Fatal(err)
			}
		}
	}
}
