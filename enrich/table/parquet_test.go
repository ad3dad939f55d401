package table_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// A copied row has columns of many kinds next to its keys.
type copied struct {
	ZIP   *string           `parquet:"zip,optional"`
	Coded string            `parquet:"coded,dict"`
	Maybe *string           `parquet:"maybe,optional,dict"`
	Lat   float64           `parquet:"lat"`
	Lon   *float32          `parquet:"lon,optional"`
	Day   int32             `parquet:"day,date"`
	Tags  []string          `parquet:"tags,list"`
	More  map[string]*int64 `parquet:"more"`
	Deep  struct {
		A *int
		B []byte
	} `parquet:"deep"`
}

func copiedRows(random *rand.Rand, n int) []copied {
	codes := []string{"90210", "10001", "K1A", "K1A 0B1", "601", "99999", "x", "", "78701-1234", "02139"}
	rows := make([]copied, n)
	for i := range rows {
		r := &rows[i]
		code := codes[random.IntN(len(codes))]
		if random.IntN(5) > 0 {
			r.ZIP = &code
		}
		r.Coded = codes[random.IntN(len(codes))]
		if random.IntN(3) > 0 {
			r.Maybe = &codes[random.IntN(len(codes))]
		}
		r.Lat = 25 + random.Float64()*20
		if lon := float32(-120 + random.Float64()*50); random.IntN(9) > 0 {
			r.Lon = &lon
		}
		r.Day = int32(i)
		for range random.IntN(3) {
			r.Tags = append(r.Tags, code)
		}
		if random.IntN(2) == 0 {
			r.More = map[string]*int64{code: nil, "n": new(int64)}
		}
		r.Deep.B = []byte(code)
	}
	return rows
}

// TestParquetColumns enriches rows with columns of many kinds: they keep their types,
// encodings and values, in each compression.
func TestParquetColumns(t *testing.T) {
	for i, codec := range []parquet.WriterOption{parquet.Compression(&parquet.Uncompressed), parquet.Compression(&parquet.Snappy), parquet.Compression(&parquet.Zstd)} {
		rows := copiedRows(rand.New(rand.NewPCG(3, uint64(i))), 2500)
		var file strings.Builder
		check(t, parquet.Write(&file, rows, codec, parquet.MaxRowsPerRowGroup(300), parquet.DataPageVersion(1+i%2)))
		j := job{in: table.Input{Format: table.Parquet}, out: table.Output{Format: table.Parquet}, names: table.Names{Code: "zip"}, add: []string{"city"}}
		out, sum, err := j.stream(t, file.String())
		if err != nil || sum.Rows != int64(len(rows)) {
			t.Fatalf("%d rows, %v", sum.Rows, err)
		}
		before, after := rowsOf(t, file.String()), rowsOf(t, out)
		for i := range before {
			columns := before[i][len(before[i])-1].Column() + 1
			kept := slices.IndexFunc(after[i], func(v parquet.Value) bool { return v.Column() == columns })
			if !after[i][:kept].Equal(before[i]) {
				t.Fatalf("row %d is %+v, want %+v", i, after[i], before[i])
			}
			if found := before[i][0].String() == "90210"; found != (after[i][kept].String() == "Beverly Hills") {
				t.Errorf("row %d: %+v", i, after[i])
			}
		}
		if diff := cmp.Diff(schemaOf(t, file.String()), schemaOf(t, out)[:len(schemaOf(t, file.String()))]); diff != "" {
			t.Errorf("schema (-want +got):\n%s", diff)
		}
	}
}

// parquetFile opens a file with the library.
func parquetFile(t *testing.T, text string) *parquet.File {
	t.Helper()
	f, err := parquet.OpenFile(strings.NewReader(text), int64(len(text)))
	check(t, err)
	return f
}

// rowsOf returns the rows of a file, as the library reads them.
func rowsOf(t *testing.T, text string) (all []parquet.Row) {
	t.Helper()
	for _, g := range parquetFile(t, text).RowGroups() {
		r, room := g.Rows(), make([]parquet.Row, 1)
		for range g.NumRows() {
			if _, err := r.ReadRows(room); err != nil && !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			all = append(all, room[0].Clone())
		}
		r.Close()
	}
	return all
}

// schemaOf returns the lines of a schema without its name.
func schemaOf(t *testing.T, text string) []string {
	t.Helper()
	lines := strings.Split(parquetFile(t, text).Schema().String(), "\n")
	return lines[1 : len(lines)-1]
}

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
	check(t, err)
	formats := []table.Format{table.CSV, table.TSV, table.NDJSON, table.Parquet}
	random := rand.New(rand.NewPCG(3, 4))
	for round, n := range []int{0, 1, 7, 1100} {
		width := 2 + random.IntN(4)
		in := rows(random, n, width)
		head := []string{"a", "b", "c", "d", "e"}[:width]
		want := make([][]string, n)
		for i, row := range in {
			values, out, err := e.Row(t.Context(), row[1], nil)
			check(t, err)
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

var errDisk = errors.New("the disk fails")

// A failingFile is a file whose reads fail once the flag is set.
type failingFile struct {
	*bytes.Reader
	fs.File
	failing *atomic.Bool
}

func (f failingFile) Read(b []byte) (int, error) {
	if f.failing.Load() {
		return 0, errDisk
	}
	return f.Reader.Read(b)
}

func (f failingFile) ReadAt(b []byte, at int64) (int, error) {
	if f.failing.Load() {
		return 0, errDisk
	}
	return f.Reader.ReadAt(b, at)
}

// A failingFS has one file.
type failingFS struct {
	fstest.MapFS
	failing *atomic.Bool
}

func (f failingFS) Open(name string) (fs.File, error) {
	file, err := f.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	return failingFile{bytes.NewReader(f.MapFS[name].Data), file, f.failing}, nil
}

// TestParquetFailingRow fails at a row within a block, whose rows end a row group. The run
// returns the error. Its output is that of the rows before, but has no footer: no reader takes
// it for a table.
func TestParquetFailingRow(t *testing.T) {
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	failing := new(atomic.Bool)
	db, err := postgeo.OpenFS(failingFS{fstest.MapFS{"x.db": {Data: data}}, failing}, "x.db")
	check(t, err)
	defer db.Close()
	e, err := enrich.New(db, enrich.Options{Kind: enrich.Code, Add: []string{"city", "census.county.name", "quality.outline_area_ratio"}})
	check(t, err)
	type row struct {
		ZIP   string   `parquet:"zip"`
		Notes []string `parquet:"notes,list"`
	}
	rows := make([]row, 70_000)
	for i := range rows {
		rows[i] = row{"90210", []string{"a", "b"}}
	}
	run := func(rows []row) (table.Summary, string, error) {
		var in, out bytes.Buffer
		check(t, parquet.Write(&in, rows, parquet.MaxRowsPerRowGroup(1000)))
		src, err := table.Read(&in, table.Input{Format: table.Parquet})
		check(t, err)
		defer src.Close()
		keys, err := src.FindKeys(table.Names{Code: "zip"})
		check(t, err)
		work, err := table.NewJob(src, e, keys, table.Output{})
		check(t, err)
		sum, err := work.Run(t.Context(), &out, table.RunOptions{})
		return sum, out.String(), err
	}
	const failed = 65_700
	_, want, err := run(rows[:failed]) // reads what the rows need of the dataset
	check(t, err)
	failing.Store(true)
	rows[failed].ZIP = "10001"
	sum, out, err := run(rows)
	if !errors.Is(err, errDisk) || !strings.Contains(err.Error(), fmt.Sprintf("line %d: ", failed+1)) || sum.Rows != failed {
		t.Errorf("%d rows, %v", sum.Rows, err)
	}
	if len(out) < 100 || !strings.HasPrefix(want, out) {
		t.Errorf("the output of %d bytes has other rows than those before the failed one", len(out))
	}
	if _, err := parquet.OpenFile(strings.NewReader(out), int64(len(out))); err == nil {
		t.Errorf("the output of %d bytes is a whole file", len(out))
	}
}
