package table_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
)

// TestResults stores far more results than the cache holds. The remaining ones must
// have the cells of their keys.
func TestResults(t *testing.T) {
	a := table.NewResults()
	const n = 40_000
	var workers sync.WaitGroup
	for w := range 4 {
		workers.Go(func() {
			for i := w; i < n; i += 2 { // two workers share each key
				a.Put(fmt.Sprint("key ", i), fmt.Sprint("cells of ", i, strings.Repeat(" ", i%4000)))
			}
		})
	}
	workers.Wait()
	kept := 0
	for i := range n {
		cells, ok := a.Get(fmt.Sprint("key ", i))
		if !ok {
			continue
		}
		kept++
		if want := fmt.Sprint("cells of ", i, strings.Repeat(" ", i%4000)); cells != want {
			t.Fatalf("key %d has the cells %q", i, cells)
		}
	}
	if kept == 0 || kept == n {
		t.Errorf("%d of %d results remain", kept, n)
	}
	if size := a.Size(); size > 64<<20 {
		t.Errorf("the cache holds %d bytes", size)
	}
	if _, ok := a.Get("key"); ok {
		t.Error("an unknown key has a result")
	}
}

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
	if _, err := table.Run(t.Context(), src, sink, e, keys, table.RunOptions{Workers: 1}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
