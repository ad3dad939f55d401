package operation_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/operation"
)

// TestRings checks that neighbors keep a common border, that straight edges have two
// ends, and that rings below the tolerance vanish.
func TestRings(t *testing.T) {
	border := []orb.Point{{1, 0}, {1.04, 0.3}, {0.98, 0.6}, {1, 1}}
	west := orb.Ring{{0, 0}, border[0], border[1], border[2], border[3], {0, 1}, {0, 0.5}, {0, 0}}
	east := orb.Ring{border[3], border[2], border[1], border[0], {2, 0}, {2, 1}, border[3]}
	hole := orb.Ring{{0.5, 0.5}, {0.5, 0.51}, {0.51, 0.5}, {0.5, 0.5}}
	got := operation.NewRings(orb.MultiPolygon{{west, hole}}, 0.1)
	want := operation.Rings{{0, 0, 10, 0, 0, 10, -10, 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("west (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(operation.Rings{{10, 10, 0, -10, 10, 0, 0, 10}}, operation.NewRings(orb.MultiPolygon{{east}}, 0.1)); diff != "" {
		t.Errorf("east (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(operation.Rings{{0, 0, 20, 0, 1, 6, -1, 6, 0, 8, -20, 0}}, operation.NewRings(orb.MultiPolygon{{west, hole}}, 0.05)); diff != "" {
		t.Errorf("finer (-want +got):\n%s", diff)
	}
	if got := operation.NewRings(orb.MultiPolygon{{hole}, {west}}, 0.1); len(got) != 1 {
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
		var b operation.Box
		err := b.UnmarshalText([]byte(text))
		if want == "" {
			if !errors.Is(err, fault.ErrInvalidParam) {
				t.Errorf("%q: %v, %v", text, b, err)
			}
		} else if err != nil || b.String() != want {
			t.Errorf("%q: %v, %v", text, b, err)
		}
	}
}

// TestOutlinesOfCircle compares the codes of a circle with its spatial search. Outlines
// and land have to equal those of the box.
func TestOutlinesOfCircle(t *testing.T) {
	db, err := postgeo.OpenSample()
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var box operation.Box
	if err := box.UnmarshalText([]byte("-119,33.5,-117.5,34.6")); err != nil {
		t.Fatal(err)
	}
	whole := draw(t, db, operation.OutlinesInput{Box: box, Tolerance: 0.001, Limit: operation.MaxOutlines})
	for _, miles := range []operation.Miles{1, 5, 12} {
		in := operation.OutlinesInput{Box: box, Tolerance: 0.001, Limit: operation.MaxOutlines, Code: "90210", Max: &miles}
		got := draw(t, db, in)
		found, err := db.Radius(t.Context(), "90210", postgeo.RadiusOptions{Max: geo.Miles(miles), Mode: postgeo.Spatial})
		if err != nil {
			t.Fatal(err)
		}
		var want []operation.DrawnCode
		for _, m := range found.Matches {
			i := slices.IndexFunc(whole.Areas, func(a operation.DrawnCode) bool { return a.Code == m.Code })
			if i < 0 {
				t.Fatalf("%v miles: the box lacks %s", miles, m.Code)
			}
			want = append(want, whole.Areas[i])
		}
		if diff := cmp.Diff(want, got.Areas, cmpopts.EquateComparable(geo.LatLng{})); diff != "" || len(want) == len(whole.Areas) {
			t.Errorf("%v miles: %d areas of %d (-want +got):\n%s", miles, len(want), len(whole.Areas), diff)
		}
		if diff := cmp.Diff(whole.Land, got.Land); diff != "" {
			t.Errorf("%v miles: land (-want +got):\n%s", miles, diff)
		}
		if in.Limit = 1; len(want) > 1 {
			if got := draw(t, db, in); len(got.Areas) != 1 || got.More != len(want)-1 || got.Areas[0].Code != "90210" {
				t.Errorf("%v miles, limit 1: %d areas, %d more", miles, len(got.Areas), got.More)
			}
		}
	}
	far := operation.Miles(251)
	for _, in := range []operation.OutlinesInput{{Code: "90210"}, {Max: &far}, {Code: "90210", Max: &far}} {
		in.Box, in.Tolerance, in.Limit = box, 0.001, 1
		if _, err := in.Run(t.Context(), db); !errors.Is(err, fault.ErrInvalidParam) {
			t.Errorf("%+v: %v", in, err)
		}
	}
	in := operation.OutlinesInput{Box: box, Tolerance: 0.001, Limit: 1, Code: "99999", Max: new(operation.Miles(5))}
	if _, err := in.Run(t.Context(), db); !errors.Is(err, fault.ErrNotFound) {
		t.Errorf("an unknown center: %v", err)
	}
}

func draw(t *testing.T, db *postgeo.DB, in operation.OutlinesInput) *operation.OutlinesResult {
	t.Helper()
	out, err := in.Run(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
