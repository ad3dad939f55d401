package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
)

func TestRun(t *testing.T) {
	var b strings.Builder
	if err := run(t.Context(), &b, "", "98112", 3); err != nil {
		t.Fatal(err)
	}
	want := `Pike Place       Seattle 98101   1.9 miles
Ballard          Seattle 98107   4.5 miles
Bellevue Square  Bellevue 98004  4.7 miles
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if err := run(t.Context(), &b, "", "99999", 3); !errors.Is(err, postgeo.ErrNotFound) {
		t.Errorf("an unknown code: %v", err)
	}
}

// User-supplied stores, and the message for one without a location.
func TestRunOwnStores(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.csv")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("\ufeffid,Name,Code\n7,Bellevue,98004\n8,Ottawa,K1A 0B1\n")
	var b strings.Builder
	if err := run(t.Context(), &b, file, "47.61,-122.33", 1); err != nil || !strings.HasPrefix(b.String(), "Bellevue ") {
		t.Errorf("%q, %v", b.String(), err)
	}
	write("name,code\nHere,98004\nNowhere,99999\n")
	err := run(t.Context(), &b, file, "98112", 1)
	if !errors.Is(err, postgeo.ErrNotFound) || !strings.Contains(err.Error(), "line 3: Nowhere: ") {
		t.Errorf("a store in an unknown code: %v", err)
	}
	write("name,code\n")
	if err := run(t.Context(), &b, file, "98112", 1); err == nil || !strings.HasSuffix(err.Error(), "mine.csv has no store; expected a row for each") {
		t.Errorf("no store: %v", err)
	}
}
