package spatial_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// TestAdjacent uses a row of squares across the antimeridian, one that meets
// another in a corner, one that overlaps and one apart.
func TestAdjacent(t *testing.T) {
	x := pack(t, []orb.MultiPolygon{
		lngLatBox(179, 0, 180, 1),
		lngLatBox(180, 0, 181, 1),
		lngLatBox(178, 0, 179, 1),
		lngLatBox(-179, 1, -178, 2),
		lngLatBox(178.5, 0.5, 178.75, 0.75),
		lngLatBox(10, 10, 11, 11),
		nil,
	})
	degree := geo.Distance(geo.MustLatLng(0, 0), geo.MustLatLng(1, 0))
	tests := map[int][]spatial.Adjacent{
		0: {{Index: 1, Shared: degree}, {Index: 2, Shared: degree}},
		1: {{Index: 0, Shared: degree}, {Index: 3}},
		3: {{Index: 1}},
		4: {{Index: 2}},
		5: nil, 6: nil, -1: nil, 7: nil,
	}
	for area, want := range tests {
		got := x.AppendAdjacent([]spatial.Adjacent{{Index: 99}}, area)
		if diff := cmp.Diff(append([]spatial.Adjacent{{Index: 99}}, want...), got, cmpopts.EquateApprox(0, 1e-6)); diff != "" {
			t.Errorf("area %d (-want +got):\n%s", area, diff)
		}
	}
	if math.Abs(float64(degree)-110_574) > 1 {
		t.Errorf("a degree has %v m", float64(degree))
	}
}
