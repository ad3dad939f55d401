package billing_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

// Probes appear nowhere, change no credits, and do not affect requests or sweeps.
func testProbe(t *testing.T, s *billing.Store, clock *storetest.Clock) {
	ctx := t.Context()
	enterAccount(t, s, "a", billing.Free)
	const requests = 20
	for i := range requests {
		id := fmt.Sprintf("01%04d", i)
		if _, err := s.Reserve(ctx, billing.Hold{ID: id, Account: "a", Credits: 5}); err != nil {
			t.Fatal(err)
		}
		if err := s.Probe(ctx); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Settle(ctx, of(id), 2); err != nil {
			t.Fatal(err)
		}
		clock.Advance(10 * time.Minute)
		if n, err := s.Sweep(ctx); n != 0 || err != nil {
			t.Fatalf("Sweep: %d, %v", n, err)
		}
	}
	b, err := s.Balance(ctx, "a")
	if err != nil || b.Held != 0 || b.Available != 2500-2*requests {
		t.Errorf("balance %+v, %v", b, err)
	}
	accounts, err := s.Accounts(ctx)
	if err != nil || len(accounts) != 1 {
		t.Errorf("accounts %+v, %v", accounts, err)
	}
	if _, err := s.Reserve(ctx, billing.Hold{ID: "01x", Account: ""}); !errors.Is(err, billing.ErrAccountNotFound) {
		t.Errorf("a hold of no account: %v", err)
	}
	// A probe succeeds after its record was removed.
	clock.Advance(100 * 24 * time.Hour)
	if _, err := s.Sweep(ctx); err != nil {
		t.Error(err)
	}
	if err := s.Probe(ctx); err != nil {
		t.Error(err)
	}
}
