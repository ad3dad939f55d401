package table_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
)

// TestRepeatedKeys enriches rows whose cells are alike when joined, and rows that
// repeat, in each format.
func TestRepeatedKeys(t *testing.T) {
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, in := range []string{
		"zip\n90210\n60601\n90210\n\"90210\"\n 90210\n00000\n00000\nx\n60601\n",
		"lat,lon\n34.09,-118.4\n34.0,9-118.4\n34.09,-118.4\n34.0,9\n34.0,9\n",
	} {
		for _, format := range []table.Format{table.CSV, table.NDJSON} {
			whole := enriched(t, db, in, format)
			head, rows, _ := strings.Cut(in, "\n")
			var single []string
			for row := range strings.Lines(rows) {
				out := enriched(t, db, head+"\n"+row, format)
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

func enriched(t *testing.T, db *postgeo.DB, in string, format table.Format) string {
	t.Helper()
	src, err := table.Read(strings.NewReader(in), table.Input{Format: table.CSV, Lenient: true})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	keys, err := src.FindKeys(table.Names{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := enrich.New(db, enrich.Options{Kind: keys.Kind, Add: []string{"city", "state", "elevation.ft"}})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	sink, err := table.Stream(&out, src, e, table.Output{Format: format})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Run(t.Context(), src, sink, e, keys, table.RunOptions{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
