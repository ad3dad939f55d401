package layers

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/dataset/builder/internal/shape"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// Lengths of the GEOIDs of block groups and of those that begin them.
const (
	groupDigits  = 12
	countyDigits = 5
	tractDigits  = 11
	stateDigits  = 2
)

// An around is a layer whose areas begin the GEOIDs of block groups, or are those.
type around struct {
	index *spatial.PolygonIndex
	areas []store.LayerArea
}

// A sharing gives the people of block groups to ZIP Codes. A group belongs to the ZIP Code
// whose outline contains its center. A ZIP Code without a center takes the group that
// contains its point, or comes nearest: by the survey's numbers it shares the people with the owner. Without
// such a number it has no people there.
type sharing struct {
	*draft.Draft
	centers []store.Center
	at      map[uint64]int // centers by block group
	owned   map[postcode.ZIP]int
	takers  map[int][]postcode.ZIP // by center
}

// share sets the ZIP Codes of the centers of population, and the people of each.
func (s *CodeLayers) share(d *draft.Draft) {
	of := &d.Residents
	h := &sharing{Draft: d, centers: slices.Clone(of.Centers), at: map[uint64]int{}, owned: map[postcode.ZIP]int{}, takers: map[int][]postcode.ZIP{}}
	for i := range h.centers {
		h.at[h.centers[i].BlockGroup] = i
	}
	extent := func(z postcode.ZIP) geo.SquareMeters {
		m := d.ZIPOutlines.Areas.Polygons[z]
		if m == nil {
			m = d.ZIPOutlines.Points.Polygons[z]
		}
		v, err := spatial.MultiPolygonArea(m)
		if err != nil {
			return 0
		}
		return v
	}
	for _, z := range slices.Sorted(maps.Keys(of.Of)) {
		for _, c := range of.Of[z] {
			i, ok := h.group(c.GEOID)
			if owner := &h.centers[i].ZIP; ok && (*owner == 0 || h.class(z) < h.class(*owner) || h.class(z) == h.class(*owner) && extent(z) < extent(*owner)) {
				*owner = z
			}
		}
	}
	for i := range h.centers {
		if c := &h.centers[i]; c.ZIP != 0 {
			h.owned[c.ZIP] += c.People
		}
	}
	h.take(s)
	s.Centers, s.people = h.centers, map[postcode.ZIP][]draft.Center{}
	for i := range h.centers {
		h.divide(i)
		addPeople(s.people, &h.centers[i])
	}
}

// addPeople adds the people of a center to those of its ZIP Codes.
func addPeople(people map[postcode.ZIP][]draft.Center, c *store.Center) {
	for _, p := range c.Shares(nil) {
		people[p.ZIP] = append(people[p.ZIP], draft.Center{At: c.At, People: p.People, GEOID: fmt.Sprintf("%012d", c.BlockGroup)})
	}
}

// class orders the classes: general ZIP Codes come first.
func (h *sharing) class(z postcode.ZIP) int {
	if h.ZIPs.At[z].Row.Class == store.General {
		return 0
	}
	return 1
}

func (h *sharing) group(geoid string) (int, bool) {
	n := uint64(0)
	for _, digit := range []byte(geoid) {
		n = 10*n + uint64(digit-'0')
	}
	i, ok := h.at[n]
	return i, ok
}

// take finds the group around the point of each ZIP Code without a center: the one whose
// outline contains it, else that with the nearest center in the tract around it, else that
// with the nearest center in its county or state.
func (h *sharing) take(s *CodeLayers) {
	within := map[string][]int{} // centers by block group, tract and county
	for i := range h.centers {
		id := fmt.Sprintf("%012d", h.centers[i].BlockGroup)
		for _, n := range [...]int{groupDigits, tractDigits, countyDigits, stateDigits} {
			within[id[:n]] = append(within[id[:n]], i)
		}
	}
	for _, z := range h.ZIPs.List {
		at := z.Row.Location
		if _, has := h.owned[z.Row.ZIP]; has || !at.IsValid() {
			continue
		}
		var near []int
		for _, l := range s.around {
			if a, ok := l.index.Containing(at); ok && len(near) == 0 {
				near = within[l.areas[a].GEOID]
			}
		}
		if len(near) == 0 {
			near = within[h.Counties.FIPS(z.Row.County)]
		}
		if len(near) == 0 { // Connecticut has other counties than in the census of 2020
			near = within[h.States.FIPS(z.Row.State)]
		}
		if len(near) > 0 {
			i := slices.MinFunc(near, func(x, y int) int {
				return cmp.Compare(shape.Miles(h.centers[x].At, at), shape.Miles(h.centers[y].At, at))
			})
			h.takers[i] = append(h.takers[i], z.Row.ZIP)
		}
	}
}

// surveyed returns the people of a ZIP Code by the survey, 0 if they are unknown.
func (h *sharing) surveyed(z postcode.ZIP) int64 {
	if n := h.ZIPs.At[z].Detail.Population; n != nil {
		return int64(*n)
	}
	return 0
}

// divide divides the people of a group among its owner and the ZIP Codes that take it.
func (h *sharing) divide(i int) {
	takers := h.takers[i]
	if len(takers) == 0 {
		return
	}
	c := &h.centers[i]
	weights, known := map[int32]int64{}, int64(0)
	for _, z := range takers {
		weights[int32(z)] = h.surveyed(z)
		known += weights[int32(z)]
	}
	switch all := h.owned[c.ZIP]; {
	case c.ZIP != 0 && known > 0 && all > 0 && h.surveyed(c.ZIP) > 0: // the owner's people in this group
		weights[int32(c.ZIP)] = h.surveyed(c.ZIP) * int64(c.People) / int64(all)
	case c.ZIP != 0:
		weights[int32(c.ZIP)] = max(1, int64(c.People))
	case known == 0: // no owner: general ZIP Codes take equal parts
		best := h.class(slices.MinFunc(takers, func(x, y postcode.ZIP) int { return cmp.Compare(h.class(x), h.class(y)) }))
		for _, z := range takers {
			if h.class(z) == best {
				weights[int32(z)] = 1
			}
		}
	default:
	}
	parts := apportion(c.People, weights)
	zips := slices.Sorted(maps.Keys(parts))
	if c.ZIP == 0 {
		c.ZIP = postcode.ZIP(slices.MaxFunc(zips, func(x, y int32) int {
			return cmp.Or(cmp.Compare(parts[x], parts[y]), cmp.Compare(weights[x], weights[y]), cmp.Compare(y, x))
		}))
	}
	for _, z := range zips {
		if postcode.ZIP(z) != c.ZIP {
			c.Others = append(c.Others, store.CenterShare{ZIP: postcode.ZIP(z), People: parts[z]})
		}
	}
}

// apportion divides a number by weights. The parts are integers with that sum: each
// is rounded down, and the largest remainders get one more.
func apportion(total int, weights map[int32]int64) map[int32]int {
	type rest struct {
		key  int32
		left int64
	}
	sum := int64(0)
	for _, w := range weights {
		sum += w
	}
	out, rests, given := map[int32]int{}, []rest(nil), 0
	for key, w := range weights {
		if sum == 0 {
			out[key] = 0
			rests = append(rests, rest{key, 0})
			continue
		}
		v := int64(total) * w
		out[key] = int(v / sum)
		given += out[key]
		rests = append(rests, rest{key, v % sum})
	}
	slices.SortFunc(rests, func(x, y rest) int { return cmp.Or(cmp.Compare(y.left, x.left), cmp.Compare(x.key, y.key)) })
	for i := range total - given {
		if len(rests) == 0 { // nothing takes them
			break
		}
		out[rests[i%len(rests)].key]++
	}
	return out
}
