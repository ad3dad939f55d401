package store_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/storetest"
)

// A mutation damages the bytes of a file, which it may change.
type mutation struct {
	name  string
	spoil func(rng *rand.Rand, b []byte) []byte
}

const mutatedPage = 8192 // bytes of a page of the file

// between returns a slice of at most size bytes at a random place.
func between(rng *rand.Rand, b []byte, size int) []byte {
	at := rng.IntN(len(b) - size)
	return b[at : at+1+rng.IntN(size)]
}

func page(rng *rand.Rand, b []byte) []byte {
	at := rng.IntN(len(b)/mutatedPage) * mutatedPage
	return b[at : at+mutatedPage]
}

func noise(rng *rand.Rand, b []byte) {
	for i := range b {
		b[i] = byte(rng.Uint32())
	}
}

var mutations = []mutation{
	{"bit flipped", func(rng *rand.Rand, b []byte) []byte {
		b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		return b
	}},
	{"ten bits flipped", func(rng *rand.Rand, b []byte) []byte {
		for range 10 {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		}
		return b
	}},
	{"bit of the file's header", func(rng *rand.Rand, b []byte) []byte {
		b[rng.IntN(100)] ^= 1 << rng.IntN(8)
		return b
	}},
	{"bit of a page's header", func(rng *rand.Rand, b []byte) []byte { // where SQLite looks first
		page(rng, b)[rng.IntN(64)] ^= 1 << rng.IntN(8)
		return b
	}},
	{"bytes overwritten", func(rng *rand.Rand, b []byte) []byte { noise(rng, between(rng, b, 64)); return b }},
	{"bytes of another place", func(rng *rand.Rand, b []byte) []byte {
		copy(between(rng, b, 4096), between(rng, b, 4096))
		return b
	}},
	{"sector zeroed", func(rng *rand.Rand, b []byte) []byte {
		at := rng.IntN(len(b)/512) * 512
		clear(b[at : at+512])
		return b
	}},
	{"page zeroed", func(rng *rand.Rand, b []byte) []byte { clear(page(rng, b)); return b }},
	{"page of noise", func(rng *rand.Rand, b []byte) []byte { noise(rng, page(rng, b)); return b }},
	{"pages swapped", func(rng *rand.Rand, b []byte) []byte {
		p, q := page(rng, b), page(rng, b)
		kept := append([]byte(nil), p...)
		copy(p, q)
		copy(q, kept)
		return b
	}},
	{"page twice", func(rng *rand.Rand, b []byte) []byte { copy(page(rng, b), page(rng, b)); return b }},
	{"truncated", func(rng *rand.Rand, b []byte) []byte { return b[:rng.IntN(len(b))] }},
	{"truncated, header mended", func(rng *rand.Rand, b []byte) []byte {
		pages := 1 + rng.IntN(len(b)/mutatedPage-1)
		b = b[:pages*mutatedPage]
		b[28], b[29], b[30], b[31] = byte(pages>>24), byte(pages>>16), byte(pages>>8), byte(pages)
		return b
	}},
	{"bytes appended", func(rng *rand.Rand, b []byte) []byte {
		more := make([]byte, 1+rng.IntN(3*mutatedPage))
		noise(rng, more)
		return append(b, more...)
	}},
}

// A damagedFile is a file that may be damaged, and what the undamaged one answers.
type damagedFile struct {
	data []byte
	list []question
	want []answered
}

// asked are the answers of a file.
func asked(t *testing.T, data []byte, list []question) damagedFile {
	t.Helper()
	db, err := postgeo.OpenFS(fstest.MapFS{"x.db": {Data: data}}, "x.db", postgeo.OpenOptions{})
	check(t, err)
	f := damagedFile{data, list, nil}
	for _, q := range list {
		f.want = append(f.want, askSafely(t.Context(), q, db))
	}
	check(t, db.Close())
	return f
}

// open opens the file. It returns nil if that reports damage, and else the number of questions
// that do. Every other answer must be that of the undamaged file.
func (f *damagedFile) open(t *testing.T, what string) (db *postgeo.DB, found int) {
	t.Helper()
	db, err := postgeo.OpenFS(fstest.MapFS{"x.db": {Data: f.data}}, "x.db", postgeo.OpenOptions{})
	if err != nil {
		if !refused(err) {
			t.Errorf("%s: Open: %v", what, err)
		}
		return nil, 0
	}
	for i, q := range f.list {
		switch got := askSafely(t.Context(), q, db); {
		case refused(got.err):
			found++
		case got.text != f.want[i].text || got.failure() != f.want[i].failure():
			t.Errorf("%s: silently wrong:\ngot  %.300s, %v\nwant %.300s, %v", what, got.text, got.err, f.want[i].text, f.want[i].err)
		}
	}
	return db, found
}

// TestMutations damages the sample in many ways, the same in every run, and asks it everything. A
// file that Verify passes answers everything. POSTGEO_TEST_MUTATIONS is how many files there are.
func TestMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	good, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	file := asked(t, good, questions())
	for seed := range storetest.Times("POSTGEO_TEST_MUTATIONS", 126) {
		m := mutations[seed%len(mutations)]
		t.Run(fmt.Sprint(m.name, " ", seed), func(t *testing.T) {
			t.Parallel()
			bad := file
			bad.data = m.spoil(rand.New(rand.NewPCG(uint64(seed), 20_000)), slices.Clone(good))
			db, found := bad.open(t, m.name)
			if db == nil {
				return
			}
			defer db.Close()
			if err := db.Verify(t.Context()); err == nil && found > 0 || err != nil && !refused(err) {
				t.Errorf("Verify: %v; %d questions were refused", err, found)
			}
		})
	}
}

// TestFlips flips bits of the sample, and of the file in POSTGEO_NATIONAL if it is set. Open, or
// VerifyPages, must report each flip as damage. Every tenth file is asked.
func TestFlips(t *testing.T) {
	good, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	t.Run("sample", func(t *testing.T) { flips(t, good, fewer(2000)) })
	t.Run("national", func(t *testing.T) { flips(t, bytesOf(t, lookuptest.NationalPath(t)), 2000) })
}

func flips(t *testing.T, data []byte, trials int) {
	t.Helper()
	var few []question
	for i, q := range questions() {
		if i%9 == 0 {
			few = append(few, q)
		}
	}
	whole := asked(t, data, few)
	const parts = 4
	for part := range parts {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			rng, file := rand.New(rand.NewPCG(14, uint64(part))), whole
			file.data = slices.Clone(data)
			for trial := range trials / parts {
				at, bit := rng.IntN(len(data)), byte(1)<<rng.IntN(8)
				if file.list = nil; trial%10 == 0 { // answers take longer than the rest
					file.list = few
				}
				file.data[at] ^= bit
				db, found := file.open(t, fmt.Sprintf("byte %d, bit %d", at, bit))
				if db != nil {
					if found > 0 {
						wantError(t, db.Ping(t.Context()), store.ErrDamaged)
					}
					wantError(t, db.VerifyPages(t.Context()), store.ErrDamaged)
					wantError(t, db.Ping(t.Context()), store.ErrDamaged)
				}
				file.data[at] ^= bit
				if db != nil {
					check(t, db.Ping(t.Context()))
					check(t, db.Close())
				}
			}
		})
	}
}

// fewer returns n, or a tenth of it with -short.
func fewer(n int) int {
	if testing.Short() {
		return n / 10
	}
	return n
}
