package spatial

import (
	"math"
	"slices"

	"github.com/tidwall/geodesic"

	"github.com/postgeo/postgeo/geo"
)

// AppendNearest appends the k points nearest to the center, sorted by
// distance and then by index; all points when there are no more than k. An
// invalid center gives none.
func (x *PointIndex) AppendNearest(dst []Neighbor, center geo.LatLng, k int) []Neighbor {
	q, ok := newRingQuery(center, 0, earthReach)
	if !ok || k <= 0 || len(x.points) == 0 {
		return dst
	}
	from := len(dst)
	if k >= len(x.points) {
		return x.finish(&q, x.collect(&q, dst), from)
	}
	// One more than k shows whether the last place is in doubt. The top of the heap is the
	// farthest, so the k-th is the farther one of the two below it.
	dst = x.nearest(&q, dst, k+1)
	heap := dst[from:]
	last, next := float64(heap[0].Distance), float64(heap[1].Distance)
	if k > 1 {
		next = max(next, float64(heap[2].Distance))
	}
	q.setMax(last + 4*thomasError(last)) // far enough off that nothing is measured for lying on the limit
	if last-next <= 2*thomasError(last) {
		// Which of the points around the k-th belong to the answer is open, and there may
		// be more than one more, as at one address. All within reach are measured.
		dst = x.collect(&q, dst[:from])
	} else {
		for i := range heap {
			p := x.at(heap[i].Index)
			dist, _ := q.admit(p, p.at.sub(q.at))
			heap[i].Distance = geo.Meters(dist)
		}
	}
	return x.finish(&q, dst, from)[:from+k]
}

// nearest appends the k nearest points by the fast distance, in no order.
// There are at least k points.
func (x *PointIndex) nearest(q *ringQuery, dst []Neighbor, k int) []Neighbor {
	type branch struct {
		span
		gap2 float64 // squared distance of the cutting plane
	}
	from := len(dst)
	var stack [treeDepth]branch
	stack[0] = branch{span: x.root()}
	at := [3]float64{q.at.x, q.at.y, q.at.z}
	worst := math.Inf(1) // squared chord of the search limit
	for top := 1; top > 0; {
		top--
		s := stack[top].span
		if stack[top].gap2 > worst {
			continue
		}
		for !x.isLeaf(s) {
			cut := &x.splits[s.node]
			v := at[cut.axis] - cut.at
			far := s.left()
			if v < 0 {
				far, s = s.right(), s.left()
			} else {
				s = s.right()
			}
			// The side of the center goes first, because it shrinks the limit soonest. The other
			// side waits with its distance, and is looked at again when its turn comes.
			if v*v <= worst {
				stack[top] = branch{far, v * v}
				top++
			}
		}
		points := x.within(s)
		for i := range points {
			p := &points[i]
			d := p.at.sub(q.at)
			if d.dot(d) > worst {
				continue
			}
			dist, _ := q.measure(p, d)
			heap := neighborHeap(dst[from:])
			switch {
			case len(heap) < k:
				dst = append(dst, Neighbor{geo.Meters(dist), int(p.index)})
				heap = neighborHeap(dst[from:])
				heap.up()
			case dist < float64(heap[0].Distance):
				heap[0] = Neighbor{geo.Meters(dist), int(p.index)}
				heap.down()
			default:
				continue
			}
			// A point whose chord is longer than the farthest geodesic in the heap cannot be nearer.
			if len(heap) == k {
				r := float64(heap[0].Distance) + 1e-6
				r += thomasError(r)
				worst = r * r
			}
		}
	}
	return dst
}

// A ringQuery is one search around a center: the points whose distance is at
// least min and at most max meters.
type ringQuery struct {
	lat, lng float64 // degrees
	at       vec3    // meters
	sine     float64 // of the center's parametric latitude
	min, max float64
	chord2   float64 // no point within max has a longer squared chord
}

// earthReach is more than any geodesic is long, and less than would overflow.
const earthReach = 21e6

func newRingQuery(center geo.LatLng, least, most geo.Meters) (q ringQuery, ok bool) {
	if !center.IsValid() || !(most >= 0) || !(least <= most) {
		return q, false
	}
	q.lat, q.lng = center.Lat(), center.Lng()
	q.at = earthCentered(center)
	q.sine = q.at.z / semiMinor
	q.min = max(float64(least), 0)
	q.setMax(min(float64(most), earthReach))
	return q, true
}

func (q *ringQuery) setMax(most float64) {
	q.max = most
	// A chord is never longer than the geodesic; the rest is for rounding.
	c := most + 1e-6
	q.chord2 = float64(c*c) + 1e-6
}

// innerChord2 returns the square of a chord below which every geodesic is
// shorter than d meters: the chord of an arc with the greatest curvature of the ellipsoid.
// It is negative if d is too small for one.
func innerChord2(d float64) float64 {
	if d < 1e-3 {
		return -1
	}
	half := min(d/(2*leastCurvature), math.Pi/2)
	c := 2*leastCurvature*math.Sin(half) - 1e-3
	return c * max(c, 0)
}

// karney returns the exact distance to a point.
func (q *ringQuery) karney(p *treePoint) float64 {
	if p.lat == q.lat && p.lng == q.lng {
		return 0
	}
	var d float64
	geodesic.WGS84.Inverse(q.lat, q.lng, p.lat, p.lng, &d, nil, nil)
	return d
}

// measure returns the distance to a point at the offset d, and a bound for
// its error: 0 when it is exact.
func (q *ringQuery) measure(p *treePoint, d vec3) (dist, margin float64) {
	h := squaredHaversine(d)
	if h > thomasReach {
		return q.karney(p), 0
	}
	dist = thomasDistance(h, q.sine, p.at.z*(1/semiMinor))
	return dist, thomasError(dist)
}

// hundredthMile is the unit of published distances, in meters.
const hundredthMile = 1609.344 / 100

// admit returns the distance to a point and whether it lies in the ring. The
// exact distance is computed only in doubt: near the limits, and near a
// rounding boundary of 0.01 mile, the unit in which distances are printed (decision D15). That
// is one point in 2,500 at 500 miles, and fewer nearby.
func (q *ringQuery) admit(p *treePoint, d vec3) (float64, bool) {
	dist, margin := q.measure(p, d)
	if dist > q.max+margin || dist < q.min-margin {
		return dist, false
	}
	unit := dist * (1 / hundredthMile)
	doubt := math.Abs(unit - float64(int64(unit)) - 0.5)
	if doubt*hundredthMile <= margin || dist >= q.max-margin || dist <= q.min+margin {
		dist = q.karney(p)
		return dist, dist >= q.min && dist <= q.max
	}
	return dist, true
}

// AppendWithin appends to dst the points between the distances least and most
// from the center, both included. They are sorted by distance, then by index.
// The capacity of dst beyond the result may be overwritten, so that a reused
// slice is not allocated again. An invalid center, a negative or NaN limit, or
// least above most give no points.
func (x *PointIndex) AppendWithin(dst []Neighbor, center geo.LatLng, least, most geo.Meters) []Neighbor {
	q, ok := newRingQuery(center, least, most)
	if !ok || len(x.points) == 0 {
		return dst
	}
	from := len(dst)
	return x.finish(&q, x.collect(&q, dst), from)
}

// collect appends the points of the ring in the order of the tree.
func (x *PointIndex) collect(q *ringQuery, dst []Neighbor) []Neighbor {
	var stack [treeDepth]span
	stack[0] = x.root()
	at := [3]float64{q.at.x, q.at.y, q.at.z}
	reach := math.Sqrt(q.chord2)
	for top := 1; top > 0; {
		top--
		s := stack[top]
		for !x.isLeaf(s) {
			cut := &x.splits[s.node]
			switch v := at[cut.axis] - cut.at; {
			case v < -reach:
				s = s.left()
			case v > reach:
				s = s.right()
			default:
				stack[top] = s.right()
				top++
				s = s.left()
			}
		}
		points := x.within(s)
		for i := range points {
			p := &points[i]
			d := p.at.sub(q.at)
			if d.dot(d) > q.chord2 {
				continue
			}
			if dist, ok := q.admit(p, d); ok {
				dst = append(dst, Neighbor{geo.Meters(dist), int(p.index)})
			}
		}
	}
	return dst
}

// finish sorts what collect appended behind from. Sorting by the fast distances is right but for
// runs that follow each other within twice their error. Those are ordered by exact ones.
func (x *PointIndex) finish(q *ringQuery, dst []Neighbor, from int) []Neighbor {
	dst = sortNeighbors(dst, from, q.max)
	hits := dst[from:]
	for i := 0; i < len(hits); {
		j := i + 1
		for j < len(hits) && hits[j].Distance-hits[j-1].Distance <= geo.Meters(2*thomasError(float64(hits[j].Distance))) {
			j++
		}
		if j-i > 1 {
			x.settle(q, hits[i:j])
		}
		i = j
	}
	return dst
}

// settle orders a run of points that are too close in distance for the fast
// formula to order them. Points at one place need no measuring.
func (x *PointIndex) settle(q *ringQuery, run []Neighbor) {
	same := true
	first := x.at(run[0].Index)
	for _, h := range run[1:] {
		p := x.at(h.Index)
		same = same && p.lat == first.lat && p.lng == first.lng
	}
	if same {
		return
	}
	for i := range run {
		run[i].Distance = geo.Meters(q.karney(x.at(run[i].Index)))
	}
	slices.SortFunc(run, compareNeighbors)
}

func (x *PointIndex) at(index int) *treePoint { return &x.points[x.place[index]] }
