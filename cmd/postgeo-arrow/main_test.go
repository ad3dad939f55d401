package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/postgeo/postgeo/internal/foreign"
)

// A column is a column of JSON.
type column struct {
	of   arrow.DataType
	rows string
}

// streamOf returns a stream with a batch of columns, repeated.
func streamOf(t testing.TB, batches int, columns ...column) []byte {
	t.Helper()
	var fields []arrow.Field
	var arrays []arrow.Array
	rows := 0
	for i, c := range columns {
		a, _, err := array.FromJSON(memory.DefaultAllocator, c.of, strings.NewReader(c.rows))
		if err != nil {
			t.Fatal(err)
		}
		fields = append(fields, arrow.Field{Name: fmt.Sprint("c", i), Type: c.of, Nullable: true})
		arrays, rows = append(arrays, a), a.Len()
	}
	schema := arrow.NewSchema(fields, nil)
	var out bytes.Buffer
	w := ipc.NewWriter(&out, ipc.WithSchema(schema))
	for range batches {
		if err := w.Write(array.NewRecordBatch(schema, arrays, int64(rows))); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// rowsOf returns the batches of streams as JSON, and "|" after each stream.
func rowsOf(t testing.TB, streams []byte) string {
	t.Helper()
	in := bytes.NewReader(streams)
	var all strings.Builder
	for in.Len() > 0 {
		r, err := ipc.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		for r.Next() {
			rows, err := r.RecordBatch().MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			all.WriteString(strings.ReplaceAll(string(rows), "\n", ""))
		}
		if r.Err() != nil {
			t.Fatal(r.Err())
		}
		all.WriteByte('|')
	}
	return all.String()
}

func TestRun(t *testing.T) {
	text, number := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64
	codes := streamOf(t, 1, column{text, `["90210", null, "x", " 10001 "]`})
	dictionary := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: text}
	for _, tt := range []struct {
		name string
		args []string
		in   []byte
		want string
	}{
		{"codes", []string{`{"fields":["city"]}`}, codes, `[{"result":"Beverly Hills"},{"result":null},{"result":null},{"result":"New York"}]|`},
		{"a dictionary", []string{`{"fields":["city"]}`}, streamOf(t, 1, column{dictionary, `["90210", null, "90210"]`}), `[{"result":"Beverly Hills"},{"result":null},{"result":"Beverly Hills"}]|`},
		{"bytes", []string{`{"fields":["city"]}`}, streamOf(t, 1, column{arrow.BinaryTypes.Binary, `["OTAyMTA="]`}), `[{"result":"Beverly Hills"}]|`},
		{"numbers", []string{"--result", "n", `{"fields":["location.lat"],"restore_zeros":true}`}, streamOf(t, 1, column{arrow.PrimitiveTypes.Int32, `[501, 90210]`}), `[{"n":40.815},{"n":34.1}]|`},
		{"several fields", []string{`{"fields":["town=city","multi_county"],"status":true}`}, streamOf(t, 1, column{text, `["90210"]`}), `[{"result":{"multi_county":false,"postgeo_reason":null,"postgeo_status":"matched","town":"Beverly Hills"}}]|`},
		{"coordinates", []string{`{"kind":"coordinates","fields":["county_fips"]}`}, streamOf(t, 1, column{number, `[34.09, null, 91]`}, column{number, `[-118.41, null, 0]`}), `[{"result":"06037"},{"result":null},{"result":null}]|`},
		{"an address", []string{`{"kind":"address","fields":["geocode.zip"]}`}, streamOf(t, 1, column{text, `["400 N Sample Dr"]`}, column{text, `["Beverly Hills, CA 90210"]`}), `[{"result":"90210"}]|`},
		{"pairs", []string{`{"fields":["distance.miles"],"pairs":true}`}, streamOf(t, 1, column{text, `["90210"]`}, column{text, `["10001"]`}), `[{"result":2458.88}]|`},
		{"batches", []string{`{"fields":["city"]}`}, streamOf(t, 2, column{text, `["90210"]`}), `[{"result":"Beverly Hills"}][{"result":"Beverly Hills"}]|`},
		{"streams", []string{`{"fields":["city"]}`}, append(bytes.Clone(codes[:len(codes):len(codes)]), streamOf(t, 1, column{text, `[]`})...), `[{"result":"Beverly Hills"},{"result":null},{"result":null},{"result":"New York"}][]|`},
		{"chunks", []string{"--chunks", `{"fields":["city"]}`}, slicesOf("4\n", codes, "0\n", streamOf(t, 0, column{text, `[]`})), `[{"result":"Beverly Hills"},{"result":null},{"result":null},{"result":"New York"}]||`},
		{"nothing", []string{`{"fields":["city"]}`}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			err := run(t.Context(), append([]string{"--data", "sample"}, tt.args...), bytes.NewReader(tt.in), &out, t.Output())
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Replace(tt.want, "][]|", "]|[]|", 1)
			if got := rowsOf(t, out.Bytes()); got != want {
				t.Errorf("got %s; want %s", got, want)
			}
		})
	}
}

func slicesOf(parts ...any) (all []byte) {
	for _, p := range parts {
		all = fmt.Appendf(all, "%s", p)
	}
	return all
}

func TestRunErrors(t *testing.T) {
	text := arrow.BinaryTypes.String
	codes := streamOf(t, 1, column{text, `["90210"]`})
	for _, tt := range []struct {
		name string
		args []string
		in   []byte
		want string
	}{
		{"two columns", []string{`{"fields":["city"]}`}, streamOf(t, 1, column{text, `["1"]`}, column{text, `["1"]`}), "2 columns"},
		{"one column of a pair", []string{`{"fields":["distance.miles"],"pairs":true}`}, codes, "1 columns"},
		{"a list", []string{`{"fields":["city"]}`}, streamOf(t, 1, column{arrow.ListOf(text), `[["1"]]`}), "neither texts"},
		{"days", []string{`{"fields":["city"]}`}, streamOf(t, 1, column{arrow.FixedWidthTypes.Date32, `["2026-01-31"]`}), "neither texts"},
		{"text", []string{`{"fields":["city"]}`}, []byte("90210\n"), ""},
		{"a stream that ends early", []string{`{"fields":["city"]}`}, codes[:len(codes)/2], ""},
		{"a wrong chunk", []string{"--chunks", `{"fields":["city"]}`}, slicesOf("2\n", codes), "a chunk of 2 rows has 1"},
		{"no chunk", []string{"--chunks", `{"fields":["city"]}`}, codes, "expected its number of rows"},
		{"an unknown field", []string{`{"fields":["nonsense"]}`}, codes, "nonsense"},
		{"an unknown option", []string{`{"nonsense":1}`}, codes, "nonsense"},
		{"a wrong time", []string{"--at", "x", `{"fields":["city"]}`}, codes, "x"},
		{"no dataset", []string{"--data", "/does/not/exist", `{"fields":["city"]}`}, codes, "exist"},
		{"no options", nil, codes, foreign.ErrUse.Error()},
	} {
		args := append([]string{"--data", "sample"}, tt.args...)
		if err := run(t.Context(), args, bytes.NewReader(tt.in), io.Discard, t.Output()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want one with %q", tt.name, err, tt.want)
		}
	}
}

// TestPause checks that results arrive while the input stays open.
func TestPause(t *testing.T) {
	in, rows := io.Pipe()
	results, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := run(t.Context(), []string{"--data", "sample", `{"fields":["city"]}`}, in, out, t.Output())
		done <- errors.Join(err, out.Close())
	}()
	stream := streamOf(t, 1, column{arrow.BinaryTypes.String, `["90210"]`})
	for range 3 {
		if _, err := rows.Write(stream); err != nil {
			t.Fatal(err)
		}
		r, err := ipc.NewReader(results)
		if err != nil || !r.Next() {
			t.Fatal("no batch", err)
		}
		if r.Next() || r.Err() != nil {
			t.Fatal("the stream does not end", r.Err())
		}
	}
	rows.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// BenchmarkRun evaluates rows of many codes in batches of 65,536.
func BenchmarkRun(b *testing.B) {
	const rows = 1 << 16
	text := array.NewStringBuilder(memory.DefaultAllocator)
	for i := range rows {
		text.Append(fmt.Sprintf("%05d", i*7919%100000))
	}
	schema := arrow.NewSchema([]arrow.Field{{Name: "zip", Type: arrow.BinaryTypes.String}}, nil)
	batch := array.NewRecordBatch(schema, []arrow.Array{text.NewArray()}, rows)
	in, out := io.Pipe()
	go func() {
		w := ipc.NewWriter(out, ipc.WithSchema(schema))
		for range b.N {
			if w.Write(batch) != nil {
				return
			}
		}
		w.Close()
		out.Close()
	}()
	b.ResetTimer()
	if err := run(b.Context(), []string{"--data", "sample", `{"fields":["county_fips"]}`}, in, io.Discard, b.Output()); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)*rows/b.Elapsed().Seconds(), "rows/s")
}
