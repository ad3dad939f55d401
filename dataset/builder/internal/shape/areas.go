package shape

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/postgeo/postgeo/geo"
)

// Areas finds the named polygons that contain a point. Longitude
// and latitude are taken as plane coordinates, which is how the agencies draw
// their edges.
type Areas struct {
	cells map[[2]int16][]int32 // whole degrees (lng, lat) to the parts that touch them
	Parts []part
}

// part is one polygon with its holes.
type part struct {
	id         string
	MinX, MaxX float64
	MinY, MaxY float64
	bands      [][]edge // edges by band of latitude, so that a query walks few of them
	height     float64  // height of a band in degrees
}

// edge is a segment of a ring; a is its southern end.
type edge struct{ a, b orb.Point }

// bandEdges is about how many edges a band of latitude should hold.
const bandEdges = 24

// NewAreas returns an empty set.
func NewAreas() *Areas { return &Areas{cells: map[[2]int16][]int32{}} }

// Add takes polygons of the area with the given identifier.
func (s *Areas) Add(id string, polygons orb.MultiPolygon) {
	for _, polygon := range polygons {
		s.addPolygon(id, polygon)
	}
}

func (s *Areas) addPolygon(id string, polygon orb.Polygon) {
	edges := polygonEdges(polygon)
	if len(edges) == 0 {
		return
	}
	bound := polygon.Bound()
	p := part{id: id, MinX: bound.Min[0], MaxX: bound.Max[0], MinY: bound.Min[1], MaxY: bound.Max[1]}
	n := max(1, len(edges)/bandEdges)
	p.bands = make([][]edge, n)
	p.height = (p.MaxY - p.MinY) / float64(n)
	for _, e := range edges {
		for b := p.band(e.a[1]); b <= p.band(e.b[1]); b++ {
			p.bands[b] = append(p.bands[b], e)
		}
	}
	index := int32(len(s.Parts))
	s.Parts = append(s.Parts, p)
	for x := degree(p.MinX); x <= degree(p.MaxX); x++ {
		for y := degree(p.MinY); y <= degree(p.MaxY); y++ {
			s.cells[[2]int16{x, y}] = append(s.cells[[2]int16{x, y}], index)
		}
	}
}

// polygonEdges returns the edges, pointing north.
func polygonEdges(polygon orb.Polygon) []edge {
	var edges []edge
	for _, ring := range polygon {
		for i := range ring {
			a, b := ring[i], ring[(i+1)%len(ring)]
			switch {
			case a[1] < b[1], a[1] == b[1] && a[0] != b[0]:
				edges = append(edges, edge{a, b})
			case a[1] > b[1]:
				edges = append(edges, edge{b, a})
			}
		}
	}
	return edges
}

func degree(v float64) int16 { return int16(math.Floor(v)) }

func (p *part) band(y float64) int {
	if p.height == 0 {
		return 0
	}
	return min(len(p.bands)-1, max(0, int((y-p.MinY)/p.height)))
}

// Contains counts the edges east of the point. An edge holds its southern end
// and not its northern one, so that a vertex is counted once and a level edge
// never.
func (p *part) Contains(x, y float64) bool {
	if x < p.MinX || x > p.MaxX || y < p.MinY || y > p.MaxY {
		return false
	}
	inside := false
	for _, e := range p.bands[p.band(y)] {
		if y < e.a[1] || y >= e.b[1] {
			continue
		}
		if x < e.a[0]+(y-e.a[1])/(e.b[1]-e.a[1])*(e.b[0]-e.a[0]) {
			inside = !inside
		}
	}
	return inside
}

// At returns the areas that contain the point, in the order they were added
// and each once.
func (s *Areas) At(point geo.LatLng) []string {
	if !point.IsValid() {
		return nil
	}
	var ids []string
	x, y := point.Lng(), point.Lat()
	for _, i := range s.cells[[2]int16{degree(x), degree(y)}] {
		if p := &s.Parts[i]; p.Contains(x, y) && !slices.Contains(ids, p.id) {
			ids = append(ids, p.id)
		}
	}
	return ids
}

// First returns the first area that contains the point, or "".
func (s *Areas) First(point geo.LatLng) string {
	if ids := s.At(point); len(ids) > 0 {
		return ids[0]
	}
	return ""
}

// Contains reports whether the area contains the point.
func (s *Areas) Contains(id string, point geo.LatLng) bool { return slices.Contains(s.At(point), id) }

// Ids returns the identifiers of the areas.
func (s *Areas) Ids() map[string]bool {
	ids := map[string]bool{}
	if s != nil {
		for i := range s.Parts {
			ids[s.Parts[i].id] = true
		}
	}
	return ids
}

// Distance returns the distance in meters from the point to the area's outline,
// at most limit.
func (s *Areas) Distance(id string, point geo.LatLng, limit float64) float64 {
	best := limit
	for i := range s.Parts {
		if p := &s.Parts[i]; p.id == id {
			best = p.distance(point.Lng(), point.Lat(), best)
		}
	}
	return best
}

// Near returns the area whose outline is nearest to the point within the limit
// in meters, or "". The first added wins a tie. It considers areas whose box
// lies within a degree.
func (s *Areas) Near(point geo.LatLng, limit float64) string {
	if !point.IsValid() {
		return ""
	}
	best, bestID := limit, ""
	x, y := point.Lng(), point.Lat()
	seen := map[int32]bool{}
	for dx := int16(-1); dx <= 1; dx++ {
		for dy := int16(-1); dy <= 1; dy++ {
			for _, i := range s.cells[[2]int16{degree(x) + dx, degree(y) + dy}] {
				if seen[i] {
					continue
				}
				seen[i] = true
				p := &s.Parts[i]
				if d := p.distance(x, y, best); d < best {
					best, bestID = d, p.id
				}
			}
		}
	}
	return bestID
}

// distance returns the distance in meters from the point to the outline, at
// most limit. It measures in a plane laid on the point, good to a percent
// within a degree.
func (p *part) distance(x, y, limit float64) float64 {
	const metersPerDegree = 111_320.0
	scale := math.Cos(y * math.Pi / 180)
	reach := limit / metersPerDegree
	best := limit
	for b := p.band(y - reach); b <= p.band(y+reach); b++ {
		for _, e := range p.bands[b] {
			ax, ay := (e.a[0]-x)*scale, e.a[1]-y
			bx, by := (e.b[0]-x)*scale, e.b[1]-y
			dx, dy := bx-ax, by-ay
			t := max(0, min(1, -(ax*dx+ay*dy)/(dx*dx+dy*dy)))
			best = min(best, metersPerDegree*math.Hypot(ax+t*dx, ay+t*dy))
		}
	}
	return best
}

// Radius returns the radius in miles of a circle with an area in square meters.
func Radius(area int64) float64 {
	return float64(geo.Meters(math.Sqrt(float64(area) / math.Pi)).Miles())
}

// Miles returns the geodesic distance between two valid points.
func Miles(a, b geo.LatLng) float64 { return float64(geo.Distance(a, b).Miles()) }
