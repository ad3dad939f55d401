package spatial

import "math"

// A Share is how much of an area lies inside a circle or ring.
type Share struct {
	Index   int     // of the area
	Percent float64 // above 0, at most 100
}

// leastOverlap is the smallest overlap that counts, in square meters. Smaller
// ones are rounding errors.
const leastOverlap = 0.01

// AppendShares appends the areas that the circle overlaps and the share of each
// that is inside. The order is always the same but has no meaning.
func (x *PolygonIndex) AppendShares(dst []Share, c *Circle) []Share {
	from := len(dst)
	dst = x.overlaps(dst, c)
	for i := from; i < len(dst); i++ {
		dst[i].Index = int(x.shapes[dst[i].Index].index)
	}
	return dst
}

// AppendRingShares is AppendShares for the ring between two circles about one
// center: parts inside the inner one do not count.
func (x *PolygonIndex) AppendRingShares(dst []Share, inner, outer *Circle) []Share {
	from := len(dst)
	dst = x.overlaps(dst, outer)
	kept := dst[:from]
	for _, s := range dst[from:] {
		s.Percent -= x.percent(inner, s.Index)
		if s.Percent*x.extents[s.Index].area > leastOverlap*100 {
			kept = append(kept, Share{int(x.shapes[s.Index].index), s.Percent})
		}
	}
	return kept
}

// Share returns how much of an area lies inside the circle, in percent from 0
// to 100; 0 when the area has no polygon.
func (x *PolygonIndex) Share(area int, c *Circle) float64 {
	i := x.shapeOf(area)
	if i < 0 {
		return 0
	}
	return x.percent(c, i)
}

// overlaps appends the shares with the numbers of the shapes. Most groups and shapes lie
// inside or outside as a whole, and take one comparison each; only the others are walked along.
func (x *PolygonIndex) overlaps(dst []Share, c *Circle) []Share {
	for g := range x.groups {
		group := &x.groups[g]
		d := c.chord2(group)
		if c.excludes(group, d) {
			continue
		}
		first := g * groupShapes
		last := min(first+groupShapes, len(x.caps))
		if c.includes(group, d) {
			for i := first; i < last; i++ {
				dst = append(dst, Share{i, 100})
			}
			continue
		}
		for i := first; i < last; i++ {
			if p := x.percent(c, i); p > 0 {
				dst = append(dst, Share{i, p})
			}
		}
	}
	return dst
}

// percent returns how much of a shape lies inside the circle.
func (x *PolygonIndex) percent(c *Circle, i int) float64 {
	bounds := &x.caps[i]
	d := c.chord2(bounds)
	if c.excludes(bounds, d) {
		return 0
	}
	if c.includes(bounds, d) {
		return 100
	}
	e := &x.extents[i]
	w := walk{circle: c}
	for ring := e.ring; ring < e.end(); ring++ {
		x.walkRing(&w, ring)
	}
	if !(w.sum >= leastOverlap && w.all > 0) {
		return 0
	}
	// The whole is measured with the part, not taken from the extent, so that errors of the
	// plane and of lenses are in both and cancel.
	return min(100, 100*w.sum/w.all)
}

// walkRing follows a ring, unpacking only the chunks that the outline of the
// circle may cross. Of the others it adds the triangle of the center with the great circle
// from the chunk's first vertex to the next chunk's, and the stored lens between that and the edges.
func (x *PolygonIndex) walkRing(w *walk, ring uint32) {
	c := w.circle
	measures := x.measures[x.rings[ring]:x.rings[ring+1]]
	chunks := x.chunksOf(ring)
	first := c.project(measures[0].start)
	w.start(first)
	for i := range measures {
		k := &measures[i]
		end, next := &measures[0].start, first
		if i+1 < len(measures) {
			end = &measures[i+1].start
			next = c.project(*end)
		}
		const local = 500_000 // meters: larger caps may hold the antipode
		d := c.chord2(&k.bounds)
		switch {
		case c.excludes(&k.bounds, d) && k.bounds.r < local:
			w.skip(next, k.lens+triangleArea(c.at, k.start, *end))
		case c.includes(&k.bounds, d):
			w.cross(next, k.lens+triangleArea(c.at, k.start, *end))
		default:
			x.walkChunk(w, &chunks[i], next)
		}
	}
	w.finish()
}

func (x *PolygonIndex) walkChunk(w *walk, k *chunk, end planePoint) {
	r := k.reader(x.vertices)
	p := makeLocal(k)
	long := k.w > splitUnits || k.h > splitUnits
	ux, uy := r.at(0)
	ax, ay := float64(ux), float64(uy)
	for i := 1; i <= int(k.edges); i++ {
		ux, uy = r.at(i)
		bx, by := float64(ux), float64(uy)
		dx, dy := bx-ax, by-ay
		if long && (math.Abs(dx) > splitUnits || math.Abs(dy) > splitUnits) {
			n := pieces(int32(dx), int32(dy))
			dx, dy = dx/float64(n), dy/float64(n)
			for range n - 1 {
				w.step(w.circle.project(p.vec(ax+dx, ay+dy)), p.lens(ay, dx, dy))
				ax, ay = ax+dx, ay+dy
			}
		}
		q := end
		if i < int(k.edges) {
			q = w.circle.project(p.vec(bx, by))
		}
		w.step(q, p.lens(ay, dx, dy))
		ax, ay = bx, by
	}
}

// A local turns offsets from the corner of a chunk into vectors. For small
// chunks it does without sines and cosines of every vertex: they are series of the
// offset and the addition theorems.
type local struct {
	lng, lat       float64 // of the corner, degrees
	y              float64 // and its latitude in units
	sinLat, cosLat float64
	sinLng, cosLng float64
	curve          lensCurve
	small          bool
}

func makeLocal(k *chunk) local {
	l := local{lng: float64(k.x) * degreesPerUnit, lat: float64(k.y) * degreesPerUnit, y: float64(k.y)}
	l.sinLat, l.cosLat = math.Sincos(l.lat * radiansPerDegree)
	l.sinLng, l.cosLng = math.Sincos(l.lng * radiansPerDegree)
	l.small = k.w <= unitsPerDegree && k.h <= unitsPerDegree
	l.curve = makeLensCurve(l.sinLat)
	return l
}

// radiansPerUnit is a stored unit in radians.
const radiansPerUnit = degreesPerUnit * radiansPerDegree

func (l *local) vec(dx, dy float64) vec3 {
	if !l.small {
		return authalicVec(l.lng+float64(dx*degreesPerUnit), l.lat+float64(dy*degreesPerUnit))
	}
	// The next terms are below 1e-16 within a degree.
	a, b := dx*radiansPerUnit, dy*radiansPerUnit
	a2, b2 := float64(a*a), float64(b*b)
	sinA := a * (1 - float64(a2*(1./6-float64(a2*(1./120)))))
	cosA := 1 - float64(a2*(0.5-float64(a2*(1./24-float64(a2*(1./720))))))
	sinB := b * (1 - float64(b2*(1./6-float64(b2*(1./120)))))
	cosB := 1 - float64(b2*(0.5-float64(b2*(1./24-float64(b2*(1./720))))))
	return authalicTrig(
		float64(l.sinLat*cosB)+float64(l.cosLat*sinB),
		float64(l.sinLng*cosA)+float64(l.cosLng*sinA),
		float64(l.cosLng*cosA)-float64(l.sinLng*sinA),
	)
}

// lens returns the lens of an edge that begins at an offset in latitude.
func (l *local) lens(from, dx, dy float64) float64 {
	middle := from + 0.5*dy
	if !l.small {
		c := lensAt(l.y + middle)
		return c.area(c.sinLat, dx, dy)
	}
	return l.curve.area(l.sinLat+float64(l.cosLat*middle*radiansPerUnit), dx, dy)
}
