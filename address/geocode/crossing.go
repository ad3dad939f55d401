package geocode

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// crossing returns the common place of a road and the other street of an address in the
// area of the road, or in all areas if that is the pass.
func (q *query) crossing(a *address.Address, r *store.RoadRow) (Place, bool, error) {
	areas := q.areas
	if !q.wide {
		areas = []scope{{Code: r.Area}}
	}
	q.others = q.others[:0]
	for _, s := range areas {
		var err error
		if q.others, err = q.crossRoads(a, s.Code, q.others); err != nil {
			return Place{}, false, err
		}
	}
	p, ok := crossingOf(r, q.others, a.State)
	return p, ok, q.ctx.Err()
}

// borders looks for the crossing of streets of different areas: a street between two codes
// may have numbers of one side in each.
func (q *query) borders() error {
	if a := &q.reads[0]; a.Cross == "" || a.Number != "" {
		return nil
	}
	q.found, q.wide = q.found[:0], true
	return q.named()
}

// crossRoads appends the roads of an area that may be the other street of a crossing.
func (q *query) crossRoads(a *address.Address, area store.Code, into []store.RoadRow) ([]store.RoadRow, error) {
	if q.crossOf != a.Cross { // the readings of an address most often share the other street
		q.cross, q.crossOf = nil, a.Cross
		if other, err := address.Parse("1 " + a.Cross + ", " + a.City + " " + a.State); err == nil {
			q.cross = other
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
		kept := slices.DeleteFunc(into[from:], func(r store.RoadRow) bool {
			_, ok := differ(b, &r.RoadName)
			return !ok
		})
		into = into[:from+len(kept)]
	}
	return into, nil
}

// Crossings of roads without segments, in meters. The radius holds 90 % of the errors on
// the streets of a county with invented houses.
const (
	radiusOfCorner = 45.0  // of the place between houses, with
	radiusOfNext   = 0.5   // of their distance
	farthestNext   = 300.0 // houses whose line is a part of the street
)

// mostCompared is the most distances between houses of two streets that are compared. It
// bounds the time to a part of a second. Thousands of houses of two streets in one place took
// seconds.
const mostCompared = 2_000_000

// crossingOf returns the point at which a road meets one of others. Segments end at
// crossings, so that an end on the other road is exact. Roads of points alone are lines
// through their houses, and meet where these lines are nearest to each other.
func crossingOf(r *store.RoadRow, others []store.RoadRow, state string) (p Place, ok bool) {
	p = Place{Precision: Intersection, RadiusM: round(leastRadius)}
	if r.Segments.Len() > 0 {
		p.Record = recordOf(r.Segments.At(0).Origin, "segment")
	} else {
		p.Record = recordOf(r.Points.At(0).Origin, "points")
	}
	for k := range others {
		o := &others[k]
		if o.RoadName == r.RoadName {
			continue
		}
		if r.Segments.Len() > 0 && o.Segments.Len() > 0 {
			p.Location, ok = meet(r, o)
		} else {
			var apart float64
			p.Location, apart, ok = closest(linesOf(r), linesOf(o))
			p.RadiusM = round(radiusOfCorner + radiusOfNext*apart)
		}
		if ok {
			p.Cross = streetOf(&o.RoadName, o.Area, state)
			return p, true
		}
	}
	return Place{}, false
}

// linesOf returns the lines of the segments of a road, else those between its next points.
func linesOf(r *store.RoadRow) (list [][]geo.LatLng) {
	if r.Segments.Len() > 0 {
		for _, x := range r.Segments.Append(nil) {
			list = append(list, x.Line)
		}
		return list
	}
	points := r.Points.Append(nil)
	for i := range points {
		at, last := points[i].Location, points[max(i-1, 0)].Location
		if span(planeAt(at), last, at) > farthestNext {
			last = at
		}
		list = append(list, []geo.LatLng{last, at})
	}
	return list
}

// closest returns the place on lines that is nearest to others, and the longer
// line's length. ok is false if none is near. Of very many houses in one place it
// compares the first ones.
func closest(lines, others [][]geo.LatLng) (at geo.LatLng, longer float64, ok bool) {
	const near, step, box = 30.0, 10.0, 0.006 // meters, meters, degrees
	around, least, left := boundsOf(others), near, mostCompared
	for _, line := range lines {
		_, length := along(line, 0, 0)
		steps := max(math.Ceil(length/step), 1)
		for k := range int(steps) + 1 {
			p, _ := along(line, float64(k)/steps, 0)
			if !around.contains(p) {
				continue
			}
			for _, other := range others {
				if len(other) == 2 && math.Abs(other[0].Lat()-p.Lat())+math.Abs(other[0].Lng()-p.Lng()) > box {
					continue
				}
				if left--; left < 0 {
					return at, longer, ok
				}
				if away, _, _ := project(other, p); away < least {
					_, width := along(other, 0, 0)
					at, least, longer, ok = p, away, max(length, width), true
				}
			}
		}
	}
	return at, longer, ok
}

// meet returns the first end of a segment that lies on a segment of another road.
func meet(a, b *store.RoadRow) (geo.LatLng, bool) {
	const near = 15.0 // meters
	ours, theirs := linesOf(a), linesOf(b)
	for _, x := range [...][2][][]geo.LatLng{{ours, theirs}, {theirs, ours}} {
		around := boundsOf(x[1])
		for _, line := range x[0] {
			for _, end := range [...]geo.LatLng{line[0], line[len(line)-1]} {
				if !around.contains(end) {
					continue
				}
				for _, other := range x[1] {
					if away, _, _ := project(other, end); away < near {
						return end, true
					}
				}
			}
		}
	}
	return geo.LatLng{}, false
}

// A bounds is a box around lines, in degrees.
type bounds struct{ south, north, west, east float64 }

// boundsOf returns the box of lines, wider by more than the distance at which roads meet.
func boundsOf(lines [][]geo.LatLng) bounds {
	const margin = 0.002
	b := bounds{90, -90, 180, -180}
	for _, line := range lines {
		for _, p := range line {
			b.south, b.north = min(b.south, p.Lat()-margin), max(b.north, p.Lat()+margin)
			b.west, b.east = min(b.west, p.Lng()-margin), max(b.east, p.Lng()+margin)
		}
	}
	return b
}

func (b bounds) contains(p geo.LatLng) bool {
	return p.Lat() >= b.south && p.Lat() <= b.north && p.Lng() >= b.west && p.Lng() <= b.east
}

// crossingStart matches the words before the streets of a crossing, in both languages.
var crossingStart = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(the )?((nw|ne|sw|se|north(west|east)|south(west|east)) )?(corner|intersection|angle|coin)( of| de)? `)
})

// plainCrossing replaces the words for a crossing by &. Forms are corner of Oak St and Elm
// Ave, Oak St / Elm Ave, angle Peel et Sainte-Catherine.
func plainCrossing(text string) string {
	street, place, _ := strings.Cut(text, ",")
	if isNumbered(street) {
		return text
	}
	start := crossingStart().FindString(street)
	street = street[len(start):]
	if first, second, ok := cutJoin(street, start != ""); ok {
		street = first + " & " + second
	} else if start == "" || !strings.ContainsAny(street, "&@") && !strings.Contains(strings.ToUpper(street), " AT ") { // Corner Brook
		return text
	}
	return street + "," + place
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
