package store_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/internal/store"
)

func bytesOf(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	check(t, err)
	return b
}

// TestSameBytes writes one country in every way that the writer allows.
func TestSameBytes(t *testing.T) {
	c := generate(2, 60, 30, 900, 300).generateCover(2, 100)
	want := bytesOf(t, c.file(t))
	orders := map[string][]func(*country, testing.TB, *store.Writer){
		"again":          {(*country).tables, (*country).addZIPs, (*country).addCanada, (*country).addZIP4, (*country).addCover},
		"backwards":      {(*country).addCover, (*country).addZIP4, (*country).addCanada, (*country).addZIPs, (*country).tables},
		"tables last":    {(*country).addCanada, (*country).addZIP4, (*country).addCover, (*country).tables, (*country).addZIPs},
		"ZIP+4 shuffled": {(*country).tables, addShuffledZIP4, (*country).addZIPs, (*country).addCover, (*country).addCanada},
	}
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "other name.db")
			w := create(t, path)
			for _, step := range order {
				step(c, t, w)
			}
			check(t, w.Finish(c.Manifest))
			if !bytes.Equal(bytesOf(t, path), want) {
				t.Errorf("the bytes differ")
			}
		})
	}
}

// addShuffledZIP4 adds the ZIPs in another order, each in one piece.
func addShuffledZIP4(c *country, t testing.TB, w *store.Writer) {
	t.Helper()
	var groups [][]store.ZIP4Record
	for _, r := range c.ZIP4 {
		if n := len(groups); n > 0 && groups[n-1][0].ZIP == r.ZIP {
			groups[n-1] = append(groups[n-1], r)
		} else {
			groups = append(groups, []store.ZIP4Record{r})
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(groups), func(i, j int) { groups[i], groups[j] = groups[j], groups[i] })
	for _, r := range slices.Concat(groups...) {
		check(t, w.AddZIP4(r))
	}
}
