// Command peers compares searches of package geo with SQLite, PostGIS and the npm package
// zipcodes, in time and in results, and prints tables in Markdown. It is started by
// run.sh, which starts PostGIS and installs the npm package.
//
// All engines search the same points and polygons around the same centers. A measurement
// is the fastest of several passes over the centers, which reduces the effect of other
// work on the machine. Each round measures every engine once, and the table shows medians.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/bench/internal/boundary"
	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/bench/internal/program"
	"github.com/postgeo/postgeo/bench/internal/results"
	"github.com/postgeo/postgeo/geo"
)

const numCenters = 64

func main() {
	mirror := flag.String("mirror", filepath.Join("..", "shared", "data", "mirror"), "folder with the publishers' `files` under their addresses")
	work := flag.String("work", ".", "folder with the npm package and room for temporary files")
	rounds := flag.Int("rounds", 5, "how often to measure everything")
	program.Main("peers", func(ctx context.Context, _ string) error { return run(ctx, *mirror, *work, *rounds) })
}

// A world holds the points, areas and centers of the searches.
type world struct {
	mirror, work string
	codes        []string
	points       []geo.LatLng // of the codes
	areas        []boundary.Area
	near         []string     // codes at the centers, for the peer that accepts nothing else
	centers      []geo.LatLng // close to the points of these codes
}

// A measurement returns nanoseconds per search.
type measurement func(context.Context) (float64, error)

// A task is a search, with the measurements of engines by column; nil is none.
type task struct {
	name    string
	engines [4]measurement
}

func run(ctx context.Context, mirror, work string, rounds int) error {
	w, err := newWorld(ctx, mirror, work)
	if err != nil {
		return err
	}
	ours, err := newOurs(w)
	if err != nil {
		return err
	}
	lite, err := newLite(ctx, w)
	if err != nil {
		return err
	}
	defer lite.db.Close()
	server, err := newServer(ctx, w)
	if err != nil {
		return err
	}
	var tasks []task
	for _, miles := range []geo.Miles{5, 50, 500} {
		tasks = append(tasks, task{fmt.Sprintf("codes within %v miles, exact and sorted", miles), [4]measurement{
			w.inProcess(ours.within(miles)), w.inProcess(lite.within(miles)), server.time(withinSQL(miles)), w.npm(append([]string{"within", fmt.Sprint(float64(miles))}, w.near...)),
		}})
	}
	nearest := []string{"nearest"}
	for _, c := range w.centers {
		nearest = append(nearest, c.String())
	}
	tasks = append(tasks, task{"nearest code", [4]measurement{w.inProcess(ours.nearest), w.inProcess(lite.nearest), server.time(nearestSQL), w.npm(nearest)}})
	for _, miles := range areaMiles {
		tasks = append(tasks, task{fmt.Sprintf("share of every area within %v miles", miles), [4]measurement{w.inProcess(ours.shares(miles)), nil, server.time(sharesSQL(miles)), nil}})
	}
	people, err := newJoins(ctx, mirror)
	if err != nil {
		return err
	}
	tasks = append(tasks, task{"area that contains a point", [4]measurement{w.inProcess(ours.containing), w.inProcess(lite.containing), server.time(containingSQL), nil}})
	tasks = append(tasks, task{"areas of a million points, as one join", [4]measurement{people.ours(ours.areas), people.lite(lite), people.server(), nil}})

	fmt.Printf("\n%d points, %d polygons, %d centers, %d rounds\n", len(w.points), len(w.areas), len(w.centers), rounds)
	table := results.Table{Title: "searches", Columns: []string{"search", "postgeo", `SQLite R\*Tree, in process`, "PostGIS, Unix socket", "npm zipcodes, in process"}}
	times := make([][4][]float64, len(tasks))
	// Engines take turns, so that a machine that slows down slows all of them.
	for range rounds {
		for i, t := range tasks {
			for k, measure := range t.engines {
				if measure == nil {
					continue
				}
				ns, err := measure(ctx)
				if err != nil {
					return fmt.Errorf("%s, %s: %w", t.name, table.Columns[1+k], err)
				}
				times[i][k] = append(times[i][k], ns)
			}
		}
	}
	for i, t := range tasks {
		row := []any{t.name}
		for _, list := range times[i] {
			cell := ""
			if len(list) > 0 {
				cell = results.Duration(results.Median(list))
			}
			row = append(row, cell)
		}
		table.Add(row...)
	}
	table.Print(os.Stdout)
	return compare(ctx, w, ours)
}

func newWorld(ctx context.Context, mirror, work string) (*world, error) {
	w := &world{mirror: mirror, work: work}
	out, err := postgis.Run(ctx, nil, "node", filepath.Join(work, "spatial.js"), "points")
	if err != nil {
		return nil, err
	}
	var american []int
	for line := range strings.Lines(string(out)) {
		code, at, _ := strings.Cut(strings.TrimSpace(line), "\t")
		p, err := geo.ParseLatLng(strings.Replace(at, "\t", ",", 1))
		if err != nil {
			return nil, fmt.Errorf("spatial.js printed %q: %w", line, err)
		}
		if _, err := strconv.Atoi(code); err == nil {
			american = append(american, len(w.codes))
		}
		w.codes, w.points = append(w.codes, code), append(w.points, p)
	}
	r := rand.New(rand.NewPCG(7, 3))
	for range numCenters {
		i := american[r.IntN(len(american))]
		w.near = append(w.near, w.codes[i])
		// beside the point, because a search at a point of the index could be a special case
		w.centers = append(w.centers, geo.MustLatLng(w.points[i].Lat()+0.001, w.points[i].Lng()-0.002))
	}
	w.areas, err = boundary.Read(mirror, boundary.ZCTA)
	return w, err
}

// inProcess returns the fastest of at least three passes over all centers; passes are
// repeated for a fifth of a second.
func (w *world) inProcess(search func(center geo.LatLng) error) measurement {
	return func(ctx context.Context) (float64, error) {
		best, start := math.Inf(1), time.Now()
		for passes := 0; passes < 3 || time.Since(start) < time.Second/5; passes++ {
			from := time.Now()
			for _, c := range w.centers {
				if err := search(c); err != nil {
					return 0, err
				}
			}
			best = min(best, float64(time.Since(from).Nanoseconds())/numCenters)
		}
		return best, ctx.Err()
	}
}

// npm runs the script of the npm package, which prints nanoseconds and hits per search.
func (w *world) npm(args []string) measurement {
	return func(ctx context.Context) (ns float64, err error) {
		out, err := postgis.Run(ctx, nil, "node", append([]string{filepath.Join(w.work, "spatial.js")}, args...)...)
		if err == nil {
			_, err = fmt.Sscan(string(out), &ns)
		}
		return ns, err
	}
}
