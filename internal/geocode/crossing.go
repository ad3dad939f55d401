package geocode

import (
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/pub28"
)

// crossing returns the common place of a road and the other street of an address.
func (q *query) crossing(a *address.Address, r *dataset.Road) (Place, bool, error) {
	if len(r.Segments) == 0 {
		return Place{}, false, nil
	}
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
	const near = 15.0 // meters
	for i := range q.cross {
		b := &q.cross[i]
		if b.Kind != address.Street || b.Street == "" {
			continue
		}
		roads, err := q.data.Roads(q.ctx, r.Area, pub28.Key(b.Name()), q.others[:0])
		if err != nil {
			return Place{}, false, err
		}
		q.others = roads
		for k := range roads {
			if _, ok := differ(b, &roads[k].RoadName); !ok {
				continue
			}
			if at, ok := meet(r, &roads[k], near); ok {
				return Place{
					Precision: Intersection, Location: at, RadiusM: round(leastRadius), Cross: streetOf(&roads[k].RoadName, r.Area, a.State),
					Record: recordOf(r.Segments[0].Origin, "segment"),
				}, true, nil
			}
		}
	}
	return Place{}, false, nil
}

// meet returns the first end of a segment that lies on a segment of another road.
func meet(a, b *dataset.Road, near float64) (geo.LatLng, bool) {
	for _, x := range [...][2]*dataset.Road{{a, b}, {b, a}} {
		for i := range x[0].Segments {
			line := x[0].Segments[i].Line
			for _, end := range [...]geo.LatLng{line[0], line[len(line)-1]} {
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
