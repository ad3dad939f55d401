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
		var shores [][]corner
		for _, s := range land {
			shores = append(shores, s.rings...)
		}
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
func onLand(rings, land [][]corner) float64 {
	const steps = 12
	low, high := rings[0][0], rings[0][0]
	for _, ring := range rings {
		for _, c := range ring {
			low, high = corner{min(low.x, c.x), min(low.y, c.y)}, corner{max(high.x, c.x), max(high.y, c.y)}
		}
	}
	all, on := 0, 0
	for i := range steps {
		for k := range steps {
			p := corner{low.x + (high.x-low.x)*tenth(2*i+1)/(2*steps), low.y + (high.y-low.y)*tenth(2*k+1)/(2*steps)}
			if !within(rings, p) {
				continue
			}
			all++
			if within(land, p) {
				on++
			}
		}
	}
	if all == 0 {
		return 1
	}
	return float64(on) / float64(all)
}

// within reports whether a point lies in rings, by the even-odd rule.
func within(rings [][]corner, p corner) (in bool) {
	for _, ring := range rings {
		for i, b := range ring {
			a := ring[(i+len(ring)-1)%len(ring)]
			if (a.y > p.y) != (b.y > p.y) && float64(p.x) < float64(a.x)+float64(p.y-a.y)*float64(b.x-a.x)/float64(b.y-a.y) {
				in = !in
			}
		}
	}
	return in
}
