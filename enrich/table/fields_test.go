package table_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/enrich/table"
)

// TestFields reads the columns of an address that is divided into its parts.
func TestFields(t *testing.T) {
	for _, tt := range []struct {
		columns []string
		want    string
	}{
		{[]string{"street=Line", "city=Town", "state=ST"}, (&address.Fields{Street: "350 5th Ave", City: "New York", State: "NY"}).Key()},
		{[]string{"Line", "Town", "ST"}, "350 5th Ave, New York, NY"},
		{[]string{"street=Line", "Town"}, "error: either all named with fields"},
		{[]string{"street=Lines"}, `error: no column "Lines"`},
		{[]string{"a=b"}, "1"},
	} {
		path := filepath.Join(t.TempDir(), "in.csv")
		if err := os.WriteFile(path, []byte("id,Line,Town,ST,a=b\n7,350 5th Ave,New York,NY,1\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := table.Open(path, table.Input{})
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		keys, err := src.FindKeys(table.Names{Address: tt.columns})
		if err != nil {
			if want, ok := strings.CutPrefix(tt.want, "error: "); !ok || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %v", tt.columns, err)
			}
			continue
		}
		for row, err := range src.Places(keys) {
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, row.Key); diff != "" {
				t.Errorf("%v (-want +got):\n%s", tt.columns, diff)
			}
		}
	}
}
