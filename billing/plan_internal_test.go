package billing

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
)

// The numbers are those of the contract's table of limits.
func TestPlans(t *testing.T) {
	want := map[string]Limits{
		"free":         {RatePerMinute: 60, DailyCredits: 2500, CentroidMiles: 100, SpatialMiles: 50, Suggestions: 15, Keys: 2},
		"restricted":   {RatePerMinute: 20, DailyCredits: 2500, CentroidMiles: 100, SpatialMiles: 50, Suggestions: 15, Keys: 2},
		"developer":    {RatePerMinute: 300, MonthlyCredits: 100_000, CentroidMiles: 500, SpatialMiles: 250, Suggestions: 500, Keys: 5, Batch: true},
		"professional": {RatePerMinute: 300, MonthlyCredits: 350_000, CentroidMiles: 500, SpatialMiles: 250, Suggestions: 500, Keys: 10, Batch: true},
		"business":     {RatePerMinute: 600, MonthlyCredits: 1_500_000, CentroidMiles: 500, SpatialMiles: 250, Suggestions: 500, Keys: 25, Batch: true},
		"enterprise":   {RatePerMinute: 1800, CentroidMiles: 500, SpatialMiles: 250, Suggestions: 500, Keys: 100, Batch: true},
	}
	got := map[string]Limits{}
	for _, p := range Plans() {
		got[string(p)] = p.Limits()
		if p.Paid() != p.Limits().Batch {
			t.Errorf("%s: paid %v, batch %v", p, p.Paid(), p.Limits().Batch)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]int{25_000, 65_000, 150_000, 300_000, 2_000_000}, PackSizes()); diff != "" {
		t.Errorf("packs (-want +got):\n%s", diff)
	}
	for _, p := range []Plan{"", "gold", "none"} {
		if p.Limits() != (Limits{}) || p.Paid() {
			t.Errorf("plan %q has rights", p)
		}
	}
}

func TestPeriods(t *testing.T) {
	at := func(s string) time.Time {
		t.Helper()
		v, err := time.Parse(time.RFC3339, s)
		check(t, err)
		return v
	}
	tests := []struct{ anchor, now, start, end string }{
		{"2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z", "2026-01-31T10:00:00Z", "2026-02-28T10:00:00Z"},
		{"2026-01-31T10:00:00Z", "2026-02-28T09:59:59Z", "2026-01-31T10:00:00Z", "2026-02-28T10:00:00Z"},
		{"2026-01-31T10:00:00Z", "2026-02-28T10:00:00Z", "2026-02-28T10:00:00Z", "2026-03-31T10:00:00Z"},
		{"2026-01-31T10:00:00Z", "2026-03-30T00:00:00Z", "2026-02-28T10:00:00Z", "2026-03-31T10:00:00Z"},
		{"2026-01-31T10:00:00Z", "2026-04-30T10:00:00Z", "2026-04-30T10:00:00Z", "2026-05-31T10:00:00Z"},
		{"2028-01-30T00:00:00Z", "2028-02-29T00:00:00Z", "2028-02-29T00:00:00Z", "2028-03-30T00:00:00Z"},
		{"2024-02-29T12:00:00Z", "2025-02-28T12:00:00Z", "2025-02-28T12:00:00Z", "2025-03-29T12:00:00Z"},
		{"2025-11-15T00:00:00Z", "2026-01-10T00:00:00Z", "2025-12-15T00:00:00Z", "2026-01-15T00:00:00Z"},
		{"2025-12-31T23:00:00-05:00", "2026-01-01T04:00:00Z", "2026-01-01T04:00:00Z", "2026-02-01T04:00:00Z"},
		{"2026-05-05T00:00:00Z", "2026-01-01T00:00:00Z", "2026-05-05T00:00:00Z", "2026-06-05T00:00:00Z"}, // before it began
	}
	period := func(anchor, now time.Time) [2]time.Time {
		a := Account{Plan: Developer, Anchor: anchor}
		start, end := a.Period(now)
		return [2]time.Time{start, end}
	}
	for _, tt := range tests {
		if got := period(at(tt.anchor), at(tt.now)); !got[0].Equal(at(tt.start)) || !got[1].Equal(at(tt.end)) {
			t.Errorf("anchor %s, now %s: %s; want %s to %s", tt.anchor, tt.now, got, tt.start, tt.end)
		}
	}
	// Periods follow each other without gap or overlap.
	for day := range 400 {
		anchor := at("2023-12-01T08:30:00Z").AddDate(0, 0, day)
		p := period(anchor, anchor)
		for range 30 {
			next := period(anchor, p[1])
			if !next[0].Equal(p[1]) || !next[1].After(next[0]) {
				t.Fatalf("anchor %s: %v is followed by %v", anchor, p, next)
			}
			if last := period(anchor, p[1].Add(-1)); last != p {
				t.Fatalf("anchor %s: the last moment of %v is in %v", anchor, p, last)
			}
			p = next
		}
	}
	if d := dayOf(at("2026-03-08T23:30:00-05:00")); !d.Equal(at("2026-03-09T00:00:00Z")) {
		t.Errorf("day %v", d)
	}
}

func TestSubscriptionGrant(t *testing.T) {
	now := time.Date(2026, 3, 10, 0, 0, 0, 0, time.UTC)
	account := func(p Plan, monthly int) *Account {
		a := &Account{ID: "a", Plan: Free}
		a.Subscribe(p, now.AddDate(0, -2, 10))
		a.MonthlyCredits = monthly
		return a
	}
	tests := []struct {
		name         string
		a            *Account
		credits, got int // 0: refused
	}{
		{"plan", account(Developer, 0), 0, 100_000},
		{"agreed", account(Developer, 7), 0, 7},
		{"given", account(Developer, 7), 9, 9},
		{"enterprise", account(Enterprise, 0), 0, 0},
		{"enterprise, agreed", account(Enterprise, 5), 0, 5},
		{"free", account(Free, 0), 10, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := Grant{Account: "a", Source: SubscriptionCredits, Amount: tt.credits, Granted: now}
			err := g.ofPeriod(tt.a, now)
			if tt.got == 0 {
				if err == nil {
					t.Errorf("granted %+v", g)
				}
				return
			}
			want := Grant{
				Account: "a", Source: SubscriptionCredits, Reference: "2026-02-20", Amount: tt.got, Granted: now,
				Expires: time.Date(2026, 3, 20, 0, 0, 0, 0, time.UTC),
			}
			if diff := cmp.Diff(want, g); diff != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestReceipt(t *testing.T) {
	parts := []Part{{Source: DailyCredits, Credits: 1}, {Source: SubscriptionCredits, Credits: 2}, {Source: PackCredits, Credits: 3}}
	for _, tt := range []struct {
		parts              []Part
		note, source, want string
	}{
		{nil, "", "none", ""},
		{parts[2:], "not found", "pack", "not found"},
		{[]Part{parts[0], parts[2]}, "", "mixed", "1 free_daily + 3 pack"},
		{parts, "so", "mixed", "so; 1 free_daily + 2 subscription + 3 pack"},
	} {
		remaining := 17
		want := envelope.Credits{Source: envelope.CreditSource(tt.source), Remaining: &remaining, Breakdown: envelope.Breakdown{Note: tt.want}}
		got := envelope.Credits{Breakdown: envelope.Breakdown{Note: tt.note}}
		r := Receipt{Parts: tt.parts, Remaining: remaining}
		r.Apply(&got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", tt.parts, diff)
		}
	}
}
