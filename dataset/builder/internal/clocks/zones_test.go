package clocks_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/postgeo/postgeo/dataset/builder/internal/clocks"
	"github.com/postgeo/postgeo/internal/store"
)

func TestTenths(t *testing.T) {
	tests := []struct {
		parts []float64
		want  []int
	}{
		{nil, nil},
		{[]float64{0}, nil},
		{[]float64{5}, []int{1000}},
		{[]float64{1, 1, 1}, []int{334, 333, 333}},
		{[]float64{2, 1, 3}, []int{333, 167, 500}},
		{[]float64{1e6, 1}, []int{1000, 0}},
		{[]float64{99.94, 0.06}, []int{999, 1}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, clocks.Tenths(tt.parts)); diff != "" {
			t.Errorf("Tenths(%v) (-want +got):\n%s", tt.parts, diff)
		}
	}
}

// The zones of a country hold all that the rules can give, and none is of two.
func TestCountryZones(t *testing.T) {
	us, ca := clocks.ZonesOf(store.US), clocks.ZonesOf(store.CA)
	for country, zones := range map[store.Country][]string{store.US: us, store.CA: ca} {
		for _, z := range clocks.RuleZones(country) {
			if _, ok := slices.BinarySearch(zones, z); !ok {
				t.Errorf("a rule gives codes of country %d the zone %s, which is not among the country's", country, z)
			}
		}
	}
	for _, z := range us {
		if slices.Contains(ca, z) {
			t.Errorf("%s is a zone of both countries", z)
		}
	}
}
