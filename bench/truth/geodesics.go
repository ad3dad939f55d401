package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/geo"
)

const geodesicCases = 20000 // of each kind

// The kinds of pairs of points, those that are hard for an iteration among
// them.
var geodesicKinds = []struct {
	name string
	draw func(r *rand.Rand) (lat1, lng1, lat2, lng2 float64)
}{
	{"anywhere", func(r *rand.Rand) (_, _, _, _ float64) {
		return anyLat(r), anyLng(r), anyLat(r), anyLng(r)
	}},
	{"within 500 miles in North America", func(r *rand.Rand) (_, _, _, _ float64) {
		lat, lng := 18+54*r.Float64(), -170+118*r.Float64()
		return lat, lng, lat + 6*r.NormFloat64()/2, lng + 6*r.NormFloat64()/2
	}},
	{"within 10 m", func(r *rand.Rand) (_, _, _, _ float64) {
		lat, lng := 89*(2*r.Float64()-1), anyLng(r)
		return lat, lng, lat + 1e-4*r.NormFloat64()/2, lng + 1e-4*r.NormFloat64()/2
	}},
	{"nearly antipodal", func(r *rand.Rand) (_, _, _, _ float64) {
		lat, lng := 89*(2*r.Float64()-1), anyLng(r)
		by := math.Pow(10, -6*r.Float64())
		return lat, lng, -lat + by*r.NormFloat64()/2, lng + 180 + by*r.NormFloat64()/2
	}},
	{"along a meridian or the equator", func(r *rand.Rand) (_, _, _, _ float64) {
		if r.IntN(2) == 0 {
			lng := anyLng(r)
			return anyLat(r), lng, anyLat(r), lng + 180*float64(r.IntN(2))
		}
		return 0, anyLng(r), 0, anyLng(r)
	}},
	{"near a pole", func(r *rand.Rand) (_, _, _, _ float64) {
		return 90 - math.Abs(r.NormFloat64()), anyLng(r), 90 - math.Abs(r.NormFloat64()), anyLng(r)
	}},
	{"across the antimeridian", func(r *rand.Rand) (_, _, _, _ float64) {
		return 50 + 10*r.Float64(), 180 - 5*r.Float64(), 50 + 10*r.Float64(), -180 + 5*r.Float64()
	}},
}

func anyLat(r *rand.Rand) float64 { return math.Asin(2*r.Float64()-1) * 180 / math.Pi }
func anyLng(r *rand.Rand) float64 { return 360*r.Float64() - 180 }

// compareGeodesics compares distances with those of GeodSolve. GeodSolve also
// follows our distance in our direction; the distance from the path's end to
// the second point is reported. Unlike a difference of bearings, it is
// meaningful for all kinds of pairs.
func compareGeodesics(ctx context.Context, w *world) (int, error) {
	const limit = 1e-3 // meters
	r := w.random(1)
	failures := 0
	table := results.Table{Title: "geodesics", Columns: []string{"pairs, " + results.Number(geodesicCases) + " each", "distance off, median", "distance off, at most", "end of the path off, median", "end of the path off, at most"}}
	nm := func(meters float64) string { return fmt.Sprintf("%.1f nm", 1e9*meters) }
	worst := 0.0
	for _, kind := range geodesicKinds {
		var ends, walks bytes.Buffer
		pairs := make([][2]geo.LatLng, 0, geodesicCases)
		ours := make([]geo.Meters, 0, geodesicCases)
		for len(pairs) < geodesicCases {
			lat1, lng1, lat2, lng2 := kind.draw(r)
			a, errA := geo.LatLngFromDegrees(round9(lat1), round9(math.Remainder(lng1, 360)))
			b, errB := geo.LatLngFromDegrees(round9(lat2), round9(math.Remainder(lng2, 360)))
			if errA != nil || errB != nil {
				continue
			}
			d, bearing := geo.Inverse(a, b)
			pairs, ours = append(pairs, [2]geo.LatLng{a, b}), append(ours, d)
			fmt.Fprintln(&ends, exact(a.Lat()), exact(a.Lng()), exact(b.Lat()), exact(b.Lng()))
			fmt.Fprintln(&walks, exact(a.Lat()), exact(a.Lng()), exact(float64(bearing)), exact(float64(d)))
		}
		solved, err := geodSolve(ctx, &ends, "-i")
		if err != nil {
			return failures, err
		}
		arrived, err := geodSolve(ctx, &walks)
		if err != nil {
			return failures, err
		}
		var distances, misses []float64
		var gaps bytes.Buffer
		for i, p := range pairs {
			distances = append(distances, math.Abs(solved[i][2]-float64(ours[i])))
			fmt.Fprintln(&gaps, exact(arrived[i][0]), exact(arrived[i][1]), exact(p[1].Lat()), exact(p[1].Lng()))
		}
		missed, err := geodSolve(ctx, &gaps, "-i")
		if err != nil {
			return failures, err
		}
		for i := range pairs {
			misses = append(misses, missed[i][2])
			if !(distances[i] <= limit && misses[i] <= limit) {
				failures++
				report("%v to %v: distance off %.3g m, end off %.3g m", pairs[i][0], pairs[i][1], distances[i], misses[i])
			}
		}
		table.Add(kind.name, nm(results.Median(distances)), nm(most(distances)), nm(results.Median(misses)), nm(most(misses)))
		worst = max(worst, most(distances))
	}
	table.Print(os.Stdout)
	w.summary.Add("distances, "+results.Number(float64(len(geodesicKinds)*geodesicCases))+" pairs", "GeographicLib", nm(worst))
	return failures, nil
}

// geodSolve returns the numbers of each output line of GeodSolve: latitude,
// longitude and azimuth of the end, or with -i both azimuths and the distance.
func geodSolve(ctx context.Context, in *bytes.Buffer, args ...string) ([][3]float64, error) {
	lines := bytes.Count(in.Bytes(), []byte{'\n'})
	out, err := postgis.Run(ctx, in, "GeodSolve", append(args, "-p", "9")...)
	if err != nil {
		return nil, err
	}
	var rows [][3]float64
	for line := range strings.Lines(string(out)) {
		var row [3]float64
		fields := strings.Fields(line)
		if len(fields) != len(row) {
			return nil, fmt.Errorf("GeodSolve printed %q", line)
		}
		for i, f := range fields {
			if row[i], err = strconv.ParseFloat(f, 64); err != nil {
				return nil, fmt.Errorf("GeodSolve printed %q: %w", line, err)
			}
		}
		rows = append(rows, row)
	}
	if len(rows) != lines {
		return nil, fmt.Errorf("GeodSolve printed %d of %d lines", len(rows), lines)
	}
	return rows, nil
}

func exact(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func round9(v float64) float64 { return math.Round(v*1e9) / 1e9 }
