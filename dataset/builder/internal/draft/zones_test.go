package draft_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
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
		if diff := cmp.Diff(tt.want, draft.Tenths(tt.parts)); diff != "" {
			t.Errorf("Tenths(%v) (-want +got):\n%s", tt.parts, diff)
		}
	}
}
