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

// An endlessTable gives rows until it has given enough, as a program does that
// writes into a pipe.
type endlessTable struct {
	json bool
	rows int // to come
	n    int
	have []byte
	text []byte
}

func (e *endlessTable) Read(p []byte) (int, error) {
	for len(e.have) == 0 {
		if e.rows == 0 {
			return 0, io.EOF
		}
		e.text = e.text[:0]
		if e.n == 0 && !e.json {
			e.text = append(e.text, "id,zip,name\n"...)
		}
		if e.json {
			e.text = fmt.Appendf(e.text, "{\"id\":%d,\"zip\":\"%05d\",\"name\":\"somebody %500d\"}\n", e.n, 90_000+e.n%500, e.n)
		} else {
			e.text = fmt.Appendf(e.text, "%d,%05d,somebody %500d\n", e.n, 90_000+e.n%500, e.n)
		}
		e.n++
		e.rows--
		e.have = e.text
	}
	n := copy(p, e.have)
	e.have = e.have[n:]
	return n, nil
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
			room := few * 3 / 4
			if pair[1] == table.Parquet {
				room += 16 << 20 // of a row group
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
	var in io.Reader = &endlessTable{json: from == table.NDJSON, rows: rows}
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
