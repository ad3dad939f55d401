package synth

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// split cuts a box into n boxes of roughly equal area. Successive boxes are
// usually adjacent.
func split(b Box, n int, rng *rand.Rand) []Box {
	if n <= 1 {
		return []Box{b}
	}
	n1 := n / 2
	share := float64(n1)/float64(n) + float64((rng.Float64()-0.5)*0.1)
	lo, hi := b, b
	if wide(b) {
		lo.X1 = b.X0 + int32(float64(b.X1-b.X0)*share)
		hi.X0 = lo.X1
	} else {
		lo.Y1 = b.Y0 + int32(float64(b.Y1-b.Y0)*share)
		hi.Y0 = lo.Y1
	}
	return append(split(lo, n1, rng), split(hi, n-n1, rng)...)
}

// wide reports whether a box is wider than high, on the ground at 40 degrees of
// latitude.
func wide(b Box) bool {
	return float64(b.X1-b.X0)*0.766 > float64(b.Y1-b.Y0)
}

// halve cuts off half of the box between p and the farther side.
func halve(b Box, p vertex) (rest, half Box) {
	rest, half = b, b
	switch {
	case wide(b) && p.X-b.X0 < b.X1-p.X:
		half.X0 = b.X1 - (b.X1-p.X)/2
		rest.X1 = half.X0
	case wide(b):
		half.X1 = b.X0 + (p.X-b.X0)/2
		rest.X0 = half.X1
	case p.Y-b.Y0 < b.Y1-p.Y:
		half.Y0 = b.Y1 - (b.Y1-p.Y)/2
		rest.Y1 = half.Y0
	default:
		half.Y1 = b.Y0 + (p.Y-b.Y0)/2
		rest.Y0 = half.Y1
	}
	return rest, half
}

// inside returns a random point of the box, away from its border.
func inside(b Box, rng *rand.Rand) vertex {
	at := func(lo, hi int32) int32 {
		return lo + int32(float64(hi-lo)*(0.3+float64(0.4*rng.Float64())))
	}
	return vertex{at(b.X0, b.X1), at(b.Y0, b.Y1)}
}

// divide cuts a box into one box around each point, in the order of the points.
// It returns an error if two points are equal.
func divide(b Box, points []vertex) ([]Box, error) {
	boxes := make([]Box, len(points))
	order := make([]int, len(points))
	for i := range order {
		order[i] = i
	}
	if err := divideInto(boxes, b, points, order); err != nil {
		return nil, err
	}
	return boxes, nil
}

func divideInto(boxes []Box, b Box, points []vertex, order []int) error {
	if len(order) == 1 {
		boxes[order[0]] = b
		return nil
	}
	byX := wide(b)
	at, cut, ok := middleGap(points, order, byX)
	if !ok {
		byX = !byX
		if at, cut, ok = middleGap(points, order, byX); !ok {
			return fmt.Errorf("synth: two areas have their point at %v", points[order[0]].latLng())
		}
	}
	lo, hi := b, b
	if byX {
		lo.X1, hi.X0 = cut, cut
	} else {
		lo.Y1, hi.Y0 = cut, cut
	}
	if err := divideInto(boxes, lo, points, order[:at]); err != nil {
		return err
	}
	return divideInto(boxes, hi, points, order[at:])
}

// middleGap sorts the points along an axis and returns the widest gap in their
// middle half: the number of points before it, and its middle.
func middleGap(points []vertex, order []int, byX bool) (at int, cut int32, ok bool) {
	key := func(i int) int32 {
		if byX {
			return points[i].X
		}
		return points[i].Y
	}
	slices.SortFunc(order, func(i, j int) int {
		if d := int(key(i)) - int(key(j)); d != 0 {
			return d
		}
		return i - j
	})
	n := len(order)
	gap := int32(1) // gaps have at least two millionths of a degree
	for i := max(1, n/4); i <= max(n-n/4, 1) && i < n; i++ {
		if g := key(order[i]) - key(order[i-1]); g > gap {
			gap, at, cut, ok = g, i, key(order[i-1])+g/2, true
		}
	}
	if ok {
		return at, cut, true
	}
	for i := 1; i < n; i++ { // no gap in the middle: use any
		if g := key(order[i]) - key(order[i-1]); g > gap {
			gap, at, cut, ok = g, i, key(order[i-1])+g/2, true
		}
	}
	return at, cut, ok
}
