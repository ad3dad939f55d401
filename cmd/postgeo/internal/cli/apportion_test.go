package cli_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// TestApportionKeepsSums counts codes that nothing places in the row without a code.
func TestApportionKeepsSums(t *testing.T) {
	r := world{stdin: "zip,homes\n90210,100\n99999,3\n"}.run("apportion", "-", "zip", "county", "--count", "homes", "-f", "csv")
	if diff := cmp.Diff("to,weight,basis,homes\n,area,largest_area,3\n06037,area,largest_area,100\n", r.stdout); diff != "" || r.code != cli.Done {
		t.Errorf("%v (-want +got):\n%s", r, diff)
	}
}
