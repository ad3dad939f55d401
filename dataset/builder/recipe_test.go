package builder_test

import (
	"slices"
	"testing"

	"github.com/postgeo/postgeo/dataset"
)

// TestEverySourceIsRead checks that the recipe reads each source of a mirror that has
// them all.
func TestEverySourceIsRead(t *testing.T) {
	b := openNational(t)
	read := b.Manifest().Sources
	instead := []string{"uds-zcta-2021"} // of editions that the mirror has
	for _, s := range b.report.Sources {
		if !slices.Contains(instead, s.ID) && !slices.ContainsFunc(read, func(of dataset.Source) bool { return of.ID == s.ID }) {
			t.Errorf("%s is fetched, and nothing reads it", s.ID)
		}
	}
	if len(read) < 50 {
		t.Errorf("%d sources", len(read))
	}
}
