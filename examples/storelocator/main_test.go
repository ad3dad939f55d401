package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
)

func TestRun(t *testing.T) {
	var b strings.Builder
	if err := run(t.Context(), &b, "98112", 3); err != nil {
		t.Fatal(err)
	}
	want := `Pike Place       Seattle 98101   2.3 miles
Bellevue Square  Bellevue 98004  4.3 miles
Ballard          Seattle 98107   4.5 miles
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if err := run(t.Context(), &b, "99999", 3); !errors.Is(err, postgeo.ErrNotFound) {
		t.Errorf("an unknown code: %v", err)
	}
}
