package book_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
)

var noon = time.Date(2026, 6, 30, 12, 0, 0, 0, time.UTC)

func newBook() *book.Book {
	b := &book.Book{Account: billing.Account{ID: "a", Plan: billing.Free, Created: noon}, Row: 1, Changes: new(book.Changes)}
	for i, g := range b.Due(noon) {
		g.Remaining = g.Amount
		b.Add(&book.Grant{Row: int64(i + 1), Grant: g})
	}
	b.Add(&book.Grant{Row: 2, Grant: billing.Grant{Account: "a", Source: billing.PackCredits, Reference: "1", Amount: 100, Remaining: 100, Granted: noon}})
	return b
}

// Changes lists every grant, hold and hour once.
func TestChanges(t *testing.T) {
	b := newBook()
	if due := b.Due(noon); len(due) != 0 {
		t.Errorf("%v is due twice", due)
	}
	h, r, err := b.Reserve(&billing.Hold{ID: "1", Account: "a", Credits: 2550, TTL: time.Minute}, noon)
	if err != nil || r.Remaining != 50 || len(h.Lines) != 2 {
		t.Fatalf("%+v, %+v, %v", h, r, err)
	}
	if _, err := b.Settle(h, 2501, noon); err != nil {
		t.Fatal(err)
	}
	want := map[book.Hour]book.Sum{}
	for source, credits := range map[billing.Source]int64{billing.DailyCredits: 2500, billing.PackCredits: 1} {
		want[book.Hour{Account: 1, Start: noon, Kind: billing.Spent, Source: source}] = book.Sum{Credits: credits, Requests: 1}
	}
	got := map[book.Hour]book.Sum{}
	for _, h := range b.Changes.Hours() {
		got[h] = b.Changes.Sum(h)
	}
	if diff := cmp.Diff(want, got); diff != "" || len(b.Changes.Grants()) != 2 || len(b.Changes.Holds()) != 1 {
		t.Errorf("%d grants, %d holds, hours (-want +got):\n%s", len(b.Changes.Grants()), len(b.Changes.Holds()), diff)
	}
	b.Changes = new(book.Changes)
	if _, err := b.Settle(h, 2501, noon); err != nil || len(b.Changes.Grants())+len(b.Changes.Holds())+len(b.Changes.Hours()) != 0 {
		t.Errorf("settling again changes something, or fails: %v", err)
	}
	b.Grants = b.Grants[1:]
	if missing := b.Missing(h); len(missing) != 1 || missing[0] != 1 {
		t.Errorf("missing grants %v; want the day's", missing)
	}
	if _, err := b.Refund(h, noon); !errors.Is(err, billing.ErrUnavailable) {
		t.Errorf("a refund to a grant that is not there: %v", err)
	}
}

// TestHold follows a hold of 40 credits of 100 through settlement and refund. Each
// step may be repeated; other steps fail and change nothing.
func TestHold(t *testing.T) {
	b := newBook()
	b.Plan, b.Grants = billing.Business, b.Grants[1:] // the pack only
	balance := func(step string, available, held int) {
		t.Helper()
		got := b.Balance(noon)
		if got.Available != available || got.Held != held || len(got.Grants) != 1 || got.Grants[0].Settled != 100-available-held {
			t.Errorf("%s: %+v; want %d available, %d held", step, got, available, held)
		}
	}
	request := billing.Hold{ID: "1", Account: "a", Credits: 40, TTL: time.Minute}
	check := func(step string, r billing.Receipt, err error, credits, remaining int) {
		t.Helper()
		want := billing.Receipt{Credits: credits, Remaining: remaining}
		if credits > 0 {
			want.Parts = []billing.Part{{Source: billing.PackCredits, Credits: credits}}
		}
		if diff := cmp.Diff(want, r); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", step, err, diff)
		}
	}
	h, r, err := b.Reserve(&request, noon)
	check("reserve", r, err, 40, 60)
	balance("reserve", 60, 40)
	for end, expired := range map[time.Duration]bool{time.Minute - 1: false, time.Minute: true} {
		if h.Expired(noon.Add(end)) != expired {
			t.Errorf("expired %t after %v", !expired, end)
		}
	}
	r, err = b.Again(h, &request, noon)
	check("reserve again", r, err, 40, 60)
	other, foreign := request, *h
	other.Credits, foreign.Account = 41, 2
	for _, refused := range []func() (billing.Receipt, error){
		func() (billing.Receipt, error) { return b.Again(h, &other, noon) },
		func() (billing.Receipt, error) { return b.Again(&foreign, &request, noon) },
		func() (billing.Receipt, error) { return b.Settle(h, 41, noon) },
	} {
		if r, err := refused(); err == nil {
			t.Errorf("%+v; want an error", r)
		}
	}
	if _, _, err := b.Reserve(&billing.Hold{ID: "2", Account: "a", Credits: 61}, noon); !errors.As(err, new(*billing.InsufficientError)) {
		t.Errorf("a hold of more than is available: %v", err)
	}
	balance("refusals", 60, 40)
	for range 2 {
		r, err = b.Settle(h, 30, noon)
		check("settle", r, err, 30, 70)
		balance("settle", 70, 0)
	}
	for _, used := range []int{29, 31} {
		if _, err := b.Settle(h, used, noon); !errors.Is(err, billing.ErrHoldClosed) {
			t.Errorf("another settlement: %v", err)
		}
	}
	if _, err := b.Again(h, &request, noon); !errors.Is(err, billing.ErrHoldClosed) {
		t.Errorf("a settled hold, reserved again: %v", err)
	}
	if h.Expired(noon.Add(time.Hour)) {
		t.Error("a settled hold is open")
	}
	for i, credits := range []int{30, 0} {
		r, err = b.Refund(h, noon)
		check("refund", r, err, credits, 100)
		balance("refund", 100, 0)
		if h.State != book.Refunded || h.Used != 0 || len(b.Changes.Hours()) != 1 || b.Changes.Sum(b.Changes.Hours()[0]) != (book.Sum{}) {
			t.Errorf("after refund %d: %+v, %v", i+1, h, b.Changes.Hours())
		}
	}
	all, r, err := b.Reserve(&billing.Hold{ID: "3", Account: "a", Credits: 100}, noon)
	check("reserve all", r, err, 100, 0)
	for _, credits := range []int{100, 0} {
		r, err = b.Refund(all, noon)
		check("release", r, err, credits, 100)
	}
	if balance("release", 100, 0); all.State != book.Released {
		t.Errorf("released: %+v", all)
	}
	none, r, err := b.Reserve(&billing.Hold{ID: "4", Account: "a"}, noon)
	check("reserve nothing", r, err, 0, 100)
	if r, err = b.Settle(none, 0, noon); r.Parts != nil {
		t.Errorf("settle nothing: %+v, %v", r, err)
	}
}

// TestCut cuts requests off: up to the bound they are refunded, then kept charged.
// Batches are refunded and become last in turn.
func TestCut(t *testing.T) {
	for _, tt := range []struct {
		name                     string
		batch, settled           bool
		spent, refunded, credits int // of the last 24 hours, and of the request
		kind                     billing.EntryKind
		kept                     bool
		last                     bool
	}{
		{"open request", false, false, 0, 0, 50, 0, false, false},
		{"open batch", true, false, 0, 0, 50, billing.BatchRefunded, false, false},
		{"first", false, true, 0, 0, 50, billing.CutRefunded, false, false},
		{"at the bound", false, true, 10_000, billing.RefundBound(10_000) - 50, 50, billing.CutRefunded, false, false},
		{"over the bound", false, true, 10_000, billing.RefundBound(10_000) - 49, 50, billing.CutKept, true, false},
		{"batch at the bound", true, true, 10_000, billing.RefundBound(10_000) - 50, 50, billing.BatchRefunded, false, false},
		{"batch over the bound", true, true, 10_000, billing.RefundBound(10_000) - 49, 50, billing.BatchRefunded, false, true},
		{"nothing used", false, true, 0, 0, 0, 0, false, false},
	} {
		b := newBook()
		h, _, err := b.Reserve(&billing.Hold{ID: "1", Account: "a", Credits: 50, Batch: tt.batch}, noon)
		if err == nil && tt.settled {
			_, err = b.Settle(h, tt.credits, noon)
		}
		if err != nil {
			t.Fatal(err)
		}
		past := book.NewPast(noon.Add(time.Minute))
		past.Add(noon, billing.Spent, int64(tt.spent))
		past.Add(noon, billing.CutRefunded, int64(tt.refunded))
		past.Add(noon, billing.BatchRefunded, int64(tt.refunded))
		past.Add(past.Since().Add(-time.Hour), billing.CutRefunded, 1_000_000) // too old
		past.Add(noon.Add(2*time.Hour), billing.Spent, 1_000_000)              // of a clock that was ahead
		for range 2 {
			r, err := b.Cut(h, past, noon)
			kind, valid := h.CutKind()
			if err != nil || (r.Kept > 0) != tt.kept || kind != tt.kind || !valid || h.Kept() != tt.kept || b.Last(noon) != tt.last {
				t.Errorf("%s: %+v, %v; kind %v, valid %t, kept %t, last %t", tt.name, r, err, kind, valid, h.Kept(), b.Last(noon))
			}
		}
		want := book.Sum{}
		if tt.kind != 0 {
			want = book.Sum{Credits: 50, Requests: 1}
		}
		if got := b.Changes.Sum(book.Hour{Account: 1, Start: noon, Kind: tt.kind}); got != want {
			t.Errorf("%s: %+v in the hour; want %+v", tt.name, got, want)
		}
		if left := 2600 - 50; tt.kept && b.Available(noon) != left || !tt.kept && b.Available(noon) != 2600 {
			t.Errorf("%s: %d credits are left", tt.name, b.Available(noon))
		}
	}
	for _, h := range []book.Hold{
		{State: book.Settled, Cut: 5, Used: 4},
		{State: book.Settled, Cut: 5, Used: 5, Batch: true},
		{State: book.Released, Cut: 5, Used: 0, Held: 6, Batch: true},
		{State: book.Held, Cut: 5, Held: 5, Batch: true},
		{State: book.Released, Cut: 5, Held: 5},
	} {
		if _, valid := h.CutKind(); valid {
			t.Errorf("%+v is valid", h)
		}
	}
	if got, want := book.OldHours(noon), time.Date(2026, 6, 23, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("hours before %v are old; want %v", got, want)
	}
}

func TestChecks(t *testing.T) {
	for _, h := range []billing.Hold{{}, {ID: strings.Repeat("x", book.MaxHoldID+1)}, {ID: "x", Credits: -1}, {ID: "x", Credits: billing.MaxCredits + 1}} {
		if book.CheckHold(&h) == nil {
			t.Errorf("%+v was accepted", h)
		}
	}
	for _, h := range []billing.Hold{{ID: strings.Repeat("x", book.MaxHoldID)}, {ID: "x", Credits: billing.MaxCredits}, {ID: "x", TTL: 1}} {
		ttl := h.TTL
		if err := book.CheckHold(&h); err != nil || ttl != 0 && h.TTL != ttl {
			t.Errorf("%+v: %v", h, err)
		}
	}
	h := billing.Hold{ID: "x"}
	if err := book.CheckHold(&h); err != nil || h.TTL != billing.DefaultTTL {
		t.Errorf("%+v, %v", h, err)
	}
	if book.CheckUsed(-1) == nil || book.CheckUsed(0) != nil {
		t.Error("settlements of -1 and 0 credits")
	}
}
