// Command tessellation measures searches over as many invented areas as there
// are ZIP Code Tabulation Areas. They have the resolution of cartographic files
// (about 100 vertices per area) or the full one (about 1,500). It prints a
// table in Markdown.
//
// The areas tile a box, so the parts of all areas inside a circle add up to the
// circle. The largest difference is printed too.
//
//	go -C bench run ./tessellation [-vertices 100,1545] [-passes 5]
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
)

func main() {
	vertices := flag.String("vertices", "100,1545", "about how many `vertices` an area has, for each table")
	passes := flag.Int("passes", 5, "how often all centers are searched around; the fastest search around each counts")
	flag.Parse()
	for text := range strings.SplitSeq(*vertices, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err == nil {
			err = run(n, *passes)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "tessellation: %v\n", err)
			os.Exit(1)
		}
	}
}

// areaMiles are the radii of the searches.
var areaMiles = []geo.Miles{5, 50, 250}

func run(vertices, passes int) error {
	dir, err := os.MkdirTemp("", "tessellation")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "areas.db")
	if err := write(path, vertices); err != nil {
		return err
	}
	debug.FreeOSMemory()
	before := resident()
	opened := time.Duration(math.MaxInt64)
	for range passes {
		took, err := timeOpen(path)
		if err != nil {
			return err
		}
		opened = min(opened, took)
		debug.FreeOSMemory()
	}
	d, err := dataset.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	debug.FreeOSMemory()
	index := d.ZIPAreas().Index()
	fmt.Printf("%d areas, %d vertices: file %.0f MB, opened in %v (fastest of %d), index %.0f MB, process grown by %.0f MB\n\n",
		index.Len(), index.Vertices(), float64(info.Size())/1e6, opened.Round(time.Millisecond), passes,
		float64(index.MemoryBytes())/1e6, resident()-before)
	fmt.Printf("| search | found | time |\n|---|---|---|\n")
	centers := drawCenters(d)
	for _, miles := range areaMiles {
		if err := shares(index, centers, miles, passes); err != nil {
			return err
		}
	}
	contains(index, centers, passes)
	return nil
}

// timeOpen opens the file, closes it and returns how long opening took.
func timeOpen(path string) (time.Duration, error) {
	start := time.Now()
	d, err := dataset.Open(path)
	if err != nil {
		return 0, err
	}
	took := time.Since(start)
	return took, d.Close()
}

// write makes a dataset of ZIP Codes with the areas.
func write(path string, vertices int) error {
	w, err := dataset.Create(path)
	if err != nil {
		return err
	}
	if err := fill(w, vertices); err != nil {
		_ = w.Abort() // the first error is the cause
		return err
	}
	return w.Finish(dataset.Manifest{Version: "tessellation", Sample: true})
}

func fill(w *dataset.Writer, vertices int) error {
	if err := w.SetStates([]dataset.State{{Country: dataset.US, Abbr: "KS", Name: "Kansas", FIPS: "20"}}); err != nil {
		return err
	}
	layer := dataset.AreaLayer[dataset.ZIP]{Sources: []string{"tessellation"}}
	var b geo.PolygonIndexBuilder
	for at, area := range newTessellation(vertices).areas {
		zip := dataset.ZIP(1000 + len(layer.Keys))
		p, err := geo.LatLngFromDegrees(at[1], at[0])
		if err != nil {
			return err
		}
		if err := b.Add(area); err != nil {
			return err
		}
		if err := w.AddZIP(dataset.ZIPRow{ZIP: zip, City: "Sample", State: 1, Class: dataset.General, Location: p}, dataset.ZIPDetail{}); err != nil {
			return err
		}
		layer.Keys = append(layer.Keys, zip)
	}
	var err error
	if layer.Packed, err = b.AppendBinary(nil); err != nil {
		return err
	}
	return w.SetZIPAreas(layer)
}

// drawCenters returns 64 places close to the middles of areas.
func drawCenters(d *dataset.Dataset) []geo.LatLng {
	rng := rand.New(rand.NewPCG(7, 3))
	keys := d.ZIPAreas().Keys()
	centers := make([]geo.LatLng, 64)
	for i := range centers {
		row, _ := d.ZIP(keys[rng.IntN(len(keys))])
		centers[i] = geo.MustLatLng(row.Location.Lat()+0.001, row.Location.Lng()-0.002)
	}
	return centers
}

// shares measures searches of a radius.
func shares(index *geo.PolygonIndex, centers []geo.LatLng, miles geo.Miles, passes int) error {
	var found []geo.Share
	var failed error
	hits := 0
	best := fastest(passes, len(centers), 1, func(i int) {
		c, err := geo.NewCircle(centers[i], miles.Meters())
		if err != nil {
			failed = err
			return
		}
		found = index.AppendShares(found[:0], c)
		hits += len(found)
	})
	if failed != nil {
		return failed
	}
	worst := 0.0
	for _, center := range centers {
		c, err := geo.NewCircle(center, miles.Meters())
		if err != nil {
			return err
		}
		if !inside(c) {
			continue
		}
		sum := 0.0
		for _, s := range index.AppendShares(found[:0], c) {
			sum += s.Percent / 100 * float64(index.Area(s.Index))
		}
		ring := c.Ring(100_000)
		whole, err := geo.MultiPolygonArea(orb.MultiPolygon{{ring}})
		if err != nil {
			return err
		}
		worst = max(worst, math.Abs(sum/float64(whole)-1))
	}
	fmt.Printf("| share of every area within %v miles | %.1f | %v |\n", miles, float64(hits)/float64(passes*len(centers)), best)
	fmt.Fprintf(os.Stderr, "%v miles: the parts add up to the circle within %.1e of it\n", miles, worst)
	return nil
}

// inside reports whether a circle lies in the box of the areas.
func inside(c *geo.Circle) bool {
	for _, p := range c.Ring(64) {
		if p[0] <= west || p[0] >= east || p[1] <= south || p[1] >= north {
			return false
		}
	}
	return true
}

// contains measures which area holds a point.
func contains(index *geo.PolygonIndex, centers []geo.LatLng, passes int) {
	rng := rand.New(rand.NewPCG(7, 4))
	points := make([]geo.LatLng, 1<<11)
	for i := range points {
		c := centers[i%len(centers)]
		points[i] = geo.MustLatLng(
			min(max(c.Lat()+rng.NormFloat64(), south+0.1), north-0.1), min(max(c.Lng()+rng.NormFloat64(), west+0.1), east-0.1))
	}
	held := 0
	best := fastest(passes, len(points), 64, func(i int) {
		if _, ok := index.Containing(points[i]); ok {
			held++
		}
	})
	fmt.Printf("| area that contains a point | %.3f | %v |\n\n", float64(held)/float64(passes*len(points)), best)
}

// fastest returns the mean time of n calls of search, made in groups. Each
// group counts with its fastest pass, which reduces the effect of other work on
// the machine.
func fastest(passes, n, group int, search func(i int)) time.Duration {
	best := make([]time.Duration, (n+group-1)/group)
	for pass := range passes {
		for g := range best {
			start := time.Now()
			for i := g * group; i < min((g+1)*group, n); i++ {
				search(i)
			}
			if took := time.Since(start); pass == 0 || took < best[g] {
				best[g] = took
			}
		}
	}
	sum := time.Duration(0)
	for _, d := range best {
		sum += d
	}
	return sum / time.Duration(n)
}

// resident returns the memory of the process in MB, or 0 if the system does not
// report it.
func resident() float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return float64(pages) * float64(os.Getpagesize()) / 1e6
}
