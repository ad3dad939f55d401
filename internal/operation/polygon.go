package operation

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo/geojson"
)

// PricePolygon is the price of a search in a polygon.
const PricePolygon = "1 for every 2,000 vertices of a polygon, 1 without; a long edge counts as a vertex for each quarter of a degree."

// The work on a polygon grows with its vertices, and its turn is held for as long: one
// credit once paid for seconds. The size sets the price, 1 for every 2,000, and the bound
// comes before the work.

// maxPolygonSize is the maximum [polygonSize] of a request.
const maxPolygonSize = 1_000_000

// polygonSize returns the number of vertices of a polygon. Long edges count as one for
// each quarter of a degree, since they meet as many areas.
func polygonSize(m orb.MultiPolygon) int {
	const perDegree, longest = 4, 360
	size := 0
	for _, p := range m {
		for _, r := range p {
			for i, v := range r {
				u := r[max(i-1, 0)]
				degrees := math.Abs(math.Remainder(v[0]-u[0], 360)) + math.Abs(v[1]-u[1])
				if !(degrees <= longest) { // the polygon is not valid; also of NaN
					degrees = longest
				}
				size += max(1, int(perDegree*degrees))
			}
		}
	}
	return size
}

// A Polygonal input has a polygon in JSON that is parsed once.
type Polygonal struct {
	Outline orb.MultiPolygon `json:"-"` // nil before it is parsed
	size    int
}

// Parse parses the parameter and checks the size of the polygon.
func (p *Polygonal) Parse(text json.RawMessage) error {
	if p.Outline == nil {
		m, err := geojson.ParsePolygons(text)
		if err != nil {
			return NotPolygon(err)
		}
		p.Outline, p.size = m, polygonSize(m)
	}
	if p.size > maxPolygonSize {
		return NotPolygon(fmt.Errorf("its boundary has a size of %d, at most %d are allowed; simplify or divide it", p.size, maxPolygonSize))
	}
	return nil
}

// Size returns the number of vertices of a prepared request that count, or 0 without a
// polygon.
func (p *Polygonal) Size() int { return p.size }
