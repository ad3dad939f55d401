package operation

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo/geojson"
)

// Servers expect the cost of requests whose Work has the same order of magnitude.
const (
	workPerDegree = 1000 // of a square degree
	workPerCode   = 10   // of a named code
)

// MostWork is the Work of a request that may cost anything.
const MostWork = 1 << 30

// MaxPolygonSize is the maximum [PolygonSize] of a request.
const MaxPolygonSize = 1_000_000

// PolygonSize returns the number of vertices of a polygon. Long edges count as one for
// each quarter of a degree, since they meet as many areas.
func PolygonSize(m orb.MultiPolygon) int {
	const perDegree, longest = 4, 360
	size := 0
	for _, p := range m {
		for _, r := range p {
			for i, v := range r {
				u := r[max(i-1, 0)]
				degrees := math.Abs(math.Remainder(v[0]-u[0], 360)) + math.Abs(v[1]-u[1])
				if !(degrees <= longest) { // the polygon is not valid
					degrees = longest
				}
				size += max(1, int(perDegree*degrees))
			}
		}
	}
	return size
}

// A polygon is a parameter in JSON that is parsed once.
type polygon struct {
	Outline orb.MultiPolygon // nil before it is parsed
	size    int
}

// parse parses the parameter and checks the size of the polygon.
func (p *polygon) parse(text json.RawMessage) error {
	if p.Outline == nil {
		m, err := geojson.ParsePolygons(text)
		if err != nil {
			return NotPolygon(err)
		}
		p.Outline, p.size = m, PolygonSize(m)
	}
	if p.size > MaxPolygonSize {
		return NotPolygon(fmt.Errorf("its boundary has a size of %d, at most %d are allowed; simplify or divide it", p.size, MaxPolygonSize))
	}
	return nil
}

// Prepare parses the polygon.
func (in *InsideInput) Prepare() error { return in.parse(in.Polygon) }

// Prepare parses the polygon, if there is one.
func (in *FiguresInput) Prepare() error {
	if in.Layer != "" || in.Polygon == nil {
		return nil
	}
	return in.parse(in.Polygon)
}

// Size returns the [PolygonSize] of a prepared request, or 0 without a polygon.
func (p *polygon) Size() int { return p.size }

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
func (in *InsideInput) Work() int { return in.work(in.Polygon) }

// Work grows with the cost of the request: the box around the circle or the polygon.
func (in *FiguresInput) Work() int {
	switch {
	case in.Polygon != nil:
		return in.work(in.Polygon)
	case in.Max != nil:
		return workOfCircle(*in.Max)
	default:
		return MostWork // an area, of any size
	}
}

func workOfCircle(miles Miles) int {
	const milesPerDegree = 69
	return int(workPerDegree * math.Pow(2*float64(miles)/milesPerDegree, 2))
}

// work is the maximum for a polygon that is too long to be parsed before its turn.
func (p *polygon) work(text json.RawMessage) int {
	const short = 4 << 10 // bytes
	if len(text) > short {
		return MostWork
	}
	if err := p.parse(text); err != nil {
		return 0 // it is refused
	}
	return workOfBound(p.Outline.Bound())
}

func workOfBound(b orb.Bound) int {
	return int(workPerDegree * (b.Max[0] - b.Min[0]) * (b.Max[1] - b.Min[1]))
}
