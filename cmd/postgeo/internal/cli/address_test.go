package cli_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
)

// TestAddressParse holds readings, which need no dataset.
func TestAddressParse(t *testing.T) {
	tests := []struct {
		name string
		args []string
	}{
		{"address-parse-json", []string{"address", "--parse", "John Q Smith, 5515-A N.W. 3rd Str Apt. 4, Alexandria VA 223111234", "--format", "json"}},
		{"address-parse-several", []string{"address", "--parse", "POB 12, Ely MN 55731", "RR 2 BOX 18 Ely MN", "--format", "csv"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name, world{}.run(tt.args...).String())
		})
	}
}

func TestAddressUse(t *testing.T) {
	tests := map[string]struct {
		args []string
		code int
		want string
	}{
		"include":   {[]string{"address", "x", "--include", "timezone"}, 2, `unknown enrichment "timezone"`},
		"too long":  {[]string{"address", "--parse", strings.Repeat("a ", 260)}, 1, "at most 500 characters"},
		"too short": {[]string{"address", "1 A St"}, 1, "at least 9 characters"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := world{}.run(tt.args...)
			if got.code != tt.code || !strings.Contains(got.stderr, tt.want) || tt.code == 2 && got.stdout != "" {
				t.Errorf("%v: exit code %d and %q, want %d and %q", tt.args, got.code, got.stderr, tt.code, tt.want)
			}
		})
	}
}

// TestAddressNoRecords holds that a dataset without streets denies no address:
// the command fails and tells what is missing, once for a whole file.
func TestAddressNoRecords(t *testing.T) {
	dir := t.TempDir()
	data, err := lookuptest.WriteBare(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"1 Main St 90210"}, {"1 Main St 90210", "2 Main St 90210", "--format", "jsonl"}} {
		got := world{}.run(append([]string{"address", "--data", data}, args...)...)
		want := `dataset: The address "1 Main St 90210" cannot be matched: this dataset holds no address records.`
		if got.code != 1 || got.stdout != "" || strings.Count(got.stderr, "cannot be matched") != 1 || !strings.Contains(got.stderr, want) || !strings.Contains(got.stderr, "--addrfeat") {
			t.Errorf("%v: %s\nwant exit code 1 and %s", args, got, want)
		}
	}
}
