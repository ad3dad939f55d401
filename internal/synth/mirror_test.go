package synth_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/synth"
)

// digests returns the SHA-256 of every file below a folder.
func digests(t *testing.T, dir string) map[string]string {
	t.Helper()
	sums := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		sums[filepath.ToSlash(rel)] = fmt.Sprintf("%x", sha256.Sum256(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sums
}

func mirrorOf(t *testing.T, o synth.Options) map[string]string {
	t.Helper()
	c, err := synth.New(o)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := c.WriteMirror(context.Background(), dir); err != nil {
		t.Fatal(err)
	}
	return digests(t, dir)
}

func TestMirrorsAreReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	o := synth.Options{Seed: 11, Detail: 2}
	first := mirrorOf(t, o)
	if diff := cmp.Diff(first, mirrorOf(t, o)); diff != "" {
		t.Errorf("the same options gave other files (-first +second):\n%s", diff)
	}
	o.Seed++
	second := mirrorOf(t, o)
	same := 0
	for path, sum := range first {
		if second[path] == sum {
			same++
		}
	}
	if same > 8 { // tables of the frame, and territories with one code
		t.Errorf("%d of %d files do not depend on the seed", same, len(first))
	}
}
