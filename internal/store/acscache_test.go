package store_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/store"
)

// pageOf returns a page that tells its number.
func pageOf(id uint32, size int) []byte {
	return binary.BigEndian.AppendUint32(make([]byte, 0, size), id)[:size:size]
}

func holdsPage(t *testing.T, c *store.ACSCache, id uint32) bool {
	t.Helper()
	payload := c.Get(id)
	if payload != nil && binary.BigEndian.Uint32(payload) != id {
		t.Errorf("page %d has what belongs to page %d", id, binary.BigEndian.Uint32(payload))
	}
	return payload != nil
}

func TestACSCache(t *testing.T) {
	c := new(store.ACSCache)
	for _, id := range []uint32{0, 1, 1 << 31} {
		if holdsPage(t, c, id) {
			t.Errorf("an empty cache has page %d", id)
		}
		c.Add(id, pageOf(id, 4))
		c.Add(id, pageOf(id, 8)) // again
		if !holdsPage(t, c, id) {
			t.Errorf("page %d is not kept", id)
		}
	}
	if pages, _ := c.Held(); pages != 3 {
		t.Errorf("%d pages are kept, want 3", pages)
	}
	c.Add(7, pageOf(7, 4097)) // more than half a page of SQLite
	if holdsPage(t, c, 7) {
		t.Error("a page that is too large is kept")
	}

	// One page is asked for again and again while all others pass through.
	c.Add(12, pageOf(12, 4096))
	for id := range uint32(50_000) {
		c.Add(100+id, pageOf(100+id, 4096))
		if !holdsPage(t, c, 12) {
			t.Fatalf("the page that is used most was dropped after %d others", id)
		}
	}
	if pages, bytes := c.Held(); pages != 2048 || bytes > 8<<20 {
		t.Errorf("%d pages of %d bytes are kept, want 2048 of at most 8 MiB", pages, bytes)
	}
	if holdsPage(t, c, 100) {
		t.Error("the page that was not used for the longest time is kept")
	}
}

// TestACSCacheSpreads reads a hundred neighbours: eight pages in a row of each
// of 56 tables of equal size, whatever that is. Nearly all stay.
func TestACSCacheSpreads(t *testing.T) {
	for _, size := range []uint32{80, 100, 128, 1000, 1024, 2250, 2304, 4096} {
		c := new(store.ACSCache)
		ids := func(yield func(uint32)) {
			for table := range uint32(56) {
				for page := range uint32(8) {
					yield(table*size + 40 + page)
				}
			}
		}
		ids(func(id uint32) { c.Add(id, pageOf(id, 4)) })
		kept := 0
		ids(func(id uint32) {
			if holdsPage(t, c, id) {
				kept++
			}
		})
		if kept < 56*8*9/10 {
			t.Errorf("tables of %d pages: %d of %d pages are kept", size, kept, 56*8)
		}
	}
}

func TestACSCacheConcurrent(t *testing.T) {
	c := new(store.ACSCache)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 1))
			for range 5000 {
				if id := rng.Uint32N(6000); !holdsPage(t, c, id) {
					c.Add(id, pageOf(id, 16))
				}
			}
		})
	}
	wg.Wait()
	if pages, _ := c.Held(); pages == 0 || pages > 2048 {
		t.Errorf("%d pages are kept, want at most 2048", pages)
	}
}

// TestACSKept reads rows from the file and from memory, by several goroutines
// in orders of their own: they are the same.
func TestACSKept(t *testing.T) {
	big := bigSurvey(4, 60+fewer(540))
	c := small()
	c.Surveys = append(c.Surveys, big)
	d := openPlain(t, c.file(t))
	if n := d.ACSPagesHeld(); n != 0 {
		t.Errorf("%d pages are in memory before anything was read", n)
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(g), 2))
			table := d.ACSTable(big.Table.Level, big.Table.Year, big.Table.Name)
			var cells []store.ACSCell
			for _, i := range rng.Perm(len(big.Rows)) {
				p, ok := d.ACSArea(store.ACSZCTA, big.Rows[i].GEOID)
				var err error
				if cells, _, err = d.ACSRow(t.Context(), table, p, cells); err != nil || !ok || !slices.Equal(big.Rows[i].Cells, cells) {
					t.Errorf("%d: %v (-want +got):\n%s", big.Rows[i].GEOID, err, cmp.Diff(big.Rows[i].Cells, cells))
					return
				}
			}
		})
	}
	wg.Wait()
	holds(t, d, c.Surveys)
	held := d.ACSPagesHeld()
	holds(t, d, c.Surveys)
	if n := d.ACSPagesHeld(); held == 0 || n != held {
		t.Errorf("%d pages are in memory, then %d", held, n)
	}

	// What is in memory is not given out after the end.
	table := &d.ACSTables()[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := d.ACSRow(ctx, table, 0, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
	check(t, d.Close())
	_, _, err := d.ACSRow(t.Context(), table, 0, nil)
	wantError(t, err, store.ErrClosed)
}

// BenchmarkACSRows reads the estimates of neighbours, from pages that are in
// memory and from the file.
func BenchmarkACSRows(b *testing.B) {
	c := small()
	c.Surveys = []survey{bigSurvey(1, 3000)}
	path := c.file(b)
	d := openPlain(b, path)
	defer d.Close()
	table := &d.ACSTables()[0]
	positions := make([]uint32, d.ACSAreas(store.ACSZCTA))
	for i := range positions {
		positions[i] = uint32(i)
	}
	cells := make([]store.ACSCell, len(table.Columns))
	estimates := func(_ int, r *store.ACSRow) error { return r.Estimates(cells) }
	for _, bench := range []struct {
		name   string
		before func()
	}{{"kept", func() {}}, {"file", d.ForgetACSPages}} {
		b.Run("3000/"+bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bench.before()
				check(b, d.ACSRows(b.Context(), table, positions, estimates))
			}
		})
		b.Run("1/"+bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bench.before()
				var err error
				if cells, _, err = d.ACSRow(b.Context(), table, positions[1500], cells); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
