package store_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// layeredDataset opens the dataset that POSTGEO_DATA names, or skips the
// benchmark: a made one would have other outlines than the agencies'.
func layeredDataset(b *testing.B) *store.Dataset {
	b.Helper()
	path := os.Getenv("POSTGEO_DATA")
	if path == "" {
		b.Skip("needs a dataset with layers: set POSTGEO_DATA to its path")
	}
	return open(b, path)
}

// BenchmarkLayersContaining finds the areas of every layer around the points of
// ZIP Codes, and for comparison the ZIP Code around them.
func BenchmarkLayersContaining(b *testing.B) {
	d := layeredDataset(b)
	var points []geo.LatLng
	for r := range d.ZIPs() {
		if r.Location.IsValid() {
			points = append(points, r.Location)
		}
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	var layers []*store.Layer
	for _, l := range d.Layers() {
		check(b, l.Prepare(b.Context()))
		if l.ID().Country() == store.US {
			layers = append(layers, l)
		}
	}
	b.Run("all layers", func(b *testing.B) {
		into := make([]int, 0, 64)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			into = into[:0]
			for _, l := range layers {
				var err error
				into, err = l.Containing(b.Context(), points[i%len(points)], into)
				check(b, err)
			}
		}
		b.ReportMetric(float64(len(layers)), "layers/op")
	})
	b.Run("ZIP alone", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			d.ZIPAreas().Containing(points[i%len(points)])
		}
	})
}

// BenchmarkOverlaps reads what ZIP Codes share with the areas of every layer,
// and for comparison their details.
func BenchmarkOverlaps(b *testing.B) {
	d := layeredDataset(b)
	zips := d.ZIPAreas().Keys()
	at := func(i int) dataset.ZIP { return zips[i*7919%len(zips)] }
	b.Run("overlaps", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			_, err := d.ZIPOverlaps(b.Context(), at(i))
			check(b, err)
		}
	})
	b.Run("detail", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, err := d.ZIPDetail(b.Context(), at(i))
			check(b, err)
		}
	})
}
