package svg

import (
	"math"
	"strconv"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"
	"github.com/paulmach/orb/planar"
)

// outline returns a ring of degrees as it is drawn: the corners inside the frame, rounded
// to a tenth of a pixel, not closed. It is nil if nothing can be seen. Long edges are bent first,
// then the ring is cut at the frame, and corners closer than half a pixel are dropped last. Cut
// before, a border along a parallel could miss the frame that its bend crosses.
func (d *drawing) outline(ring orb.Ring) (out orb.Ring) {
	const (
		short  = 0.01 // degrees of edges that do not bend
		bend   = 0.25 // how far an edge, which is straight in degrees, may be from its drawing
		pieces = 128  // the most of an edge
		detail = 0.5  // between corners
		border = 8    // where the cut at the frame is not seen
	)
	if len(ring) == 0 {
		return nil
	}
	var whole orb.Ring
	from := ring[len(ring)-1]
	a := d.pixel(from[0], from[1])
	for _, to := range ring {
		b := d.pixel(to[0], to[1])
		x, y := math.Remainder(to[0]-from[0], 360), to[1]-from[1]
		on := func(part float64) orb.Point { return d.pixel(from[0]+float64(x*part), from[1]+float64(y*part)) }
		if max(math.Abs(x), math.Abs(y)) > short {
			away := planar.Distance(on(0.5), orb.Point{(a[0] + b[0]) / 2, (a[1] + b[1]) / 2})
			n := min(math.Ceil(math.Sqrt(away/bend)), pieces)
			for i := 1.0; i < n; i++ {
				whole = append(whole, on(i/n))
			}
		}
		whole, from, a = append(whole, b), to, b
	}
	whole = clip.Ring(d.frame.Pad(border), append(whole, whole[0]))
	for i, v := range whole {
		v = orb.Point{tenths(v[0]), tenths(v[1])}
		if n := len(out); n > 0 && (v == out[n-1] || i < len(whole)-1 && planar.Distance(v, out[n-1]) < detail) {
			continue
		}
		out = append(out, v)
	}
	for len(out) > 1 && out[0] == out[len(out)-1] {
		out = out[:len(out)-1]
	}
	if len(out) < 3 {
		return nil
	}
	return out
}

// tenths rounds a length to the precision of the drawing.
func tenths(v float64) float64 { return math.Round(v*10)/10 + 0 }

// px writes a length in pixels, to a tenth.
func px(v float64) string { return strconv.FormatFloat(tenths(v), 'f', -1, 64) }

// path writes the path of rings. After the first of each, corners are relative.
func (d *drawing) path(rings []orb.Ring) {
	for _, ring := range rings {
		var at orb.Point
		for i, c := range ring {
			d.add([...]string{"M", "l", " "}[min(i, 2)], px(c[0]-at[0]), " ", px(c[1]-at[1]))
			at = c
		}
		d.add("z")
	}
}
