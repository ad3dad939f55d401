package cli_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/lookuptest"
)

func TestAddressUse(t *testing.T) {
	fails(t, world{}, []failure{
		{"address x --include timezone", 2, `unknown enrichment "timezone"`},
		{"address --parse " + strings.Repeat("a ", 260), 1, "at most 500 characters"},
		{"address 1 A St", 1, "at least 9 characters"},
		{"address", 2, "missing address"},
		{"address x --city Ely", 2, "exclude addresses"},
	})
}

// TestAddressParts matches and parses an address that is divided into its parts.
func TestAddressParts(t *testing.T) {
	parts := []string{"address", "--street", "350 5th Ave", "--unit", "500", "--city", "New York", "--state", "NY", "--zip", "10118", "--country", "US"}
	for flag, want := range map[string]string{"": `"address_line1":"350 5TH AVE STE 500"`, "--parse": `"secondary_number":"500"`} {
		if got := (world{}).run(append(parts, strings.Fields(flag)...)...); got.code != 0 ||
			!strings.Contains(got.stdout, `"input":{"address":"350 5th Ave, 500, New York, NY 10118, US"}`) || !strings.Contains(got.stdout, want) {
			t.Errorf("%s: %v", flag, got)
		}
	}
}

// TestAddressNoRecords holds that a dataset without streets denies no address:
// the command fails and tells what is missing, once for a whole file.
func TestAddressNoRecords(t *testing.T) {
	data := lookuptest.Bare(t)
	for _, args := range [][]string{{"1 Main St 90210"}, {"1 Main St 90210", "2 Main St 90210", "--format", "jsonl"}} {
		got := world{}.run(append([]string{"address", "--data", data}, args...)...)
		want := `dataset: The address "1 Main St 90210" cannot be matched: this dataset holds no address records.`
		if got.code != 1 || got.stdout != "" || strings.Count(got.stderr, "cannot be matched") != 1 || !strings.Contains(got.stderr, want) || !strings.Contains(got.stderr, "--addrfeat") {
			t.Errorf("%v: %s\nwant exit code 1 and %s", args, got, want)
		}
	}
}
