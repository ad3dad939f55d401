package table_test

import (
	"bytes"
	stdgzip "compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"runtime"
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
func zeros(t *testing.T, n int64, to func(io.Writer) io.WriteCloser) func([]byte) []byte {
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
	return func([]byte) []byte { return out.Bytes() }
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
	const size, blocks = 513 << 20, 1 << 13 // of 128 kB each
	skipped := append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, 0x184d2a53), 3), "abc"...)
	tests := []struct {
		name  string
		codec compress.Codec
		text  func(page []byte) []byte
		want  string
	}{
		{"snappy", &snappy.Codec{}, func([]byte) []byte { return binary.AppendUvarint(nil, math.MaxUint32) }, "unpacks to more than the "},
		{"zstd told", &zstd.Codec{}, func([]byte) []byte { return zstdFrame(blocks, true) }, "unpacks to more than the "},
		{"zstd", &zstd.Codec{}, func([]byte) []byte { return zstdFrame(blocks, false) }, "unpacks to more than the "},
		{"zstd skipped", &zstd.Codec{}, func([]byte) []byte { return append(skipped, zstdFrame(blocks, true)...) }, "unpacks to more than the "},
		{"zstd behind another", &zstd.Codec{}, func(page []byte) []byte {
			first, err := (&zstd.Codec{}).Encode(nil, page)
			if err != nil {
				t.Error(err)
			}
			return append(first, zstdFrame(blocks, true)...)
		}, "unpacks to more than the "},
		{"gzip", &gzip.Codec{}, zeros(t, size, func(w io.Writer) io.WriteCloser { return stdgzip.NewWriter(w) }), "unpacks to more than the "},
		{"brotli", &parquet.Brotli, zeros(t, size, func(w io.Writer) io.WriteCloser { return brotli.NewWriterLevel(w, 1) }), "unpacks to more than the "},
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
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, _, err := job{in: table.Input{Format: table.Parquet}, out: table.Output{Format: table.Parquet}}.stream(t, file.String())
				runtime.ReadMemStats(&after)
				if err == nil || !strings.Contains(err.Error(), tt.want) {
					t.Errorf("error %v, want one with %q", err, tt.want)
				}
				const most = 64 << 20
				if took := after.TotalAlloc - before.TotalAlloc; took > most {
					t.Errorf("%d bytes were taken for it, want at most %d", took, most)
				}
			})
		}
	}
}
