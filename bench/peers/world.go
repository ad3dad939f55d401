package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/bench/internal/boundary"
	"github.com/postgeo/postgeo/bench/internal/postgis"
	"github.com/postgeo/postgeo/geo"
)

const numCenters = 64

// The sizes of searches.
var (
	pointMiles = []geo.Miles{5, 50, 100, 500}
	areaMiles  = []geo.Miles{5, 50, 250}
)

// A world holds the points, areas and centers of the searches.
type world struct {
	work   string
	codes  []string
	points []geo.LatLng // of the codes
	areas  []boundary.Area

	near    []int        // centers as numbers of codes, for the peer that takes nothing else
	centers []geo.LatLng // close to those points
}

func newWorld(ctx context.Context, mirror, work string) (*world, error) {
	w := &world{work: work}
	out, err := postgis.Run(ctx, nil, "node", filepath.Join(work, "spatial.js"), "points")
	if err != nil {
		return nil, err
	}
	var american []int
	for line := range strings.Lines(string(out)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		if len(columns) != 3 {
			return nil, fmt.Errorf("spatial.js printed %q", line)
		}
		p, err := geo.ParseLatLng(columns[1] + "," + columns[2])
		if err != nil {
			return nil, err
		}
		if _, err := strconv.Atoi(columns[0]); err == nil {
			american = append(american, len(w.codes))
		}
		w.codes, w.points = append(w.codes, columns[0]), append(w.points, p)
	}
	if len(american) < numCenters {
		return nil, fmt.Errorf("spatial.js printed %d codes", len(w.codes))
	}
	r := rand.New(rand.NewPCG(7, 3))
	for range numCenters {
		i := american[r.IntN(len(american))]
		w.near = append(w.near, i)
		w.centers = append(w.centers, geo.MustLatLng(w.points[i].Lat()+0.001, w.points[i].Lng()-0.002))
	}
	w.areas, err = boundary.Read(mirror, boundary.ZCTA)
	return w, err
}

// tasks prepares all subjects. The caller must call finish.
func (w *world) tasks(ctx context.Context) (tasks []task, finish func(), err error) {
	ours, err := newOurs(w)
	if err != nil {
		return nil, nil, err
	}
	lite, err := newLite(ctx, w)
	if err != nil {
		return nil, nil, err
	}
	server, err := newServer(ctx, w)
	if err != nil {
		lite.close()
		return nil, nil, err
	}
	for _, miles := range pointMiles {
		tasks = append(tasks, task{fmt.Sprintf("codes within %v miles, exact and sorted", miles), []*subject{
			ours.within(miles), lite.within(miles), server.within(miles), w.npmWithin(miles),
		}})
	}
	tasks = append(tasks, task{"nearest code", []*subject{ours.nearest(), lite.nearest(), server.nearest(), w.npmNearest()}})
	for _, miles := range areaMiles {
		subjects := []*subject{ours.shares(miles), server.shares(ours, miles, fineCircle), server.shares(ours, miles, coarseCircle)}
		if miles <= 50 { // with larger circles PostGIS refuses some of the areas as invalid
			subjects = append(subjects, server.geographyShares(ours, miles))
		}
		tasks = append(tasks, task{fmt.Sprintf("share of every area within %v miles", miles), subjects})
	}
	tasks = append(tasks, task{"area that contains a point", []*subject{ours.containing(), lite.containing(), server.containing(), server.nothing()}})
	return tasks, lite.close, nil
}

// npmWithin searches around the code itself: the package takes no point.
func (w *world) npmWithin(miles geo.Miles) *subject {
	args := []string{"within", strconv.FormatFloat(float64(miles), 'g', -1, 64)}
	for _, i := range w.near {
		args = append(args, w.codes[i])
	}
	return w.npm("npm zipcodes, in whole miles on a sphere, not sorted", args)
}

func (w *world) npmNearest() *subject {
	args := []string{"nearest"}
	for _, c := range w.centers {
		args = append(args, c.String())
	}
	return w.npm("npm zipcodes, on a sphere", args)
}

func (w *world) npm(name string, args []string) *subject {
	return &subject{name: name, column: npm, measure: func(ctx context.Context) (figure, error) {
		out, err := postgis.Run(ctx, nil, "node", append([]string{filepath.Join(w.work, "spatial.js")}, args...)...)
		if err != nil {
			return figure{}, err
		}
		var f figure
		if _, err := fmt.Sscan(string(out), &f.ns, &f.found); err != nil {
			return figure{}, fmt.Errorf("spatial.js printed %q: %w", out, err)
		}
		return f, nil
	}}
}
