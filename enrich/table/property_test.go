package table_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// rows invents rows with everything in them that has to be quoted.
func rows(random *rand.Rand, n, width int) [][]string {
	pieces := []string{"a", "b", ",", "\"", "\n", "\r\n", ";", "'", "ü", " ", "\\", "{", "}", "\t", "=", "7"}
	codes := []string{"90210", "10001", "K1A 0B1", "99999", "", "x", "00601", "M5V", "34.1,-118.415"}
	list := make([][]string, n)
	for i := range list {
		list[i] = make([]string, width)
		for k := range list[i] {
			var b strings.Builder
			for range random.IntN(6) {
				b.WriteString(pieces[random.IntN(len(pieces))])
			}
			list[i][k] = b.String()
		}
		list[i][1] = codes[random.IntN(len(codes))]
	}
	return list
}

// TestRowsInRowsOut runs invented tables through every pair of formats, and
// holds the rows that come out against those that went in and against answers
// one by one.
func TestRowsInRowsOut(t *testing.T) {
	db := sampletest.Shared(t)
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{"city", "location.lat"}})
	if err != nil {
		t.Fatal(err)
	}
	formats := []table.Format{table.CSV, table.TSV, table.NDJSON, table.Parquet}
	random := rand.New(rand.NewPCG(3, 4))
	for round, n := range []int{0, 1, 7, 1100} {
		width := 2 + random.IntN(4)
		in := rows(random, n, width)
		head := []string{"a", "b", "c", "d", "e"}[:width]
		want := make([][]string, n)
		for i, row := range in {
			values, out, err := e.Row(t.Context(), row[1], nil)
			if err != nil {
				t.Fatal(err)
			}
			want[i] = append(append([]string(nil), row...), values[0].String(), values[1].String(), out.Status.String(), out.Reason)
		}
		dir := t.TempDir()
		for _, from := range formats {
			path := filepath.Join(dir, "in."+string(from))
			write(t, path, from, head, in)
			if n == 0 && from == table.NDJSON {
				continue // has no keys
			}
			for _, to := range formats {
				out := filepath.Join(dir, fmt.Sprintf("out-%s.%s", from, to))
				sum, err := job{add: []string{"city", "location.lat"}, names: table.Names{Code: "b"}}.file(t, path, out)
				if err != nil {
					t.Fatalf("round %d, %v to %v: %v", round, from, to, err)
				}
				if sum.Rows != int64(n) {
					t.Errorf("round %d, %v to %v: %d rows, want %d", round, from, to, sum.Rows, n)
				}
				got := read(t, out, to)
				if diff := cmp.Diff(append([][]string{append(append([]string(nil), head...), "city", "location.lat", "postgeo_status", "postgeo_reason")}, normal(want)...), normal(got)); diff != "" && !(n == 0 && to == table.NDJSON) {
					t.Errorf("round %d, %v to %v (-want +got):\n%.2000s", round, from, to, diff)
				}
			}
		}
	}
}

// normal makes of CRLF what readers of CSV make of it.
func normal(rows [][]string) [][]string {
	list := make([][]string, len(rows))
	for i, row := range rows {
		for _, cell := range row {
			list[i] = append(list[i], strings.ReplaceAll(cell, "\r\n", "\n"))
		}
	}
	return list
}

func write(t *testing.T, path string, f table.Format, head []string, in [][]string) {
	t.Helper()
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	switch f {
	case table.NDJSON:
		for _, row := range in {
			line := "{"
			for i, cell := range row {
				k, _ := json.Marshal(head[i])
				v, _ := json.Marshal(cell)
				if i > 0 {
					line += ","
				}
				line += string(k) + ":" + string(v)
			}
			fmt.Fprintln(file, line+"}")
		}
	case table.Parquet:
		group := parquet.Group{}
		for _, name := range head {
			group[name] = parquet.String()
		}
		schema := parquet.NewSchema("in", group)
		w := parquet.NewGenericWriter[map[string]any](file, schema)
		for i, row := range in {
			values := make(parquet.Row, len(row))
			for k, cell := range row {
				column, _ := schema.Lookup(head[k])
				values[column.ColumnIndex] = parquet.ByteArrayValue([]byte(cell)).Level(0, 0, column.ColumnIndex)
			}
			if _, err := w.WriteRows([]parquet.Row{values}); err != nil {
				t.Fatal(err)
			}
			if i%500 == 499 {
				if err := w.Flush(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	default:
		w := csv.NewWriter(file)
		if f == table.TSV {
			w.Comma = '\t'
		}
		if err := w.WriteAll(append([][]string{head}, in...)); err != nil {
			t.Fatal(err)
		}
	}
}

// read returns the header and the rows of an output as texts, in the order of
// the names that the tests use.
func read(t *testing.T, path string, f table.Format) [][]string {
	t.Helper()
	order := []string{"a", "b", "c", "d", "e", "city", "location.lat", "postgeo_status", "postgeo_reason"}
	var list [][]string
	add := func(object map[string]any) {
		var head, row []string
		for _, name := range order {
			v, ok := object[name]
			if !ok {
				continue
			}
			head = append(head, name)
			if v == nil {
				v = ""
			}
			row = append(row, fmt.Sprint(v))
		}
		if list == nil {
			list = append(list, head)
		}
		list = append(list, row)
	}
	switch f {
	case table.NDJSON:
		for line := range strings.Lines(readFile(t, path)) {
			var object map[string]any
			if err := json.Unmarshal([]byte(line), &object); err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			add(object)
		}
		return list
	case table.Parquet:
		return readParquet(t, path)
	default:
		r := csv.NewReader(strings.NewReader(readFile(t, path)))
		if f == table.TSV {
			r.Comma = '\t'
		}
		list, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
}

// readParquet returns the header and the rows of a Parquet file.
func readParquet(t *testing.T, path string) [][]string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	p, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	var head []string
	for _, c := range p.Schema().Columns() {
		head = append(head, c[0])
	}
	list := [][]string{head}
	for _, g := range p.RowGroups() {
		rows := g.Rows()
		buf := make([]parquet.Row, 100)
		for {
			n, err := rows.ReadRows(buf)
			for _, row := range buf[:n] {
				texts := make([]string, len(head))
				for i, v := range row {
					if !v.IsNull() {
						texts[i] = v.String()
					}
				}
				list = append(list, texts)
			}
			if err != nil || n == 0 {
				break
			}
		}
		rows.Close()
	}
	return list
}
