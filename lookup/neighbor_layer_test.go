package lookup_test

import (
	"context"
	"errors"
	"testing"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/lookup"
)

// TestAreaNeighbors compares the common borders of counties with those in the other
// direction.
func TestAreaNeighbors(t *testing.T) {
	db := sampletest.Open(t)
	opt := lookup.NeighborOptions{Layer: lookup.LayerCounty, Tolerance: 100}
	n, err := db.Neighbors(t.Context(), "36061", opt)
	if err != nil || n.Layer != "county" || n.Code != "36061" || n.CodeType != "" || len(n.Codes) == 0 {
		t.Fatalf("%+v, error %v", n, err)
	}
	for _, c := range n.Codes {
		back, err := db.Neighbors(t.Context(), c.Code, opt)
		if err != nil || c.Layer != "county" || c.Name == "" || c.CodeType != "" || !c.Location.IsValid() {
			t.Errorf("%+v, error %v", c, err)
			continue
		}
		found := -1.0
		for _, b := range back.Codes {
			if b.Code == n.Code {
				found = b.SharedMi
			}
		}
		if found != c.SharedMi {
			t.Errorf("%s: a border of %v miles, %v in return", c.Code, c.SharedMi, found)
		}
	}
	if _, err := db.Neighbors(t.Context(), "99999", opt); !errors.Is(err, postgeo.ErrNotFound) {
		t.Errorf("an absent area: %v", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := db.Neighbors(canceled, "36061", opt); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled context: %v", err)
	}
}
