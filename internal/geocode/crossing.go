package geocode

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/pub28"
)

// crossing returns the common place of a road and the other street of an address in the
// area of the road.
func (q *query) crossing(a *address.Address, r *dataset.Road) (Place, bool, error) {
	if len(r.Segments) == 0 {
		return Place{}, false, nil
	}
	var err error
	if q.others, err = q.crossRoads(a, r.Area, q.others[:0]); err != nil {
		return Place{}, false, err
	}
	p, ok := crossingOf(r, q.others, a.State)
	return p, ok, nil
}

// crossRoads appends the roads of an area that may be the other street of a crossing.
func (q *query) crossRoads(a *address.Address, area dataset.RoadArea, into []dataset.Road) ([]dataset.Road, error) {
	if q.crossOf != a.Cross {
		q.cross, q.crossOf = nil, a.Cross
		if other, err := address.Parse("1 " + a.Cross + ", " + a.City + " " + a.State); err == nil {
			q.cross = other.Readings
			for i := range q.cross {
				if q.cross[i].Country = a.Country; a.Country == "CA" {
					canadian(&q.cross[i])
				}
			}
		}
	}
	for i := range q.cross {
		b := &q.cross[i]
		if b.Kind != address.Street || b.Street == "" {
			continue
		}
		from := len(into)
		var err error
		if into, err = q.data.Roads(q.ctx, area, pub28.Key(b.Name()), into); err != nil {
			return into, err
		}
		kept := slices.DeleteFunc(into[from:], func(r dataset.Road) bool {
			_, ok := differ(b, &r.RoadName)
			return !ok || len(r.Segments) == 0
		})
		into = into[:from+len(kept)]
	}
	return into, nil
}

// crossingOf returns the point at which a road meets one of others.
func crossingOf(r *dataset.Road, others []dataset.Road, state string) (Place, bool) {
	const near = 15.0 // meters
	for k := range others {
		if at, ok := meet(r, &others[k], near); ok {
			return Place{
				Precision: Intersection, Location: at, RadiusM: round(leastRadius), Cross: streetOf(&others[k].RoadName, others[k].Area, state),
				Record: recordOf(r.Segments[0].Origin, "segment"),
			}, true
		}
	}
	return Place{}, false
}

// borders looks for the crossing of streets of different areas: a street between two codes
// may have numbers of one side in each.
func (q *query) borders() error {
	a := &q.reads[0]
	if a.Cross == "" || a.Number != "" {
		return nil
	}
	var others []dataset.Road
	for _, s := range q.areas {
		var err error
		if others, err = q.crossRoads(a, s.RoadArea, others); err != nil {
			return err
		}
	}
	key := pub28.Key(a.Name())
	for _, s := range q.areas {
		roads, err := q.data.Roads(q.ctx, s.RoadArea, key, nil)
		if err != nil {
			return err
		}
		for i := range roads {
			if err := q.ctx.Err(); err != nil {
				return err
			}
			r := &roads[i]
			cost, ok := differ(a, &r.RoadName)
			if !ok || len(r.Segments) == 0 {
				continue
			}
			if p, ok := crossingOf(r, others, a.State); ok {
				q.found = append(q.found, candidate{Place: p, cost: cost + s.cost, name: r.RoadName, area: r.Area})
				q.least = min(q.least, cost+s.cost)
			}
		}
	}
	return nil
}

// meet returns the first end of a segment that lies on a segment of another road.
func meet(a, b *dataset.Road, near float64) (geo.LatLng, bool) {
	for _, x := range [...][2]*dataset.Road{{a, b}, {b, a}} {
		around := boundsOf(x[1])
		for i := range x[0].Segments {
			line := x[0].Segments[i].Line
			for _, end := range [...]geo.LatLng{line[0], line[len(line)-1]} {
				if !around.contains(end) {
					continue
				}
				for k := range x[1].Segments {
					if away, _, _ := project(x[1].Segments[k].Line, end); away < near {
						return end, true
					}
				}
			}
		}
	}
	return geo.LatLng{}, false
}

// A bounds is a box around the lines of a road, in degrees.
type bounds struct{ south, north, west, east float64 }

// boundsOf returns the box of a road, wider by more than the distance at which roads
// meet.
func boundsOf(r *dataset.Road) bounds {
	const margin = 0.002
	b := bounds{90, -90, 180, -180}
	for i := range r.Segments {
		for _, p := range r.Segments[i].Line {
			b.south, b.north = min(b.south, p.Lat()-margin), max(b.north, p.Lat()+margin)
			b.west, b.east = min(b.west, p.Lng()-margin), max(b.east, p.Lng()+margin)
		}
	}
	return b
}

func (b bounds) contains(p geo.LatLng) bool {
	return p.Lat() >= b.south && p.Lat() <= b.north && p.Lng() >= b.west && p.Lng() <= b.east
}

// crossingStarts are words before the streets of a crossing, in both languages.
var crossingStarts = []string{"corner of ", "corner ", "intersection of ", "intersection de ", "intersection ", "angle de ", "angle ", "coin de ", "coin "}

// corners are words before those of crossingStarts.
var corners = []string{"the ", "nw ", "ne ", "sw ", "se ", "northwest ", "northeast ", "southwest ", "southeast "}

// plainCrossing replaces the words for a crossing by &. Forms are corner of Oak St and Elm
// Ave, Oak St / Elm Ave, angle Peel et Sainte-Catherine.
func plainCrossing(text string) string {
	text = strings.TrimSpace(text)
	street, place, _ := strings.Cut(text, ",")
	rest := street
	for _, word := range corners {
		rest = cutPrefixFold(rest, word)
	}
	begun := false
	for _, word := range crossingStarts {
		if after := cutPrefixFold(rest, word); len(after) < len(rest) {
			street, begun = after, true
			break
		}
	}
	if !begun && isNumbered(street) {
		return text
	}
	if first, second, ok := cutJoin(street, begun); ok {
		street = first + " & " + second
	} else if !begun {
		return text
	}
	return street + "," + place
}

func cutPrefixFold(s, prefix string) string {
	if len(s) > len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):]
	}
	return s
}

// isNumbered reports whether a text begins with a house number: 12 Oak St, but not 12 St.
func isNumbered(text string) bool {
	first, rest, _ := strings.Cut(strings.ToUpper(text), " ")
	second, _, _ := strings.Cut(rest, " ")
	_, ordinal := pub28.Ordinal(first, second)
	return strings.ContainsAny(first, "0123456789") && (ordinal == 0 || strings.Trim(first, "0123456789") == "") && !pub28.SureSuffix(second)
}

// cutJoin divides a text at a slash between words or at a word for and. English AND is
// left to the parser unless the text is sure to be a crossing.
func cutJoin(text string, sure bool) (first, second string, ok bool) {
	for i := 1; i+1 < len(text); i++ {
		if text[i] != '/' {
			continue
		}
		before, after := strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])
		if i := strings.LastIndexByte(before, ' '); len(before)-i > 2 && len(after) > 1 && after[1] != ' ' { // not C/O or 1/2
			return before, after, true
		}
	}
	for k, word := range [...]string{" et ", " and ", " y "} {
		for i := 1; i+len(word) < len(text) && (sure || k == 0); i++ {
			if strings.EqualFold(text[i:i+len(word)], word) {
				return text[:i], text[i+len(word):], true
			}
		}
	}
	return "", "", false
}
