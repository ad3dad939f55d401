package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/geo"
)

// pointUnits are the units of a degree that points are looked up in. In these
// units vertices and points are whole numbers, which PostGIS holds exactly:
// in degrees it would decide about points on edges by rounding.
const pointUnits = 1e7

// A nearPoint is a point by an edge, in units of 1e-7 degree.
type nearPoint struct {
	x, y int64
	kind int
}

var nearKinds = []string{"on a vertex", "on an edge between its vertices", "1 to 9 units from an edge (to 10 cm)", "to 1,000 units (11 m)", "to 100,000 units (1.1 km)"}

const (
	onVertex = iota
	onEdge
	byUnits
)

// compareContains compares which areas hold a point with ST_Covers on the
// polygons as the index stores them.
func compareContains(ctx context.Context, w *world) (int, error) {
	if err := w.loadAreas(); err != nil {
		return 0, err
	}
	points := w.drawPoints(100_000)
	if err := w.loadStored(ctx, points); err != nil {
		return 0, err
	}
	rows, err := postgis.Query(ctx, `SELECT p.id, string_agg(a.id::text, ',' ORDER BY a.id)
		FROM stored a JOIN point p ON p.shape && a.shape AND ST_Covers(a.shape, p.shape) GROUP BY p.id`)
	if err != nil {
		return 0, err
	}
	covered := make([][]int, len(points))
	for _, row := range rows {
		i, err := strconv.Atoi(row[0])
		if err != nil {
			return 0, err
		}
		for id := range strings.SplitSeq(row[1], ",") {
			n, err := strconv.Atoi(id)
			if err != nil {
				return 0, err
			}
			covered[i] = append(covered[i], n)
		}
	}
	failures := 0
	type count struct{ points, none, one, several, sets, winners int }
	counts := make([]count, len(nearKinds))
	for i, p := range points {
		at := geo.MustLatLng(float64(p.y)/pointUnits, float64(p.x)/pointUnits)
		t := &counts[p.kind]
		t.points++
		switch len(covered[i]) {
		case 0:
			t.none++
		case 1:
			t.one++
		default:
			t.several++
		}
		got := w.index.AppendContaining(nil, at)
		slices.Sort(got)
		if !slices.Equal(got, covered[i]) {
			t.sets++
			report("%v lies in %v, PostGIS returns %v", at, got, covered[i])
		}
		winner, ok := w.index.Containing(at)
		if ok != (len(covered[i]) > 0) || ok && !slices.Contains(covered[i], winner) {
			t.winners++
			report("%v belongs to %v %v, PostGIS returns %v", at, winner, ok, covered[i])
		}
	}
	table := results.Table{Title: "contains", Columns: []string{"points", "number", "in no area", "in one", "in several", "differences"}}
	total := 0
	for k, t := range counts {
		table.Add(nearKinds[k], t.points, t.none, t.one, t.several, t.sets+t.winners)
		failures += t.sets + t.winners
		total += t.points
	}
	table.Print(os.Stdout)
	w.summary.Add(fmt.Sprintf("areas that contain a point, %s points", results.Number(float64(total))), "PostGIS", failures)
	return failures, nil
}

// drawPoints draws points by the edges of areas drawn at random.
func (w *world) drawPoints(n int) []nearPoint {
	r := w.random(3)
	points := make([]nearPoint, 0, n)
	for len(points) < n {
		m := w.index.Polygons(r.IntN(w.index.Len()))
		if m == nil {
			continue
		}
		polygon := m[r.IntN(len(m))]
		ring := polygon[r.IntN(len(polygon))]
		for range 20 {
			k := r.IntN(len(ring) - 1)
			p := drawPoint(r, ring[k], ring[k+1])
			if math.Abs(float64(p.x)) < 180*pointUnits {
				points = append(points, p)
			}
		}
	}
	return points[:n]
}

func drawPoint(r *rand.Rand, from, to orb.Point) nearPoint {
	ax, ay := units(from[0]), units(from[1])
	dx, dy := units(to[0])-ax, units(to[1])-ay
	// Vertices are stored in tenths as many units, so every edge has at least
	// nine whole points between its ends.
	n := gcd(dx, dy)
	k := 1 + r.Int64N(n-1)
	p := nearPoint{ax + dx/n*k, ay + dy/n*k, r.IntN(len(nearKinds))}
	switch p.kind {
	case onVertex:
		p.x, p.y = ax, ay
	case onEdge:
	default:
		by := []int64{9, 1000, 100_000}[p.kind-byUnits]
		p.x += r.Int64N(2*by+1) - by
		p.y += r.Int64N(2*by+1) - by
	}
	return p
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

func units(degrees float64) int64 { return int64(math.Round(degrees * pointUnits)) }

// loadStored fills the tables stored and point, both in units.
func (w *world) loadStored(ctx context.Context, points []nearPoint) error {
	if err := postgis.Execute(ctx, `DROP TABLE IF EXISTS stored, point;
		CREATE TABLE stored (id int PRIMARY KEY, shape geometry NOT NULL);
		CREATE TABLE point (id int PRIMARY KEY, shape geometry NOT NULL)`); err != nil {
		return err
	}
	if err := postgis.Load(ctx, "stored", func(out *bufio.Writer) error {
		for i := range w.index.Len() {
			m := w.index.Polygons(i)
			if m == nil {
				continue
			}
			for _, polygon := range m {
				for _, ring := range polygon {
					for k, p := range ring {
						ring[k] = orb.Point{float64(units(p[0])), float64(units(p[1]))}
					}
				}
			}
			if err := postgis.WriteShape(out, i, m); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	if err := postgis.Load(ctx, "point", func(out *bufio.Writer) error {
		for i, p := range points {
			if err := postgis.WriteShape(out, i, orb.Point{float64(p.x), float64(p.y)}); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return postgis.Execute(ctx, `CREATE INDEX ON point USING gist (shape); ANALYZE point; ANALYZE stored`)
}
