package synth

import "math"

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
