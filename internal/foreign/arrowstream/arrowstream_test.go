package arrowstream_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/foreign/arrowstream"
)

// read returns a stream that Arrow's library for Go has written.
func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".arrows"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestReader reads streams of accepted and other columns.
func TestReader(t *testing.T) {
	for name, want := range map[string]error{"texts": nil, "views": nil, "metadata": nil, "list": arrowstream.ErrColumn} {
		stream := read(t, name)
		got, err := io.ReadAll(arrowstream.NewReader(bytes.NewReader(stream)))
		if !errors.Is(err, want) || err == nil && !bytes.Equal(got, stream) {
			t.Errorf("%s: %d of %d bytes, %v, want %v", name, len(got), len(stream), err, want)
		}
	}
}

// TestDamaged claims large numbers at every place of the metadata. Nothing panics or takes
// much memory, and the numbers of a schema's entries are refused.
func TestDamaged(t *testing.T) {
	for name, least := range map[string]int{"texts": 20, "views": 20, "metadata": 20} {
		stream := read(t, name)
		refused := 0
		for at := 0; at+4 <= len(stream); at += 4 {
			for _, claimed := range []uint32{1 << 20, 1 << 30, 1<<32 - 1} {
				damaged := bytes.Clone(stream)
				binary.LittleEndian.PutUint32(damaged[at:], claimed)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				_, err := io.Copy(io.Discard, arrowstream.NewReader(bytes.NewReader(damaged)))
				runtime.ReadMemStats(&after)
				if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
					t.Errorf("%s with %#x at %d: %d bytes of memory", name, claimed, at, took)
				}
				if errors.Is(err, arrowstream.ErrMetadata) {
					refused++
				}
			}
		}
		if refused < least {
			t.Errorf("%s: %d of the claims are refused, want at least %d", name, refused, least)
		}
	}
	for cut := range read(t, "texts") {
		if _, err := io.Copy(io.Discard, arrowstream.NewReader(bytes.NewReader(read(t, "texts")[:cut]))); errors.Is(err, arrowstream.ErrMetadata) {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
}

func TestEach(t *testing.T) {
	stream := string(read(t, "metadata"))
	for _, tt := range []struct {
		in     string
		chunks bool
		rows   []int64
		calls  int
		want   string // of the error
	}{
		{"", false, nil, 0, ""},
		{stream + stream, false, []int64{3, 4}, 2, ""},
		{"3\n" + stream + "0\r\n" + stream, true, []int64{3, 0}, 2, ""},
		{"2\n" + stream, true, []int64{3}, 1, "a chunk of 2 rows has 3"},
		{stream, true, nil, 0, "a chunk begins with"},
		{"-1\n" + stream, true, nil, 0, "expected its number of rows"},
		{"3", true, nil, 0, "EOF"},
	} {
		calls := 0
		err := arrowstream.Each(bufio.NewReader(strings.NewReader(tt.in)), tt.chunks, func(r io.Reader) (int64, error) {
			calls++
			one := make([]byte, len(stream))
			if _, err := io.ReadFull(r, one); err != nil || string(one) != stream {
				t.Errorf("%.20q: stream %d is %q, %v", tt.in, calls, one, err)
			}
			return tt.rows[calls-1], nil
		})
		if calls != tt.calls || (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.20q: %d calls, %v; want %d, %q", tt.in, calls, err, tt.calls, tt.want)
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, name := range []string{"texts", "views", "metadata", "list"} {
		f.Add(read(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := io.ReadAll(arrowstream.NewReader(bytes.NewReader(data)))
		if !bytes.HasPrefix(data, got) || err == nil && len(got) != len(data) {
			t.Errorf("%d of %d bytes, %v", len(got), len(data), err)
		}
	})
}
