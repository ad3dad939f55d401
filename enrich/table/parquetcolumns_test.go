package table_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

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

// columnBytes returns the bytes of each column in each row group.
func columnBytes(t *testing.T, text string) (groups [][]string) {
	t.Helper()
	f, err := parquet.OpenFile(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range f.Metadata().RowGroups {
		var columns []string
		for _, c := range g.Columns {
			m := &c.MetaData
			from := m.DataPageOffset
			if d := m.DictionaryPageOffset; d > 0 {
				from = min(from, d)
			}
			columns = append(columns, text[from:from+m.TotalCompressedSize])
		}
		groups = append(groups, columns)
	}
	return groups
}

// TestParquetColumns compares the added columns of Parquet with those of CSV. The
// other columns are the same bytes.
func TestParquetColumns(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	add := []string{"city", "county_fips", "location.lat", "multi_county", "elevation.ft", "area_codes", "metro"}
	codecs := []compress.Codec{&parquet.Uncompressed, &parquet.Zstd, &parquet.Snappy, &parquet.Gzip}
	if testing.Short() {
		codecs = codecs[:2]
	}
	for i, codec := range codecs {
		var file bytes.Buffer
		rows := copiedRows(random, 700)
		if err := parquet.Write(&file, rows, parquet.Compression(codec), parquet.MaxRowsPerRowGroup(300), parquet.PageBufferSize(2000), parquet.DataPageVersion(1+i%2)); err != nil {
			t.Fatal(err)
		}
		in := file.String()
		for _, names := range []table.Names{{Code: "zip"}, {Code: "coded"}, {Code: "maybe"}, {Lat: "lat", Lon: "lon"}, {Code: "deep.B"}} {
			for _, palettes := range []int64{1 << 20, 100} {
				checkColumns(t, in, names, add, palettes)
			}
		}
	}
}

func checkColumns(t *testing.T, in string, names table.Names, add []string, palettes int64) {
	t.Helper()
	j := job{in: table.Input{Format: table.Parquet}, names: names, add: add, zeros: true, run: table.RunOptions{Workers: 2}}
	var out string
	table.WithPalettes(palettes, func() {
		var err error
		var sum table.Summary
		if out, sum, err = j.stream(t, in); err != nil || sum.Rows == 0 {
			t.Fatal(sum, err)
		}
	})
	before, after := columnBytes(t, in), columnBytes(t, out)
	for i := range before {
		if diff := cmp.Diff(before[i], after[i][:len(before[i])]); diff != "" {
			t.Errorf("%v: row group %d is not the same", names, i)
		}
	}
	if diff := cmp.Diff(readRows[keyed](t, in), readRows[keyed](t, out)); diff != "" {
		t.Errorf("%v (-want +got):\n%s", names, diff)
	}
	// The same cells as text.
	small := writeKeyed(t, readRows[keyed](t, in))
	j.out = table.Output{Format: table.CSV}
	want, _, err := j.stream(t, small)
	if err != nil {
		t.Fatal(err)
	}
	j.out = table.Output{Format: table.Parquet}
	copied, _, err := j.stream(t, small)
	if err != nil {
		t.Fatal(err)
	}
	again := job{in: table.Input{Format: table.Parquet}, names: names, out: table.Output{Format: table.CSV, Status: "s", Reason: "r"}, zeros: true}
	got, _, err := again.stream(t, copied)
	if err != nil {
		t.Fatal(err)
	}
	if names.Code == "deep.B" {
		return // which is not in the small table
	}
	wantLines, gotLines := strings.Split(want, "\n"), strings.Split(got, "\n")
	if len(wantLines) != len(gotLines) {
		t.Fatalf("%v: %d lines, want %d", names, len(gotLines), len(wantLines))
	}
	for i, line := range wantLines {
		if !strings.HasPrefix(gotLines[i], line) {
			t.Fatalf("%v: line %d is %q, want %q and more", names, i+1, gotLines[i], line)
		}
	}
}

// keyed are the columns of copied that text can hold.
type keyed struct {
	ZIP   *string  `parquet:"zip,optional"`
	Coded string   `parquet:"coded,dict"`
	Maybe *string  `parquet:"maybe,optional,dict"`
	Lat   float64  `parquet:"lat"`
	Lon   *float32 `parquet:"lon,optional"`
	Deep  struct {
		B []byte
	} `parquet:"deep"`
}

func readRows[T any](t *testing.T, text string) []T {
	t.Helper()
	rows, err := parquet.Read[T](strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func writeKeyed(t *testing.T, rows []keyed) string {
	t.Helper()
	var file bytes.Buffer
	if err := parquet.Write(&file, rows, parquet.MaxRowsPerRowGroup(250)); err != nil {
		t.Fatal(err)
	}
	return file.String()
}

// TestParquetLongColumns has added values that fill a dictionary, and parts of a
// table that are read in turn.
func TestParquetLongColumns(t *testing.T) {
	type row struct {
		Lat, Lon float64
	}
	rows := make([]row, 25_000)
	for i := range rows {
		rows[i] = row{10 + float64(i)/1000, -140} // at sea
	}
	var file bytes.Buffer
	if err := parquet.Write(&file, rows, parquet.MaxRowsPerRowGroup(20_000)); err != nil {
		t.Fatal(err)
	}
	j := job{in: table.Input{Format: table.Parquet}, add: []string{"city"}}
	out, sum, err := j.stream(t, file.String())
	if err != nil || sum.Rows != int64(len(rows)) || sum.Statuses["not_found"] != sum.Rows {
		t.Fatal(sum, err)
	}
	type result struct {
		Lat    float64
		City   *string `parquet:"city,optional"`
		Reason string  `parquet:"postgeo_reason,optional"`
	}
	for i, r := range readRows[result](t, out) {
		if want := fmt.Sprintf("NOT_FOUND_COORDS_NO_BOUNDARY: Coordinates %v,-140 are not inside any US or Canadian boundary.", rows[i].Lat); r.Lat != rows[i].Lat || r.City != nil || r.Reason != want {
			t.Fatalf("row %d is %+v, want %q", i, r, want)
		}
	}
	f, err := parquet.OpenFile(strings.NewReader(out), int64(len(out)))
	if err != nil {
		t.Fatal(err)
	}
	reason := f.Metadata().RowGroups[0].Columns[4].MetaData
	if got := fmt.Sprint(reason.Encoding, reason.Statistics.NullCount, f.Metadata().RowGroups[0].Columns[2].MetaData.Statistics.NullCount); got != fmt.Sprint([]format.Encoding{format.Plain, format.RLE}, 0, 20_000) {
		t.Errorf("encodings and nulls are %s", got)
	}
}

// TestParquetFooters refuses files whose footers do not match their columns.
func TestParquetFooters(t *testing.T) {
	var file bytes.Buffer
	if err := parquet.Write(&file, copiedRows(rand.New(rand.NewPCG(5, 6)), 50), parquet.MaxRowsPerRowGroup(20)); err != nil {
		t.Fatal(err)
	}
	whole := file.String()
	for _, tt := range []struct {
		name, want string
		change     func(m *format.FileMetaData)
	}{
		{"negative rows", "num_rows=-3 is negative", func(m *format.FileMetaData) { m.RowGroups[1].NumRows = -3 }},
		{"fewer rows", `column "zip": it has 20 values in 19 rows`, func(m *format.FileMetaData) { m.RowGroups[0].NumRows, m.NumRows = 19, m.NumRows-1 }},
		{"repeated columns", "more bytes than the file", func(m *format.FileMetaData) {
			for range 1000 {
				m.RowGroups, m.NumRows = append(m.RowGroups, m.RowGroups[0]), m.NumRows+20
				m.RowGroups[len(m.RowGroups)-1].Ordinal = int16(len(m.RowGroups) - 1)
			}
		}},
		{"another file", "is encrypted or in another file", func(m *format.FileMetaData) { m.RowGroups[0].Columns[1].FilePath = "other" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, err := parquet.OpenFile(strings.NewReader(whole), int64(len(whole)))
			if err != nil {
				t.Fatal(err)
			}
			m := *f.Metadata()
			m.RowGroups = slices.Clone(m.RowGroups)
			tt.change(&m)
			var footer bytes.Buffer
			var protocol thrift.CompactProtocol
			if err := thrift.NewEncoder(protocol.NewWriter(&footer)).Encode(&m); err != nil {
				t.Fatal(err)
			}
			const tail = 8
			begin := len(whole) - tail - int(binary.LittleEndian.Uint32([]byte(whole[len(whole)-tail:])))
			text := whole[:begin] + footer.String() + string(binary.LittleEndian.AppendUint32(nil, uint32(footer.Len()))) + "PAR1"
			j := job{in: table.Input{Format: table.Parquet}, names: table.Names{Code: "zip"}, add: []string{"city"}}
			if _, _, err := j.stream(t, text); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
		})
	}
}

// TestParquetUnknownNulls copies columns whose numbers of nulls are unknown. Readers skip
// a search for nulls if a file has none.
func TestParquetUnknownNulls(t *testing.T) {
	var file bytes.Buffer
	if err := parquet.Write(&file, copiedRows(rand.New(rand.NewPCG(5, 6)), 100)); err != nil {
		t.Fatal(err)
	}
	in, err := table.WithoutNulls(file.String())
	if err != nil {
		t.Fatal(err)
	}
	j := job{in: table.Input{Format: table.Parquet}, names: table.Names{Code: "zip"}, add: []string{"city"}}
	out, _, err := j.stream(t, in)
	if err != nil {
		t.Fatal(err)
	}
	want, err := table.StatisticsOf(in)
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.StatisticsOf(out)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got[:len(want)]); diff != "" {
		t.Errorf("statistics (-want +got):\n%s", diff)
	}
}

// TestParquetLongFooter refuses a footer that is longer than the file, before it takes
// memory.
func TestParquetLongFooter(t *testing.T) {
	var file bytes.Buffer
	if err := parquet.Write(&file, copiedRows(rand.New(rand.NewPCG(5, 6)), 10)); err != nil {
		t.Fatal(err)
	}
	text := file.Bytes()
	text[len(text)-5] = 0xff // of the length
	j := job{in: table.Input{Format: table.Parquet}, names: table.Names{Code: "zip"}, add: []string{"city"}}
	if _, _, err := j.stream(t, string(text)); err == nil || !strings.Contains(err.Error(), "more than the file") {
		t.Errorf("error is %v", err)
	}
}
