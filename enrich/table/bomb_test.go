package table_test

import (
	"bytes"
	stdgzip "compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/gzip"
	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"github.com/postgeo/postgeo/enrich/table"
)

// A bomb is a codec that writes something else in place of each page.
type bomb struct {
	compress.Codec
	text func(page []byte) []byte
}

func (b bomb) Encode(dst, page []byte) ([]byte, error) {
	return append(dst[:0], b.text(page)...), nil
}

// zeros compresses many zeros without keeping them.
func zeros(t *testing.T, n int64, to func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var out bytes.Buffer
	w := to(&out)
	zero := make([]byte, 1<<20)
	for range n >> 20 {
		if _, err := w.Write(zero); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// zstdFrame is a frame of blocks that repeat a byte, with or without its length.
func zstdFrame(blocks int, told bool) []byte {
	const magic, window, single, size = 0xfd2fb528, 0x50, 0xe0, 128 << 10
	frame := binary.LittleEndian.AppendUint32(nil, magic)
	if told {
		frame = binary.LittleEndian.AppendUint64(append(frame, single), uint64(blocks)*size)
	} else {
		frame = append(frame, 0, window)
	}
	for i := range blocks {
		head := uint32(size<<3 | 1<<1)
		if i == blocks-1 {
			head |= 1
		}
		frame = append(frame, byte(head), byte(head>>8), byte(head>>16), 0)
	}
	return frame
}

// TestParquetBombs has pages that unpack to more than their headers say: they
// are refused before memory is taken for them.
func TestParquetBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	const size, blocks = 528 << 20, 1 << 13 // of 128 kB each
	const members = 16                      // of gzip, which behind one another are one text
	skipped := append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 0x184d2a53), 3), "abc"...)
	gzipped := bytes.Repeat(zeros(t, size/members, func(w io.Writer) io.WriteCloser { return stdgzip.NewWriter(w) }), members)
	brotlied := zeros(t, size, func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, 0) })
	tests := []struct {
		name  string
		codec compress.Codec
		text  func(page []byte) []byte
	}{
		{"snappy", &snappy.Codec{}, func([]byte) []byte { return binary.AppendUvarint(nil, math.MaxUint32) }},
		{"zstd told", &zstd.Codec{}, func([]byte) []byte { return zstdFrame(blocks, true) }},
		{"zstd", &zstd.Codec{}, func([]byte) []byte { return zstdFrame(blocks, false) }},
		{"zstd skipped", &zstd.Codec{}, func([]byte) []byte { return append(skipped, zstdFrame(blocks, true)...) }},
		{"zstd behind another", &zstd.Codec{}, func(page []byte) []byte {
			first, err := (&zstd.Codec{}).Encode(nil, page)
			if err != nil {
				t.Error(err)
			}
			return append(first, zstdFrame(blocks, true)...)
		}},
		{"gzip", &gzip.Codec{}, func([]byte) []byte { return gzipped }},
		{"brotli", &parquet.Brotli, func([]byte) []byte { return brotlied }},
	}
	for _, tt := range tests {
		for version := 1; version <= 2; version++ {
			t.Run(fmt.Sprintf("%s v%d", tt.name, version), func(t *testing.T) {
				var file bytes.Buffer
				type row struct {
					ZIP  string   `parquet:"zip"`
					List []string `parquet:"list,list"`
				}
				rows := []row{{"90210", []string{"a", "b"}}, {"10001", nil}}
				if err := parquet.Write(&file, rows, parquet.Compression(bomb{tt.codec, tt.text}), parquet.DataPageVersion(version)); err != nil {
					t.Fatal(err)
				}
				const most = 64 << 20
				refusedWithin(t, file.String(), "unpacks to more than the ", most)
			})
		}
	}
}

// readKeys reads all rows of a Parquet file.
func readKeys(t *testing.T, file string) error {
	t.Helper()
	src, err := table.Read(strings.NewReader(file), table.Input{Format: table.Parquet})
	if err != nil {
		return err
	}
	defer src.Close()
	keys, err := src.FindKeys(table.Names{})
	if err != nil {
		return err
	}
	for _, err := range src.Keys(keys) {
		if err != nil {
			return err
		}
	}
	return nil
}

// refusedWithin has a Parquet file refused before a run of it takes more than so
// many bytes of memory.
func refusedWithin(t *testing.T, file, want string, most uint64) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := job{in: table.Input{Format: table.Parquet}, out: table.Output{Format: table.Parquet}}.stream(t, file)
	if err == nil { // copied; its rows are read
		err = readKeys(t, file)
	}
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > most {
		t.Errorf("%d bytes were taken for it, want at most %d", took, most)
	}
}

// TestParquetLists reads rows with long lists in many pages, and refuses one whose
// few bytes stand for more values than a row may have.
func TestParquetLists(t *testing.T) {
	type row struct {
		ZIP  string  `parquet:"zip"`
		List []int64 `parquet:"list,list,dict"`
	}
	const longest = 1 << 18
	file := func(rows []row) string {
		var file bytes.Buffer
		if err := parquet.Write(&file, rows, parquet.PageBufferSize(1<<10)); err != nil {
			t.Fatal(err)
		}
		return file.String()
	}
	rows := []row{{"90210", make([]int64, longest)}, {"10001", nil}, {"90210", make([]int64, longest-1)}}
	for i := range 2000 {
		rows = append(rows, row{"10001", []int64{int64(i), 0, int64(-i)}[:i%4%3]})
	}
	in := job{in: table.Input{Format: table.Parquet}, out: table.Output{Format: table.Parquet}}
	got, sum, err := in.stream(t, file(rows))
	if err != nil || sum.Rows != int64(len(rows)) {
		t.Fatalf("%d rows, %v", sum.Rows, err)
	}
	back, err := parquet.Read[row](strings.NewReader(got), int64(len(got)))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(rows, back, func(a, b row) bool { return a.ZIP == b.ZIP && slices.Equal(a.List, b.List) }) {
		t.Error("rows with lists are not what they were")
	}
	const many, most = 8_000_000, 128 << 20 // a page of them has two bytes of levels each, and four of what they are
	refusedWithin(t, file([]row{{"90210", make([]int64, many)}}), "row group 1, behind row 0: a row has a list of more than 262144 values", most)
}

// TestParquetLongRows has few bytes stand for many long texts: they are worked a
// few at a time, and a row that has too much text is refused behind the others.
func TestParquetLongRows(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	type row struct {
		ZIP  string `parquet:"zip"`
		A    string `parquet:"a,dict"`
		B    string `parquet:"b,dict"`
		Last string `parquet:"last"`
	}
	long := strings.Repeat("x", 33<<20)
	rows := []row{{"90210", "a", long, "1"}, {"10001", long, "b", "2"}, {"90210", long, long, "3"}}
	var file bytes.Buffer
	if err := parquet.Write(&file, rows); err != nil {
		t.Fatal(err)
	}
	got, sum, err := job{in: table.Input{Format: table.Parquet}, out: table.Output{Format: table.CSV}, run: table.RunOptions{Workers: 1}}.stream(t, file.String())
	if err == nil || !strings.Contains(err.Error(), "row group 1, behind row 2: a row has more than 67108864 bytes") {
		t.Errorf("error %v", err)
	}
	if sum.Rows != 2 || strings.Count(got, "\n") != 3 {
		t.Errorf("%d rows, %d lines; want the two before it", sum.Rows, strings.Count(got, "\n"))
	}
}
