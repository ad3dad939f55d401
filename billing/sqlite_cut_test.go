package billing_test

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

// pack enters an account with a pack of 1,000 credits.
func pack(t *testing.T, s *billing.Store) {
	t.Helper()
	enterAccount(t, s, "a", billing.Business)
	if _, _, err := s.Grant(t.Context(), billing.Grant{Account: "a", Source: billing.PackCredits, Reference: "1", Amount: 1_000, Granted: time.Now()}); err != nil {
		t.Fatal(err)
	}
}

func settle(t *testing.T, s *billing.Store, id string, credits int, batch bool) {
	t.Helper()
	_, err := s.Reserve(t.Context(), billing.Hold{ID: id, Account: "a", Credits: credits, Batch: batch})
	if err == nil {
		_, err = s.Settle(t.Context(), of(id), credits)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func checkRefunds(t *testing.T, s *billing.Store, want billing.RefundDay) {
	t.Helper()
	days, err := s.Refunds(t.Context(), "a", time.UnixMilli(0))
	if err != nil || len(days) != 1 {
		t.Fatalf("refunds %+v, %v", days, err)
	}
	want.Account, want.Day = "a", days[0].Day
	if diff := cmp.Diff(want, days[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if err := s.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}

// Cuts that could not be written are made up for by Sweep, as cuts with their
// bound; one that was followed by a refund, as a refund.
func TestSweepCuts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "accounts.db")
	s, err := billing.Open(t.Context(), path, billing.Options{Pepper: storetest.Pepper(), Create: true, Timeout: 20 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	pack(t, s)
	for id, credits := range map[string]int{"1": 60, "2": 150, "3": 150} {
		settle(t, s, id, credits, false)
	}
	settle(t, s, "4", 70, true)
	other, err := foreign(t, path).BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"1", "2", "3", "4"} {
		if _, err := s.Cut(t.Context(), of(id)); !errors.Is(err, billing.ErrUnavailable) {
			t.Errorf("Cut(%s) while another writes: %v", id, err)
		}
	}
	if _, err := s.Refund(t.Context(), of("3")); !errors.Is(err, billing.ErrUnavailable) {
		t.Errorf("Refund while another writes: %v", err)
	}
	if err := other.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	checkRefunds(t, s, billing.RefundDay{
		Cut: billing.Tally{Requests: 1, Credits: 60}, Kept: billing.Tally{Requests: 1, Credits: 150}, Batch: billing.Tally{Requests: 1, Credits: 70},
	})
	if b, err := s.Balance(t.Context(), "a"); err != nil || b.Available != 850 {
		t.Errorf("%d available, %v; want 850", b.Available, err)
	}
}
