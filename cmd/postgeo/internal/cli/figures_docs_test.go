package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/dataset/builder"
)

// A keptTable is a table that a benchmark wrote to bench/results.
type keptTable struct {
	columns, rule []string
	rows          [][]string
}

// readKept reads the table under a title of a file.
func readKept(t *testing.T, file, title string) (table keptTable) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(docs, "../bench/results", file+".md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(data), "\n## "+title+"\n\n")
	if !ok {
		t.Fatalf("bench/results/%s.md has no table %q", file, title)
	}
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		table.rows = append(table.rows, cellsOf(line))
	}
	if len(table.rows) < 3 {
		t.Fatalf("bench/results/%s.md: table %q has no rows", file, title)
	}
	table.columns, table.rule, table.rows = table.rows[0], table.rows[1], table.rows[2:]
	return table
}

func cellsOf(line string) []string {
	line = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(line), "| "), " |")
	return strings.Split(line, " | ")
}

// cell returns the cell of a row and a column.
func (k keptTable) cell(t *testing.T, row, column string) string {
	t.Helper()
	c := slices.Index(k.columns, column)
	for _, r := range k.rows {
		if r[0] == row && c >= 0 {
			return r[c]
		}
	}
	t.Fatalf("no row %q or no column %q in %v", row, column, k.columns)
	return ""
}

// figures returns a generator of a table of bench/results with the given columns, or
// all.
func figures(file, title string, columns ...string) func(*testing.T) string {
	return func(t *testing.T) string { return readKept(t, file, title).markdown(t, columns...) }
}

// someFigures is like figures for the rows with the given names.
func someFigures(file, title string, names ...string) func(*testing.T) string {
	return func(t *testing.T) string {
		table := readKept(t, file, title)
		table.rows = slices.DeleteFunc(table.rows, func(r []string) bool { return !slices.Contains(names, r[0]) })
		if len(table.rows) != len(names) {
			t.Fatalf("not all of %q in bench/results/%s.md", names, file)
		}
		return table.markdown(t)
	}
}

// markdown writes the given columns, or all.
func (k keptTable) markdown(t *testing.T, columns ...string) string {
	t.Helper()
	var at []int
	for i, name := range k.columns {
		if len(columns) == 0 || slices.Contains(columns, name) {
			at = append(at, i)
		}
	}
	if len(columns) > 0 && len(at) != len(columns) {
		t.Fatalf("not all of %q in %q", columns, k.columns)
	}
	var b strings.Builder
	for _, row := range append([][]string{k.columns, k.rule}, k.rows...) {
		for _, i := range at {
			b.WriteString("| " + row[i] + " ")
		}
		b.WriteString("|\n")
	}
	return "\n" + b.String() + "\n"
}

// readmeSpeed is the README's table of a lookup and of searches, with peers.
func readmeSpeed(t *testing.T) string {
	operations, searches := readKept(t, "operations", "operations"), readKept(t, "peers", "searches")
	columns := searches.columns[:4]
	searches.rows = slices.DeleteFunc(searches.rows, func(r []string) bool {
		return !slices.Contains([]string{"codes within 50 miles, exact and sorted", "nearest code", "share of every area within 50 miles", "area that contains a point"}, r[0])
	})
	lookup := []string{
		"look up a code", operations.cell(t, "quick lookup of a ZIP Code", "median"),
		operations.cell(t, "ZIP Code by `database/sql`, for comparison", "median"), "", "",
	}
	searches.rows = append([][]string{lookup}, searches.rows...)
	return searches.markdown(t, columns...)
}

// readmeAddresses writes the README's scores of addresses.
func readmeAddresses(t *testing.T) string {
	cases := readKept(t, "address", "cases")
	const recall, precision = "with a match: recall", "matched: precision"
	return fmt.Sprintf("\nOf %s labeled addresses with a record, %s are found. Of %s matches, %s are wrong.\n\n",
		cases.cell(t, recall, "number"), cases.cell(t, recall, "right"), cases.cell(t, precision, "number"), cases.cell(t, precision, "wrong matches"))
}

// readmeBulk writes the README's figures for tables and for opening a dataset.
func readmeBulk(t *testing.T) string {
	formats, national := readKept(t, "enrich", "formats"), readKept(t, "growth", "builds")
	return fmt.Sprintf("\n`enrich` adds two fields to %s rows of CSV per second. Opening the national file with all layers takes %s.\n\n",
		formats.cell(t, "csv", "rows/s"), national.cell(t, "national, `all`", "opening"))
}

// download returns the size of the files of all layers of a build that are not built by
// their names only, or of one layer.
func download(layer string) string {
	built := map[string]bool{}
	for _, l := range builder.Layers() {
		built[string(l.Name)] = layer == string(l.Name) || layer == "all" && !l.Named
	}
	var size int64
	for _, s := range builder.Catalog() {
		for _, of := range s.Layers {
			if built[string(of)] && !s.UserSupplied && !s.MirrorOnly {
				size += s.Size
				break
			}
		}
	}
	return progress.Bytes(size)
}

// readmeSizes writes the README's sizes of downloads.
func readmeSizes(t *testing.T) string {
	return fmt.Sprintf("\nA build of the layer identity downloads %s from publishers such as GeoNames, the Census Bureau and\n"+
		"Statistics Canada; `--layers all` downloads %s.\n\n",
		download("identity"), download("all"))
}

// requirements writes the resources that builds take.
func requirements(t *testing.T) string {
	builds := readKept(t, "growth", "builds")
	cell := func(column string) [2]string {
		return [2]string{builds.cell(t, "national, `identity`", column), builds.cell(t, "national, `all`", column)}
	}
	text := "\n| resource, on two cores | layer `identity` | `--layers all` |\n| --- | ---: | ---: |\n"
	for _, row := range []struct {
		name   string
		values [2]string
	}{
		{"downloads, kept for the next build", [2]string{download("identity"), download("all")}},
		{"the dataset; twice that during an update", cell("file")},
		{"memory", cell("memory")},
		{"time after the downloads, without the survey", cell("time")},
	} {
		text += fmt.Sprintf("| %s | %s | %s |\n", row.name, row.values[0], row.values[1])
	}
	return text + "\n"
}
