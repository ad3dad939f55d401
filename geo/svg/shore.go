package svg

import "slices"

// dry is the least part on land of an area that is land as a whole. Outlines of land are
// coarse, and those of areas often end at the quay.
const dry = 0.7

// A shape is an area on the map.
type shape struct {
	*Area
	path  []byte
	rings [][]corner
	label label
}

func (d *drawing) shape(a *Area) (s shape) {
	s.Area = a
	for _, p := range a.Polygons {
		for i, r := range p {
			ring := draw(d.projection.project(r), d.frame)
			if ring == nil {
				continue
			}
			s.path = appendPath(s.path, ring)
			s.rings = append(s.rings, ring)
			if i == 0 {
				if l := labelOf(ring); l.room > s.label.room {
					s.label = l
				}
			}
		}
	}
	return s
}

// areas draws the areas by class, and notes where their labels may stand. Areas that
// reach far over water are filled on land only: they come first, the sea covers them, and
// their outlines follow.
func (d *drawing) areas() {
	var land, wet, others []shape
	for i := range d.Areas {
		if s := d.shape(&d.Areas[i]); len(s.path) == 0 {
			continue
		} else if s.Land {
			land = append(land, s)
		} else {
			others = append(others, s)
		}
	}
	if len(land) > 0 {
		var rings [][]corner
		for _, s := range land {
			rings = append(rings, s.rings...)
		}
		shores := linesOf(rings)
		others = slices.DeleteFunc(others, func(s shape) bool {
			over := onLand(s.rings, shores) < dry
			if over {
				wet = append(wet, s)
			}
			return over
		})
	}
	for _, s := range land {
		d.fill(&s)
	}
	for _, s := range wet {
		d.fill(&s)
	}
	if len(wet) > 0 {
		d.sea(land)
	}
	for class := Backdrop; class <= Focus; class++ {
		for _, s := range others {
			if s.Class == class {
				d.fill(&s)
				d.outline(&s)
			}
		}
		for _, s := range wet {
			if s.Class == class {
				d.shapePath(&s, "border")
				d.outline(&s)
			}
		}
	}
}

// sea covers everything but land.
func (d *drawing) sea(land []shape) {
	x1, y1, x2, y2 := tenths(d.frame.Min[0]-border), tenths(d.frame.Min[1]-border), tenths(d.frame.Max[0]+border), tenths(d.frame.Max[1]+border)
	d.add(`<path class="sea" fill-rule="evenodd" d="`)
	d.out = appendPath(d.out, []corner{{x1, y1}, {x2, y1}, {x2, y2}, {x1, y2}})
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
