package format_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/mirrortest"
	"github.com/postgeo/postgeo/internal/source/format"
)

func readFile(f format.File) (string, error) {
	in, err := f.Open()
	if err != nil {
		return "", err
	}
	defer in.Close()
	b, err := io.ReadAll(in)
	return string(b), err
}

func TestOpen(t *testing.T) {
	two := []member{{"readme.txt", "read me"}, {"US.txt", "content"}, {"__MACOSX/._US.txt", "fork"}, {"folder/", ""}}
	tests := []struct {
		name    string
		content []byte
		member  string
		want    string
	}{
		{"plain", []byte("content"), "", "content"},
		{"plain that begins like a zip", []byte("PKW,1"), "", "PKW,1"},
		{"empty", nil, "", ""},
		{"gzip", gzipBytes(t, "content"), "", "content"},
		{"gzip of several parts", append(gzipBytes(t, "con"), gzipBytes(t, "tent")...), "", "content"},
		{"only member", zipBytes(t, member{"US.txt", "content"}), "", "content"},
		{"only member beside a fork and a folder", zipBytes(t, two[1:]...), "", "content"},
		{"named member", zipBytes(t, two...), "US.txt", "content"},
		{"member by pattern", zipBytes(t, two...), "U*.txt", "content"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readFile(format.File{Path: writeFile(t, "f", tt.content), Member: tt.member})
			check(t, err)
			if got != tt.want {
				t.Errorf("content %q, want %q", got, tt.want)
			}
		})
	}
	if _, err := readFile(format.File{Path: filepath.Join(t.TempDir(), "absent")}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent file: %v", err)
	}
	if _, err := readFile(format.File{Path: t.TempDir()}); err == nil {
		t.Error("a folder was opened")
	}
	f := format.File{Path: writeFile(t, "f", zipBytes(t, append(two, member{"b/2.TXT", ""}, member{"c.csv", ""})...))}
	if diff := cmp.Diff([]string{"readme.txt", "US.txt", "b/2.TXT"}, f.Members(".txt")); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
}

// patch replaces a 32-bit number of the central directory's first entry.
func patch(z []byte, offset int, v uint32) []byte {
	z = bytes.Clone(z)
	at := bytes.Index(z, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(z[at+offset:], v)
	return z
}

func TestArchiveRefusals(t *testing.T) {
	const packedSize, size = 20, 24
	plain := zipBytes(t, member{"a.txt", strings.Repeat("0123456789", 1000)})
	many := make([]member, 6)
	for i := range many {
		many[i].name = strings.Repeat("x", i+1)
	}
	tests := []struct {
		name    string
		content []byte
		o       format.File
		cause   error
		want    string
	}{
		{"no such member", plain, format.File{Member: "b.txt"}, format.ErrMember, `member "b.txt", found 0 of it among "a.txt"`},
		{"two members, none named", zipBytes(t, many[:2]...), format.File{}, format.ErrMember, "exactly one file"},
		{"the name twice", zipBytes(t, member{"a", "1"}, member{"a", "2"}), format.File{Member: "a"}, format.ErrMember, "found 2"},
		{"pattern matches two", zipBytes(t, many[:2]...), format.File{Member: "x*"}, format.ErrMember, "found 2"},
		{"larger than declared", patch(plain, size, 5000), format.File{}, format.ErrTruncated, "f:a.txt: after"},
		{"smaller than declared", patch(plain, size, 20_000), format.File{}, format.ErrTruncated, "f:a.txt: after"},
		{"checksum", patch(plain, 16, 12345), format.File{}, format.ErrTruncated, "checksum"},
		{"packed size", patch(plain, packedSize, 10), format.File{}, format.ErrTruncated, "after"},
		{"cut off", plain[:len(plain)-30], format.File{}, format.ErrTruncated, "zip directory"},
		{"gzip cut off", gzipBytes(t, strings.Repeat("0123456789", 1000))[:40], format.File{}, format.ErrTruncated, "unexpected EOF"},
		{"gzip header", []byte("\x1f\x8b\x08"), format.File{}, format.ErrTruncated, "gzip header"},
		{"gzip too large", gzipBytes(t, strings.Repeat("0", 1001)), format.File{MaxSize: 1000}, format.ErrTooLarge, "more than 1000 bytes"},
		{"gzip bomb", bytes.Repeat(gzipBytes(t, strings.Repeat("\x00", 1<<20)), 80), format.File{}, format.ErrTooLarge, "expands more than 250 times"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := writeFile(t, "f", tt.content)
			tt.o.Path = path
			_, err := readFile(tt.o)
			wantError(t, err, tt.cause, tt.want)
			mustBeNamed(t, err, path)
		})
	}
}

func TestTableOfTruncatedMemberNamesTheLine(t *testing.T) {
	z := zipBytes(t, member{"a.csv", "A,B\n" + strings.Repeat("1,2\n", 100_000)})
	_, err := readTable(format.File{Path: writeFile(t, "f.zip", patch(z, 16, 1))}, format.Options{})
	wantError(t, err, format.ErrTruncated, "f.zip:a.csv:100002: ")
}

func FuzzOpen(f *testing.F) {
	f.Add(zipBytes(f, member{"a.txt", "content"}, member{"b/", ""}))
	f.Add(gzipBytes(f, "content"))
	f.Add([]byte("PK\x05\x06"))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := writeFile(t, "f", content)
		for _, m := range []string{"", "a.txt", "*"} {
			in, err := format.File{Path: path, Member: m, MaxSize: 1 << 20}.Open()
			if err == nil {
				_, err = io.Copy(io.Discard, in)
				in.Close()
			}
			if err != nil {
				mustBeNamed(t, err, path)
			}
		}
	})
}

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
	_, err := w.Write([]byte(content))
	check(tb, err)
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
