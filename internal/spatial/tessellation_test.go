package spatial_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/spatial"
)

// tessellate returns wide by high areas that tile a range of longitudes and
// latitudes without gap or overlap. Their corners are moved at random, and
// every shared edge is broken into 2^detail pieces.
func tessellate(rng *rand.Rand, west, south, step float64, wide, high, detail int) []orb.MultiPolygon {
	corner := make([][]orb.Point, wide+1)
	for i := range corner {
		corner[i] = make([]orb.Point, high+1)
		for j := range corner[i] {
			corner[i][j] = micro(orb.Point{
				west + step*(float64(i)+0.5*(rng.Float64()-0.5)),
				south + step*(float64(j)+0.5*(rng.Float64()-0.5)),
			})
		}
	}
	edge := func(a, b orb.Point) []orb.Point { return wiggle(rng, a, b, detail, nil) } // without b
	across := make([][][]orb.Point, wide)
	for i := range across {
		across[i] = make([][]orb.Point, high+1)
		for j := range across[i] {
			across[i][j] = edge(corner[i][j], corner[i+1][j])
		}
	}
	up := make([][][]orb.Point, wide+1)
	for i := range up {
		up[i] = make([][]orb.Point, high)
		for j := range up[i] {
			up[i][j] = edge(corner[i][j], corner[i][j+1])
		}
	}
	back := func(e []orb.Point, end orb.Point) []orb.Point {
		out := []orb.Point{end}
		for k := len(e) - 1; k > 0; k-- {
			out = append(out, e[k])
		}
		return out
	}
	var areas []orb.MultiPolygon
	for i := range wide {
		for j := range high {
			ring := slices.Concat(across[i][j], up[i+1][j],
				back(across[i][j+1], corner[i+1][j+1]), back(up[i][j], corner[i][j+1]))
			areas = append(areas, orb.MultiPolygon{{append(orb.Ring(ring), ring[0])}})
		}
	}
	return areas
}

// wiggle appends a crooked line from a to b, without b.
func wiggle(rng *rand.Rand, a, b orb.Point, detail int, out []orb.Point) []orb.Point {
	if detail == 0 {
		return append(out, a)
	}
	off := 0.2 * (rng.Float64() - 0.5)
	m := micro(orb.Point{(a[0]+b[0])/2 - off*(b[1]-a[1]), (a[1]+b[1])/2 + off*(b[0]-a[0])})
	return wiggle(rng, m, b, detail-1, wiggle(rng, a, m, detail-1, out))
}

// micro rounds to the precision that is stored.
func micro(p orb.Point) orb.Point {
	return orb.Point{math.Round(p[0]*1e6) / 1e6, math.Round(p[1]*1e6) / 1e6}
}

// pack builds an index of the areas.
func pack(tb testing.TB, areas []orb.MultiPolygon) *spatial.PolygonIndex {
	tb.Helper()
	index, err := spatial.DecodePolygonIndex(packBytes(tb, areas))
	check(tb, err)
	return index
}

func packBytes(tb testing.TB, areas []orb.MultiPolygon) []byte {
	tb.Helper()
	var b spatial.PolygonIndexBuilder
	for _, a := range areas {
		check(tb, b.Add(a))
	}
	data, err := b.AppendBinary(nil)
	check(tb, err)
	return data
}

// A zcta is a real area and the extent that the Census gives for it.
type zcta struct {
	code    string
	outline orb.MultiPolygon
	extent  float64 // land and water, m²
}

const zctaArchive = "www2.census.gov/geo/tiger/GENZ2020/shp/cb_2020_us_zcta520_500k.zip"

var readZCTAs = sync.OnceValues(func() ([]zcta, error) {
	var tb testing.B
	name := sharedFile(&tb, zctaArchive)
	if name == "" {
		return nil, nil
	}
	var out []zcta
	for shape, err := range (format.File{Path: name}).Rows(format.Options{}) {
		if err != nil {
			return nil, err
		}
		extent, err := number(shape.Get("ALAND20"), shape.Get("AWATER20"))
		if err != nil {
			return nil, err
		}
		out = append(out, zcta{shape.Get("ZCTA5CE20"), shape.Polygon, extent})
	}
	return out, nil
})

func number(values ...string) (sum float64, err error) {
	for _, v := range values {
		var f float64
		if _, err := fmt.Sscan(v, &f); err != nil {
			return 0, err
		}
		sum += f
	}
	return sum, nil
}

// realZCTAs returns the outlines of real areas, or skips the test with -short
// and if the shared data are missing.
func realZCTAs(tb testing.TB) []zcta {
	tb.Helper()
	if testing.Short() {
		tb.Skip("33,000 outlines are not read with -short")
	}
	z, err := readZCTAs()
	check(tb, err)
	if z == nil {
		tb.Skipf("the shared file %s is not at hand; set POSTGEO_SHARED", zctaArchive)
	}
	return z
}

func outlines(z []zcta) []orb.MultiPolygon {
	out := make([]orb.MultiPolygon, len(z))
	for i := range z {
		out[i] = z[i].outline
	}
	return out
}

// sharedFile returns the path of a file below the shared data, or "" if they
// are not available. POSTGEO_SHARED names their folder; otherwise it is looked
// for beside the repository.
func sharedFile(tb testing.TB, name string) string {
	tb.Helper()
	root := os.Getenv("POSTGEO_SHARED")
	for dir := "."; root == ""; dir = filepath.Join("..", dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			root = filepath.Join(dir, "..", "shared")
		}
		if len(dir) > 60 {
			return ""
		}
	}
	path := filepath.Join(root, "data", "mirror", filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}
