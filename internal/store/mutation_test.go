package store_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/sample"
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

// A tally is what became of the mutated files of one kind.
type tally struct {
	trials, atOpen, atQuestion, unseen, verified atomic.Int64
}

// watched runs a trial and fails the test when it panics or does not end.
func watched(t *testing.T, name string, seed int, trial func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s, seed %d: panic: %v\n%s", name, seed, p, debug.Stack())
			}
		}()
		trial()
	}()
	const hang = 300 // seconds that this process ran in; a trial takes a tenth of one
	for range hang {
		select {
		case <-done:
			return
		case <-time.After(time.Second): // once, however long the process was stopped meanwhile
		}
	}
	panic(fmt.Sprintf("%s, seed %d: not done after %d s", name, seed, hang)) // with the stacks of all
}

// parallel runs trials on all processors; each has a seed of its own.
func parallel(t *testing.T, trials int, trial func(seed int)) {
	t.Helper()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for seed := int(next.Add(1) - 1); seed < trials && !t.Failed(); seed = int(next.Add(1) - 1) {
				trial(seed)
			}
		})
	}
	workers.Wait()
}

// baseline are the answers of the undamaged sample, and its bytes.
func baseline(t *testing.T) (good []byte, want []answered) {
	t.Helper()
	good, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	db, err := postgeo.OpenSample()
	check(t, err)
	want = askAll(t.Context(), db)
	check(t, db.Close())
	return good, want
}

// TestMutations damages the sample in many ways, the same in every run, and
// asks it everything. Each answer is that of the undamaged file, or an error
// that says that the file is damaged; and a file that Verify passes answers
// everything. POSTGEO_TEST_MUTATIONS is how many files there are.
func TestMutations(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	good, want := baseline(t)
	trials := storetest.Times("POSTGEO_TEST_MUTATIONS", 126)
	tallies := make([]tally, len(mutations))
	parallel(t, trials, func(seed int) {
		kind := seed % len(mutations)
		m, n := mutations[kind], &tallies[kind]
		watched(t, m.name, seed, func() {
			rng := rand.New(rand.NewPCG(uint64(seed), 20_000))
			bad := m.spoil(rng, append([]byte(nil), good...))
			n.trials.Add(1)
			db, err := postgeo.OpenFS(fstest.MapFS{"x.db": {Data: bad}}, "x.db", postgeo.OpenOptions{})
			if err != nil {
				n.atOpen.Add(1)
				if !refused(err) {
					t.Errorf("%s, seed %d: an error that does not tell its cause: %v", m.name, seed, err)
				}
				return
			}
			defer db.Close()
			found := 0
			for i, got := range askAll(t.Context(), db) {
				switch {
				case refused(got.err):
					found++
				case got.text != want[i].text || got.failure() != want[i].failure():
					t.Errorf("%s, seed %d: silently wrong:\ngot  %.300s, %v\nwant %.300s, %v", m.name, seed, got.text, got.err, want[i].text, want[i].err)
				}
			}
			if err := db.Verify(t.Context()); err == nil {
				n.verified.Add(1)
				if found > 0 {
					t.Errorf("%s, seed %d: a file that Verify passes refuses %d questions", m.name, seed, found)
				}
			} else if !refused(err) {
				t.Errorf("%s, seed %d: Verify does not tell the cause: %v", m.name, seed, err)
			}
			if found > 0 {
				n.atQuestion.Add(1)
			} else {
				n.unseen.Add(1)
			}
		})
	})
	t.Log("damage | files | refused by Open | by a question | all answers right | of these passed by Verify")
	for i, m := range mutations {
		n := &tallies[i]
		t.Logf("| %s | %d | %d | %d | %d | %d |", m.name, n.trials.Load(), n.atOpen.Load(), n.atQuestion.Load(), n.unseen.Load(), n.verified.Load())
	}
}
