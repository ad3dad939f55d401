package store_test

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// outcome reads everything from the bytes of a file.
func outcome(t *testing.T, data []byte) (*country, error) {
	t.Helper()
	d, err := sqlite.OpenFS(fstest.MapFS{"x.db": {Data: data}}, "x.db")
	if err != nil {
		return nil, err
	}
	if err := d.Prepare(t.Context()); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	c, err := read(t.Context(), d)
	return c, errors.Join(err, d.Close())
}

// TestDamage damages a file in thousands of ways, the same in every run. Each
// time there is either an error or the very same answers.
func TestDamage(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	trials := fewer(1800)
	good := bytesOf(t, generate(9, 20, 10, 200, 40).generateCover(9, 70).file(t))
	want, err := outcome(t, good)
	check(t, err)
	page := 8192
	rng := rand.New(rand.NewPCG(9, 9))
	tests := map[string]func(b []byte) []byte{
		"bit": func(b []byte) []byte {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
			return b
		},
		"bit of a header": func(b []byte) []byte { // page headers and cell pointers, where SQLite looks first
			b[rng.IntN(len(b)/page)*page+rng.IntN(200)] ^= 1 << rng.IntN(8)
			return b
		},
		"bytes": func(b []byte) []byte {
			at := rng.IntN(len(b) - 16)
			for i := range 16 {
				b[at+i] = byte(rng.Uint32())
			}
			return b
		},
		"sector": func(b []byte) []byte {
			at := rng.IntN(len(b)/512) * 512
			clear(b[at : at+512])
			return b
		},
		"page swapped": func(b []byte) []byte {
			i, j := rng.IntN(len(b)/page)*page, rng.IntN(len(b)/page)*page
			x := append([]byte(nil), b[i:i+page]...)
			copy(b[i:i+page], b[j:j+page])
			copy(b[j:j+page], x)
			return b
		},
		"truncated": func(b []byte) []byte { return b[:rng.IntN(len(b))] },
	}
	for name, spoil := range tests {
		t.Run(name, func(t *testing.T) {
			refused := 0
			for i := range trials / len(tests) {
				got, err := outcome(t, spoil(append([]byte(nil), good...)))
				switch {
				case err == nil && !reflect.DeepEqual(want, got):
					t.Fatalf("trial %d: other answers without an error", i)
				case err != nil && !errors.Is(err, store.ErrDamaged) && !errors.Is(err, store.ErrNotDataset) &&
					!errors.Is(err, store.ErrVersion):
					t.Fatalf("trial %d: an error that does not tell its cause: %v", i, err)
				case err != nil:
					refused++
				}
			}
			if refused == 0 {
				t.Errorf("no damage was seen")
			}
			t.Logf("%d of %d seen", refused, trials/len(tests))
		})
	}
}
