package table_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"

	"github.com/postgeo/postgeo/enrich/table"
)

// customers is a table of n rows.
func customers(n int) string {
	codes := []string{"90210", "10001", "K1A 0B1", "99999", "", "00601"}
	var b strings.Builder
	b.WriteString("id,zip,name\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,%s,\"a\nb %d\"\n", i, codes[i%len(codes)], i)
	}
	return b.String()
}

// order is a row of Parquet with everything that has to survive.
type order struct {
	ZIP   string              `parquet:"zip"`
	Day   int32               `parquet:"day,date"`
	At    time.Time           `parquet:"at,timestamp(microsecond)"`
	Price int64               `parquet:"price,decimal(2:18)"`
	ID    [16]byte            `parquet:"id,uuid"`
	Small uint8               `parquet:"small"`
	Deep  struct{ A, B *int } `parquet:"deep"`
	Raw   []byte              `parquet:"raw,optional"`
	Ratio float32             `parquet:"ratio"`
	Yes   bool                `parquet:"yes"`
}

// TestParquetTypes writes types of Parquet as text, and refuses lists.
func TestParquetTypes(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in.parquet")
	seven := 7
	rows := []order{
		{ZIP: "90210", Day: 20000, At: time.UnixMicro(1e15 + 5).UTC(), Price: -1205, ID: [16]byte{1, 2}, Small: 200, Raw: []byte{0xff}, Ratio: 0.5, Yes: true},
		{ZIP: "99999", Price: 5},
	}
	rows[0].Deep.B = &seven
	check(t, parquet.WriteFile(in, rows))
	out := filepath.Join(dir, "out.csv")
	_, err := (job{add: []string{"city"}}).file(t, in, out)
	check(t, err)
	got := readFile(t, out)
	for _, want := range []string{"2024-10-04", "2001-09-09T01:46:40.000005Z", "-12.05", "0.05", "01020000-0000-0000-0000-000000000000", ",200,", "ff", "0.5", "true", "deep.B", ",7,", "Beverly Hills"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}

	check(t, parquet.WriteFile(in, []struct {
		ZIP  string   `parquet:"zip"`
		Tags []string `parquet:"tags,list"`
	}{{"90210", []string{"a", "b"}}}))
	if _, err := (job{}).file(t, in, filepath.Join(dir, "no.csv")); err == nil || !strings.Contains(err.Error(), "several values a row") {
		t.Errorf("lists were written as CSV: %v", err)
	}
}

// TestParquetSpool reads Parquet from a stream.
func TestParquetSpool(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var in bytes.Buffer
	type row struct {
		ZIP int32 `parquet:"zip"`
	}
	check(t, parquet.Write(&in, []row{{90210}, {601}}))
	got, _, err := job{add: []string{"city"}, zeros: true, in: table.Input{Format: table.Parquet}, out: table.Output{Format: table.CSV}}.stream(t, in.String())
	want := "zip,city,postgeo_status,postgeo_reason\n90210,Beverly Hills,matched,\n601,Adjuntas,matched,ZEROS_RESTORED\n"
	if err != nil || got != want {
		t.Errorf("%v, %q", err, got)
	}
	left, err := os.ReadDir(os.TempDir())
	if err != nil || len(left) > 0 {
		t.Errorf("the spool is still there: %v, %v", left, err)
	}
}

// TestParquetNumbers holds numbers that are no 64-bit integers or doubles.
func TestParquetNumbers(t *testing.T) {
	var in bytes.Buffer
	type row struct {
		U32 uint32  `parquet:"u32"`
		U64 uint64  `parquet:"u64"`
		U8  uint8   `parquet:"u8"`
		I8  int8    `parquet:"i8"`
		Lat float32 `parquet:"lat"`
		Lon float32 `parquet:"lon"`
		NaN float32 `parquet:"nan"`
	}
	check(t, parquet.Write(&in, []row{{math.MaxUint32, math.MaxUint64, 255, -3, 34.09, -118.41, float32(math.NaN())}}))
	got, _, err := job{add: []string{"state"}, in: table.Input{Format: table.Parquet}, out: table.Output{Format: table.CSV}}.stream(t, in.String())
	want := "u32,u64,u8,i8,lat,lon,nan,state,postgeo_status,postgeo_reason\n4294967295,18446744073709551615,255,-3,34.09,-118.41,,CA,matched,\n"
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// TestParquetCodecs damages files of every compression, with dictionaries, lists
// and values of many kinds, at random: none ends the process, and an error names its
// place. A file that was cut is refused.
func TestParquetCodecs(t *testing.T) {
	type row struct {
		order
		Kind string   `parquet:"kind,dict"`
		List []string `parquet:"list,list"`
	}
	rows := make([]row, 300)
	for i := range rows {
		rows[i] = row{order{ZIP: "90210", Price: int64(i), Raw: []byte{byte(i)}}, string(rune('a' + i%3)), []string{"x", "y"}[:i%3]}
	}
	const damages = 200
	random := rand.New(rand.NewPCG(8, 9))
	for _, codec := range []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Zstd, &parquet.Brotli} {
		name := codec.String()
		var whole bytes.Buffer
		w := parquet.NewGenericWriter[row](&whole, parquet.Compression(codec), parquet.MaxRowsPerRowGroup(100), parquet.PageBufferSize(512))
		_, err := w.Write(rows)
		check(t, err)
		check(t, w.Close())
		j := job{in: table.Input{Format: table.Parquet}, add: []string{"city"}}
		if _, sum, err := j.stream(t, whole.String()); err != nil || sum.Rows != 300 {
			t.Fatalf("%s: %d rows, %v", name, sum.Rows, err)
		}
		for i := range damages {
			if _, _, err := j.stream(t, whole.String()[:whole.Len()*i/damages]); err == nil {
				t.Errorf("%s: a file cut to %d of %d bytes was read", name, whole.Len()*i/damages, whole.Len())
			}
		}
		refused := 0
		for range damages {
			damaged := bytes.Clone(whole.Bytes())
			for range 1 + random.IntN(3) {
				damaged[random.IntN(len(damaged))] ^= byte(1 << random.IntN(8))
			}
			_, _, err := j.stream(t, string(damaged))
			if err == nil {
				continue
			}
			refused++
			if text := err.Error(); !strings.Contains(text, "Parquet") && !strings.Contains(text, "column") {
				t.Errorf("%s: %v", name, err)
			}
		}
		if refused < damages/8 {
			t.Errorf("%s: %d of %d damaged files were refused", name, refused, damages)
		}
	}
	var lz4File bytes.Buffer
	check(t, parquet.Write(&lz4File, rows, parquet.Compression(&parquet.Lz4Raw)))
	if _, _, err := (job{in: table.Input{Format: table.Parquet}}).stream(t, lz4File.String()); err == nil || !strings.Contains(err.Error(), "LZ4_RAW, which is not read") {
		t.Errorf("LZ4: %v", err)
	}
}

// TestParquetWhere holds that an error names the file and the row group.
func TestParquetWhere(t *testing.T) {
	var whole bytes.Buffer
	type row struct {
		ZIP string `parquet:"zip"`
	}
	w := parquet.NewGenericWriter[row](&whole, parquet.MaxRowsPerRowGroup(10))
	if _, err := w.Write(make([]row, 30)); err != nil {
		t.Fatal(err)
	}
	check(t, w.Close())
	f, err := parquet.OpenFile(bytes.NewReader(whole.Bytes()), int64(whole.Len()))
	check(t, err)
	data := whole.Bytes()
	data[f.Metadata().RowGroups[1].Columns[0].MetaData.DataPageOffset] = 0xff
	path := filepath.Join(t.TempDir(), "in.parquet")
	check(t, os.WriteFile(path, data, 0o600))
	sum, err := job{}.file(t, path, filepath.Join(t.TempDir(), "out.csv"))
	if err == nil || !strings.Contains(err.Error(), path+", row group 2, behind row 10: ") {
		t.Errorf("%d rows, %v", sum.Rows, err)
	}
}

func TestFormatOf(t *testing.T) {
	for path, fine := range map[string]bool{
		"places.csv": true, "places.csv.gz": true, "places": true, "places.dat": true, "-": true, "a.xlsx/places.tsv": true,
		"places.xlsx": true, "places.xlsx.gz": false, "PLACES.XLS": false, "areas.shp": false, "areas.geojson": false, "points.GPKG": false, "folder/places.ods": false,
	} {
		if _, _, err := table.FormatOf(path); (err == nil) != fine {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := table.Open("places.xls", table.Input{}); err == nil {
		t.Error("a spreadsheet was opened as text")
	}
}

// longTable returns a table as a program writes it into a pipe.
func longTable(json bool, rows int) io.Reader {
	head, form := "id,zip,name\n", "%[1]d,%05[2]d,somebody %500[1]d\n"
	if json {
		head, form = "", `{"id":%[1]d,"zip":"%05[2]d","name":"somebody %500[1]d"}`+"\n"
	}
	r, w := io.Pipe()
	go func() {
		_, err := io.WriteString(w, head)
		for n := 0; n < rows && err == nil; n++ {
			_, err = fmt.Fprintf(w, form, n, 90_000+n%500)
		}
		w.CloseWithError(err)
	}()
	return r
}

// TestMemory sends ten times the rows through a pipe: the heap stays what it is.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	const rows = 6000
	for _, pair := range [][2]table.Format{
		{table.CSV, table.CSV}, {table.NDJSON, table.TSV}, {table.CSV, table.NDJSON}, {table.NDJSON, table.Parquet}, {table.Parquet, table.Parquet},
	} {
		t.Run(string(pair[0]+" to "+pair[1]), func(t *testing.T) {
			few, many := peak(t, pair[0], pair[1], rows, 1), peak(t, pair[0], pair[1], 10*rows, 10)
			t.Logf("%d rows: %d kB, %d rows: %d kB", rows, few>>10, 10*rows, many>>10)
			room := uint64(16 << 20) // of the blocks under way, whose number varies
			if pair[1] == table.Parquet {
				room += few * 3 / 4 // of a row group
			}
			if many > few+room { // the rows themselves have 30 MB
				t.Errorf("ten times the rows take %d kB of heap, %d kB before", many>>10, few>>10)
			}
		})
	}
}

// peak returns the largest heap that is met behind every so many blocks of a
// table, in bytes.
func peak(t *testing.T, from, to table.Format, rows, every int) uint64 {
	t.Helper()
	var most uint64
	blocks := 0
	j := job{
		in: table.Input{Format: from}, out: table.Output{Format: to}, add: []string{"city"},
		run: table.RunOptions{Progress: func(table.Progress) {
			if blocks++; blocks%every != 0 {
				return
			}
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		}},
	}
	in := longTable(from == table.NDJSON, rows)
	if from == table.Parquet {
		in = parquetPipe(t, in)
	}
	sum, err := j.pipe(t, in, io.Discard)
	if err != nil || sum.Rows != int64(rows) {
		t.Fatalf("%d rows, %v", sum.Rows, err)
	}
	return most
}

// parquetPipe returns a table as Parquet.
func parquetPipe(t *testing.T, in io.Reader) io.Reader {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "in.parquet"))
	check(t, err)
	t.Cleanup(func() { f.Close() })
	j := job{out: table.Output{Format: table.Parquet, Status: "s", Reason: "r"}}
	_, err = j.pipe(t, in, f)
	check(t, err)
	_, err = f.Seek(0, io.SeekStart)
	check(t, err)
	return f
}
