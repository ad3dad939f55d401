package udf_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/udf"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// function returns a function with fields of the sample.
func function(t testing.TB, kind enrich.Kind, format udf.Format, add ...string) *udf.Function {
	t.Helper()
	e, err := enrich.New(sampletest.Shared(t), enrich.Options{Kind: kind, Add: add})
	if err != nil {
		t.Fatal(err)
	}
	return &udf.Function{Enricher: e, Kind: kind, Format: format, Result: "result", MaxRow: 1 << 10, Workers: 3}
}

func TestServe(t *testing.T) {
	codes := function(t, enrich.Code, udf.TSV, "city", "county_fips")
	chunks, status := *codes, *function(t, enrich.Code, udf.TSV, "city")
	chunks.Chunks, status.Status = true, true
	object := *function(t, enrich.Code, udf.JSON, "city")
	object.Status = true
	for _, tt := range []struct {
		name     string
		f        *udf.Function
		in, want string
		broken   int64
	}{
		{"codes", codes, "90210\n10001\r\n M5V \nnone\n\\N\n\n", "Beverly Hills\t06037\nNew York\t36061\nToronto\t\\N\n\\N\t\\N\n\\N\t\\N\n\\N\t\\N\n", 0},
		{"no line end", codes, "90210", "Beverly Hills\t06037\n", 0},
		{"nothing", codes, "", "", 0},
		{"too many cells", codes, "90210\t1\n90210\t1\n10001\n", "\\N\t\\N\n\\N\t\\N\nNew York\t36061\n", 2},
		{"escapes", function(t, enrich.Text, udf.TSV, "suggest.name"), "Beverly\\tHills\\, CA\n", "Beverly Hills\n", 0},
		{"coordinates", function(t, enrich.Coordinates, udf.TSV, "city"), "34.09\t-118.41\n34.09\n\\N\t\\N\n91\t0\n", "Beverly Hills\n\\N\n\\N\n\\N\n", 1},
		{"status", &status, "90210\n1\t2\n", "Beverly Hills\tmatched\t\\N\n\\N\tinvalid\tthe row cannot be read\n", 1},
		{"a list is a cell", function(t, enrich.Code, udf.TSV, "area_codes"), "90210\n", "310; 424\n", 0},
		{"chunks", &chunks, "2\n90210\n10001\n0\n1\n90210\n", "Beverly Hills\t06037\nNew York\t36061\nBeverly Hills\t06037\n", 0},
		{"JSON", function(t, enrich.Code, udf.JSON, "city"), `{"a":"90210"}` + "\n" + `["10001"]` + "\n" + `{"a":10001}` + "\n" + `{"a":null}` + "\n", `{"result":"Beverly Hills"}` + "\n" + `["New York"]` + "\n" + `{"result":"New York"}` + "\n" + `{"result":null}` + "\n", 0},
		{"JSON, several", &object, `["90210"]` + "\n" + `{"a":[1]}` + "\n", `[{"city":"Beverly Hills","status":"matched","reason":null}]` + "\n" + `{"result":{"city":null,"status":"invalid","reason":"the row cannot be read"}}` + "\n", 1},
		{"JSON, broken", function(t, enrich.Code, udf.JSON, "city"), "90210\n{\n{}\n[]\n[\"90210\"]x\n[\"90210\",\"1\"]\nnull\n", strings.Repeat("{\"result\":null}\n", 3) + "[null]\n[null]\n[null]\n{\"result\":null}\n", 7},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			counts, err := tt.f.Serve(t.Context(), strings.NewReader(tt.in), &out)
			if err != nil || out.String() != tt.want || counts.Broken != tt.broken {
				t.Errorf("got %q, %+v, %v; want %q, %d broken", out.String(), counts, err, tt.want, tt.broken)
			}
		})
	}
}

func TestServeErrors(t *testing.T) {
	f := function(t, enrich.Code, udf.TSV, "city")
	f.Chunks = true
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name, in, want string
		ctx            context.Context
		out            io.Writer
	}{
		{"a chunk without a number", "0\n90210x\n", `a chunk begins with "90210x"`, nil, nil},
		{"a chunk of letters", "x\n", `a chunk begins with "x"; expected its number of rows`, nil, nil},
		{"a negative chunk", "-1\n", `a chunk begins with "-1"`, nil, nil},
		{"a chunk that ends early", "3\n90210\n", "the input ends 2 rows before the end of a chunk", nil, nil},
		{"a long row", "1\n" + strings.Repeat("9", 2000), "a row is longer than 1024 bytes", nil, nil},
		{"the context", "1\n90210\n", context.Canceled.Error(), canceled, nil},
		{"the output", "1\n90210\n", io.ErrClosedPipe.Error(), nil, closed{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, out := tt.ctx, tt.out
			if ctx == nil {
				ctx = t.Context()
			}
			if out == nil {
				out = io.Discard
			}
			if _, err := f.Serve(ctx, strings.NewReader(tt.in), out); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestPause checks that a result arrives while the input stays open.
func TestPause(t *testing.T) {
	f := function(t, enrich.Code, udf.TSV, "city")
	in, rows := io.Pipe()
	results, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		_, err := f.Serve(t.Context(), in, out)
		done <- errors.Join(err, out.Close())
	}()
	for range 3 {
		if _, err := io.WriteString(rows, "90210\n"); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len("Beverly Hills\n"))
		if _, err := io.ReadFull(results, got); err != nil || string(got) != "Beverly Hills\n" {
			t.Fatalf("%q, %v", got, err)
		}
	}
	rows.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// TestOrder compares many rows, which several goroutines evaluate, with single rows.
func TestOrder(t *testing.T) {
	f := function(t, enrich.Code, udf.TSV, "code", "city")
	var in, want strings.Builder
	for i := range 5000 {
		code := []string{"90210", "10001", "M5V", "bad", fmt.Sprintf("%05d", i)}[i%5]
		fmt.Fprintln(&in, code)
		if _, err := f.Serve(t.Context(), strings.NewReader(code), &want); err != nil {
			t.Fatal(err)
		}
	}
	f.MaxRow = 1 << 16
	var got bytes.Buffer
	if _, err := f.Serve(t.Context(), strings.NewReader(in.String()), &got); err != nil || got.String() != want.String() {
		t.Errorf("results differ from those of single rows: %v", err)
	}
}

// FuzzServe checks that each row of any input has one result, or that an error ends it.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{"90210\n", "2\n1\n2\n", "\\N\t\\", "{\"a\":1}\n[", "\x00\xff\n\n", "[[[[[[\n"} {
		f.Add(seed, true, false)
		f.Add(seed, false, true)
	}
	tsv, object := function(f, enrich.Code, udf.TSV, "city"), function(f, enrich.Code, udf.JSON, "city")
	f.Fuzz(func(t *testing.T, in string, json, chunks bool) {
		fn := *tsv
		if json {
			fn = *object
		}
		fn.Chunks = chunks
		var out bytes.Buffer
		counts, err := fn.Serve(t.Context(), strings.NewReader(in), &out)
		if n := int64(bytes.Count(out.Bytes(), []byte{'\n'})); n != counts.Rows {
			t.Errorf("%d results of %d rows", n, counts.Rows)
		}
		if rows := int64(strings.Count(in, "\n")); err == nil && !chunks && counts.Rows != rows && counts.Rows != rows+1 {
			t.Errorf("%d results of %d rows of the input", counts.Rows, rows)
		}
	})
}

// BenchmarkServe evaluates a million rows with codes that repeat.
func BenchmarkServe(b *testing.B) {
	f := function(b, enrich.Code, udf.TSV, "county_fips")
	f.MaxRow = 1 << 20
	in := strings.Repeat("90210\n10001\n00501\n98101\n", 250_000)
	for b.Loop() {
		if _, err := f.Serve(b.Context(), strings.NewReader(in), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(1e6*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
