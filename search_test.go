package postgeo_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/radius"
)

// questions are the searches of a DB, each with whether it answers from the
// test's dataset as it should.
var questions = []struct {
	name string
	ask  func(ctx context.Context, db *postgeo.DB) (bool, error)
}{
	{"Radius", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		res, err := db.Radius(ctx, "90210", radius.Options{Max: 10, Mode: radius.Spatial})
		return err == nil && len(res.Matches) == 2 && *res.Matches[0].PctInside == 100, err
	}},
	{"Nearest", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		res, err := db.Nearest(ctx, "45.4,-75.7", radius.NearestOptions{})
		return err == nil && len(res.Matches) == 1 && res.Matches[0].Code == "K1A 0B1", err
	}},
	{"Boundary", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		res, err := db.Boundary(ctx, "90210", "10001")
		return err == nil && !res.Inside && res.Distance.Miles > 2000, err
	}},
	{"InPolygon", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		west := orb.Polygon{{{-119, 33}, {-118.435, 33}, {-118.435, 35}, {-119, 35}, {-119, 33}}}
		res, err := db.InPolygon(ctx, west, radius.PolygonOptions{Mode: radius.Spatial})
		return err == nil && len(res.Matches) == 1 && *res.Matches[0].PctInside == 50, err
	}},
	{"Distances", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		m, err := db.DistanceMatrix(ctx, []string{"90210"}, []string{"90210", "10001"}, radius.DistanceOptions{})
		return err == nil && m.Miles[0][0] == 0 && m.Miles[0][1] > 2000, err
	}},
	{"PairsWithin", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		pairs := 0
		for p, err := range db.PairsWithin(ctx, []string{"90210", "10001", "90209"}, 10_000) {
			if err != nil {
				return false, err
			}
			if p.A == 0 && p.B == 2 {
				pairs++
			}
		}
		return pairs == 1, nil
	}},
	{"Searches", func(ctx context.Context, db *postgeo.DB) (bool, error) {
		list := []postgeo.RadiusSearch{{Center: "90210", Options: radius.Options{Max: 1}}, {Center: "99999", Options: radius.Options{Max: 1}}}
		found, missing := 0, 0
		for res, err := range db.RadiusBatch(ctx, slices.Values(list)) {
			switch {
			case errors.Is(err, postgeo.ErrNotFound):
				missing++
			case err != nil:
				return false, err
			default:
				found += len(res.Matches)
			}
		}
		return found == 1 && missing == 1, nil
	}},
	{"Prepare", func(ctx context.Context, db *postgeo.DB) (bool, error) { return true, db.Prepare(ctx) }},
}

func TestSearches(t *testing.T) {
	db := openTest(t)
	for _, q := range questions {
		if ok, err := q.ask(t.Context(), db); err != nil || !ok {
			t.Errorf("%s: %t, %v", q.name, ok, err)
		}
	}
	if err := db.Swap(t.Context(), testFile(t)); err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		if ok, err := q.ask(t.Context(), db); err != nil || !ok {
			t.Errorf("%s after a swap: %t, %v", q.name, ok, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		if _, err := q.ask(t.Context(), db); !errors.Is(err, postgeo.ErrClosed) {
			t.Errorf("%s after Close: %v", q.name, err)
		}
	}
}
