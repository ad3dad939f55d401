package format_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/source/format"
)

// shared returns the path of a file of the shared data next to the repository
// and skips the test without it.
func shared(tb testing.TB, parts ...string) string {
	tb.Helper()
	p := filepath.Join(append([]string{"../../../../shared/data"}, parts...)...)
	if _, err := os.Stat(p); err != nil {
		tb.Skipf("needs the shared data: %v", err)
	}
	return p
}

type member struct{ name, content string }

func zipBytes(_ testing.TB, members ...member) []byte {
	var list []string
	for _, m := range members {
		list = append(list, m.name, m.content)
	}
	return mirrortest.Zip(list...)
}

func gzipBytes(tb testing.TB, content string) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(content)); err != nil {
		tb.Fatal(err)
	}
	check(tb, w.Close())
	return b.Bytes()
}

func writeFile(tb testing.TB, name string, content []byte) string {
	tb.Helper()
	p := filepath.Join(tb.TempDir(), name)
	check(tb, os.WriteFile(p, content, 0o600))
	return p
}

func input(name, content string) format.File {
	return format.File{Path: name, Content: []byte(content)}
}

// collect runs a sequence to its end.
func collect[T, R any](seq iter.Seq2[T, error], pick func(T) R) ([]R, error) {
	var all []R
	for v, err := range seq {
		if err != nil {
			return all, err
		}
		all = append(all, pick(v))
	}
	return all, nil
}

// wantError checks the cause, the place and a part of the text of an error.
func wantError(tb testing.TB, err, cause error, text string) {
	tb.Helper()
	if !errors.Is(err, cause) {
		tb.Errorf("error %v, want one that matches %q", err, cause)
		return
	}
	if !strings.Contains(err.Error(), text) {
		tb.Errorf("error %q, want it to contain %q", err, text)
	}
}

// mustBeNamed fails unless the error is of this package and names the file.
func mustBeNamed(tb testing.TB, err error, file string) {
	tb.Helper()
	var e *format.Error
	if !errors.As(err, &e) {
		tb.Fatalf("error %T %v, want *format.Error", err, err)
	}
	if !strings.HasPrefix(e.File, file) {
		tb.Fatalf("error names file %q, want %q", e.File, file)
	}
}

func wantText(tb testing.TB, err error, text string) {
	tb.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		tb.Errorf("error %v, want it to contain %q", err, text)
	}
}
