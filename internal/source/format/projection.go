package format

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// A Projection turns the coordinates of a file into degrees on NAD83 or WGS84.
// These count as equal: they differ by less than two meters.
type Projection struct {
	name    string
	lambert *Lambert // nil: the file is in degrees
}

// The projections that the sources use.
var (
	// NAD83 is EPSG:4269: degrees of longitude and latitude.
	NAD83 = Projection{name: "EPSG:4269"}
	// WGS84 is EPSG:4326: degrees of longitude and latitude.
	WGS84 = Projection{name: "EPSG:4326"}
	// StatCanLambert is EPSG:3347, the Lambert conformal conic of Statistics
	// Canada, in meters.
	StatCanLambert = Projection{name: "EPSG:3347", lambert: NewLambert(statCan)}
)

// statCan are the parameters of EPSG:3347 on the ellipsoid GRS 1980.
var statCan = LambertParameters{
	SemiMajorAxis: 6378137, InverseFlattening: 298.257222101,
	OriginLat: 63.390675, OriginLng: -(91 + 52.0/60),
	Parallel1: 49, Parallel2: 77,
	FalseEasting: 6_200_000, FalseNorthing: 3_000_000,
}

// String returns the EPSG code, e.g. "EPSG:4269".
func (p Projection) String() string { return p.name }

// Inverse returns the longitude and latitude in degrees of a point of the file.
// Computed values are rounded to 1e-9 degree (0.1 mm).
func (p Projection) Inverse(x, y float64) (lng, lat float64) {
	if p.lambert == nil {
		return x, y
	}
	lng, lat = p.lambert.Inverse(x, y)
	return math.Round(lng*1e9) / 1e9, math.Round(lat*1e9) / 1e9
}

// Forward returns the file's coordinates of a longitude and latitude in
// degrees.
func (p Projection) Forward(lng, lat float64) (x, y float64) {
	if p.lambert == nil {
		return lng, lat
	}
	return p.lambert.Forward(lng, lat)
}

// LambertParameters define a Lambert conformal conic projection with two
// standard parallels: lengths in meters (or another unit throughout), angles in
// degrees.
type LambertParameters struct {
	SemiMajorAxis, InverseFlattening float64
	OriginLat, OriginLng             float64 // of the false origin
	Parallel1, Parallel2             float64
	FalseEasting, FalseNorthing      float64
}

// Lambert is a Lambert conformal conic projection with two standard parallels
// (EPSG Guidance Note 7-2, method 9802).
type Lambert struct {
	p           LambertParameters
	e           float64 // eccentricity
	n           float64 // cone constant
	scale       float64 // a·F
	originR     float64
	originLngR  float64
	northernHem float64 // sign of n
	series      [4]float64
}

// NewLambert returns the projection of the parameters.
func NewLambert(p LambertParameters) *Lambert {
	f := 1 / p.InverseFlattening
	l := &Lambert{p: p, e: math.Sqrt(f * (2 - f)), series: latitudeSeries(f), originLngR: radians(p.OriginLng)}
	phi1, phi2 := radians(p.Parallel1), radians(p.Parallel2)
	m1, m2 := l.m(phi1), l.m(phi2)
	t1, t2 := l.t(phi1), l.t(phi2)
	l.n = math.Sin(phi1)
	if phi1 != phi2 {
		l.n = (math.Log(m1) - math.Log(m2)) / (math.Log(t1) - math.Log(t2))
	}
	l.scale = p.SemiMajorAxis * m1 / (l.n * math.Pow(t1, l.n))
	l.originR = l.scale * math.Pow(l.t(radians(p.OriginLat)), l.n)
	l.northernHem = math.Copysign(1, l.n)
	return l
}

func (l *Lambert) m(phi float64) float64 {
	s := math.Sin(phi)
	return math.Cos(phi) / math.Sqrt(1-l.e*l.e*s*s)
}

func (l *Lambert) t(phi float64) float64 {
	s := l.e * math.Sin(phi)
	return math.Tan(math.Pi/4-phi/2) / math.Pow((1-s)/(1+s), l.e/2)
}

// Forward returns easting and northing of a longitude and latitude in degrees.
func (l *Lambert) Forward(lng, lat float64) (x, y float64) {
	r := l.scale * math.Pow(l.t(radians(lat)), l.n)
	theta := l.n * (radians(lng) - l.originLngR)
	return l.p.FalseEasting + r*math.Sin(theta), l.p.FalseNorthing + l.originR - r*math.Cos(theta)
}

// Inverse returns the longitude and latitude in degrees of an easting and
// northing, to better than a millimeter.
func (l *Lambert) Inverse(x, y float64) (lng, lat float64) {
	dx, dy := x-l.p.FalseEasting, l.originR-(y-l.p.FalseNorthing)
	r := l.northernHem * math.Sqrt(dx*dx+dy*dy)
	t := math.Pow(r/l.scale, 1/l.n)
	theta := math.Atan2(l.northernHem*dx, l.northernHem*dy)
	// The conformal latitude is 90° − 2·atan(t); its sine and cosine, and those
	// of its double, need no trigonometry.
	sin, cos := (1-t*t)/(1+t*t), 2*t/(1+t*t)
	sin2, cos2 := 2*sin*cos, (cos-sin)*(cos+sin)
	var b1, b2 float64 // Clenshaw's sum of series[k]·sin(2(k+1)χ)
	for k := len(l.series) - 1; k >= 0; k-- {
		b1, b2 = 2*cos2*b1-b2+l.series[k], b1
	}
	phi := math.Pi/2 - 2*math.Atan(t) + b1*sin2
	return degrees(theta/l.n + l.originLngR), degrees(phi)
}

// latitudeSeries returns the coefficients of the series from the conformal to
// the geographic latitude, in the third flattening n (after Krüger 1912). The
// remainder is below 1e-12 radian.
func latitudeSeries(flattening float64) [4]float64 {
	n := flattening / (2 - flattening)
	n2, n3, n4 := n*n, n*n*n, n*n*n*n
	return [4]float64{
		2*n - n2*2/3 - 2*n3 + n4*116/45,
		n2*7/3 - n3*8/5 - n4*227/45,
		n3*56/15 - n4*136/35,
		n4 * 4279 / 630,
	}
}

func radians(d float64) float64 { return d * (math.Pi / 180) }
func degrees(r float64) float64 { return r * (180 / math.Pi) }

// wktPart is a keyword of well-known text with its name and number. Brackets and blanks
// vary.
var wktPart = regexp.MustCompile(`(?i)\b([A-Z]+)\s*[\[(]\s*"([^"]*)"(?:\s*,\s*([-+.\de]+))?`)

// ParseProjection recognizes a projection by the text of a .prj file
// (well-known text in ESRI's form). Any other than the three of this package is
// refused with a reason.
func ParseProjection(wkt string) (Projection, error) {
	const longest = 64 << 10
	if len(wkt) > longest {
		return Projection{}, errors.New("well-known text of more than 64 KiB")
	}
	names, given := map[string]string{}, map[string]float64{} // parameters by their names, and units
	for _, m := range wktPart.FindAllStringSubmatch(wkt, -1) {
		key := strings.ToUpper(m[1])
		names[key] = m[2]
		switch key {
		case "PARAMETER":
			key = strings.ToLower(m[2])
		case "UNIT": // of angles, then of lengths
			if _, angles := given[key]; angles {
				key = "LENGTH"
			}
		}
		if v, err := strconv.ParseFloat(m[3], 64); err == nil {
			given[key] = v
		}
	}
	base, datum := NAD83, strings.ToUpper(names["DATUM"])
	switch meridian, ok := given["PRIMEM"]; {
	case datum == "" || names["GEOGCS"] == "":
		return Projection{}, fmt.Errorf("no GEOGCS or PROJCS with a DATUM in %s", excerpt(wkt))
	case !ok || meridian != 0:
		return Projection{}, errors.New("prime meridian is not Greenwich")
	case math.Abs(given["UNIT"]-math.Pi/180) > 1e-12:
		return Projection{}, errors.New("angles are not in degrees")
	case strings.Contains(datum, "NORTH_AMERICAN_1983"), strings.Contains(datum, "NORTH_AMERICAN_DATUM_1983"):
	case strings.Contains(datum, "WGS_1984"), strings.Contains(datum, "WGS84"):
		base = WGS84
	default:
		return Projection{}, fmt.Errorf("datum %s, expected NAD83 or WGS84", excerpt(datum))
	}
	if names["PROJCS"] == "" {
		return base, nil
	}
	if method := names["PROJECTION"]; !strings.HasPrefix(strings.ToLower(method), "lambert_conformal_conic") {
		return Projection{}, fmt.Errorf("projection %q, expected degrees or Lambert_Conformal_Conic", method)
	}
	for _, want := range []struct {
		name string
		v    float64
	}{
		{"False_Easting", statCan.FalseEasting},
		{"False_Northing", statCan.FalseNorthing},
		{"Central_Meridian", statCan.OriginLng},
		{"Standard_Parallel_1", statCan.Parallel1},
		{"Standard_Parallel_2", statCan.Parallel2},
		{"Latitude_Of_Origin", statCan.OriginLat},
	} {
		if v, ok := given[strings.ToLower(want.name)]; !ok || math.Abs(v-want.v) > 1e-9 {
			return Projection{}, fmt.Errorf("parameter %s is %v, expected %v of EPSG:3347", want.name, v, want.v)
		}
	}
	if given["LENGTH"] != 1 {
		return Projection{}, errors.New("lengths are not in meters")
	}
	return StatCanLambert, nil
}
