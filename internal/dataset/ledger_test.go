package dataset_test

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/dataset"
)

// TestLedger reads the changes of codes, compares them, and keeps them in an extended
// file.
func TestLedger(t *testing.T) {
	c := small()
	d := open(t, c.file(t))
	want := slices.Clone(c.Ledger)
	slices.SortStableFunc(want, func(a, b dataset.CodeEvent) int { return cmp.Compare(a.Code, b.Code) })
	if diff := gocmp.Diff(want, d.Ledger()); diff != "" {
		t.Errorf("ledger (-want +got):\n%s", diff)
	}
	for code, n := range map[string]int{"00501": 2, "90210": 1, "K1A": 1, "K1A 0B9": 1, "K1A 0B1": 0, "": 0} {
		if got := d.EventsOf(code); len(got) != n {
			t.Errorf("%q has the changes %+v, want %d", code, got, n)
		}
	}
	other := small()
	other.Ledger[1].Successors = nil
	other.Ledger = other.Ledger[:3]
	var changes []dataset.Change
	for change, err := range dataset.Changes(t.Context(), d, open(t, other.file(t))) {
		check(t, err)
		changes = append(changes, change)
	}
	if diff := gocmp.Diff([]dataset.Change{
		{Kind: dataset.KindLedger, Code: "00501", Op: dataset.Changed, Fields: []string{"Successors"}},
		{Kind: dataset.KindLedger, Code: "K1A", Op: dataset.Removed},
		{Kind: dataset.KindLedger, Code: "K1A 0B9", Op: dataset.Removed},
	}, changes); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	path := t.TempDir() + "/more.db"
	w, err := dataset.Extend(path, d)
	check(t, err)
	check(t, w.Finish(d.Manifest()))
	if diff := gocmp.Diff(d.Ledger(), open(t, path).Ledger()); diff != "" {
		t.Errorf("ledger of the extended file (-want +got):\n%s", diff)
	}
	for _, bad := range []dataset.CodeEvent{{Code: "1234", Change: dataset.CodeGone}, {Code: "12345"}, {Code: "12345", Change: 9}, {Code: "12345", Change: 1, Successors: []string{"x"}}} {
		w, err := dataset.Create(t.TempDir() + "/bad.db")
		check(t, err)
		wantError(t, w.SetLedger([]dataset.CodeEvent{bad}), dataset.ErrInvalidRow)
		check(t, w.Abort())
	}
}
