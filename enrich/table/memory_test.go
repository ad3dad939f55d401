package table_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/postgeo/postgeo/enrich/table"
)

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
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	j := job{out: table.Output{Format: table.Parquet, Status: "s", Reason: "r"}}
	if _, err := j.pipe(t, in, f); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	return f
}
