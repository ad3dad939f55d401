package draw_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/draw"
	"github.com/postgeo/postgeo/internal/sampletest"
)

// TestRings checks that neighbors keep a common border, that straight edges have two
// ends, and that rings below the tolerance vanish.
func TestRings(t *testing.T) {
	border := []orb.Point{{1, 0}, {1.04, 0.3}, {0.98, 0.6}, {1, 1}}
	west := orb.Ring{{0, 0}, border[0], border[1], border[2], border[3], {0, 1}, {0, 0.5}, {0, 0}}
	east := orb.Ring{border[3], border[2], border[1], border[0], {2, 0}, {2, 1}, border[3]}
	hole := orb.Ring{{0.5, 0.5}, {0.5, 0.51}, {0.51, 0.5}, {0.5, 0.5}}
	got := draw.NewRings(orb.MultiPolygon{{west, hole}}, 0.1)
	want := draw.Rings{{0, 0, 10, 0, 0, 10, -10, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("west (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(draw.Rings{{10, 10, 0, -10, 10, 0, 0, 10}}, draw.NewRings(orb.MultiPolygon{{east}}, 0.1)); diff != "" {
		t.Errorf("east (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(draw.Rings{{0, 0, 20, 0, 1, 6, -1, 6, 0, 8, -20, 0}}, draw.NewRings(orb.MultiPolygon{{west, hole}}, 0.05)); diff != "" {
		t.Errorf("finer (-want +got):\n%s", diff)
	}
	if got := draw.NewRings(orb.MultiPolygon{{hole}, {west}}, 0.1); len(got) != 1 {
		t.Errorf("a small polygon: %v", got)
	}
}

// TestBox reads boxes, also across longitude 180.
func TestBox(t *testing.T) {
	for text, want := range map[string]string{
		"-118.5,34,-118.3,34.2": "-118.5,34,-118.3,34.2",
		" 175, 50, -175, 60 ":   "175,50,-175,60",
		"":                      "",
		"1,2,3":                 "",
		"1,2,3,x":               "",
		"0,0,21,1":              "",
		"0,0,1,21":              "",
		"0,1,1,0":               "",
		"0,0,0,1":               "",
		"0,-91,1,-89":           "",
		"1e999,0,1,1":           "",
	} {
		var b draw.Box
		err := b.UnmarshalText([]byte(text))
		if want == "" {
			if !errors.Is(err, envelope.ErrInvalidParam) {
				t.Errorf("%q: %v, %v", text, b, err)
			}
		} else if err != nil || b.String() != want {
			t.Errorf("%q: %v, %v", text, b, err)
		}
	}
}

// TestNamedOutlines compares the outlines of named codes with those of a box.
func TestNamedOutlines(t *testing.T) {
	db := sampletest.Open(t)
	var box draw.Box
	if err := box.UnmarshalText([]byte("-119,33.5,-117.5,34.6")); err != nil {
		t.Fatal(err)
	}
	whole := run(t, db, draw.OutlinesInput{Box: box, Tolerance: 0.001, Limit: 2500})
	one := whole.Areas[0]
	in := draw.OutlinesInput{Codes: one.Code + ", " + one.Code + ",K1A 0B1", Tolerance: 0.001, Limit: 2500}
	got := run(t, db, in)
	if len(got.Areas) != 2 || len(got.Land) != 0 || got.Areas[1].Code != "K1A 0B1" || got.Areas[1].Area {
		t.Fatalf("named areas %+v, land %v", got.Areas, got.Land)
	}
	if diff := cmp.Diff(one, got.Areas[0], cmpopts.EquateComparable(geo.LatLng{})); diff != "" {
		t.Errorf("-box +named:\n%s", diff)
	}
	if in.Limit = 1; run(t, db, in).More != 1 {
		t.Errorf("limit 1: %+v", run(t, db, in))
	}
	in.Box = box
	if diff := cmp.Diff(whole.Land, run(t, db, in).Land); diff != "" {
		t.Errorf("land (-want +got):\n%s", diff)
	}
	land := run(t, db, draw.OutlinesInput{Box: box, Tolerance: 0.001})
	if diff := cmp.Diff(whole.Land, land.Land); diff != "" || len(land.Areas)+land.More != 0 {
		t.Errorf("limit 0: %d areas, %d more, land (-want +got):\n%s", len(land.Areas), land.More, diff)
	}
	for codes, want := range map[string]string{"": "VALIDATION_INVALID_PARAM", "90210,": "VALIDATION_INVALID_PARAM", "9021": "VALIDATION_INVALID_ZIP", "90210,99999": "NOT_FOUND_ZIP"} {
		in := draw.OutlinesInput{Codes: codes, Tolerance: 0.001, Limit: 1}
		_, err := in.Run(t.Context(), db)
		f := envelope.FaultOf(err)
		if f == nil || string(f.Code) != want {
			t.Errorf("codes %q: %v; want %s", codes, err, want)
		}
	}
}

func run(t *testing.T, db *postgeo.DB, in draw.OutlinesInput) *draw.OutlinesResult {
	t.Helper()
	out, err := in.Run(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
