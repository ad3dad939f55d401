package spatial

import (
	"math"
	"reflect"

	"github.com/postgeo/postgeo/geo"
)

const (
	// leafPoints is the most points in a leaf of the tree.
	leafPoints = 16
	// treeDepth bounds the stacks of searches; 2^28 leaves are more than an
	// index can number.
	treeDepth = 32
)

// A PointIndex finds the points within a distance of a center, and the nearest
// ones. Distances are geodesics on WGS84. Results equal those of measuring
// every point exactly. The antimeridian and the poles need no special care.
//
// It is a k-d tree over the points in space, in three flat arrays. Every node
// is a range of the ordered points, halved for its children. The number of leaves is a power of
// two, so that children and ranges follow from the number of the node and are not
// stored. A PointIndex is immutable and safe for concurrent use.
//
// Searches prune in space: the straight line between two points bounds their geodesic.
// They measure the rest with [thomasDistance] and compute the exact geodesic only if
// the error of that could change the answer: whether a point is inside, the order of two
// points, or the rounding of the printed distance. So 262 codes within 50 miles take some
// 10 µs. One exact geodesic takes 0.65.
//
// Two structures serve different searches. Splits decide for one axis at a time, which
// suits searches that visit the points. Boxes show whether all points of a node are inside,
// which lets [PointIndex.Count] add nodes without visiting points.
type PointIndex struct {
	points []treePoint
	place  []int32    // by index: position of the point in the tree
	leaves int        // a power of two
	splits []split    // by node; the root is 1, the children of n are 2n and 2n+1
	boxes  []spaceBox // by node, leaves included

	pending *pendingPoints // which points are loaded; nil unless decoded
}

// A treePoint is one point of the tree.
type treePoint struct {
	at       vec3    // earth-centered, meters
	lat, lng float64 // degrees
	index    int32   // index in the given slice
}

// A split divides a node by a plane across an axis. Points to the left are at
// most at the value, and points to the right at least.
type split struct {
	at   float64
	axis uint8
}

// A spaceBox bounds the points of a node, in meters; it is rounded outwards. Single precision
// halves its memory and loosens it by half a meter at most.
type spaceBox struct{ min, max [3]float32 }

// A span is a node and its range of points.
type span struct{ node, lo, hi int32 }

func (s span) left() span  { return span{2 * s.node, s.lo, s.middle()} }
func (s span) right() span { return span{2*s.node + 1, s.middle(), s.hi} }

func (s span) middle() int32 { return s.lo + (s.hi-s.lo)/2 }

// NewPointIndex returns an index of the points. Points that are not valid are
// left out. It takes about 0.35 µs a point; [PointIndex.AppendBinary] and
// [DecodePointIndex] save nearly all of that.
func NewPointIndex(points []geo.LatLng) *PointIndex {
	x := &PointIndex{points: make([]treePoint, 0, len(points)), place: make([]int32, len(points))}
	for i, p := range points {
		if p.IsValid() {
			x.points = append(x.points, treePoint{at: earthCentered(p), lat: p.Lat(), lng: p.Lng(), index: int32(i)})
		}
	}
	x.leaves = leafCount(len(x.points), leafPoints)
	x.arrange(x.root())
	x.summarize()
	return x
}

// Len returns how many points the index holds.
func (x *PointIndex) Len() int { return len(x.points) }

// MemoryBytes returns how much memory the index occupies once all its points
// are loaded, the bytes that it was decoded from included.
func (x *PointIndex) MemoryBytes() int {
	n := sliceBytes(x.points) + sliceBytes(x.place) + sliceBytes(x.splits) + sliceBytes(x.boxes)
	if x.pending != nil {
		n += len(x.pending.order) + sliceBytes(x.pending.loaded)
	}
	return n
}

// sliceBytes returns how much memory a slice's array occupies.
func sliceBytes[T any](s []T) int { return cap(s) * int(reflect.TypeFor[T]().Size()) }

func (x *PointIndex) root() span { return span{1, 0, int32(len(x.points))} }

func (x *PointIndex) isLeaf(s span) bool { return int(s.node) >= x.leaves }

// arrange orders the points of a node and everything below it.
func (x *PointIndex) arrange(s span) {
	if x.isLeaf(s) {
		sortByIndex(x.points[s.lo:s.hi]) // equal points give equal bytes, whatever the partitions left
		return
	}
	points := x.points[s.lo:s.hi]
	selectMiddle(points, int(s.middle()-s.lo), widestAxis(points))
	x.arrange(s.left())
	x.arrange(s.right())
}

// widestAxis returns the axis along which the points extend farthest.
func widestAxis(points []treePoint) int {
	lo := [3]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	hi := [3]float64{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for i := range points {
		p := &points[i].at
		lo[0], hi[0] = min(lo[0], p.x), max(hi[0], p.x)
		lo[1], hi[1] = min(lo[1], p.y), max(hi[1], p.y)
		lo[2], hi[2] = min(lo[2], p.z), max(hi[2], p.z)
	}
	axis := 0
	for i := 1; i < 3; i++ {
		if hi[i]-lo[i] > hi[axis]-lo[axis] {
			axis = i
		}
	}
	return axis
}

func (p *treePoint) along(axis int) float64 {
	switch axis {
	case 0:
		return p.at.x
	case 1:
		return p.at.y
	default:
		return p.at.z
	}
}

// before orders points along an axis, then by index, so that equal points have
// the order of their index.
func (p *treePoint) before(q *treePoint, axis int) bool {
	a, b := p.along(axis), q.along(axis)
	return a < b || a == b && p.index < q.index
}

// selectMiddle partitions points along the axis at position k.
func selectMiddle(points []treePoint, k, axis int) {
	for lo, hi := 0, len(points)-1; lo < hi; {
		// The median of three keeps sorted input from being the worst case.
		mid := lo + (hi-lo)/2
		if points[mid].before(&points[lo], axis) {
			points[mid], points[lo] = points[lo], points[mid]
		}
		if points[hi].before(&points[lo], axis) {
			points[hi], points[lo] = points[lo], points[hi]
		}
		if points[hi].before(&points[mid], axis) {
			points[hi], points[mid] = points[mid], points[hi]
		}
		pivot := points[mid]
		i, j := lo, hi
		for i <= j {
			for points[i].before(&pivot, axis) {
				i++
			}
			for pivot.before(&points[j], axis) {
				j--
			}
			if i <= j {
				points[i], points[j] = points[j], points[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
}

// sortByIndex orders the few points of a leaf.
func sortByIndex(points []treePoint) {
	for i := 1; i < len(points); i++ {
		for j := i; j > 0 && points[j].index < points[j-1].index; j-- {
			points[j], points[j-1] = points[j-1], points[j]
		}
	}
}

// summarize derives places, boxes and splits from the order of the points,
// from the leaves up.
func (x *PointIndex) summarize() {
	for i := range x.points {
		x.place[x.points[i].index] = int32(i)
	}
	x.boxes = make([]spaceBox, 2*x.leaves)
	x.splits = make([]split, x.leaves)
	x.summarizeNode(x.root())
}

func (x *PointIndex) summarizeNode(s span) {
	if x.isLeaf(s) {
		x.boxes[s.node] = boundingBox(x.points[s.lo:s.hi])
		return
	}
	x.summarizeNode(s.left())
	x.summarizeNode(s.right())
	a, b := &x.boxes[2*s.node], &x.boxes[2*s.node+1]
	x.boxes[s.node] = a.union(b)
	axis := 0
	for i := range 3 {
		if b.min[i]-a.max[i] > b.min[axis]-a.max[axis] {
			axis = i
		}
	}
	if s.middle() == s.lo {
		x.splits[s.node].at = math.Inf(-1) // one point or none: everything is on the right
		return
	}
	// The boxes are rounded outwards, so they may touch where points do not.
	var top, bottom float64
	if b.min[axis] > a.max[axis] {
		top, bottom = float64(a.max[axis]), float64(b.min[axis])
	} else {
		axis, top, bottom = x.separate(s)
	}
	x.splits[s.node] = split{at: top + (bottom-top)/2, axis: uint8(axis)}
}

func (b *spaceBox) union(o *spaceBox) (u spaceBox) {
	for i := range 3 {
		u.min[i], u.max[i] = min(b.min[i], o.min[i]), max(b.max[i], o.max[i])
	}
	return u
}

// separate finds the axis with the widest gap between the halves of a node. It
// returns the highest value of the left and the lowest of the right half. Points at one place
// can be in both halves; the gap is then 0, and a search at that distance visits both.
func (x *PointIndex) separate(s span) (axis int, top, bottom float64) {
	gap := -1.0
	for i := range 3 {
		t, b := math.Inf(-1), math.Inf(1)
		for k := s.lo; k < s.middle(); k++ {
			t = max(t, x.points[k].along(i))
		}
		for k := s.middle(); k < s.hi; k++ {
			b = min(b, x.points[k].along(i))
		}
		if b-t > gap {
			gap, axis, top, bottom = b-t, i, t, b
		}
	}
	return axis, top, bottom
}

// boundingBox returns the box of the points; that of none is empty.
func boundingBox(points []treePoint) spaceBox {
	inf := math.Inf(1)
	lo, hi := vec3{inf, inf, inf}, vec3{-inf, -inf, -inf}
	for i := range points {
		p := &points[i].at
		lo = vec3{min(lo.x, p.x), min(lo.y, p.y), min(lo.z, p.z)}
		hi = vec3{max(hi.x, p.x), max(hi.y, p.y), max(hi.z, p.z)}
	}
	return spaceBox{
		min: [3]float32{roundDown(lo.x), roundDown(lo.y), roundDown(lo.z)},
		max: [3]float32{roundUp(hi.x), roundUp(hi.y), roundUp(hi.z)},
	}
}

// roundDown returns a single-precision number not above v.
func roundDown(v float64) float32 {
	f := float32(v)
	if float64(f) > v {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

// roundUp returns a single-precision number not below v.
func roundUp(v float64) float32 { return -roundDown(-v) }
