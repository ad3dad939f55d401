package table_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
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
			want[i] = append(append([]string(nil), row...), values[0].String(), values[1].String(), string(out.Status), out.Reason)
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
	var b bytes.Buffer
	var err error
	switch f {
	case table.NDJSON:
		for _, row := range in {
			object := map[string]string{}
			for i, cell := range row {
				object[head[i]] = cell
			}
			err = errors.Join(err, json.NewEncoder(&b).Encode(object)) // keys are sorted, as head is
		}
	case table.Parquet:
		group := parquet.Group{}
		for _, name := range head {
			group[name] = parquet.String()
		}
		w := parquet.NewGenericWriter[any](&b, parquet.NewSchema("in", group), parquet.MaxRowsPerRowGroup(500))
		for _, row := range in {
			values := make(parquet.Row, len(row))
			for i, cell := range row {
				values[i] = parquet.ByteArrayValue([]byte(cell)).Level(0, 0, i)
			}
			_, failed := w.WriteRows([]parquet.Row{values})
			err = errors.Join(err, failed)
		}
		err = errors.Join(err, w.Close())
	default:
		w := csv.NewWriter(&b)
		w.Comma = map[table.Format]rune{table.CSV: ',', table.TSV: '\t'}[f]
		err = w.WriteAll(append([][]string{head}, in...))
	}
	if err = errors.Join(err, os.WriteFile(path, b.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// read returns the header and the rows of an output as texts.
func read(t *testing.T, path string, f table.Format) (list [][]string) {
	t.Helper()
	switch text := readFile(t, path); f {
	case table.NDJSON:
		for line := range strings.Lines(text) {
			var head, row []string
			in := json.NewDecoder(strings.NewReader(line))
			_, err := in.Token()
			for err == nil && in.More() {
				var value any
				key, bad := in.Token()
				err = errors.Join(bad, in.Decode(&value))
				if value == nil {
					value = ""
				}
				head, row = append(head, fmt.Sprint(key)), append(row, fmt.Sprint(value))
			}
			if err != nil {
				t.Fatalf("%v in %s", err, line)
			}
			if list == nil {
				list = append(list, head)
			}
			list = append(list, row)
		}
	case table.Parquet:
		var head []string
		for _, field := range parquetFile(t, text).Schema().Fields() {
			head = append(head, field.Name())
		}
		list = append(list, head)
		for _, row := range rowsOf(t, text) {
			texts := make([]string, len(head))
			for i, v := range row {
				if !v.IsNull() {
					texts[i] = v.String()
				}
			}
			list = append(list, texts)
		}
	default:
		r := csv.NewReader(strings.NewReader(text))
		r.Comma = map[table.Format]rune{table.CSV: ',', table.TSV: '\t'}[f]
		var err error
		if list, err = r.ReadAll(); err != nil {
			t.Fatal(err)
		}
	}
	return list
}
