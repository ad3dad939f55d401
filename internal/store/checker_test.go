package store_test

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/postgeo/postgeo/internal/store"
)

// wholePass reads a file until its verification has come to the end once more,
// or cannot go on.
func wholePass(t *testing.T, d *store.Dataset) (store.Verification, error) {
	t.Helper()
	v, err := d.VerifyNext(t.Context(), 0)
	before := v.Passes
	for range v.Total/100_000 + 2 {
		if v, err = d.VerifyNext(t.Context(), 100_000); v.Passes > before {
			break
		}
	}
	return v, err
}

// overwrite changes bytes of a file in place.
func overwrite(t *testing.T, path string, at int, b []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	check(t, err)
	_, err = f.WriteAt(b, int64(at))
	check(t, errors.Join(err, f.Close()))
}

func TestVerifyNext(t *testing.T) {
	path := generate(9, 300, 10, 200, 40).generateCover(9, 70).file(t)
	inFS, err := store.OpenFS(fstest.MapFS{"x.db": {Data: bytesOf(t, path)}}, "x.db")
	check(t, err)
	defer inFS.Close()
	for name, d := range map[string]*store.Dataset{"disk": open(t, path), "map": inFS} {
		info, err := os.Stat(path)
		check(t, err)
		v, err := d.VerifyNext(t.Context(), 1)
		if want := (store.Verification{Done: 8192, Total: info.Size()}); err != nil || v != want {
			t.Errorf("%s: after a page: %+v, %v, want %+v", name, v, err, want)
		}
		for pass := 1; pass <= 2; pass++ {
			v, err = wholePass(t, d)
			if v.Passes != pass || v.Urgent || err != nil {
				t.Errorf("%s: after pass %d: %+v, %v", name, pass, v, err)
			}
		}
		for range 50 {
			check(t, d.Probe(t.Context()))
		}
	}
}

// TestVerifyNextFindsDamage changes bytes of an open file. Whatever the
// verification does not find changes no answer.
func TestVerifyNextFindsDamage(t *testing.T) {
	path := generate(9, 20, 10, 200, 40).generateCover(9, 70).file(t)
	good := bytesOf(t, path)
	want, err := outcome(t, good)
	check(t, err)
	d := open(t, path)
	rng := rand.New(rand.NewPCG(4, 4))
	found, trials := 0, fewer(400)
	for range trials {
		at := rng.IntN(len(good))
		overwrite(t, path, at, []byte{good[at] ^ 1<<rng.IntN(8)})
		_, err := wholePass(t, d)
		switch {
		case errors.Is(err, store.ErrDamaged):
			found++
		case err != nil:
			t.Fatalf("byte %d of page %d: %v", at%8192, at/8192+1, err)
		default:
			if got, err := outcome(t, bytesOf(t, path)); err != nil || !reflect.DeepEqual(want, got) {
				t.Errorf("byte %d of page %d: not found; read from the beginning: %v", at%8192, at/8192+1, err)
			}
		}
		overwrite(t, path, at, good[at:at+1])
	}
	if _, err := wholePass(t, d); err != nil {
		t.Errorf("with everything as it was: %v", err)
	}
	t.Logf("%d of %d changes found", found, trials)
	if found < trials/4 {
		t.Errorf("%d of %d changes found", found, trials)
	}
}

// TestProbe damages an open file in the ways that happen. Each is reported at
// once, or after a number of probes, and no more when it is undone.
func TestProbe(t *testing.T) {
	c := generate(9, 300, 10, 200, 40).generateCover(9, 70)
	good := bytesOf(t, c.file(t))
	other := append([]byte(nil), bytesOf(t, generate(10, 300, 10, 200, 40).generateCover(9, 70).file(t))...)
	pages := len(good) / 8192
	truncate := func(size int) func(*testing.T, string) {
		return func(t *testing.T, path string) { check(t, os.Truncate(path, int64(size))) }
	}
	flip := func(page int) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			at := page*8192 + 8192 - 50
			overwrite(t, path, at, []byte{^good[at], ^good[at+1], ^good[at+2]})
		}
	}
	tests := map[string]struct {
		damage func(*testing.T, string)
		within int // probes
	}{
		"emptied":                {truncate(0), 1},
		"cut in a page":          {truncate(len(good) - 10), 1},
		"half":                   {truncate(len(good) / 2), 1},
		"zeroes":                 {func(t *testing.T, path string) { overwrite(t, path, 0, make([]byte, len(good))) }, 1},
		"another dataset":        {func(t *testing.T, path string) { check(t, os.WriteFile(path, other, 0o600)) }, 1},
		"another, cut to size":   {func(t *testing.T, path string) { overwrite(t, path, 0, other[:min(len(other), len(good))]) }, 1},
		"bytes of a late page":   {flip(pages - 1), pages},
		"bytes of a middle page": {flip(pages / 2), pages},
		"bytes of an early page": {flip(pages / 3), pages},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "x.db")
			check(t, os.WriteFile(path, good, 0o600))
			d := open(t, path)
			for range 3 {
				check(t, d.Probe(t.Context()))
			}
			test.damage(t, path)
			n, err := 0, error(nil)
			for n < test.within && err == nil {
				err = d.Probe(t.Context())
				n++
			}
			if !errors.Is(err, store.ErrDamaged) {
				t.Fatalf("after %d probes: %v", n, err)
			}
			t.Logf("after %d probes of %d: %v", n, pages, err)
			for range 5 {
				if err := d.Probe(t.Context()); !errors.Is(err, store.ErrDamaged) {
					t.Errorf("reported, and then: %v", err)
				}
			}
			check(t, os.WriteFile(path, good, 0o600))
			for range 5 {
				check(t, d.Probe(t.Context()))
			}
		})
	}
}

// TestMoved deletes and replaces the file of an open dataset, which answers as
// before, with as many connections as it needs.
func TestMoved(t *testing.T) {
	c := generate(9, 300, 10, 200, 40)
	other := bytesOf(t, generate(10, 300, 10, 200, 40).file(t))
	for _, test := range []struct {
		name string
		move func(t *testing.T, path string)
		want error
	}{
		{"deleted", func(t *testing.T, path string) { check(t, os.Remove(path)) }, fs.ErrNotExist},
		{"replaced", func(t *testing.T, path string) {
			check(t, os.WriteFile(path+".new", other, 0o600))
			check(t, os.Rename(path+".new", path))
		}, store.ErrReplaced},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := c.file(t)
			d := open(t, path)
			check(t, d.Moved())
			test.move(t, path)
			if err := d.Moved(); !errors.Is(err, test.want) {
				t.Errorf("Moved: %v, want %v", err, test.want)
			}
			var wg sync.WaitGroup
			for range 40 {
				wg.Go(func() {
					for _, row := range c.ZIPs {
						if _, err := d.ZIPDetail(t.Context(), row.ZIP); err != nil {
							t.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
			check(t, d.Probe(t.Context()))
			if _, err := wholePass(t, d); err != nil {
				t.Error(err)
			}
			got, err := read(t.Context(), d)
			check(t, err)
			want, err := outcome(t, bytesOf(t, c.file(t)))
			check(t, err)
			if !reflect.DeepEqual(want, got) {
				t.Error("other answers than before")
			}
		})
	}
}
