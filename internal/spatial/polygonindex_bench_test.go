package spatial_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// A polygonSet is an index of a size to measure with, its packed form, and
// the centers of searches.
type polygonSet struct {
	index   *spatial.PolygonIndex
	data    []byte
	centers []geo.LatLng
}

// tiles is an invented country of 33,124 areas and 3.4 million vertices, as
// large as the real one and as detailed as the files at 1:500,000.
var tiles = sync.OnceValue(func() polygonSet {
	return makePolygonSet(tessellateContinent(5))
})

// fineTiles are the same areas at full resolution, with 33.9 million vertices.
var fineTiles = sync.OnceValue(func() polygonSet { return makePolygonSet(tessellateContinent(8)) })

func tessellateContinent(detail int) []orb.MultiPolygon {
	const wide, high = 182, 182
	rng := rand.New(rand.NewPCG(7, 4))
	areas := tessellate(rng, 0, 0, 1, wide, high, detail) // squares of a degree…
	for _, m := range areas {
		for _, p := range m {
			for _, r := range p {
				for i := range r { // …pressed into 50 by 20 degrees
					r[i] = micro(orb.Point{-120 + r[i][0]*50/wide, 28 + r[i][1]*20/high})
				}
			}
		}
	}
	return areas
}

func makePolygonSet(areas []orb.MultiPolygon) polygonSet {
	var tb testing.B
	rng := rand.New(rand.NewPCG(7, 5))
	s := polygonSet{data: packBytes(&tb, areas)}
	index, err := spatial.DecodePolygonIndex(s.data)
	if err != nil {
		panic(err)
	}
	s.index = index
	for range 64 {
		v := areas[rng.IntN(len(areas))][0][0][0]
		s.centers = append(s.centers, geo.MustLatLng(v[1]+0.013, v[0]-0.017))
	}
	return s
}

var realTiles = sync.OnceValue(func() *polygonSet {
	z, err := readZCTAs()
	if err != nil || z == nil {
		return nil
	}
	s := makePolygonSet(outlines(z))
	return &s
})

// eachPolygonSet runs a benchmark on the invented and, if available, on the
// real areas. The invented ones at full resolution take 2 GB of memory.
func eachPolygonSet(b *testing.B, run func(b *testing.B, s *polygonSet)) {
	b.Run("tiles", func(b *testing.B) { s := tiles(); run(b, &s) })
	b.Run("zcta", func(b *testing.B) {
		s := realTiles()
		if s == nil {
			b.Skipf("the shared file %s is not at hand", zctaArchive)
		}
		run(b, s)
	})
	b.Run("fine", func(b *testing.B) {
		if testing.Short() {
			b.Skip("takes a minute and 2 GB of memory")
		}
		s := fineTiles()
		run(b, &s)
	})
}

func BenchmarkPolygonIndexDecode(b *testing.B) {
	eachPolygonSet(b, func(b *testing.B, s *polygonSet) {
		for b.Loop() {
			if _, err := spatial.DecodePolygonIndex(s.data); err != nil {
				b.Fatal(err)
			}
		}
		n := float64(s.index.Vertices())
		b.ReportMetric(n, "vertices")
		b.ReportMetric(float64(len(s.data))/1e6, "file-MB")
		b.ReportMetric(float64(s.index.MemoryBytes())/1e6, "MB")
		b.ReportMetric(float64(len(s.data))/n, "B/vertex")
	})
}

func BenchmarkPolygonIndexShares(b *testing.B) {
	eachPolygonSet(b, func(b *testing.B, s *polygonSet) {
		for _, miles := range []geo.Miles{5, 50, 250} {
			b.Run(fmt.Sprintf("miles=%v", miles), func(b *testing.B) {
				b.ReportAllocs()
				var buf []spatial.Share
				hits, partial, n := 0, 0, 0
				for b.Loop() {
					c, err := spatial.NewCircle(s.centers[n%len(s.centers)], miles.Meters())
					if err != nil {
						b.Fatal(err)
					}
					buf = s.index.AppendShares(buf[:0], c)
					hits += len(buf)
					for _, v := range buf {
						if v.Percent < 100 {
							partial++
						}
					}
					n++
				}
				b.ReportMetric(float64(hits)/float64(n), "hits/op")
				b.ReportMetric(float64(partial)/float64(n), "partial/op")
			})
		}
	})
}

func BenchmarkPolygonIndexContaining(b *testing.B) {
	eachPolygonSet(b, func(b *testing.B, s *polygonSet) {
		rng := rand.New(rand.NewPCG(7, 6))
		points := make([]geo.LatLng, 4096)
		for i := range points {
			points[i] = nudge(rng, s.centers[i%len(s.centers)], 0.3)
		}
		b.ReportAllocs()
		found, n := 0, 0
		for b.Loop() {
			if _, ok := s.index.Containing(points[n%len(points)]); ok {
				found++
			}
			n++
		}
		b.ReportMetric(float64(found)/float64(n), "found/op")
	})
}

func BenchmarkNewCircle(b *testing.B) {
	p := geo.MustLatLng(40, -100)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := spatial.NewCircle(p, 80000); err != nil {
			b.Fatal(err)
		}
	}
}
