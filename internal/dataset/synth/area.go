package synth

import (
	"math"

	"github.com/postgeo/postgeo/geo"
)

// WGS84: equatorial radius in meters and flattening (NGA TR8350.2).
const (
	semiMajor  = 6378137.0
	flattening = 1 / 298.257223563
)

// A vertex is a point in millionths of a degree.
type vertex struct{ X, Y int32 }

func vertexAt(p geo.LatLng) vertex {
	return vertex{int32(math.Round(p.Lng() * 1e6)), int32(math.Round(p.Lat() * 1e6))}
}

func (v vertex) lng() float64 { return float64(v.X) / 1e6 }
func (v vertex) lat() float64 { return float64(v.Y) / 1e6 }

func (v vertex) latLng() geo.LatLng { return geo.MustLatLng(v.lat(), v.lng()) }

// zoneArea returns the area in square meters between the equator and a
// latitude, per radian of longitude (Snyder 1987, equations 3-12 and 10-15).
func zoneArea(lat float64) float64 {
	e := math.Sqrt(flattening * (2 - flattening))
	s := math.Sin(lat * math.Pi / 180)
	b := semiMajor * (1 - flattening)
	return b * b / 2 * (s/(1-float64(float64(e*e)*float64(s*s))) + math.Atanh(e*s)/e)
}

// Nodes and weights of the Gauss-Legendre rule of five points on -1 to 1
// (Abramowitz and Stegun 1964, table 25.4).
var (
	gaussNodes   = [5]float64{-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640}
	gaussWeights = [5]float64{0.2369268850561891, 0.4786286704993665, 0.5688888888888889, 0.4786286704993665, 0.2369268850561891}
)

// edgeArea returns the signed area between the equator and an edge that is
// straight in longitude and latitude. The sum over a counterclockwise ring is
// minus the area inside.
func edgeArea(a, b vertex) float64 {
	dx := float64(b.X-a.X) / 1e6 * math.Pi / 180
	if dx == 0 {
		return 0
	}
	if a.Y == b.Y {
		return dx * zoneArea(a.lat())
	}
	mid, half := (a.lat()+b.lat())/2, (b.lat()-a.lat())/2
	var sum float64
	for i, t := range gaussNodes {
		sum += float64(gaussWeights[i] * zoneArea(mid+float64(half*t)))
	}
	return dx / 2 * sum
}

// ringArea returns the area inside a ring in square meters, positive for a
// counterclockwise ring. The ring must not repeat its first vertex.
func ringArea(ring []vertex) float64 {
	var sum float64
	for i, a := range ring {
		sum -= edgeArea(a, ring[(i+1)%len(ring)])
	}
	return sum
}
