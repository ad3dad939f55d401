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
// These count as equal: they differ by less than two meters. It is an EPSG code.
type Projection string

// The projections that the sources use.
const (
	NAD83          Projection = "EPSG:4269" // degrees of longitude and latitude
	WGS84          Projection = "EPSG:4326" // degrees of longitude and latitude
	StatCanLambert Projection = "EPSG:3347" // Lambert conformal conic of Statistics Canada, in meters
)

// Parameters of EPSG:3347, on the ellipsoid GRS 1980. It is the only projection in meters
// that a source uses, so that it has constants in place of parameters.
const (
	semiMajorAxis, flattening   = 6378137, 1 / 298.257222101
	originLat, originLng        = 63.390675, -(91 + 52.0/60)
	parallel1, parallel2        = 49, 77
	falseEasting, falseNorthing = 6_200_000, 3_000_000
)

// Constants of the projection (EPSG Guidance Note 7-2, method 9802): of the cone, the
// radius at the pole's distance 1, and that of the origin.
var coneN, coneScale, coneOrigin = func() (n, scale, origin float64) {
	e := math.Sqrt(flattening * (2 - flattening))
	m := func(phi float64) float64 {
		s := math.Sin(phi)
		return math.Cos(phi) / math.Sqrt(1-e*e*s*s)
	}
	t := func(phi float64) float64 {
		s := e * math.Sin(phi)
		return math.Tan(math.Pi/4-phi/2) / math.Pow((1-s)/(1+s), e/2)
	}
	phi1, phi2 := radians(parallel1), radians(parallel2)
	n = (math.Log(m(phi1)) - math.Log(m(phi2))) / (math.Log(t(phi1)) - math.Log(t(phi2)))
	scale = semiMajorAxis * m(phi1) / (n * math.Pow(t(phi1), n))
	return n, scale, scale * math.Pow(t(radians(originLat)), n)
}()

// latitudeSeries has the coefficients of the series from the conformal to
// the geographic latitude, in the third flattening n (after Krüger 1912). The
// remainder is below 1e-12 radian.
var latitudeSeries = func() [4]float64 {
	f := float64(flattening)
	n := f / (2 - f)
	n2, n3, n4 := n*n, n*n*n, n*n*n*n
	return [4]float64{
		2*n - n2*2/3 - 2*n3 + n4*116/45,
		n2*7/3 - n3*8/5 - n4*227/45,
		n3*56/15 - n4*136/35,
		n4 * 4279 / 630,
	}
}()

// Inverse returns the longitude and latitude in degrees of a point of the file.
// Computed values are rounded to 1e-9 degree (0.1 mm).
func (p Projection) Inverse(x, y float64) (lng, lat float64) {
	if p != StatCanLambert {
		return x, y
	}
	dx, dy := x-falseEasting, coneOrigin-(y-falseNorthing)
	t := math.Pow(math.Sqrt(dx*dx+dy*dy)/coneScale, 1/coneN)
	// The conformal latitude is 90° − 2·atan(t); its sine and cosine, and those
	// of its double, need no trigonometry.
	sin, cos := (1-t*t)/(1+t*t), 2*t/(1+t*t)
	sin2, cos2 := 2*sin*cos, (cos-sin)*(cos+sin)
	var b1, b2 float64 // Clenshaw's sum of series[k]·sin(2(k+1)χ)
	for k := len(latitudeSeries) - 1; k >= 0; k-- {
		b1, b2 = 2*cos2*b1-b2+latitudeSeries[k], b1
	}
	lng = degrees(math.Atan2(dx, dy)/coneN + radians(originLng))
	lat = degrees(math.Pi/2 - 2*math.Atan(t) + b1*sin2)
	return math.Round(lng*1e9) / 1e9, math.Round(lat*1e9) / 1e9
}

func radians(d float64) float64 { return d * (math.Pi / 180) }
func degrees(r float64) float64 { return r * (180 / math.Pi) }

// wktPart is a keyword of well-known text with its name and number. Brackets and blanks
// vary.
var wktPart = regexp.MustCompile(`(?i)\b([A-Z]+)\s*[\[(]\s*"([^"]*)"(?:\s*,\s*([-+.\de]+))?`)

// ParseProjection recognizes a projection by the text of a .prj file (well-known text in
// ESRI's form). Any other than the three of this package is refused with a reason. Names
// of the whole are not compared, as each program writes its own; what counts are datum,
// units and parameters. A pattern finds these without a parser of the brackets.
func ParseProjection(wkt string) (Projection, error) {
	const longest = 64 << 10
	if len(wkt) > longest {
		return "", errors.New("well-known text of more than 64 KiB")
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
		return "", fmt.Errorf("no GEOGCS or PROJCS with a DATUM in %s", excerpt(wkt))
	case !ok || meridian != 0:
		return "", errors.New("prime meridian is not Greenwich")
	case math.Abs(given["UNIT"]-math.Pi/180) > 1e-12:
		return "", errors.New("angles are not in degrees")
	case strings.Contains(datum, "NORTH_AMERICAN_1983"), strings.Contains(datum, "NORTH_AMERICAN_DATUM_1983"):
	case strings.Contains(datum, "WGS_1984"), strings.Contains(datum, "WGS84"):
		base = WGS84
	default:
		return "", fmt.Errorf("datum %s, expected NAD83 or WGS84", excerpt(datum))
	}
	if names["PROJCS"] == "" {
		return base, nil
	}
	if method := names["PROJECTION"]; !strings.HasPrefix(strings.ToLower(method), "lambert_conformal_conic") {
		return "", fmt.Errorf("projection %q, expected degrees or Lambert_Conformal_Conic", method)
	}
	for _, want := range [...]struct {
		name string
		v    float64
	}{
		{"False_Easting", falseEasting},
		{"False_Northing", falseNorthing},
		{"Central_Meridian", originLng},
		{"Standard_Parallel_1", parallel1},
		{"Standard_Parallel_2", parallel2},
		{"Latitude_Of_Origin", originLat},
	} {
		if v, ok := given[strings.ToLower(want.name)]; !ok || math.Abs(v-want.v) > 1e-9 {
			return "", fmt.Errorf("parameter %s is %v, expected %v of EPSG:3347", want.name, v, want.v)
		}
	}
	if given["LENGTH"] != 1 {
		return "", errors.New("lengths are not in meters")
	}
	return StatCanLambert, nil
}
