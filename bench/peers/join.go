package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/spatial"
)

const (
	joined  = 1_000_000 // points
	onEdges = 20        // points so near an edge that engines may differ
)

// joins measure how long it takes to find the areas of a million points in random order.
// They fail if engines find areas for different numbers of points.
type joins struct {
	points []geo.LatLng
	found  int // points in an area; 0: not measured yet
}

func newJoins(ctx context.Context, mirror string) (*joins, error) {
	points, err := residents(mirror, joined)
	if err == nil {
		err = postgis.Execute(ctx, `CREATE TABLE person (id int PRIMARY KEY, at geometry(point, 4326) NOT NULL)`)
	}
	if err == nil {
		err = postgis.Load(ctx, "person", func(out *bufio.Writer) error {
			for i, p := range points {
				fmt.Fprintf(out, "%d\tSRID=4326;POINT(%v %v)\n", i, p.Lng(), p.Lat())
			}
			return nil
		})
	}
	if err == nil {
		err = postgis.Execute(ctx, `CREATE INDEX ON person USING gist (at)`)
	}
	if err == nil {
		err = postgis.Execute(ctx, `VACUUM ANALYZE`)
	}
	return &joins{points: points}, err
}

// time measures a join, which returns how many points are in an area.
func (j *joins) time(join func(context.Context) (int, error)) measurement {
	return func(ctx context.Context) (float64, error) {
		began := time.Now()
		found, err := join(ctx)
		took := time.Since(began)
		switch {
		case err != nil:
		case j.found == 0:
			j.found = found
		case max(found, j.found)-min(found, j.found) > onEdges:
			err = fmt.Errorf("%d of %d points are in an area; expected %d", found, len(j.points), j.found)
		}
		return float64(took), err
	}
}

// ours takes the points along a curve, on one core.
func (j *joins) ours(areas *spatial.PolygonIndex) measurement {
	return j.time(func(context.Context) (found int, err error) {
		type place struct {
			key uint32
			at  geo.LatLng
		}
		sorted := make([]place, len(j.points))
		for i, p := range j.points {
			sorted[i] = place{spatial.CurveKey(p), p}
		}
		slices.SortFunc(sorted, func(a, b place) int { return cmp.Compare(a.key, b.key) })
		for i := range sorted {
			if _, ok := areas.Containing(sorted[i].at); ok {
				found++
			}
		}
		return found, nil
	})
}

func (j *joins) lite(l *lite) measurement {
	return j.time(func(context.Context) (found int, err error) {
		for _, p := range j.points {
			in, err := l.inside(p)
			if err != nil {
				return 0, err
			}
			if in {
				found++
			}
		}
		return found, nil
	})
}

func (j *joins) server() measurement {
	return j.time(func(ctx context.Context) (found int, err error) {
		out, err := postgis.Run(ctx, nil, "psql", "-XAtc", `SELECT count(DISTINCT p.id) FROM person p JOIN area a ON ST_Covers(a.shape, p.at)`)
		if err == nil {
			_, err = fmt.Sscan(string(out), &found)
		}
		return found, err
	})
}

// residents draws points like those of people: centers of block groups by their
// population, moved by about a kilometer.
func residents(mirror string, n int) ([]geo.LatLng, error) {
	file := format.File{Path: filepath.Join(mirror, filepath.FromSlash("www2.census.gov/geo/docs/reference/cenpop2020/blkgrp/CenPop2020_Mean_BG.txt.gz"))}
	var centers []geo.LatLng
	var upTo []int // people up to the center
	people := 0
	for row, err := range file.Rows(format.Options{Columns: []string{"POPULATION", "LATITUDE", "LONGITUDE"}}) {
		if err != nil {
			return nil, err
		}
		number, err := strconv.Atoi(row.Get("POPULATION"))
		if err != nil {
			return nil, fmt.Errorf("population %q of a block group", row.Get("POPULATION"))
		}
		at, err := geo.ParseLatLng(row.Get("LATITUDE") + "," + row.Get("LONGITUDE"))
		if err != nil {
			return nil, err
		}
		people += number
		centers, upTo = append(centers, at), append(upTo, people)
	}
	r := rand.New(rand.NewPCG(11, 5))
	points := make([]geo.LatLng, n)
	for i := range points {
		const degrees = 0.009 // a kilometer
		k, _ := slices.BinarySearch(upTo, r.IntN(people)+1)
		lat := centers[k].Lat() + degrees*r.NormFloat64()
		lng := centers[k].Lng() + degrees*r.NormFloat64()/math.Cos(lat*math.Pi/180)
		points[i] = geo.MustLatLng(geo.Round(lat, 6), geo.Round(lng, 6))
	}
	return points, nil
}
