package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/paulmach/orb"
)

// numAreas is the number of published ZIP Code Tabulation Areas, without those
// of the islands.
const numAreas = 33_144

// The box that the areas fill, about the contiguous United States.
const west, south, east, north = -124.5, 25.5, -67.5, 48.5

// A tessellation is numAreas areas that tile a box. They are small in its
// invented towns. Each column is cut into cells independently. As in a real
// map, the corners along the border of two columns alternate.
type tessellation struct {
	columns []column
	steps   int // pieces of an edge between two corners
}

// A column is cut into cells between its levels.
type column struct {
	west, east  float64
	levels      []float64 // ascending, the southern and northern border included
	left, right []float64 // the levels of this and the neighboring column
}

// newTessellation draws areas of about so many vertices each.
func newTessellation(vertices int) *tessellation {
	towns := drawTowns()
	const columns = 182
	t := &tessellation{steps: max(1, vertices/6)}
	lngs := make([]float64, len(towns))
	for i, p := range towns {
		lngs[i] = p[0]
	}
	slices.Sort(lngs)
	borders := cuts(lngs, west, east, columns)
	for i := range columns {
		var lats []float64
		for _, p := range towns {
			if p[0] >= borders[i] && p[0] < borders[i+1] {
				lats = append(lats, p[1])
			}
		}
		slices.Sort(lats)
		cells := numAreas / columns
		if i < numAreas%columns {
			cells++
		}
		t.columns = append(t.columns, column{west: borders[i], east: borders[i+1], levels: cuts(lats, south, north, cells)})
	}
	for i := range t.columns {
		c := &t.columns[i]
		c.left, c.right = c.levels, c.levels
		if i > 0 {
			c.left = merged(c.levels, t.columns[i-1].levels)
		}
		if i+1 < columns {
			c.right = merged(c.levels, t.columns[i+1].levels)
		}
	}
	return t
}

// drawTowns returns places scattered around the middles of invented towns,
// and some everywhere.
func drawTowns() []orb.Point {
	rng := rand.New(rand.NewPCG(33, 144))
	var out []orb.Point
	for size := range 400 {
		at := orb.Point{west + rng.Float64()*(east-west), south + rng.Float64()*(north-south)}
		spread := 0.1 + 0.5*rng.Float64()
		for range 200_000 / (size + 30) {
			p := orb.Point{at[0] + spread*rng.NormFloat64(), at[1] + spread*rng.NormFloat64()}
			if p[0] > west && p[0] < east && p[1] > south && p[1] < north {
				out = append(out, p)
			}
		}
	}
	for range len(out) {
		out = append(out, orb.Point{west + rng.Float64()*(east-west), south + rng.Float64()*(north-south)})
	}
	return out
}

// cuts returns n+1 values from lo to hi that cut the sorted values into parts
// of about equal number. The cuts are blended with equidistant ones, so that no
// part is very thin.
func cuts(sorted []float64, lo, hi float64, n int) []float64 {
	out := make([]float64, n+1)
	for i := range out {
		share := float64(i) / float64(n)
		v := lo + share*(hi-lo)
		if i > 0 && i < n && len(sorted) > 0 {
			v = 0.3*v + 0.7*sorted[int(share*float64(len(sorted)))]
		}
		out[i] = math.Round(v*1e6) / 1e6
	}
	return out
}

// merged returns the values of both, each once.
func merged(a, b []float64) []float64 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// areas yields every area with the place in its middle.
func (t *tessellation) areas(yield func(at orb.Point, area orb.MultiPolygon) bool) {
	for i := range t.columns {
		c := &t.columns[i]
		for j := 1; j < len(c.levels); j++ {
			lo, hi := c.levels[j-1], c.levels[j]
			var ring orb.Ring
			ring = t.level(ring, c, lo, false)
			ring = t.side(ring, c.east, between(c.right, lo, hi), false)
			ring = t.level(ring, c, hi, true)
			ring = t.side(ring, c.west, between(c.left, lo, hi), true)
			ring = append(ring, ring[0])
			if !yield(orb.Point{(c.west + c.east) / 2, (lo + hi) / 2}, orb.MultiPolygon{{ring}}) {
				return
			}
		}
	}
}

// between returns the values from lo to hi.
func between(sorted []float64, lo, hi float64) []float64 {
	i, _ := slices.BinarySearch(sorted, lo)
	j, _ := slices.BinarySearch(sorted, hi)
	return sorted[i : j+1]
}

// level appends the border of a column at a latitude from west to east, or
// back, without its end.
func (t *tessellation) level(ring orb.Ring, c *column, lat float64, back bool) orb.Ring {
	return t.edge(ring, orb.Point{c.west, lat}, orb.Point{c.east, lat}, 2*t.steps, back)
}

// side appends the border at a longitude through the corners from south to
// north, or back, without its end.
func (t *tessellation) side(ring orb.Ring, lng float64, corners []float64, back bool) orb.Ring {
	steps := max(1, t.steps/2) // as a rule a corner of the neighbor lies between
	for k := 1; k < len(corners); k++ {
		i := k
		if back {
			i = len(corners) - k
		}
		ring = t.edge(ring, orb.Point{lng, corners[i-1]}, orb.Point{lng, corners[i]}, steps, back)
	}
	return ring
}

// edge appends a horizontal or vertical border between two corners, in at most
// the given number of pieces. The border is rough on every scale and the same
// for both neighbors. It is never steeper than one in three as seen from a
// corner, so that borders meet only in corners.
func (t *tessellation) edge(ring orb.Ring, a, b orb.Point, steps int, back bool) orb.Ring {
	upright := 0
	if a[0] == b[0] {
		upright = 1
	}
	length := b[upright] - a[upright]
	steps = min(steps, max(1, int(length/2e-5))) // pieces of at least two meters
	swing := min(length, 0.02) / 3
	if v := a[1-upright]; v == south || v == north || v == west || v == east {
		swing = 0 // the outer border is straight
	}
	noise := rough{seed: (math.Float64bits(a[0])*31 + math.Float64bits(a[1])*17) ^ math.Float64bits(b[0]+b[1])}
	for k := range steps {
		if back {
			k = steps - k
		}
		part := float64(k) / float64(steps)
		p := a
		p[upright] += part * length
		p[1-upright] += swing * min(part, 1-part) * noise.at(part, steps)
		ring = append(ring, orb.Point{math.Round(p[0]*1e6) / 1e6, math.Round(p[1]*1e6) / 1e6})
	}
	return ring
}

// rough is a function whose detail halves in size as it doubles in number.
type rough struct{ seed uint64 }

// at returns the function's value, from -1 to 1, with details down to a step.
func (r rough) at(x float64, steps int) float64 {
	sum, size := 0.0, 0.5
	for cells := 2; cells <= 2*steps; cells *= 2 {
		at := x * float64(cells)
		i := math.Floor(at)
		left, right := r.hash(cells, i), r.hash(cells, i+1)
		sum += size * (left + (at-i)*(right-left))
		size /= 2
	}
	return sum
}

// hash returns a number from -1 to 1.
func (r rough) hash(cells int, i float64) float64 {
	h := r.seed + uint64(cells)*0x9e3779b97f4a7c15 + uint64(i)*0xbf58476d1ce4e5b9
	h ^= h >> 30
	h *= 0xbf58476d1ce4e5b9
	h ^= h >> 27
	h *= 0x94d049bb133111eb
	h ^= h >> 31
	return float64(h>>11)/(1<<52) - 1
}
