package cli_test

import (
	"strings"
	"testing"
)

// TestEnrichOutcomes holds summary and exit code by what became of the rows.
func TestEnrichOutcomes(t *testing.T) {
	code, address := []string{"--code", "a", "--add", "city"}, []string{"--address", "a", "--add", "address.confidence"}
	const ragged = "a row that cannot be"
	tests := []struct {
		name   string
		rows   string
		args   []string
		code   int
		strict int // exit code with --strict
		want   string
	}{
		{"all", "90210\n10001\n", code, 0, 0, "2 rows in TIME: 2 matched\n"},
		{"a larger code", "K1A 9Z9\nM5V 9Z9\n", code, 0, 0, "2 rows in TIME: 2 fallback\n"},
		{"some", "90210\n99999\n", code, 0, 1, "2 rows in TIME: 1 matched, 1 not_found\n"},
		{"of all kinds", "90210\nx\n99999\n\nK1A 9Z9\n", code, 0, 1, "5 rows in TIME: 1 matched, 1 fallback, 1 empty, 1 invalid, 1 not_found\n"},
		{"none", "99999\n", code, 1, 1, "1 rows in TIME: 1 not_found\n"},
		{"invalid", "x\n", code, 1, 1, "1 rows in TIME: 1 invalid\n"},
		{"empty cells", "\n\n", code, 1, 1, "2 rows in TIME: 2 empty\n"},
		{"no rows", "", code, 0, 0, "0 rows in TIME\n"},
		{"lost zeros", "501\n90210\n", code, 0, 0, "1 codes that a spreadsheet had changed were repaired"},
		{"addresses", "\"350 5th Ave, New York NY 10118\"\n\"1 Nowhere Blvd, New York NY 10118\"\n\"New York NY\"\n", address, 0, 1, "3 rows in TIME: 1 matched, 1 not_found, 1 insufficient\n"},
		{ragged, "90210\n\"x\n", code, 1, 1, "1 rows in TIME: 1 matched\n"},
		{"wrong use", "90210\n", []string{"--add", "nonsense"}, 2, 2, "nonsense"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, strict := range []bool{false, true} {
				args, code := append([]string{"enrich"}, tt.args...), tt.code
				if strict {
					args, code = append(args, "--strict"), tt.strict
				}
				got := world{stdin: "a\n" + tt.rows}.run(args...)
				if text := took.ReplaceAllString(got.stderr, " rows in TIME"); got.code != code || !strings.Contains(text, tt.want) {
					t.Errorf("%v: exit code %d and %q, want %d and %q", args, got.code, text, code, tt.want)
				}
				if n := strings.Count(got.stdout, "\n"); code != 2 && tt.name != ragged && n != strings.Count(tt.rows, "\n")+1 {
					t.Errorf("%v: %d lines of %q", args, n, tt.rows)
				}
			}
		})
	}
}
