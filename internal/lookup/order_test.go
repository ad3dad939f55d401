package lookup_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/lookup"
)

func TestCurveKey(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		p := geo.MustLatLng(math.Trunc(random.Float64()*1.8e6-0.9e6)/1e4, math.Trunc(random.Float64()*3.6e6-1.8e6)/1e4)
		if got, want := lookup.CurveKey(p.String()), p.CurveKey(); got != want {
			t.Errorf("%v has the key %d, want %d", p, got, want)
		}
	}
	for _, s := range []string{"", "x", "-", "34", "34.1", "91,0", "0,181", "99999999999999999999,1", "1 ,2"} {
		if k := lookup.CurveKey(s); k != 0 {
			t.Errorf("%q has the key %d", s, k)
		}
	}
}

func TestAppendOrder(t *testing.T) {
	keys := []uint32{7, 3, math.MaxUint32, 3, 0}
	var got []int
	for _, o := range lookup.AppendOrder(nil, len(keys), func(i int) uint32 { return keys[i] }) {
		got = append(got, int(uint32(o)))
	}
	if want := []int{4, 1, 3, 0, 2}; !slices.Equal(got, want) {
		t.Errorf("the order is %v, want %v", got, want)
	}
}
