package svg

import (
	"slices"
	"strconv"
)

// leastDry is the least part on land of an area that is land as a whole. Outlines of land are
// coarse, and those of areas often end at the quay.
const leastDry = 0.7

// A shape is an area on the map.
type shape struct {
	*Area
	path  []byte
	rings [][]corner
	step  int // the color of its value, or plain
}

// plainStep marks areas that are as the land around them.
const plainStep = -1

func (d *drawing) shape(a *Area) (s shape) {
	s.Area, s.step = a, plainStep
	switch {
	case a.Class == Backdrop || a.Land:
	case a.Percent != nil:
		s.step = step(*a.Percent)
	case a.Class == Found:
		s.step = foundStep
	}
	for _, p := range a.Polygons {
		for _, r := range p {
			if ring := draw(d.projection.project(r), d.frame); ring != nil {
				s.path = appendPath(s.path, ring)
				s.rings = append(s.rings, ring)
			}
		}
	}
	return s
}

// areas draws the areas, and notes where their labels may stand. Areas that reach far
// over water are filled on land only: they come first, the sea covers them, and their
// outlines follow.
func (d *drawing) areas() {
	var land, wet, dry []shape
	for i := range d.Areas {
		if s := d.shape(&d.Areas[i]); len(s.path) == 0 {
			continue
		} else if s.Land {
			land = append(land, s)
		} else {
			dry = append(dry, s)
		}
	}
	d.near = len(dry) > 0
	if len(land) > 0 {
		var rings [][]corner
		for _, s := range land {
			rings = append(rings, s.rings...)
		}
		shores := linesOf(rings)
		dry = slices.DeleteFunc(dry, func(s shape) bool {
			over := onLand(s.rings, shores) < leastDry
			if over {
				wet = append(wet, s)
			}
			return over
		})
	}
	for _, s := range land {
		if d.near {
			d.shapePath(&s, "shore near")
		} else {
			d.shapePath(&s, "shore")
		}
	}
	if d.values(wet) {
		d.sea(land)
	}
	for _, s := range dry {
		if s.step == plainStep {
			d.shapePath(&s, "area backdrop")
		}
	}
	for _, s := range wet {
		d.shapePath(&s, "border")
	}
	d.values(dry)
	for i, s := range slices.Concat(wet, dry) {
		if s.Class == Focus && s.step == plainStep {
			d.shapePath(&s, "outline marked")
		} else if s.Class == Focus {
			d.add(`<path class="glow" d="`, string(s.path), "\"/>\n")
			d.shapePath(&s, "outline")
		}
		if s.Label != "" {
			l := seat(s.rings)
			l.text = plain(s.Label, maxLabel)
			switch {
			case s.Class == Focus:
				l.style = markedLabel
			case s.step == strongStep && i >= len(wet):
				l.style = strongLabel
			case s.step != plainStep:
				l.style = valueLabel
			}
			d.labels = append(d.labels, l)
		}
	}
}

// values draws the areas with values, by step, and reports whether there are any.
func (d *drawing) values(list []shape) (drawn bool) {
	for i := range steps {
		for _, s := range list {
			if s.step == i {
				d.shapePath(&s, "area s"+strconv.Itoa(i))
				drawn = true
			}
		}
	}
	return drawn
}

// sea covers everything but land.
func (d *drawing) sea(land []shape) {
	d.add(`<path class="sea" d="`)
	d.out = appendPath(d.out, d.around())
	for _, s := range land {
		d.out = append(d.out, s.path...)
	}
	d.add("\"/>\n")
}

// onLand returns the part of an area that lies on land, by points of a grid.
func onLand(rings [][]corner, land *lines) float64 {
	const steps = 12
	area := linesOf(rings)
	low, high := rings[0][0].x, rings[0][0].x
	for _, ring := range rings {
		for _, c := range ring {
			low, high = min(low, c.x), max(high, c.x)
		}
	}
	all, on := 0, 0
	for i := range steps {
		y := area.top + tenth(len(area.crossings)*(2*i+1)/(2*steps))*spacing
		for k := range steps {
			p := corner{low + (high-low)*tenth(2*k+1)/(2*steps), y}
			if !area.within(p) {
				continue
			}
			all++
			if land.within(p) {
				on++
			}
		}
	}
	if all == 0 {
		return 1
	}
	return float64(on) / float64(all)
}

// spacing is the distance of lines: a pixel.
const spacing tenth = 10

// lines are where horizontal lines cross rings, so that points are found without a look
// at every corner. Rings of states have tens of thousands.
type lines struct {
	top       tenth       // the first line
	crossings [][]float64 // of each line, sorted
}

func linesOf(rings [][]corner) *lines {
	low, high := rings[0][0].y, rings[0][0].y
	for _, ring := range rings {
		for _, c := range ring {
			low, high = min(low, c.y), max(high, c.y)
		}
	}
	l := &lines{low + spacing/2, make([][]float64, (high-low)/spacing+1)}
	for _, ring := range rings {
		for i, b := range ring {
			a := ring[(i+len(ring)-1)%len(ring)]
			if a.y > b.y {
				a, b = b, a
			}
			for n := max(0, (a.y-l.top+spacing-1)/spacing); l.top+n*spacing < b.y; n++ {
				if y := l.top + n*spacing; y >= a.y {
					l.crossings[n] = append(l.crossings[n], float64(a.x)+float64(y-a.y)*float64(b.x-a.x)/float64(b.y-a.y))
				}
			}
		}
	}
	for _, xs := range l.crossings {
		slices.Sort(xs)
	}
	return l
}

// within reports whether the point of the line nearest to p lies in the rings, by the
// even-odd rule.
func (l *lines) within(p corner) bool {
	n := (p.y - l.top + spacing/2) / spacing
	if p.y < l.top-spacing/2 || int(n) >= len(l.crossings) {
		return false
	}
	before, _ := slices.BinarySearch(l.crossings[n], float64(p.x))
	return before%2 == 1
}
