package svg_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/geo/svg"
)

// The cost of a map by the number of its areas, each of 200 vertices.
func BenchmarkAppend(b *testing.B) {
	for _, areas := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("areas=%d", areas), func(b *testing.B) {
			m := svg.Map{Center: geo.MustLatLng(34.1, -118.4), Radius: geo.Miles(50).Meters()}
			side := math.Ceil(math.Sqrt(float64(areas)))
			for i := range areas {
				lng, lat := -119+1.2*math.Mod(float64(i), side)/side, 33.5+1.2*math.Floor(float64(i)/side)/side
				var ring orb.Ring
				for k := range 200 {
					s, c := math.Sincos(float64(k) * math.Pi / 100)
					r := (0.5 + 0.05*math.Sin(float64(k))) / side
					ring = append(ring, orb.Point{lng + r*c, lat + r*s})
				}
				m.Areas = append(m.Areas, svg.Area{Label: fmt.Sprintf("%05d", i), Class: svg.Found, Percent: percent(50), Polygons: orb.MultiPolygon{{ring}}})
			}
			var data []byte
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if data, err = m.Append(data[:0]); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(data)), "bytes")
		})
	}
}
