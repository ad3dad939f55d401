package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// The kinds of searches. A radius that is exactly a point's distance is drawn
// apart: it asks whether the point on the limit is inside.
var listKinds = []struct {
	name     string
	searches int
	center   func(r *rand.Rand, points []geo.LatLng) geo.LatLng
	onPoint  bool
}{
	{"at a code", 600, func(r *rand.Rand, points []geo.LatLng) geo.LatLng { return points[r.IntN(len(points))] }, false},
	{"anywhere in North America", 600, func(r *rand.Rand, _ []geo.LatLng) geo.LatLng {
		return geo.MustLatLng(15+65*r.Float64(), -175+125*r.Float64())
	}, false},
	{"along the border of both countries", 300, func(r *rand.Rand, _ []geo.LatLng) geo.LatLng {
		return geo.MustLatLng(49+r.NormFloat64()/2, -123+28*r.Float64())
	}, false},
	{"at the antimeridian", 200, func(r *rand.Rand, _ []geo.LatLng) geo.LatLng {
		return geo.MustLatLng(48+20*r.Float64(), math.Remainder(180+3*r.NormFloat64(), 360))
	}, false},
	{"at a pole", 100, func(r *rand.Rand, _ []geo.LatLng) geo.LatLng {
		return geo.MustLatLng(90-r.Float64()*float64(r.IntN(2)), anyLng(r))
	}, false},
	{"limit exactly on a point", 600, func(r *rand.Rand, points []geo.LatLng) geo.LatLng {
		return points[r.IntN(len(points))]
	}, true},
}

// storedIndex returns an index of the points as a dataset brings it.
func storedIndex(points []geo.LatLng) (*geo.PointIndex, error) {
	data, err := geo.NewPointIndex(points).AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	return geo.DecodePointIndex(len(points), func(i int) geo.LatLng { return points[i] }, data)
}

// compareLists compares searches with measuring every point: by our own
// geodesic for all, and by GeodSolve for some.
func compareLists(ctx context.Context, w *world) (int, error) {
	points, err := w.loadPoints()
	if err != nil {
		return 0, err
	}
	// Points that stand for codes beyond the continent, so that lists at the
	// antimeridian and the pole are not empty.
	r := w.random(2)
	for range 2000 {
		points = append(points,
			geo.MustLatLng(48+20*r.Float64(), math.Remainder(180+4*r.NormFloat64(), 360)),
			geo.MustLatLng(90-5*r.Float64(), anyLng(r)))
	}
	index, err := storedIndex(points)
	if err != nil {
		return 0, err
	}
	failures := 0
	fmt.Printf("\n| centers | searches | points found | lists that differ |\n|---|---|---|---|\n")
	for _, kind := range listKinds {
		found, wrong := 0, 0
		for range kind.searches {
			center := kind.center(r, points)
			limit := geo.Miles(500 * r.Float64() * r.Float64()).Meters()
			distances := measure(points, center)
			if kind.onPoint {
				limit = distances[nearLimit(distances, limit)]
			}
			want := within(distances, limit)
			got := index.AppendWithin(nil, center, 0, limit)
			found += len(want)
			if why := differ(got, want, distances); why != "" {
				wrong++
				report("%v, %v m: %s", center, limit, why)
			}
		}
		failures += wrong
		fmt.Printf("| %s | %d | %d | %d |\n", kind.name, kind.searches, found, wrong)
	}
	const solved = 40
	found, wrong := 0, 0
	for range solved {
		center := points[r.IntN(len(points))]
		limit := geo.Miles(500 * r.Float64()).Meters()
		var in bytes.Buffer
		for _, p := range points {
			fmt.Fprintln(&in, exact(center.Lat()), exact(center.Lng()), exact(p.Lat()), exact(p.Lng()))
		}
		rows, err := geodSolve(ctx, &in, "-i")
		if err != nil {
			return failures, err
		}
		distances := make([]geo.Meters, len(rows))
		for i, row := range rows {
			distances[i] = geo.Meters(row[2])
		}
		want := within(distances, limit)
		found += len(want)
		if why := differ(index.AppendWithin(nil, center, 0, limit), want, distances); why != "" {
			wrong++
			report("%v, %v m: %s", center, limit, why)
		}
	}
	fmt.Printf("| at a code, measured by GeodSolve | %d | %d | %d |\n", solved, found, wrong)
	return failures + wrong, nil
}

func measure(points []geo.LatLng, center geo.LatLng) []geo.Meters {
	distances := make([]geo.Meters, len(points))
	for i, p := range points {
		distances[i] = geo.Distance(center, p)
	}
	return distances
}

// nearLimit returns the point whose distance is nearest to a limit.
func nearLimit(distances []geo.Meters, limit geo.Meters) int {
	best := 0
	for i, d := range distances {
		if math.Abs(float64(d-limit)) < math.Abs(float64(distances[best]-limit)) {
			best = i
		}
	}
	return best
}

// within returns the points up to a limit, sorted by distance and then by
// number.
func within(distances []geo.Meters, limit geo.Meters) []int {
	var out []int
	for i, d := range distances {
		if d <= limit {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b int) int {
		return cmp.Or(cmp.Compare(distances[a], distances[b]), cmp.Compare(a, b))
	})
	return out
}

// differ says how a list differs from what it should be: other points, another
// order, or a distance that rounds to another hundredth of a mile. Two points
// whose distances are within a micrometre may stand either way, for
// GeographicLib rounds its answers.
func differ(got []geo.Neighbor, want []int, distances []geo.Meters) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d points, expected %d", len(got), len(want))
	}
	for k, n := range got {
		d := distances[n.Index]
		if n.Index != want[k] && math.Abs(float64(d-distances[want[k]])) > 1e-6 {
			return fmt.Sprintf("place %d has point %d, expected %d", k, n.Index, want[k])
		}
		if math.Round(float64(n.Distance.Miles())*100) != math.Round(float64(d.Miles())*100) {
			return fmt.Sprintf("point %d is %v m away, expected %v", n.Index, n.Distance, d)
		}
	}
	return ""
}
