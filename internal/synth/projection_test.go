package synth_test

import (
	"math"
	"testing"

	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/synth"
)

// TestLambertAgrees compares the projection of this package against the inverse
// of package format. At the origin of latitude on the central meridian the
// false origin comes out.
func TestLambertAgrees(t *testing.T) {
	if x, y := synth.LambertForward(synth.LambertOriginLng, synth.LambertOriginLat); math.Abs(x-synth.LambertFalseEasting) > 0.001 || math.Abs(y-synth.LambertFalseNorthing) > 0.001 {
		t.Errorf("the origin is at %.3f, %.3f", x, y)
	}
	p, err := format.ParseProjection(synth.LambertWKT)
	if err != nil {
		t.Fatal(err)
	}
	for lng := -141.0; lng <= -52; lng += 8.9 {
		for lat := 41.0; lat <= 83; lat += 4.2 {
			x, y := synth.LambertForward(lng, lat)
			gotLng, gotLat := p.Inverse(x, y)
			if math.Abs(gotLng-lng) > 1e-7 || math.Abs(gotLat-lat) > 1e-7 {
				t.Errorf("%v, %v comes back as %v, %v", lat, lng, gotLat, gotLng)
			}
		}
	}
}
