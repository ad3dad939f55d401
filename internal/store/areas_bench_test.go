package store_test

import (
	"fmt"
	"os"
	"path"
	"runtime"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// officialCover returns the national country with the outlines of the official
// files of the Census, given to any of its codes, and as many vertices of FSAs
// as the official file has; or skips the benchmark.
func officialCover(b *testing.B) *country {
	b.Helper()
	c := generate(7, nationalZIPs, nationalFSAs, nationalPostal, 0).generateCover(7, 1000)
	const census = "data/mirror/www2.census.gov/geo/tiger/"
	c.ZIPAreas = official(b, census+"GENZ2020/shp/cb_2020_us_zcta520_500k.zip", func(i int) dataset.ZIP { return c.ZIPs[i].ZIP })
	c.CountyAreas = official(b, census+"GENZ2024/shp/cb_2024_us_county_500k.zip", func(i int) store.CountyID { return store.CountyID(i + 1) })
	c.StateAreas = official(b, census+"GENZ2024/shp/cb_2024_us_state_500k.zip", func(i int) store.StateID { return store.StateID(i + 1) })
	for i := len(c.Counties); i < len(c.CountyAreas.Keys); i++ {
		c.Counties = append(c.Counties, store.County{FIPS: fmt.Sprintf("%05d", i)})
	}
	return c
}

// official reads the outlines of a zipped shapefile.
func official[K store.AreaKey](b *testing.B, name string, key func(int) K) *layer[K] {
	b.Helper()
	file, err := format.OpenShapefile(shared(b, name), format.ShapefileOptions{})
	check(b, err)
	defer file.Close()
	l := &layer[K]{Sources: []string{path.Base(name)}}
	for shape, err := range file.Shapes() {
		check(b, err)
		l.Keys = append(l.Keys, key(len(l.Keys)))
		l.Outlines = append(l.Outlines, shape.Polygon)
	}
	return l
}

// BenchmarkOpenAreas opens a national file with and without outlines: three
// million invented vertices, and the official ones where they are at hand.
func BenchmarkOpenAreas(b *testing.B) {
	for _, size := range []struct {
		name    string
		country func(b *testing.B) *country
	}{
		{"none", func(*testing.B) *country { return national() }},
		{"invented", func(*testing.B) *country {
			return generate(7, nationalZIPs, nationalFSAs, nationalPostal, 0).generateCover(7, 75)
		}},
		{"official", officialCover},
	} {
		b.Run(size.name, func(b *testing.B) {
			file := size.country(b).file(b)
			for b.Loop() {
				d, err := sqlite.Open(file)
				check(b, err)
				check(b, d.Close())
			}
			b.StopTimer()
			before := liveHeap()
			d := open(b, file)
			b.ReportMetric(float64(liveHeap()-before)/1e6, "heap-MB")
			b.ReportMetric(residentAfterOpen(b, file), "resident-MB")
			info, err := os.Stat(file)
			check(b, err)
			b.ReportMetric(float64(info.Size())/1e6, "file-MB")
			runtime.KeepAlive(d)
		})
	}
}

// BenchmarkAreas asks for the area around a point.
func BenchmarkAreas(b *testing.B) {
	c := generate(7, 5000, 0, 0, 0).generateCover(7, 75)
	a := open(b, c.file(b)).ZIPAreas()
	b.Run("Containing", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, ok := a.Containing(c.ZIPs[i*7919%len(c.ZIPs)].Location); !ok {
				b.Fatal("not found")
			}
		}
	})
	b.Run("Find", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, ok := a.Find(c.ZIPs[i*7919%len(c.ZIPs)].ZIP); !ok {
				b.Fatal("not found")
			}
		}
	})
}
