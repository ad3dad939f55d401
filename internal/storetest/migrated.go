package storetest

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/billing"
)

// Migrated checks a store that was migrated from an older format. Account "a" has
// 1,000 credits granted 100 hours ago. The holds "today" and "yesterday" are
// settled with 30 and 40 credits, and the hold "open" has 5. Migrated advances the
// clock by 20 days and sweeps.
func Migrated(t *testing.T, s billing.Store, clock *Clock) {
	t.Helper()
	ctx := t.Context()
	today := billing.Day(clock.Now()).Start
	granted := billing.Entry{Kind: billing.Granted, Time: clock.Now().Add(-100 * time.Hour), Source: billing.PackCredits, Credits: 1000, Reference: "invoice"}
	spent := func(days, credits int) billing.Entry {
		return billing.Entry{Kind: billing.Spent, Time: today.AddDate(0, 0, -days), Source: billing.PackCredits, Credits: credits, Requests: 1}
	}
	cut := billing.Entry{Kind: billing.CutRefunded, Time: today, Credits: 70, Requests: 2}
	check := func(want ...billing.Entry) {
		t.Helper()
		got, err := s.History(ctx, "a", time.UnixMilli(0))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if err := s.Audit(ctx); err != nil {
			t.Error(err)
		}
	}
	check(spent(0, 30), spent(1, 40), granted)
	if _, err := s.Settle(ctx, "open", 5); err != nil {
		t.Fatal(err)
	}
	for id, credits := range map[string]int{"today": 30, "yesterday": 40} {
		if r, err := s.Cut(ctx, id); err != nil || r.Credits != credits {
			t.Errorf("Cut(%s) = %+v, %v; want %d credits back", id, r, err, credits)
		}
	}
	check(cut, spent(0, 5), granted)

	// Sweep adds hours up by day, which changes no entry.
	clock.Advance(20 * 24 * time.Hour)
	if _, err := s.Sweep(ctx); err != nil {
		t.Fatal(err)
	}
	check(cut, spent(0, 5), granted)
}
