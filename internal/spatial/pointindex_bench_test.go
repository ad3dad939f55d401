package spatial_test

import (
	"fmt"
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// Sizes of the benchmarks: US ZIP codes and Canadian postal codes.
var pointSets = []struct {
	name   string
	points func() []geo.LatLng
}{
	{"zip", zipPoints},
	{"postal", postalPoints},
}

func BenchmarkPointIndexBuild(b *testing.B) {
	for _, set := range pointSets {
		points := set.points()
		b.Run(fmt.Sprintf("%s=%d", set.name, len(points)), func(b *testing.B) {
			b.ReportAllocs()
			var index *spatial.PointIndex
			for b.Loop() {
				index = spatial.NewPointIndex(points)
			}
			b.ReportMetric(float64(index.MemoryBytes())/1e6, "MB")
		})
	}
}

func BenchmarkPointIndexDecode(b *testing.B) {
	for _, set := range pointSets {
		points := set.points()
		data := packedPoints(b, points)
		b.Run(fmt.Sprintf("%s=%d", set.name, len(points)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decodePoints(points, data); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(data))/1e6, "file-MB")
		})
		b.Run(fmt.Sprintf("loaded/%s=%d", set.name, len(points)), func(b *testing.B) {
			for b.Loop() {
				index, err := decodePoints(points, data)
				if err != nil {
					b.Fatal(err)
				}
				index.Load()
			}
		})
	}
}

var benchMiles = []geo.Miles{5, 50, 100, 500}

// BenchmarkPointIndexWithin searches an index just made, and beside it the same
// as a dataset brings it, and with all its points loaded.
func BenchmarkPointIndexWithin(b *testing.B) {
	for _, set := range pointSets[:1] {
		index, centers := spatial.NewPointIndex(set.points()), benchCenters(set.points())
		data := packedPoints(b, set.points())
		stored, err := decodePoints(set.points(), data)
		if err != nil {
			b.Fatal(err)
		}
		loaded, err := decodePoints(set.points(), data)
		if err != nil {
			b.Fatal(err)
		}
		loaded.Load()
		for _, miles := range benchMiles {
			for _, x := range []struct {
				name  string
				index *spatial.PointIndex
			}{{set.name, index}, {set.name + "/stored", stored}, {set.name + "/loaded", loaded}} {
				b.Run(fmt.Sprintf("%s/miles=%v", x.name, miles), func(b *testing.B) {
					b.ReportAllocs()
					var buf []spatial.Neighbor
					hits, n := 0, 0
					for b.Loop() {
						buf = x.index.AppendWithin(buf[:0], centers[n%len(centers)], 0, miles.Meters())
						hits += len(buf)
						n++
					}
					b.ReportMetric(float64(hits)/float64(n), "hits/op")
				})
			}
		}
	}
}

// BenchmarkPointIndexFirst is the first search of an index just decoded.
func BenchmarkPointIndexFirst(b *testing.B) {
	points := postalPoints()
	centers := benchCenters(points)
	data := packedPoints(b, points)
	for _, miles := range benchMiles[:2] {
		b.Run(fmt.Sprintf("miles=%v", miles), func(b *testing.B) {
			for n := 0; b.Loop(); n++ {
				b.StopTimer()
				index, err := decodePoints(points, data)
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				index.AppendNearestWithin(nil, centers[n%len(centers)], 0, miles.Meters(), 10000)
			}
		})
	}
}

func BenchmarkPointIndexWithinParallel(b *testing.B) {
	index, centers := spatial.NewPointIndex(zipPoints()), benchCenters(zipPoints())
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		var buf []spatial.Neighbor
		for n := 0; pb.Next(); n++ {
			buf = index.AppendWithin(buf[:0], centers[n%len(centers)], 0, geo.Miles(50).Meters())
		}
	})
}

func BenchmarkPointIndexNearestWithin(b *testing.B) {
	for _, set := range pointSets[1:] {
		index, centers := spatial.NewPointIndex(set.points()), benchCenters(set.points())
		for _, miles := range benchMiles {
			b.Run(fmt.Sprintf("%s/miles=%v", set.name, miles), func(b *testing.B) {
				b.ReportAllocs()
				var buf []spatial.Neighbor
				hits, all, n := 0, 0, 0
				for b.Loop() {
					var total int
					buf, total = index.AppendNearestWithin(buf[:0], centers[n%len(centers)], 0, miles.Meters(), 10000)
					hits += len(buf)
					all += total
					n++
				}
				b.ReportMetric(float64(hits)/float64(n), "hits/op")
				b.ReportMetric(float64(all)/float64(n), "total/op")
			})
		}
	}
}

func BenchmarkPointIndexNearest(b *testing.B) {
	for _, set := range pointSets {
		index, centers := spatial.NewPointIndex(set.points()), benchCenters(set.points())
		for _, k := range []int{1, 10, 100} {
			b.Run(fmt.Sprintf("%s/k=%d", set.name, k), func(b *testing.B) {
				b.ReportAllocs()
				var buf []spatial.Neighbor
				for n := 0; b.Loop(); n++ {
					buf = index.AppendNearest(buf[:0], centers[n%len(centers)], k)
				}
			})
		}
	}
}
