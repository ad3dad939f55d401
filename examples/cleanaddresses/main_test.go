package main

import (
	"encoding/csv"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/sampletest"
)

func TestRun(t *testing.T) {
	in, err := os.Open("customers.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var b strings.Builder
	if err := run(t.Context(), in, &b, "address"); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string // id, status, remarks
	for _, row := range rows {
		got = append(got, []string{row[0], row[3], row[6]})
	}
	want := [][]string{
		{"id", "status", "remarks"},
		{"1", "high", ""},
		{"2", "medium", "STREET_CORRECTED"},
		{"3", "medium", "PARTIAL_MATCH SECONDARY_NEEDED"},
		{"4", "unmatched", "No address fits this input."},
		{"5", "unmatched", "Parameter 'address' must have at least 9 characters."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if a, b := rows[1][4], rows[2][4]; a != b || !strings.HasPrefix(a, "1100 CONGRESS AVE, AUSTIN TX 78701-") {
		t.Errorf("two spellings of one address became %q and %q", a, b)
	}
}

func TestRunNeedsTheColumn(t *testing.T) {
	err := run(t.Context(), strings.NewReader("id,street\n1,2\n"), new(strings.Builder), "address")
	if err == nil || !strings.Contains(err.Error(), "id, street") {
		t.Errorf("got %v, want an error that names the columns", err)
	}
}

// TestCleanFails checks that a dataset that fails is not taken for an unmatched address.
func TestCleanFails(t *testing.T) {
	db := sampletest.Open(t)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if c, err := clean(t.Context(), db, "1100 Congress Ave, Austin, TX 78701"); !errors.Is(err, postgeo.ErrClosed) {
		t.Errorf("%+v, %v; want ErrClosed", c, err)
	}
}
