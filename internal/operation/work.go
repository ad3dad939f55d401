package operation

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo/geojson"
)

// Servers expect the cost of requests whose Work has the same order of magnitude.
const (
	workPerDegree = 1000    // of a square degree
	workPerCode   = 10      // of a named code
	mostWork      = 1 << 30 // of any request
)

// Work grows with the cost of the request: the size of the box, the number of named
// codes and the detail.
func (in *OutlinesInput) Work() int {
	detail := 1 + math.Log10(maxTolerance/max(in.Tolerance, minTolerance))
	work := workOfBound(in.Box.bound())
	if in.Codes != "" {
		work += workPerCode * (1 + strings.Count(in.Codes, ","))
	}
	return int(detail * float64(work))
}

// Work grows with the cost of the request: the box around the polygon.
func (in *InsideInput) Work() int { return workOfPolygon(in.Polygon) }

// Work grows with the cost of the request: the box around the circle or the polygon.
func (in *FiguresInput) Work() int {
	switch {
	case in.Polygon != nil:
		return workOfPolygon(in.Polygon)
	case in.Max != nil:
		return workOfCircle(*in.Max)
	default:
		return mostWork // an area, of any size
	}
}

func workOfCircle(miles Miles) int {
	const milesPerDegree = 69
	return int(workPerDegree * math.Pow(2*float64(miles)/milesPerDegree, 2))
}

// workOfPolygon is the maximum for a polygon that is too long to be parsed twice.
func workOfPolygon(text json.RawMessage) int {
	const short = 64 << 10 // bytes
	if len(text) > short {
		return mostWork
	}
	m, err := geojson.ParsePolygons(text)
	if err != nil {
		return 0 // it is refused
	}
	return workOfBound(m.Bound())
}

func workOfBound(b orb.Bound) int {
	return int(workPerDegree * (b.Max[0] - b.Min[0]) * (b.Max[1] - b.Min[1]))
}
