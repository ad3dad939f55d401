package synth_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/synth"
)

// Paths of the boundary files below a mirror.
const (
	zctaFile   = "www2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip"
	stateFile  = "www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_state_500k.zip"
	countyFile = "www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_county_500k.zip"
	cousubFile = "www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_cousub_500k.zip"
	placeFile  = "www2.census.gov/geo/tiger/GENZ2024/shp/cb_2024_us_place_500k.zip"
	statCan    = "www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/"
	fsaFile    = statCan + "lfsa000b21a_e.zip"
	cdFile     = statCan + "lcd_000b21a_e.zip"
	csdFile    = statCan + "lcsd000b21a_e.zip"
	zonesFile  = "github.com/evansiroky/timezone-boundary-builder/releases/download/2025b/timezones.geojson.zip"
)

// world is a country with its mirror, made once for all tests.
type world struct {
	*synth.Country
	dir string
}

var invented = sync.OnceValues(func() (*synth.Country, error) {
	return synth.New(synth.Options{Seed: 7, ZIPs: 1200, Detail: 3})
})

var mirrored = sync.OnceValues(func() (string, error) {
	c, err := invented()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "postgeo-synth-*")
	if err != nil {
		return "", err
	}
	return dir, c.WriteMirror(context.Background(), dir)
})

// newWorld returns the invented country of the tests with its mirror, which
// tests must not change.
func newWorld(t *testing.T) world {
	t.Helper()
	c, err := invented()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := mirrored()
	if err != nil {
		t.Fatal(err)
	}
	return world{c, dir}
}

func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := mirrored(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// A shape is an outline with its identifier and areas as the file has them.
type shape struct {
	id          string
	land, water string
	polygon     orb.MultiPolygon
}

func (w world) shapes(t *testing.T, path, id, land, water string) []shape {
	t.Helper()
	f, err := format.OpenShapefile(filepath.Join(w.dir, path), format.ShapefileOptions{Required: []string{id}})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []shape
	for s, err := range f.Shapes() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, shape{s.Get(id), s.Get(land), s.Get(water), s.Polygon})
	}
	return out
}

func (w world) zones(t *testing.T) []shape {
	t.Helper()
	in, err := format.Open(filepath.Join(w.dir, zonesFile), format.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var out []shape
	for s, err := range format.NewGeoJSON(in, format.GeoJSONOptions{Required: []string{"tzid"}}).Shapes() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, shape{id: s.Get("tzid"), polygon: s.Polygon})
	}
	return out
}

// corner is a vertex in millionths of a degree.
type corner [2]int64

func cornerOf(p orb.Point) corner {
	return corner{int64(math.Round(p[0] * 1e6)), int64(math.Round(p[1] * 1e6))}
}

// border counts each directed edge of the outlines; edges that are walked in
// both directions cancel.
func border(shapes []shape) map[[2]corner]int {
	edges := map[[2]corner]int{}
	for _, s := range shapes {
		for _, p := range s.polygon {
			for _, r := range p {
				for i := 1; i < len(r); i++ {
					a, b := cornerOf(r[i-1]), cornerOf(r[i])
					if back := [2]corner{b, a}; edges[back] > 0 {
						if edges[back]--; edges[back] == 0 {
							delete(edges, back)
						}
						continue
					}
					edges[[2]corner{a, b}]++
				}
			}
		}
	}
	return edges
}

// area integrates the outline in the cylindrical equal-area plane of WGS84,
// every edge in 16 steps, in square meters.
func area(mp orb.MultiPolygon) float64 {
	const a, f = 6378137.0, 1 / 298.257223563
	e := math.Sqrt(f * (2 - f))
	height := func(lat float64) float64 {
		s := math.Sin(lat * math.Pi / 180)
		return a * (1 - f) * (1 - f) / 2 * (s/(1-e*e*s*s) + math.Atanh(e*s)/e)
	}
	var sum float64
	for _, p := range mp {
		for _, r := range p {
			for i := 1; i < len(r); i++ {
				u, v := r[i-1], r[i]
				for k := range 16 {
					t0, t1 := float64(k)/16, float64(k+1)/16
					x := (v[0] - u[0]) / 16 * math.Pi / 180
					sum -= x * (height(u[1]+(v[1]-u[1])*t0) + height(u[1]+(v[1]-u[1])*t1)) / 2
				}
			}
		}
	}
	return sum * a
}

// holds reports whether the outline contains the point.
func holds(mp orb.MultiPolygon, p geo.LatLng) bool {
	in := false
	for _, poly := range mp {
		for _, r := range poly {
			for i := 1; i < len(r); i++ {
				a, b := r[i-1], r[i]
				if (a[1] > p.Lat()) != (b[1] > p.Lat()) && p.Lng() < a[0]+(p.Lat()-a[1])/(b[1]-a[1])*(b[0]-a[0]) {
					in = !in
				}
			}
		}
	}
	return in
}

func byID(shapes []shape) map[string]orb.MultiPolygon {
	m := map[string]orb.MultiPolygon{}
	for _, s := range shapes {
		m[s.id] = s.polygon
	}
	return m
}
