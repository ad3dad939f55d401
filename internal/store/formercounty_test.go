package store_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

// TestFormerCounties checks the table: codes of one state, ascending, and no successor
// that ended itself.
func TestFormerCounties(t *testing.T) {
	compare := func(a, b store.FormerCounty) int { return strings.Compare(a.FIPS, b.FIPS) }
	if !slices.IsSortedFunc(store.FormerCounties, compare) {
		t.Error("the counties do not ascend")
	}
	for _, f := range store.FormerCounties {
		if len(f.Successors) == 0 || !slices.IsSorted(f.Successors) || f.Ended < 1970 || len(f.State) != 2 {
			t.Errorf("%+v is incomplete", f)
		}
		for _, s := range f.Successors {
			if _, ended := store.FormerCountyOf(s); ended || len(s) != 5 || s[:2] != f.FIPS[:2] {
				t.Errorf("%s, %s has the successor %s", f.Name, f.State, s)
			}
		}
	}
	f, _ := store.FormerCountyOf("09003")
	got := f.Report(func(fips string) string { return map[string]string{"09110": "Capitol Planning Region"}[fips] })
	if want := "Hartford County, CT (09003) ended in 2022; its area is now in 09110 (Capitol Planning Region), 09140, 09160"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}
