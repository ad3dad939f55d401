package geocode

import (
	"cmp"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// named looks for the streets of the readings in the areas. It also tries a possessive that
// was typed with a blank, and a number that the parser took for a unit without a designator
// as the end of the name.
func (q *query) named() error {
	for _, s := range q.areas {
		if s.cost > q.least {
			continue // all places there cost more
		}
		for i := range q.reads {
			a := &q.reads[i]
			if a.Kind != address.Street || a.Street == "" {
				continue
			}
			q.key = pub28.AppendKey(q.key[:0], a.Name())
			if err := q.look(a, s, string(q.key), q.doubt(a)); err != nil {
				return err
			}
			if other := possessive(a.Name()); other != a.Name() {
				if err := q.look(a, s, pub28.Key(other), costDoubt+q.doubt(a)); err != nil {
					return err
				}
			}
			if u := a.Secondary; u.Type == "#" && i == 0 {
				whole := *a
				whole.PreType, whole.Street, whole.Suffix = "", strings.Join(strings.Fields(a.Name()+" "+a.Suffix+" "+u.Number), " "), ""
				if err := q.look(&whole, s, pub28.Key(whole.Street), costDoubt); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// doubt returns the cost of a reading that takes other words for the city or the number than
// the likeliest one does.
func (q *query) doubt(a *address.Address) int {
	cost, first := 0, &q.reads[0]
	if a.City != first.City {
		cost += costDoubt
	}
	if a.Number != "" && !strings.HasPrefix(a.Number, first.Number) && !strings.HasPrefix(first.Number, a.Number) { // VT 100, HYDE PARK
		cost += costNear
	}
	return cost
}

// around looks for the streets in the codes around the given one. A road without the number
// is dropped: in another code than the given one, its name alone is not evidence.
func (q *query) around() error {
	const many, far = 12, 40_000 // codes, meters
	if len(q.found) > 0 {
		return nil
	}
	before := q.areas
	q.areas = nil
	for _, n := range q.points.AppendNearest(nil, q.pointOf(before[0].Code), many) {
		a := q.Engine.areas[n.Index]
		if n.Distance < far && !slices.ContainsFunc(before, func(s scope) bool { return s.Code == a }) {
			q.areas = append(q.areas, scope{a, costNear})
		}
	}
	err := q.named()
	q.found = slices.DeleteFunc(q.found, func(c candidate) bool { return c.Precision == Street })
	q.areas = before
	return err
}

// similar looks for streets with the number whose names differ in a letter or two, and
// for numbered highways under other names. It compares the keys of all roads of the areas,
// so that it is last. The first letter has to agree, which skips most keys, and digits are
// never misspelt: 28TH is not 29TH.
func (q *query) similar() error {
	for i := range q.reads {
		a := &q.reads[i]
		key := pub28.Key(a.Name())
		owner, number := highway(key)
		limit := 0
		word, digits := beforeDigits(key)
		switch {
		case a.Kind != address.Street || a.Number == "":
		case len(word) >= 9:
			limit = 2
		case len(word) >= 5:
			limit = 1
		}
		if limit == 0 && number == "" {
			continue
		}
		for _, s := range q.areas {
			for k, err := range q.data.RoadKeys(q.ctx, s.Code) {
				if err != nil {
					return err
				}
				extra := 0
				switch {
				case number != "" && strings.HasSuffix(k, number) && k != key:
					if o, n := highway(k); n == number && (o == owner || o == "" || owner == "") {
						extra = costDoubt
					}
				case limit > 0 && k[0] == key[0]:
					if other, same := strings.CutSuffix(k, digits); same && !strings.ContainsAny(other, decimals) {
						if d := edit.Distance(word, other, limit); d <= limit {
							extra = d * costLetter
						}
					}
				}
				if extra > 0 {
					if err := q.look(a, s, k, extra+q.doubt(a)); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

const decimals = "0123456789"

// beforeDigits divides a key before its first digit: VTROTE and 17.
func beforeDigits(key string) (word, rest string) {
	i := strings.IndexAny(key, decimals)
	if i < 0 {
		return key, ""
	}
	return key[:i], key[i:]
}

// look adds the places of a reading on the roads of a code with a key.
func (q *query) look(a *address.Address, s scope, key string, extra int) (err error) {
	if q.roads, err = q.data.Roads(q.ctx, s.Code, key, q.roads[:0]); err != nil {
		return err
	}
	n, isNumber := store.ParseHouseNumber(a.Number)
	for i := range q.roads {
		r := &q.roads[i]
		cost, ok := differ(a, &r.RoadName)
		elsewhere, retyped := s.cost >= costArea, r.Suffix != "" && otherSuffix(a, &r.RoadName)
		if cost += s.cost + extra; !ok || cost > costMost || elsewhere && retyped {
			// Two contradictions: another street. Chestnut Road in 21220 was the answer to
			// Chestnut Avenue in 21211, 25 km away.
			continue
		}
		c := candidate{cost: cost, read: a, name: r.RoadName, area: r.Area}
		found := false
		switch {
		case a.Cross != "" && a.Number == "":
			if c.Place, found, err = q.crossing(a, r); err != nil {
				return err
			}
		case isNumber:
			c.Place, found = locate(r, n, q.opt.offset())
			if !found {
				c.Place, found = locateOther(r, n, q.opt.offset())
			}
		}
		if !found {
			if extra > costDoubt || retyped || elsewhere && isNumber {
				continue // an uncertain street without its number
			}
			if isNumber {
				c.Place, found = nearestNumber(r, n)
			}
			if !found {
				c.Place = middle(r)
			}
			c.cost += costNumber
		}
		q.least = min(q.least, c.cost)
		q.found = append(q.found, c)
	}
	return nil
}

// canadian gives the street of a reading the form of the dataset.
func canadian(a *address.Address) {
	if a.Kind == address.Street && a.Street != "" {
		n := store.CanadianRoadName(a.Line())
		a.PreDirectional, a.PreType, a.Street, a.Suffix, a.PostDirectional = n.PreDir, "", n.Name, n.Suffix, n.PostDir
	}
}

// streetOf returns the name of a street as its province writes it.
func streetOf(n *store.RoadName, a store.Code, state string) string {
	if _, ok := a.FSA(); ok {
		return n.French(state == "QC")
	}
	return n.String()
}

// set fills in the street and the city of a candidate.
func (c *candidate) set(e *Engine) *Place {
	e.setPlace(&c.Place, c.area)
	c.Street = streetOf(&c.name, c.area, c.State)
	c.setFormatted()
	return &c.Place
}

var nameCost = door.Take[func(a *address.Address, pre, suffix, post string) (int, bool)]()

// differ returns the cost of the directions and suffixes of a reading and a road.
// ok is false if the directions contradict each other.
func differ(a *address.Address, r *store.RoadName) (cost int, ok bool) {
	suffix := r.Suffix
	if a.Country == "CA" && store.SameKind(a.Suffix, suffix) {
		suffix = a.Suffix
	}
	cost, ok = nameCost(a, r.PreDir, suffix, r.PostDir)
	if otherSuffix(a, r) && r.Suffix != "" {
		cost += costSuffix
	}
	return cost, ok
}

// equals reports whether a candidate is as good as the best one. A known number is better
// than one between others, and one between near numbers better than between far ones,
// whose radius is more than three times as large.
func (c *candidate) equals(best *candidate) bool {
	const farther = 3
	return c.cost == best.cost && c.Precision == best.Precision && c.RadiusM <= farther*best.RadiusM
}

// choose sets the best place and returns it, or nil if there is none. If places at
// different positions are equally good, it lists them.
func (q *query) choose(r *Result) *candidate {
	const apart, most = 300, 5 // meters, candidates
	slices.SortStableFunc(q.found, func(x, y candidate) int {
		return cmp.Or(x.cost-y.cost, x.Precision.rank()-y.Precision.rank(), x.RadiusM-y.RadiusM)
	})
	if len(q.found) > 0 {
		best := &q.found[0]
		equal := []*candidate{best}
		for i := range q.found[1:] {
			c := &q.found[i+1]
			if c.equals(best) && geo.Distance(c.Location, best.Location) > apart && len(equal) <= most &&
				!slices.ContainsFunc(equal[1:], func(x *candidate) bool { return x.name == c.name && x.area == c.area }) {
				equal = append(equal, c)
			}
		}
		if len(equal) == 1 {
			r.Place = *best.set(q.Engine)
			return best
		}
		for _, c := range equal {
			r.Candidates = append(r.Candidates, *c.set(q.Engine))
		}
	}
	return nil
}
