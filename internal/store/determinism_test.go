package store_test

import (
	"bytes"
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

// TestSameBytes writes one country in every order that the writer allows.
func TestSameBytes(t *testing.T) {
	all := func() *country {
		c := small()
		c.Surveys = append(c.Surveys, bigSurvey(3, 200))
		for _, r := range inventStreets(4, 900) {
			c.ZIP4 = append(c.ZIP4, r.ZIP4Record)
		}
		slices.SortStableFunc(c.ZIP4, func(a, b store.ZIP4Record) int { return int(a.ZIP) - int(b.ZIP) })
		return c
	}
	want := bytesOf(t, all().file(t))
	c := all()
	slices.Reverse(c.Surveys)
	for _, s := range c.Surveys {
		slices.Reverse(s.Rows)
	}
	for _, z := range c.ZIPOverlaps {
		slices.Reverse(z.Of.Layers)
	}
	// The ZIPs of street records in another order, each in one piece.
	slices.SortStableFunc(c.ZIP4, func(a, b store.ZIP4Record) int { return int(b.ZIP) - int(a.ZIP) })
	path := filepath.Join(t.TempDir(), "other name.db")
	w := create(t, path)
	addSurveys(t, w, c.Surveys)
	c.tables(t, w)
	c.addCover(t, w)
	c.addZIP4(t, w)
	c.addCanada(t, w)
	slices.Reverse(c.ZIPs)
	slices.Reverse(c.ZIPDetails)
	c.addZIPs(t, w)
	check(t, w.Finish(c.Manifest))
	if !bytes.Equal(bytesOf(t, path), want) {
		t.Error("the bytes differ")
	}
}
