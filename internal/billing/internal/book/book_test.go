package book_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/billing"
	"github.com/postgeo/postgeo/internal/billing/internal/book"
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
	b.Changes.Clear()
	if _, err := b.Settle(h, 2501, noon); err != nil || len(b.Changes.Grants())+len(b.Changes.Holds())+len(b.Changes.Hours()) != 0 {
		t.Errorf("settling again changes something, or fails: %v", err)
	}
	b.Forget(billing.Day(noon).End)
	if len(b.Grants) != 1 || b.Grants[0].Source != billing.PackCredits {
		t.Errorf("tomorrow the book has %d grants; want the pack", len(b.Grants))
	}
	if missing := b.Missing(h); len(missing) != 1 || missing[0] != 1 {
		t.Errorf("missing grants %v; want the day's", missing)
	}
	if _, err := b.Refund(h, noon); !errors.Is(err, billing.ErrUnavailable) {
		t.Errorf("a refund to a grant that is not there: %v", err)
	}
}

// A hold is restored from the grants that it names, or not at all.
func TestRestore(t *testing.T) {
	b := newBook()
	for _, lines := range [][]book.Line{{{Grant: 2, Held: 101}}, {{Grant: 1, Held: 1}, {Grant: 2, Held: 101}}, {{Grant: 3, Held: 1}}} {
		if err := b.Restore(&book.Hold{ID: "x", Account: 1, Lines: lines}); !errors.Is(err, billing.ErrUnavailable) {
			t.Errorf("%v: %v", lines, err)
		}
	}
	if n := b.Available(noon); n != 2600 {
		t.Errorf("%d credits after holds that cannot be restored; want 2600", n)
	}
	h := &book.Hold{ID: "x", Account: 1, Held: 100, Lines: []book.Line{{Grant: 2, Held: 100}}}
	if err := b.Restore(h); err != nil || b.Available(noon) != 2500 || b.Balance(noon).Held != 100 {
		t.Errorf("%v, %+v", err, b.Balance(noon))
	}
}

func TestChecks(t *testing.T) {
	for _, h := range []billing.Hold{{}, {ID: strings.Repeat("x", book.MaxHoldID+1)}, {ID: "x", Credits: -1}, {ID: "x", Credits: billing.MaxCredits + 1}} {
		if book.CheckHold(&h) == nil {
			t.Errorf("%+v was accepted", h)
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
