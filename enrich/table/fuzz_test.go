package table_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/enrich/table"
)

// FuzzCSV reads any text. What encoding/csv reads of it comes out with the
// values behind each row.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"zip,n\n90210,1\n", "\ufeffzip\r\n90210\r\n\r\n", "zip,\"n\n\"\"x\"\n\"9\"\"\",\n", "zip\n\n\n", "zip,n\n1\n1,2,3\n", "\"zip\"x,n\n\"a", "zip,a\n\",\",\r\n", "sep=;\nzip;a\n1;2\n", ",\"\"\n0,\n"} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text string, lenient bool) {
		j := job{names: table.Names{Code: "#1"}, add: []string{"city"}} // finds delimiter and encoding
		_, _, _ = j.stream(t, text)
		j.in = table.Input{Format: table.CSV, Delimiter: ',', Encoding: "utf-8", Lenient: lenient}
		got, sum, err := j.stream(t, text)
		if err != nil {
			return
		}
		want, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff"))).ReadAll()
		if err != nil || len(want) == 0 || len(want[0]) < 2 || strings.Join(want[0], "") == "" {
			return // encoding/csv is stricter, and leaves blank lines of one column out; a blank line is no header
		}
		if sum.Rows != int64(len(want)-1) {
			t.Fatalf("%d rows of %q, want %d", sum.Rows, text, len(want)-1)
		}
		out, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(got, "\ufeff"))).ReadAll()
		if err != nil {
			t.Fatalf("%q gives %q: %v", text, got, err)
		}
		for i, row := range want {
			if len(out[i]) != len(row)+3 || !slices.Equal(out[i][:len(row)], row) {
				t.Fatalf("row %d of %q is %q, want %q", i, text, out[i], row)
			}
		}
	})
}

// FuzzNDJSON reads any text. Every object comes out with its members, and
// three more.
func FuzzNDJSON(f *testing.F) {
	for _, seed := range []string{`{"zip":"90210"}`, "{}\n{\"zip\":1,\"zip\":\"\\u0039\"}\n", "{\"a\":[{\"}\":\"\\\"\"}],\"zip\":null }\n", "[1]\n", "{\"zip\":\"90210\"\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		j := job{in: table.Input{Format: table.NDJSON, Encoding: "utf-8"}, names: table.Names{Code: "zip"}, add: []string{"city"}}
		got, sum, err := j.stream(t, text)
		if err != nil {
			return
		}
		out := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
		n := 0
		for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
			if strings.Trim(line, " \t\r\n") == "" {
				continue
			}
			var before, after map[string]json.RawMessage
			if err := json.Unmarshal([]byte(line), &before); err != nil {
				t.Fatalf("%q was read: %v", line, err)
			}
			if err := json.Unmarshal([]byte(out[n]), &after); err != nil {
				t.Fatalf("%q gives %q: %v", line, out[n], err)
			}
			if len(after) != len(before)+3 {
				t.Fatalf("%q gives %q", line, out[n])
			}
			for k, v := range before {
				if !bytes.Equal(after[k], v) {
					t.Fatalf("%q gives %q: %q differs", line, out[n], k)
				}
			}
			n++
		}
		if sum.Rows != int64(n) {
			t.Fatalf("%d rows of %d", sum.Rows, n)
		}
	})
}

// FuzzParquet reads damaged files: none may bring the process down.
func FuzzParquet(f *testing.F) {
	type row struct {
		ZIP  string   `parquet:"zip,dict"`
		N    *int32   `parquet:"n,optional"`
		List []string `parquet:"list"`
	}
	n := int32(7)
	var whole bytes.Buffer
	check(f, parquet.Write(&whole, []row{{"90210", &n, []string{"a"}}, {"10001", nil, nil}}, parquet.Compression(&parquet.Snappy)))
	f.Add(whole.Bytes())
	f.Add(whole.Bytes()[:whole.Len()/2])
	f.Add([]byte("PAR1PAR1"))
	f.Fuzz(func(t *testing.T, data []byte) {
		j := job{in: table.Input{Format: table.Parquet}, names: table.Names{Code: "#1"}, add: []string{"city"}}
		_, _, _ = j.stream(t, string(data))
	})
}

// FuzzSheet reads any sheet. Its rows come out in a sheet that can be read again.
func FuzzSheet(f *testing.F) {
	f.Add(customerSheet(f))
	f.Add(`<w:worksheet><w:sheetData><w:row r="2"><w:c r="B2" t="s"><w:v>0</w:v></w:c></w:row><w:row><w:c t="b"><w:f>A&amp;1</w:f><w:v>1</w:v></w:c></w:row></w:sheetData></w:worksheet>`)
	f.Add("<sheetData><row><c><is><t>0</t></is></c>")
	f.Fuzz(func(t *testing.T, sheet string) {
		j := job{in: table.Input{Sheet: "Customers", Lenient: true}, names: table.Names{Code: "#1"}, add: []string{"x=city"}}
		got, sum, err := j.stream(t, workbook(t, sheet))
		if err != nil {
			return
		}
		j.out, j.add = table.Output{Format: table.CSV, Status: "s2", Reason: "r2"}, []string{"y=city"}
		if _, again, err := j.stream(t, got); err != nil || again.Rows != sum.Rows {
			t.Fatalf("%q: %d rows, then %d, %v", sheet, sum.Rows, again.Rows, err)
		}
	})
}

// BenchmarkRun enriches a table of 6,000 rows. An operation is a row.
func BenchmarkRun(b *testing.B) {
	const n = 6000
	text := customers(n)
	for rows := 0; b.Loop(); rows++ {
		if rows%n > 0 {
			continue
		}
		j := job{add: []string{"city", "county_fips"}}
		if sum, err := j.pipe(b, strings.NewReader(text), io.Discard); err != nil || sum.Rows != n {
			b.Fatal(sum, err)
		}
	}
}
