package spatial_test

import (
	"archive/zip"
	"bufio"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/postgeo/postgeo/geo"
)

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

// geonamesPoints reads the points of a GeoNames postal code file.
func geonamesPoints(tb testing.TB, archive, member string) []geo.LatLng {
	tb.Helper()
	z, err := zip.OpenReader(archive)
	if err != nil {
		tb.Fatal(err)
	}
	defer z.Close()
	f, err := z.Open(member)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var out []geo.LatLng
	for s := bufio.NewScanner(f); s.Scan(); {
		const latColumn, lngColumn = 9, 10
		row := strings.Split(s.Text(), "\t")
		lat, err1 := strconv.ParseFloat(row[latColumn], 64)
		lng, err2 := strconv.ParseFloat(row[lngColumn], 64)
		if err1 != nil || err2 != nil {
			continue
		}
		out = append(out, geo.MustLatLng(lat, lng))
	}
	return out
}

// zipPoints returns about 42,000 points: the real ones of US ZIP codes if the
// shared data are available, else invented ones that are as uneven.
var zipPoints = sync.OnceValue(func() []geo.LatLng {
	var tb testing.B
	if path := sharedFile(&tb, "download.geonames.org/export/zip/US.zip"); path != "" {
		return geonamesPoints(&tb, path, "US.txt")
	}
	return settle(rand.New(rand.NewPCG(7, 1)), 42000, 3000, 0.35)
})

// postalPoints returns 890,330 invented points around about 1,650 real or
// invented ones, as unevenly spread as Canadian postal codes.
var postalPoints = sync.OnceValue(func() []geo.LatLng {
	const n = 890330
	rng := rand.New(rand.NewPCG(7, 2))
	var tb testing.B
	path := sharedFile(&tb, "download.geonames.org/export/zip/CA.zip")
	if path == "" {
		return settle(rng, n, 1650, 0.04)
	}
	around := geonamesPoints(&tb, path, "CA.txt")
	out := make([]geo.LatLng, n)
	for i := range out {
		out[i] = spread(rng, around[rng.IntN(len(around))], 0.04)
	}
	return out
})

// settle returns n points around so many places of a continent.
func settle(rng *rand.Rand, n, places int, width float64) []geo.LatLng {
	around := make([]geo.LatLng, places)
	for i := range around {
		around[i] = geo.MustLatLng(26+22*rng.Float64(), -123+55*math.Pow(rng.Float64(), 0.6))
	}
	out := make([]geo.LatLng, n)
	for i := range out {
		out[i] = spread(rng, around[rng.IntN(places)], width)
	}
	return out
}

func spread(rng *rand.Rand, p geo.LatLng, width float64) geo.LatLng {
	lat := min(90, p.Lat()+width*rng.NormFloat64())
	return geo.MustLatLng(lat, p.Lng()+1.5*width*rng.NormFloat64()).Rounded()
}

// benchCenters draws the 64 centers that all benchmarks use.
func benchCenters(points []geo.LatLng) []geo.LatLng {
	rng := rand.New(rand.NewPCG(7, 3))
	out := make([]geo.LatLng, 64)
	for i := range out {
		p := points[rng.IntN(len(points))]
		out[i] = geo.MustLatLng(p.Lat()+0.001, p.Lng()-0.002)
	}
	return out
}
