package table_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/enrich/table"
)

// TestRepeatedKeys enriches rows whose cells are alike when joined, and rows that
// repeat, in each format.
func TestRepeatedKeys(t *testing.T) {
	for _, in := range []string{
		"zip\n90210\n60601\n90210\n\"90210\"\n 90210\n00000\n00000\nx\n60601\n",
		"lat,lon\n34.09,-118.4\n34.0,9-118.4\n34.09,-118.4\n34.0,9\n34.0,9\n",
	} {
		for _, format := range []table.Format{table.CSV, table.NDJSON} {
			whole := enriched(t, in, format)
			head, rows, _ := strings.Cut(in, "\n")
			var single []string
			for row := range strings.Lines(rows) {
				out := enriched(t, head+"\n"+row, format)
				if format == table.CSV {
					_, out, _ = strings.Cut(out, "\n")
				}
				single = append(single, out)
			}
			if format == table.CSV {
				_, whole, _ = strings.Cut(whole, "\n")
			}
			if want := strings.Join(single, ""); whole != want {
				t.Errorf("rows together:\n%s\neach by itself:\n%s", whole, want)
			}
		}
	}
}

func enriched(t *testing.T, in string, format table.Format) string {
	t.Helper()
	j := job{in: table.Input{Format: table.CSV, Lenient: true}, out: table.Output{Format: format}, add: []string{"city", "state", "elevation.ft"}}
	out, _, err := j.stream(t, in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
