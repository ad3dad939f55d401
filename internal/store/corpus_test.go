package store_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/store"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A sighting is where damage is seen.
type sighting string

// The places where damage is seen. What only Verify sees does not come near
// any answer, or is a lie whose checksums are all right.
const (
	byOpen   sighting = "open"
	byAnswer sighting = "question"
	byVerify sighting = "verify"
	byNobody sighting = "nobody" // it is no damage: all answers are right
)

// sightings are the places in their order.
var sightings = []sighting{byOpen, byAnswer, byVerify}

// A badFile is a damaged dataset of the corpus.
type badFile struct {
	name string
	seen sighting // at the latest
	is   error    // that the error matches; nil: dataset.ErrDamaged
	make func(t *testing.T, path string, good []byte)
	says string // that the error says; "": what testdata/corpus.golden has
}

func (b badFile) want() error {
	if b.is != nil {
		return b.is
	}
	return store.ErrDamaged
}

// written is a file of bytes that were changed.
func written(change func(b []byte) []byte) func(*testing.T, string, []byte) {
	return func(t *testing.T, path string, good []byte) {
		t.Helper()
		check(t, os.WriteFile(path, change(append([]byte(nil), good...)), 0o600))
	}
}

// edited is a file that statements of SQL changed. The checksums of its pages are
// right, its digests as they were.
func edited(statements ...string) func(*testing.T, string, []byte) {
	return func(t *testing.T, path string, good []byte) {
		t.Helper()
		check(t, os.WriteFile(path, good, 0o600))
		edit(t, path, statements...)
	}
}

// rotten is a file with the pages that the statements change, and the checksums that
// they had before.
func rotten(statements ...string) func(*testing.T, string, []byte) {
	return func(t *testing.T, path string, good []byte) {
		t.Helper()
		check(t, os.WriteFile(path, good, 0o600))
		edit(t, path, statements...)
		bad := bytesOf(t, path)
		for at := mutatedPage; at < len(good); at += mutatedPage {
			copy(bad[at+mutatedPage-16:], good[at+mutatedPage-16:at+mutatedPage])
		}
		copy(bad, good[:mutatedPage])
		check(t, os.WriteFile(path, bad[:len(good)], 0o600))
	}
}

// resealed is edited, with all checksums and digests made right again.
func resealed(first func(*testing.T, string, []byte)) func(*testing.T, string, []byte) {
	return func(t *testing.T, path string, good []byte) {
		t.Helper()
		first(t, path, good)
		reseal(t, path)
	}
}

// TestCorpus opens, asks and verifies damaged datasets and holds what each is
// told to be against testdata/corpus.golden.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	good, want := baseline(t)
	files := corpus(t, good)
	told := make([]string, len(files)) // each in its place, whichever is done first
	t.Run("files", func(t *testing.T) {
		for i, b := range files {
			if testing.Short() && i%10 != 0 {
				continue
			}
			t.Run(b.name, func(t *testing.T) {
				t.Parallel()
				told[i] = b.try(t, good, want)
			})
		}
	})
	if testing.Short() {
		return // the golden file has all of them
	}
	golden := filepath.Join("testdata", "corpus.golden")
	if *update {
		check(t, os.MkdirAll("testdata", 0o755))
		check(t, os.WriteFile(golden, []byte(strings.Join(told, "")), 0o644))
	}
	text, err := os.ReadFile(golden)
	check(t, err)
	if diff := cmp.Diff(string(text), strings.Join(told, "")); diff != "" {
		t.Errorf("run the test with -update if this is meant (-want +got):\n%s", diff)
	}
}

// try makes the file, looks where its damage is seen, and returns what the
// golden file has of it.
func (b badFile) try(t *testing.T, good []byte, want []answered) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bad.db")
	b.make(t, path, good)
	r := inspect(t, path, want, strings.HasPrefix(b.name, "forged"))
	first := slices.IndexFunc(sightings, func(s sighting) bool { return r[s] != nil })
	if last := slices.Index(sightings, b.seen); (first < 0) != (last < 0) || first > last {
		t.Errorf("seen by %v, want %s at the latest", r, b.seen)
	}
	var out strings.Builder
	fmt.Fprintln(&out, b.name)
	for _, s := range sightings {
		err := r[s]
		if err == nil {
			continue
		}
		fmt.Fprintf(&out, "\t%s: %s\n", s, normal(err, path, good))
		if !errors.Is(err, b.want()) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), b.says) {
			t.Errorf("%s: error %q; want one that names the file, matches %q and says %q", s, err, b.want(), b.says)
		}
	}
	if b.says != "" {
		return ""
	}
	return out.String()
}

// inspect opens a file, asks it everything and verifies it, and returns the
// first error of each. An answer that is another one without an error fails
// the test, unless the file is forged.
func inspect(t *testing.T, path string, want []answered, forged bool) map[sighting]error {
	t.Helper()
	db, err := postgeo.Open(path)
	if err != nil {
		return map[sighting]error{byOpen: err}
	}
	defer db.Close()
	r := map[sighting]error{}
	for i, got := range askAll(t.Context(), db) {
		switch {
		case refused(got.err):
			if r[byAnswer] == nil {
				r[byAnswer] = got.err
			}
		case !forged && got.text != want[i].text || !forged && got.failure() != want[i].failure():
			t.Errorf("silently wrong:\ngot  %.200s, %v\nwant %.200s, %v", got.text, got.err, want[i].text, want[i].err)
		}
	}
	r[byVerify] = db.Verify(t.Context())
	return r
}

// changing is what changes with every change of the sample or the format.
var changing = []struct {
	text *regexp.Regexp
	to   string
}{
	{regexp.MustCompile(`\b[0-9a-f]{64}\b`), "SHA256"},
	{regexp.MustCompile(`page \d+ has the checksum [0-9a-f]{16}, computed [0-9a-f]{16}`), "page N has the checksum SUM, computed SUM"},
	{regexp.MustCompile(`found column \d+, expected \d+`), "found column N, expected M"},
	{regexp.MustCompile(`has \d+ columns, the manifest lists \d+`), "has N columns, the manifest lists M"},
	{regexp.MustCompile(`reads version \d+`), "reads version CURRENT"},
}

// normal is an error as the golden file has it: without what changes with
// every change of the sample.
func normal(err error, path string, good []byte) string {
	s, _, _ := strings.Cut(err.Error(), "\n") // of Verify the first finding
	s = strings.ReplaceAll(s, path, "FILE")
	for _, c := range changing {
		s = c.text.ReplaceAllString(s, c.to)
	}
	for text, size := range map[string]int{"SIZE": len(good), "SIZE-1": len(good) - 1, "SIZE+1": len(good) + 1, "HALF": len(good) / 2, "TWICE": 2 * len(good)} {
		s = regexp.MustCompile(`\b`+strconv.Itoa(size)+`\b`).ReplaceAllString(s, text)
	}
	return s
}

// TestCorpusOutside opens what the system or the place of a file refuses.
func TestCorpusOutside(t *testing.T) {
	good, _ := baseline(t)
	dir := t.TempDir()
	tests := []struct {
		name string
		make func(t *testing.T, path string)
		want error
		says string
	}{
		{"absent", func(*testing.T, string) {}, fs.ErrNotExist, "postgeo dataset build -o"},
		{"folder", func(t *testing.T, path string) { check(t, os.Mkdir(path, 0o755)) }, store.ErrNotDataset, "is a folder; give the file itself"},
		{"link to nothing", func(t *testing.T, path string) { check(t, os.Symlink("nowhere", path)) }, fs.ErrNotExist, "does not exist"},
		{"link to itself", func(t *testing.T, path string) { check(t, os.Symlink(filepath.Base(path), path)) }, nil, "too many levels"},
		{"in a file", func(t *testing.T, path string) {
			check(t, os.WriteFile(filepath.Dir(path), good, 0o600))
		}, nil, "not a directory"},
		{"pipe that nobody writes", pipe, store.ErrNotDataset, "is not a regular file"},
		{"unreadable", func(t *testing.T, path string) {
			if os.Geteuid() == 0 {
				t.Skip("the administrator may read everything")
			}
			check(t, os.WriteFile(path, good, 0))
		}, fs.ErrPermission, "permission denied"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(dir, strings.ReplaceAll(tt.name, " ", "-"))
			if tt.name == "in a file" {
				path = filepath.Join(path, "x.db")
			}
			tt.make(t, path)
			_, err := postgeo.Open(path)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %v; want one that names the file, matches %v and says %q", err, tt.want, tt.says)
			}
		})
	}
}
