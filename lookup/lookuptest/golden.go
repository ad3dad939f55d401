package lookuptest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
)

// Dataset is [Open] for one test, which need not close it.
func Dataset(tb testing.TB) *dataset.Dataset {
	tb.Helper()
	d, err := Open(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := d.Close(); err != nil {
			tb.Error(err)
		}
	})
	return d
}

// JSON returns what package envelope writes of a value, and fails unless
// encoding/json writes the same bytes.
func JSON(tb testing.TB, v any) []byte {
	tb.Helper()
	got, err := envelope.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	var std bytes.Buffer
	enc := json.NewEncoder(&std)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(string(bytes.TrimSpace(std.Bytes())), string(got)); diff != "" {
		tb.Fatalf("the bytes differ from encoding/json's (-want +got):\n%s", diff)
	}
	return got
}

// Golden holds the indented [JSON] of a value against a file of testdata, or
// writes the file again.
func Golden(tb testing.TB, name string, v any, update bool) {
	tb.Helper()
	var got bytes.Buffer
	if err := json.Indent(&got, JSON(tb, v), "", "  "); err != nil {
		tb.Fatal(err)
	}
	got.WriteByte('\n')
	file := filepath.Join("testdata", name+".json")
	if update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			tb.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		tb.Errorf("%s (-want +got):\n%s", file, diff)
	}
}
