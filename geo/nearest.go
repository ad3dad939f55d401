package geo

import "math"

// AppendNearest appends the k points nearest to the center, sorted by
// distance and then by index; all points when there are no more than k. An
// invalid center gives none.
func (x *PointIndex) AppendNearest(dst []Neighbor, center LatLng, k int) []Neighbor {
	q, ok := newRingQuery(center, 0, earthReach)
	if !ok || k <= 0 || len(x.points) == 0 {
		return dst
	}
	from := len(dst)
	if k >= len(x.points) {
		return x.finish(&q, x.collect(&q, dst), from)
	}
	// One more than k shows whether the last place is in doubt.
	dst = x.nearest(&q, dst, k+1)
	heap := dst[from:]
	last, next := float64(heap[0].Distance), float64(heap[1].Distance)
	if k > 1 {
		next = max(next, float64(heap[2].Distance))
	}
	q.setMax(last + 4*thomasError(last)) // far enough off that nothing is measured for lying on the limit
	if last-next <= 2*thomasError(last) {
		dst = x.collect(&q, dst[:from])
	} else {
		for i := range heap {
			p := x.at(heap[i].Index)
			dist, _ := q.admit(p, p.at.sub(q.at))
			heap[i].Distance = Meters(dist)
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
				dst = append(dst, Neighbor{Meters(dist), int(p.index)})
				heap = neighborHeap(dst[from:])
				heap.up()
			case dist < float64(heap[0].Distance):
				heap[0] = Neighbor{Meters(dist), int(p.index)}
				heap.down()
			default:
				continue
			}
			if len(heap) == k {
				r := float64(heap[0].Distance) + 1e-6
				r += thomasError(r)
				worst = r * r
			}
		}
	}
	return dst
}
