// Command truth compares package geo with PostGIS and GeographicLib and prints
// tables in Markdown. It is started by run.sh, which starts the database and
// sets PGHOST, PGUSER and PGDATABASE.
//
// It exits with status 1 if a difference exceeds its limit.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/bench/internal/boundary"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/geo"
)

// A check is one comparison. It prints its table and returns the number of
// differences beyond the limit.
type check struct {
	name string
	run  func(context.Context, *world) (failures int, err error)
}

var checks = []check{
	{"geodesics", compareGeodesics},
	{"contains", compareContains},
	{"shares", compareShares},
	{"overlaps", compareOverlaps},
}

func main() {
	names := make([]string, len(checks))
	for i, c := range checks {
		names[i] = c.name
	}
	w := &world{summary: results.Table{Title: "summary", Columns: []string{"result", "checked against", "largest difference"}}}
	flag.StringVar(&w.mirror, "mirror", filepath.Join("..", "shared", "data", "mirror"), "folder with the publishers' `files` under their addresses")
	flag.Uint64Var(&w.seed, "seed", 1, "seed of the random cases")
	flag.BoolVar(&w.stored, "stored", false, "measure shares of the polygons as stored, in millionths of a degree, not as published")
	flag.Float64Var(&w.outline, "outline", 0.02, "distance in `meters` between a circle and the polygon that approximates it")
	flag.Float64Var(&w.edge, "edge", 0, "longest edge in `meters` that is mapped to a plane (default 1000 for shares, 60 for overlaps)")
	parts := flag.String("part", strings.Join(names, ","), "comparisons to run")
	program.Main("truth", func(ctx context.Context, _ string) error { return compare(ctx, w, strings.Split(*parts, ",")) })
}

// compare runs the named checks. Differences beyond the limit are an error.
func compare(ctx context.Context, w *world, names []string) error {
	failures := 0
	if !(w.outline > 0 && w.edge >= 0) {
		return fmt.Errorf("outline is %v m and edge %v m, expected more than 0", w.outline, w.edge)
	}
	for _, name := range names {
		if !slices.ContainsFunc(checks, func(c check) bool { return c.name == name }) {
			return fmt.Errorf("there is no part %q", name)
		}
	}
	for _, c := range checks {
		if !slices.Contains(names, c.name) {
			continue
		}
		start := time.Now()
		n, err := c.run(ctx, w)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		fmt.Fprintf(os.Stderr, "%s: %d failures, %.0f s\n", c.name, n, time.Since(start).Seconds())
		failures += n
	}
	w.summary.Print(os.Stdout)
	if failures > 0 {
		return fmt.Errorf("%d differences are beyond their limits", failures)
	}
	return nil
}

// A world holds the data of the comparisons: the published polygons of both
// countries and their index.
type world struct {
	mirror  string
	seed    uint64
	stored  bool    // measure shares of the polygons as stored
	outline float64 // precision of drawn circles, in meters
	edge    float64 // longest edge that is mapped, in meters; 0 for that of each comparison

	summary results.Table // of the largest differences

	areas []area
	index *geo.PolygonIndex
}

// An area is a polygon as published.
type area struct {
	boundary.Area
	layer int // in layers
}

// random returns a separate source of random numbers for each comparison. The
// results therefore do not depend on the selected comparisons.
func (w *world) random(stream uint64) *rand.Rand { return rand.New(rand.NewPCG(w.seed, stream)) }

// layers are the polygons of both countries.
var layers = []boundary.Layer{boundary.ZCTA, boundary.FSA}

// loadAreas reads the polygons and makes the index, once.
func (w *world) loadAreas() error {
	if w.index != nil {
		return nil
	}
	var b geo.PolygonIndexBuilder
	for layer := range layers {
		areas, err := boundary.Read(w.mirror, layers[layer])
		if err != nil {
			return err
		}
		for _, a := range areas {
			if err := b.Add(a.Outline); err != nil {
				return fmt.Errorf("%s: %w", a.Code, err)
			}
			w.areas = append(w.areas, area{a, layer})
		}
	}
	data, err := b.AppendBinary(nil)
	if err != nil {
		return err
	}
	w.index, err = geo.DecodePolygonIndex(data)
	return err
}

// most returns the largest value, or 0 if there are none.
func most(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Max(values)
}

// report prints a failed case.
func report(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

// percentile returns the value that p percent of the sorted values do not
// exceed, or 0 if there are none.
func percentile(sorted []float64, p int) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}
