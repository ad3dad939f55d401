package enrich_test

import (
	"math"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/enrich"
)

func TestOrder(t *testing.T) {
	keys := []uint32{7, 3, math.MaxUint32, 3, 0}
	got := slices.Collect(enrich.Nearby(len(keys), func(i int) uint32 { return keys[i] }))
	if want := []int{4, 1, 3, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}
