package svg

import (
	"math"
	"slices"
	"strconv"

	"github.com/paulmach/orb"
)

// A shape is an area on the map.
type shape struct {
	*Area
	rings []orb.Ring
	step  int  // the color of its value, or plainStep
	wet   bool // it reaches far over water
}

const (
	leastDry   = 0.7 // part of an area on land; with less, its fill would hide the shore
	steps      = 5
	strongStep = steps - 1 // without contrast to the ink
	foundStep  = 3         // of areas and points without a value
	plainStep  = -1        // of areas as the land around them
)

// shapes returns the areas that can be seen: land, or the others.
func (d *drawing) shapes(land bool) (out []shape) {
	for i := range d.Areas {
		s := shape{Area: &d.Areas[i], step: plainStep}
		if s.Land != land {
			continue
		}
		switch {
		case s.Class == Backdrop || land:
		case s.Percent != nil:
			s.step = min(max(int(*s.Percent*steps/100), 0), steps-1)
		case s.Class == Found:
			s.step = foundStep
		}
		for _, p := range s.Polygons {
			for _, r := range p {
				if ring := d.outline(r); ring != nil {
					s.rings = append(s.rings, ring)
				}
			}
		}
		if s.rings != nil {
			out = append(out, s)
		}
	}
	return out
}

// drawAreas draws the areas and collects their labels. Areas that reach far over water
// are filled on land only: they come first, the sea covers them, and their outlines
// follow.
func (d *drawing) drawAreas() {
	land, areas, shore := d.shapes(true), d.shapes(false), "shore"
	if d.near = len(areas) > 0; d.near {
		shore = "shore near"
	}
	var ground []orb.Ring
	for _, s := range land {
		ground = append(ground, s.rings...)
	}
	rows := map[float64][]float64{}
	for i := range areas { // outlines of land are coarse, and areas often end at the quay
		areas[i].wet = len(land) > 0 && dryPart(areas[i].rings, ground, rows) < leastDry
	}
	all := func(shape) bool { return true }
	wet := func(s shape) bool { return s.wet }
	dry := func(s shape) bool { return !s.wet }
	d.paths(land, all, shore)
	if d.values(areas, wet) {
		d.add(`<path class="sea" d="`)
		d.path(append(ground, d.around()))
		d.add("\"/>\n")
	}
	d.paths(areas, func(s shape) bool { return !s.wet && s.step == plainStep }, "area backdrop")
	d.paths(areas, wet, "border")
	d.values(areas, dry)
	valued := func(s shape) bool { return s.Class == Focus && s.step != plainStep }
	d.paths(areas, func(s shape) bool { return s.Class == Focus && s.step == plainStep }, "outline marked")
	d.paths(areas, valued, "glow")
	d.paths(areas, valued, "outline")
	for _, s := range areas {
		l := seat(s.rings)
		l.text, l.rank, l.size = plain(s.Label, maxLabel), 2, smallSize
		switch {
		case s.Class == Focus:
			l.mark()
		case s.step == plainStep:
			l.rank, l.class = 1, " faint"
		case s.step == strongStep && !s.wet:
			l.class = " strong"
		}
		d.labels = append(d.labels, l)
	}
}

// paths draws the shapes of a kind.
func (d *drawing) paths(list []shape, kind func(shape) bool, class string) (drawn bool) {
	for _, s := range list {
		if !kind(s) {
			continue
		}
		drawn = true
		d.add(`<path class="`, class, `" d="`)
		d.path(s.rings)
		d.add("\"/>\n")
	}
	return drawn
}

// values draws the shapes with values, by step, and reports whether there are any.
func (d *drawing) values(list []shape, kind func(shape) bool) (drawn bool) {
	for i := range steps {
		if d.paths(list, func(s shape) bool { return s.step == i && kind(s) }, "area s"+strconv.Itoa(i)) {
			drawn = true
		}
	}
	return drawn
}

// dryPart returns the part of an area on land, along twelve rows of pixels. It keeps the
// crossings of land in rows, because many areas share them. When points of areas were tested
// against every corner of every state, a map of 100 miles around New York took 1.4 s, not 0.2.
func dryPart(area, land []orb.Ring, rows map[float64][]float64) float64 {
	const lines = 12
	box := area[0].Bound()
	for _, r := range area {
		box = box.Union(r.Bound())
	}
	all, dry := 0.0, 0.0
	for i := 0.5; i < lines; i++ {
		y := math.Floor(box.Min[1]+(box.Max[1]-box.Min[1])*i/lines) + 0.5
		if rows[y] == nil {
			rows[y] = crossings(land, 1, y)
		}
		inside, ground := crossings(area, 1, y), rows[y]
		for k := 0; k+1 < len(inside); k += 2 {
			all += inside[k+1] - inside[k]
			for n := 0; n+1 < len(ground); n += 2 {
				dry += max(0, min(inside[k+1], ground[n+1])-max(inside[k], ground[n]))
			}
		}
	}
	return dry / all // NaN for an area between two rows, which is then not wet
}

// seat returns the place for the label of an area: the middle of the roomiest stretch
// inside, on several levels from the bottom up.
func seat(rings []orb.Ring) label {
	box := rings[0].Bound()
	for _, r := range rings { // the widest one has the levels
		if b := r.Bound(); b.Right()-b.Left() > box.Right()-box.Left() {
			box = b
		}
	}
	best := label{at: rings[0][0]}
	rank := func(wide, high float64) float64 { return min(wide, 3*high) + high/4 } // of equal widths the highest
	const levels = 8
	for i := 1.0; i < levels; i++ {
		y := box.Top() - float64((box.Top()-box.Bottom())*i)/levels - 0.001
		across := crossings(rings, 1, y)
		for k := 0; k+1 < len(across); k += 2 {
			x, wide, room := (across[k]+across[k+1])/2, across[k+1]-across[k], math.Inf(1)
			if wide+(box.Top()-box.Bottom())/4 <= rank(best.wide, best.high) {
				continue
			}
			for _, v := range crossings(rings, 0, x) {
				room = min(room, 2*math.Abs(v-y))
			}
			if rank(wide, room) > rank(best.wide, best.high) {
				best = label{at: orb.Point{x, y}, wide: wide, high: room}
			}
		}
	}
	return best
}

// crossings returns where rings cross a level of one axis, along the other, sorted.
func crossings(rings []orb.Ring, axis int, level float64) (out []float64) {
	for _, ring := range rings {
		a := ring[len(ring)-1]
		for _, b := range ring {
			if (a[axis] > level) != (b[axis] > level) {
				out = append(out, a[1-axis]+float64((level-a[axis])/(b[axis]-a[axis])*(b[1-axis]-a[1-axis])))
			}
			a = b
		}
	}
	slices.Sort(out)
	return out
}
