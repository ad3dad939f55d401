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

// Statistics Canada Lambert (EPSG:3347): conformal conic with two standard
// parallels on the GRS 1980 ellipsoid.
const (
	lambertFlattening    = 1 / 298.257222101
	lambertParallel1     = 49.0
	lambertParallel2     = 77.0
	lambertOriginLat     = 63.390675
	lambertOriginLng     = -(91 + 52.0/60)
	lambertFalseEasting  = 6_200_000.0
	lambertFalseNorthing = 3_000_000.0
)

// lambertWKT is the projection in the .prj files of Statistics Canada.
const lambertWKT = `PROJCS["NAD_1983_Statistics_Canada_Lambert",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",` +
	`SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],` +
	`PROJECTION["Lambert_Conformal_Conic"],PARAMETER["False_Easting",6200000.0],PARAMETER["False_Northing",3000000.0],` +
	`PARAMETER["Central_Meridian",-91.8666666666667],PARAMETER["Standard_Parallel_1",49.0],PARAMETER["Standard_Parallel_2",77.0],` +
	`PARAMETER["Latitude_Of_Origin",63.390675],UNIT["Meter",1.0]]`

// nad83WKT is the coordinate system of the Census files.
const nad83WKT = `GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137,298.257222101]],` +
	`PRIMEM["Greenwich",0],UNIT["Degree",0.017453292519943295]]`

// A lambert projects longitude and latitude to meters.
type lambert struct {
	e, n, scale, rho0 float64
}

// newLambert derives the constants of the projection (Snyder 1987, equations
// 14-15, 15-8, 15-9a and 15-10).
func newLambert() lambert {
	e := math.Sqrt(lambertFlattening * (2 - lambertFlattening))
	l := lambert{e: e}
	m := func(deg float64) float64 {
		s, c := math.Sincos(deg * math.Pi / 180)
		return c / math.Sqrt(1-float64(float64(e*e)*float64(s*s)))
	}
	m1, m2 := m(lambertParallel1), m(lambertParallel2)
	t1, t2 := l.t(lambertParallel1), l.t(lambertParallel2)
	l.n = (math.Log(m1) - math.Log(m2)) / (math.Log(t1) - math.Log(t2))
	l.scale = semiMajor * m1 / (l.n * math.Pow(t1, l.n))
	l.rho0 = l.rho(lambertOriginLat)
	return l
}

func (l lambert) t(deg float64) float64 {
	phi := deg * math.Pi / 180
	es := float64(l.e * math.Sin(phi)) // rounded: the same on every machine
	return math.Tan(math.Pi/4-phi/2) / math.Pow((1-es)/(1+es), l.e/2)
}

func (l lambert) rho(deg float64) float64 { return l.scale * math.Pow(l.t(deg), l.n) }

// forward returns easting and northing in meters, to the millimeter.
func (l lambert) forward(lng, lat float64) (x, y float64) {
	rho := l.rho(lat)
	sin, cos := math.Sincos(l.n * (lng - lambertOriginLng) * math.Pi / 180)
	round := func(v float64) float64 { return math.Round(v*1000) / 1000 }
	return round(lambertFalseEasting + float64(rho*sin)), round(lambertFalseNorthing + l.rho0 - float64(rho*cos))
}
