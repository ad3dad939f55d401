package draft

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
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

// A sharing gives the people of block groups to ZIP Codes. A group belongs to the ZIP
// Code whose outline contains its center. A ZIP Code without a center takes the group
// that contains its point, or comes nearest: by the survey's numbers it shares the people
// with the owner. Without such a number it has no people there.
//
// So crosswalks by people sum to the census, and every ZIP Code with a point stands
// somewhere. A small one between the centers of its neighbors would otherwise have people
// in no district.
//
// Steps: owners by outlines, then takers by points (take), then the people of each group
// by weights (divide). They run once, when tracts and block groups have been measured.
type sharing struct {
	*Draft
	centers []store.Center
	at      map[string]int // centers by block group
	owned   map[postcode.ZIP]int
	takers  map[int][]postcode.ZIP // by center
}

// shareCenters sets the ZIP Codes of the centers of population, and the people of each,
// once.
func (d *Draft) shareCenters() {
	c, of := &d.compared, &d.Residents
	if c.people != nil || !d.includes(catalog.Boundaries) {
		return
	}
	h := &sharing{Draft: d, centers: slices.Clone(of.Centers), at: map[string]int{}, owned: map[postcode.ZIP]int{}, takers: map[int][]postcode.ZIP{}}
	for i := range h.centers {
		h.at[geoidOf(&h.centers[i])] = i
	}
	extent := func(z postcode.ZIP) geo.SquareMeters {
		m := d.ZIPOutlines.polygons[z]
		if m == nil {
			m = d.BoxOutlines.polygons[z]
		}
		v, err := spatial.MultiPolygonArea(m)
		if err != nil {
			return 0
		}
		return v
	}
	for _, z := range slices.Sorted(maps.Keys(of.Of)) {
		for _, c := range of.Of[z] {
			i, ok := h.at[c.GEOID]
			// Of several outlines around a center, that of a general ZIP Code wins, then
			// the smaller one, as in lookups of points.
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
	h.take()
	c.centers, c.people = h.centers, map[postcode.ZIP][]Center{}
	for i := range h.centers {
		h.divide(i)
		addPeople(c.people, &h.centers[i])
	}
	for _, id := range []store.LayerID{store.LayerBlockGroup, store.LayerTract} {
		if l := c.find(id); l != nil { // measure kept them for take
			l.index = nil
		}
	}
}

func geoidOf(c *store.Center) string { return fmt.Sprintf("%012d", c.BlockGroup) }

// addPeople adds the people of a center to those of its ZIP Codes.
func addPeople(people map[postcode.ZIP][]Center, c *store.Center) {
	for _, p := range c.Shares(nil) {
		people[p.ZIP] = append(people[p.ZIP], Center{At: c.At, People: p.People, GEOID: geoidOf(c)})
	}
}

// class orders the classes: general ZIP Codes, which are areas, come first.
func (h *sharing) class(z postcode.ZIP) int {
	if h.ZIPs.At[z].Row.Class == store.General {
		return 0
	}
	return 1
}

// take finds the group around the point of each ZIP Code without a center: the one whose
// outline contains it, else that with the nearest center in the tract around it, else that
// with the nearest center in its county or state.
func (h *sharing) take() {
	within := map[string][]int{} // centers by block group, tract and county
	for i := range h.centers {
		id := geoidOf(&h.centers[i])
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
		for _, id := range []store.LayerID{store.LayerBlockGroup, store.LayerTract} {
			if l := h.compared.find(id); l != nil && len(near) == 0 {
				if a, ok := l.index.Containing(at); ok {
					near = within[l.Areas[a].GEOID]
				}
			}
		}
		// Without outlines of tracts, or at a point in water, distance within the county
		// decides.
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
//
// Takers weigh as many people as the survey counts in them. The owner weighs the part of
// its surveyed people that live in this group, by the census: it has other groups, too.
// If its number is unknown, it weighs the people of the group, and keeps them all if no
// taker has a number. A group without an owner, whose center no outline contains, goes to
// its takers, and then to the largest of them as owner. The parts are whole people and
// sum to the group's.
func (h *sharing) divide(i int) {
	takers := h.takers[i]
	if len(takers) == 0 {
		return
	}
	c := &h.centers[i]
	zips := slices.Clone(takers)
	if c.ZIP != 0 {
		zips = append(zips, c.ZIP)
	}
	slices.Sort(zips)
	weights, known := make([]int64, len(zips)), int64(0)
	for k, z := range zips {
		if z != c.ZIP {
			weights[k] = h.surveyed(z)
			known += h.surveyed(z)
		}
	}
	owner := slices.Index(zips, c.ZIP)
	switch all := h.owned[c.ZIP]; {
	case owner >= 0 && known > 0 && all > 0 && h.surveyed(c.ZIP) > 0: // the owner's people in this group
		weights[owner] = h.surveyed(c.ZIP) * int64(c.People) / int64(all)
	case owner >= 0:
		weights[owner] = max(1, int64(c.People)) // not 0, or a group without people has no parts
	case known == 0: // no owner: general ZIP Codes take equal parts
		best := h.class(slices.MinFunc(zips, func(x, y postcode.ZIP) int { return cmp.Compare(h.class(x), h.class(y)) }))
		for k, z := range zips {
			if h.class(z) == best {
				weights[k] = 1
			}
		}
	default:
	}
	parts := apportion(c.People, weights)
	if owner < 0 {
		for k := range zips {
			if owner < 0 || cmp.Or(cmp.Compare(parts[k], parts[owner]), cmp.Compare(weights[k], weights[owner])) > 0 {
				owner = k
			}
		}
		c.ZIP = zips[owner]
	}
	for k, z := range zips {
		if z != c.ZIP {
			c.Others = append(c.Others, store.CenterShare{ZIP: z, People: parts[k]})
		}
	}
}

// apportion divides a whole by weights. The parts are integers with that sum: each is
// rounded down, and the largest remainders get one more, of equal ones the first (the
// method of Hamilton). It returns nil without weights. Rounding each part by itself could
// lose people, or give three equal time zones 99.9 percent together.
func apportion[N int64 | float64](total int, weights []N) []int {
	var sum N
	for _, w := range weights {
		sum += w
	}
	if !(sum > 0) {
		return nil
	}
	parts, order, rest, left := make([]int, len(weights)), make([]int, len(weights)), make([]N, len(weights)), total
	for i, w := range weights {
		v := N(total) * w
		parts[i], order[i] = int(v/sum), i
		rest[i] = v - N(parts[i])*sum
		left -= parts[i]
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(rest[j], rest[i]) })
	for k := range left {
		parts[order[k%len(order)]]++
	}
	return parts
}

// leastOfCounty is the part of a ZIP's outline or of its people that a second county must
// hold for the ZIP to count as one of several counties (decision D37). Less is often a
// sliver between generalized outlines of one border.
const leastOfCounty = 0.01

// shareCounties decides by exact overlaps and by the people whether a ZIP lies in
// several counties. It does if a second county holds at least 1 % of its outline,
// or of the people within; the first is the ZIP's county, or the largest. Outlines of
// counties that cover less than 98 % of it do not decide if only one of them holds 1 %.
// Then the City State product's second county stays.
func (d *Draft) shareCounties() {
	if !d.includes(catalog.Boundaries) || len(d.ZIPOutlines.polygons)+len(d.BoxOutlines.polygons) == 0 || len(d.CountyOutlines.polygons) == 0 {
		return
	}
	for _, id := range []string{catalog.ZCTAAreas, catalog.CountyAreas} {
		if !d.fit(id) {
			d.applied("no shares of counties, for outlines that are absent or too coarse", id)
			return
		}
	}
	for _, set := range []*outlines[postcode.ZIP]{d.ZIPOutlines, d.BoxOutlines} {
		all := sharesOf(d, set, d.CountyOutlines)
		for i, zip := range set.keys() {
			shares := all[i] // of the whole, the largest first
			for k := range shares {
				shares[k].size /= float64(set.list()[i].Area())
			}
			slices.SortStableFunc(shares, func(p, q share[store.CountyID]) int { return cmp.Compare(q.size, p.size) })
			d.decideCounties(d.ZIPs.At[zip], shares)
		}
	}
}

// decideCounties applies the shares of counties to a ZIP.
func (d *Draft) decideCounties(z *ZIP, shares []share[store.CountyID]) {
	const covered = 0.98 // of an outline, for outlines of counties to decide
	sum, large, own := 0.0, 0, z.Row.County
	for _, p := range shares {
		sum += p.size
		if p.size >= leastOfCounty {
			large++
		}
	}
	text := func() string {
		parts := []string{}
		for _, p := range shares {
			parts = append(parts, fmt.Sprintf("%.1f %% in %s", 100*p.size, d.Counties.FIPS(p.key)))
		}
		return z.Row.ZIP.String() + ": " + strings.Join(parts, ", ")
	}
	elsewhere := d.peopleElsewhere(z)
	if sum < covered && large < 2 && elsewhere < leastOfCounty {
		d.applied("several counties or one: the outlines of counties do not cover that of the ZIP", text())
		return
	}
	if own == 0 {
		own = shares[0].key
	}
	at := slices.IndexFunc(shares, func(p share[store.CountyID]) bool { return p.key == own })
	if at < 0 || shares[at].size < leastOfCounty {
		d.applied("county of the sources that holds less than 1 % of the ZIP's outline, kept", text())
	}
	second := 0.0 // the largest part of another county
	for _, p := range shares {
		if p.key != own {
			second = max(second, p.size)
		}
	}
	switch {
	case second >= leastOfCounty:
		d.applied("ZIP of several counties, by the outlines", text())
		z.Row.MultiCounty = store.Yes
	case elsewhere >= leastOfCounty:
		d.applied("ZIP of several counties, by its people", text())
		z.Row.MultiCounty = store.Yes
	case z.Row.MultiCounty == store.Yes:
		d.applied("ZIP of several counties, by the City State product alone", text())
	default:
		d.applied("ZIP of one county, by the outlines", z.Row.ZIP.String())
		z.Row.MultiCounty = store.No
	}
}

// peopleElsewhere returns the largest part of a ZIP's people, 0 to 1, in a county other
// than that of the record, or than that of most if the record has none. People in an
// unknown county (0) count as elsewhere, unless the record has no county either.
func (d *Draft) peopleElsewhere(z *ZIP) float64 {
	people, all := map[store.CountyID]int{}, 0
	for _, c := range d.Residents.Of[z.Row.ZIP] {
		people[c.County] += c.People
		all += c.People
	}
	first, second := 0, 0
	for id, n := range people {
		if id != z.Row.County {
			first, second = max(first, n), max(second, min(first, n))
		}
	}
	if z.Row.County == 0 {
		first = second
	}
	return float64(first) / float64(max(all, 1))
}
