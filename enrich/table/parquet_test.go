package table_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/postgeo/postgeo/enrich/table"
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
		if err := parquet.Write(&file, rows, codec, parquet.MaxRowsPerRowGroup(300), parquet.DataPageVersion(1+i%2)); err != nil {
			t.Fatal(err)
		}
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
	if err != nil {
		t.Fatal(err)
	}
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
