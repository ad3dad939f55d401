package synth

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// borderStep is the length of a step of a border, in millionths of a degree:
// about 400 meters.
const borderStep = 5_000

// A BorderFact is a stretch of the border of the United States through a
// region. The ZIPs of the region lie on its American side, the FSAs on the
// other.
type BorderFact struct {
	// America is the American side: "north" or "east".
	America string
	// Line runs from west to east if America is in the north, else from south to
	// north. It continues straight beyond its ends.
	Line []geo.LatLng
}

// A border is a BorderFact with coordinates along and across the line:
// longitude and latitude, or latitude and longitude if the border is upright.
type border struct {
	upright       bool
	along, across []int32 // ascending along
}

// newBorder returns the border, or nil if f is the zero value.
func newBorder(f BorderFact) (*border, error) {
	if f.America == "" && len(f.Line) == 0 {
		return nil, nil
	}
	if f.America != "north" && f.America != "east" || len(f.Line) == 0 {
		return nil, fmt.Errorf("the border has %d points and America in the %q; at least one point, and north or east, are required", len(f.Line), f.America)
	}
	b := &border{upright: f.America == "east"}
	for _, p := range f.Line {
		if !p.IsValid() {
			return nil, errors.New("the border has a point without coordinates")
		}
		v := b.turn(vertexAt(p))
		if n := len(b.along); n > 0 && v.X <= b.along[n-1] {
			return nil, fmt.Errorf("the border turns back at %v", p)
		}
		b.along, b.across = append(b.along, v.X), append(b.across, v.Y)
	}
	return b, nil
}

// turn swaps the coordinates of a point if the border is upright.
func (b *border) turn(v vertex) vertex {
	if b.upright {
		return vertex{v.Y, v.X}
	}
	return v
}

func (b *border) turnBox(x Box) Box {
	if b.upright {
		return Box{x.Y0, x.X0, x.Y1, x.X1}
	}
	return x
}

// at returns the coordinate across the border at a coordinate along it. It is
// an odd 500 millionths, so that no code's point lies on the border.
func (b *border) at(along int32) int32 {
	i, _ := slices.BinarySearch(b.along, along)
	v := b.across[min(i, len(b.across)-1)]
	if i > 0 && i < len(b.along) {
		t := float64(along-b.along[i-1]) / float64(b.along[i]-b.along[i-1])
		v = b.across[i-1] + int32(float64(b.across[i]-b.across[i-1])*t)
	}
	return floorTo(v, 1_000) + 500
}

// floorTo rounds down to a multiple of step.
func floorTo(v, step int32) int32 { return v - ((v%step)+step)%step }

// pieces returns the part of a box on one side of the border as boxes. The box
// around p comes first.
func (b *border) pieces(box Box, american bool, p vertex) ([]Box, error) {
	if b == nil {
		return []Box{box}, nil
	}
	q, p := b.turnBox(box), b.turn(p)
	var strips []Box
	for from := q.X0; from < q.X1; {
		first := floorTo(from-borderStep/2, borderStep) + borderStep/2
		to := min(first+borderStep, q.X1)
		strip := Box{from, q.Y0, to, q.Y1}
		cut := b.at(first + borderStep/2)
		if american {
			strip.Y0 = max(strip.Y0, cut)
		} else {
			strip.Y1 = min(strip.Y1, cut)
		}
		from = to
		if strip.Y0 >= strip.Y1 {
			continue
		}
		if n := len(strips); n > 0 && strips[n-1].X1 == strip.X0 && strips[n-1].Y0 == strip.Y0 && strips[n-1].Y1 == strip.Y1 {
			strips[n-1].X1 = strip.X1
			continue
		}
		strips = append(strips, strip)
	}
	holds := func(s Box) bool { return p.X > s.X0 && p.X < s.X1 && p.Y > s.Y0 && p.Y < s.Y1 }
	i := slices.IndexFunc(strips, holds)
	if i < 0 {
		return nil, fmt.Errorf("the point %v lies on the other side of the border", b.turn(p).latLng())
	}
	strips[0], strips[i] = strips[i], strips[0]
	slices.SortFunc(strips[1:], func(s, t Box) int { return cmp.Compare(s.X0, t.X0) })
	for k, s := range strips {
		strips[k] = b.turnBox(s)
	}
	return strips, nil
}

// within cuts a box to the reach around a point. The distance to the east and
// west is the same as to the north and south at 40 degrees of latitude. A reach
// of zero leaves the box unchanged.
func within(b Box, p vertex, reach int32) Box {
	if reach == 0 {
		return b
	}
	wide := int32(float64(reach) / 0.766)
	return Box{max(b.X0, p.X-wide), max(b.Y0, p.Y-reach), min(b.X1, p.X+wide), min(b.Y1, p.Y+reach)}
}
