package shape

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/simplify"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/spatial"
)

// The buffer of lines is a contour of their distance on a grid. Contours never cross,
// so the buffers of lines that meet, cross or return need no repair.
const (
	// bufferCells is the radius of a buffer in cells of the grid. Round ends are cut
	// by their square: 1/8·12² of the radius, 0.1 %.
	bufferCells = 12
	// bufferRim is how far beyond the contour distances are known, in cells. The
	// farthest corner of a cell on the contour is √2 cells from it.
	bufferRim = 2
	// bufferNodes limits the grid, which then takes 200 MB.
	bufferNodes = 4_000_000
	// bufferFlat is the tolerance, relative to the radius, for dropping vertices of
	// nearly straight sides.
	bufferFlat = 1e-3
	// bufferPole is the latitude beyond which lines are refused.
	bufferPole = 85
	// bufferWidest is the maximum radius around lines, in miles.
	bufferWidest = 100
	// bufferLeast is the minimum one in meters, one foot. The numbers of nodes then
	// fit in 32 bits.
	bufferLeast = 0.3048
	// circleCorners are the corners of the circle around a single point, whose area
	// is 0.02 % less.
	circleCorners = 180

	metersPerDegree = 111_320 // of the equator
)

// Errors of [Buffer].
var (
	errNoLines   = errors.New("the lines have no vertices")
	errLongLines = errors.New("the lines are too long for so narrow a buffer")
	errFarLines  = errors.New("the lines reach a pole")
	errWide      = errors.New("a buffer around lines has 1 foot to 100 miles")
)

// Buffer returns the area within a distance of lines, which are straight in longitude
// and latitude, measured by geodesics. A line of one vertex is a point.
func Buffer(lines orb.MultiLineString, radius geo.Meters) (orb.MultiPolygon, error) {
	if len(lines) == 1 && len(lines[0]) == 1 {
		at, err := geo.LatLngFromDegrees(lines[0][0][1], lines[0][0][0])
		if err != nil {
			return nil, err
		}
		circle, err := spatial.NewCircle(at, radius)
		if err != nil {
			return nil, err
		}
		ring, err := circle.Ring(circleCorners)
		return orb.MultiPolygon{{ring}}, err
	}
	if radius.Miles() > bufferWidest || radius < bufferLeast {
		return nil, errWide
	}
	b := buffer{radius: float64(radius), nodes: map[node]nearby{}}
	if err := b.cut(lines); err != nil {
		return nil, err
	}
	for i := range b.pieces {
		if b.reach(i); len(b.nodes) > bufferNodes { // as of many points
			return nil, errLongLines
		}
	}
	b.measure()
	out := b.contour().areas()
	for _, p := range out {
		for i, r := range p {
			p[i] = b.flat().Ring(r)
		}
	}
	return out, nil
}

// A buffer is a grid of distances around lines.
type buffer struct {
	radius float64 // meters
	pieces [][2]orb.Point
	dx, dy float64 // size of a cell in degrees
	nodes  map[node]nearby
}

// flat drops vertices that hardly bend a line.
func (b *buffer) flat() *simplify.DouglasPeuckerSimplifier {
	return simplify.DouglasPeucker(bufferFlat * b.radius / metersPerDegree)
}

// A node is a corner of cells.
type node struct{ x, y int32 }

// nearby is the distance of a node in meters, and the nearest piece.
type nearby struct {
	meters float32
	piece  int32
}

// cut divides the lines into pieces of at most the radius, with longitudes that
// continue beyond the antimeridian, and sets the size of the cells.
func (b *buffer) cut(lines orb.MultiLineString) error {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l orb.LineString) bool { return len(l) == 0 })
	if len(lines) == 0 {
		return errNoLines
	}
	equator, length, first := 90.0, 0.0, lines[0][0][0]
	for _, line := range lines {
		line = slices.Clone(line)
		last := first
		for i, p := range line {
			line[i][0] = math.Remainder(p[0]-last, 360) + last
			last = line[i][0]
			if equator = min(equator, math.Abs(p[1])); math.Abs(p[1]) > bufferPole {
				return errFarLines
			}
		}
		line = b.flat().LineString(line)
		for i, p := range line {
			from, to := line[max(0, i-1)], p
			length += apart(from, to)
			if length > bufferNodes/(2*bufferCells*bufferCells)*b.radius {
				return errLongLines
			}
			n := max(1, math.Ceil(apart(from, to)/b.radius))
			for k := range int(n) {
				b.pieces = append(b.pieces, [2]orb.Point{along(from, to, float64(k)/n), along(from, to, float64(k+1)/n)})
			}
		}
	}
	b.dy = b.radius / bufferCells / metersPerDegree
	b.dx = b.dy / math.Cos(equator*math.Pi/180)
	return nil
}

func (b *buffer) at(n node) orb.Point { return orb.Point{float64(n.x) * b.dx, float64(n.y) * b.dy} }

// reach notes the nodes near a piece.
func (b *buffer) reach(i int) {
	p, q := b.pieces[i][0], b.pieces[i][1]
	most := b.radius * (1 + float64(bufferRim)/bufferCells)
	highest := min(90, max(math.Abs(p[1]), math.Abs(q[1]))+most/metersPerDegree)
	up, side := 1.02*most/metersPerDegree, 1.02*most/metersPerDegree/math.Cos(highest*math.Pi/180)
	for y := int32(math.Floor((min(p[1], q[1]) - up) / b.dy)); float64(y)*b.dy <= max(p[1], q[1])+up; y++ {
		for x := int32(math.Floor((min(p[0], q[0]) - side) / b.dx)); float64(x)*b.dx <= max(p[0], q[0])+side; x++ {
			n := node{x, y}
			at := b.at(n)
			d := apart(at, foot(at, p, q))
			if have, ok := b.nodes[n]; d <= most && (!ok || d < float64(have.meters)) {
				b.nodes[n] = nearby{float32(d), int32(i)}
			}
		}
	}
}

// measure replaces the distances near the contour by those of geodesics.
func (b *buffer) measure() {
	for n, v := range b.nodes {
		if math.Abs(float64(v.meters)-b.radius) > bufferRim*b.radius/bufferCells {
			continue
		}
		at := b.at(n)
		f := foot(at, b.pieces[v.piece][0], b.pieces[v.piece][1])
		v.meters = float32(geo.Distance(latLng(at), latLng(f)))
		b.nodes[n] = v
	}
}

// contour returns the edges of the area, with the area to the left.
func (b *buffer) contour() *edgeSet {
	s := &edgeSet{next: map[orb.Point][]orb.Point{}}
	corners := [...]node{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}}
	for _, cell := range b.cells() {
		var leave, enter []orb.Point // points of the way around the cell
		for k := range 4 {
			p := node{cell.x + corners[k].x, cell.y + corners[k].y}
			q := node{cell.x + corners[k+1].x, cell.y + corners[k+1].y}
			switch in := b.within(p); {
			case in == b.within(q):
			case in:
				leave = append(leave, b.between(p, q))
			default:
				enter = append(enter, b.between(q, p))
			}
		}
		for i, p := range leave {
			if !b.within(cell) { // the way begins outside
				i++
			}
			s.add(p, enter[i%len(enter)])
		}
	}
	return s
}

// cells returns the cells that the contour may pass, by their south-western node.
func (b *buffer) cells() []node {
	var list []node
	for n, v := range b.nodes {
		if d := b.radius - float64(v.meters); d > 0 && d <= bufferRim*b.radius/bufferCells {
			list = append(list, n, node{n.x - 1, n.y}, node{n.x, n.y - 1}, node{n.x - 1, n.y - 1})
		}
	}
	slices.SortFunc(list, func(a, b node) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) })
	return slices.Compact(list)
}

func (b *buffer) within(n node) bool {
	v, ok := b.nodes[n]
	return ok && float64(v.meters) < b.radius
}

// between returns the point of the contour between a node within and one outside.
func (b *buffer) between(in, out node) orb.Point {
	const least = 1e-3 // keeps it apart from the nodes
	from, to := float64(b.nodes[in].meters), float64(b.nodes[out].meters)
	return along(b.at(in), b.at(out), max(least, min(1-least, (b.radius-from)/(to-from))))
}

// along returns the point after a part of the way.
func along(p, q orb.Point, t float64) orb.Point {
	return orb.Point{p[0] + float64(t*(q[0]-p[0])), p[1] + float64(t*(q[1]-p[1]))}
}

// apart returns about how many meters two near points are apart.
func apart(a, b orb.Point) float64 {
	return metersPerDegree * math.Hypot(math.Cos((a[1]+b[1])*math.Pi/360)*(b[0]-a[0]), b[1]-a[1])
}

// foot returns the point of a straight piece that is nearest to a point.
func foot(at, p, q orb.Point) orb.Point {
	squeeze := math.Cos(at[1] * math.Pi / 180)
	x, y := squeeze*(q[0]-p[0]), q[1]-p[1]
	length2 := float64(x*x) + float64(y*y)
	if length2 == 0 {
		return p
	}
	t := (float64(squeeze*(at[0]-p[0])*x) + float64((at[1]-p[1])*y)) / length2
	return along(p, q, max(0, min(1, t)))
}

func latLng(p orb.Point) geo.LatLng {
	return geo.MustLatLng(max(-90, min(90, p[1])), math.Remainder(p[0], 360))
}
