package address

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/pub28"
)

// The limits of completions.
const (
	DefaultSuggestions = 10
	MaxSuggestions     = 50

	maxScope     = 64  // ZIP Codes to look through
	maxCompleted = 200 // streets to rank
)

// A Suggestion is a street address that completes a text.
type Suggestion struct {
	Text     string     `json:"text"`              // on one line
	Number   string     `json:"number,omitzero"`   // house number; "" if none is typed
	Street   string     `json:"street"`            // with directions and suffix
	City     string     `json:"city"`              // preferred name
	State    string     `json:"state"`             // two letters
	ZIP      string     `json:"zip"`               // five digits
	Location geo.LatLng `json:"location,omitzero"` // of the range of numbers, or of the ZIP Code
}

// SuggestOptions configures [Engine.Suggest].
type SuggestOptions struct {
	// Limit is the maximum number of suggestions, 1 to [MaxSuggestions]. Zero means
	// [DefaultSuggestions].
	Limit int
	// Near ranks nearby streets first. The zero value disables it. A dataset of more
	// than 64 ZIP Codes with streets is searched around it only.
	Near geo.LatLng
}

// Suggest returns street addresses that complete a partly typed one: number, street,
// city, state, ZIP Code. The last word is a prefix unless a space or comma follows. A
// text that completes no street is matched as [Engine.Match] does.
func (e *Engine) Suggest(ctx context.Context, text string, opt SuggestOptions) ([]Suggestion, error) {
	if opt.Limit < 0 || opt.Limit > MaxSuggestions {
		return nil, &fault.Error{Op: "suggest", Kind: fault.InvalidParam, Param: "limit", Input: strconv.Itoa(opt.Limit), Range: "a whole number from 1 to 50"}
	}
	clean, err := cleaned(text)
	if err != nil {
		return nil, err
	}
	if err := e.ref.prepare(ctx); err != nil {
		return nil, err
	}
	if !e.ref.HasStreets() {
		return nil, noRecords(text, "address records")
	}
	q := query{near: opt.Near}
	q.read(clean, strings.HasSuffix(text, " ") || strings.HasSuffix(text, ","))
	zips, err := e.scope(ctx, &q)
	if err != nil {
		return nil, err
	}
	limit := cmp.Or(opt.Limit, DefaultSuggestions)
	for _, z := range zips {
		at, err := e.streetsOf(ctx, z)
		if err != nil {
			return nil, err
		}
		q.complete(at)
	}
	if len(q.found) == 0 {
		return e.matched(ctx, text)
	}
	slices.SortStableFunc(q.found, completion.compare)
	list := make([]Suggestion, 0, min(limit, len(q.found)))
	for i := range q.found[:min(limit, len(q.found))] {
		list = append(list, q.found[i].suggestion(e.ref))
	}
	return list, nil
}

// matched returns the match of a text, for forms that no prefix completes.
func (e *Engine) matched(ctx context.Context, text string) ([]Suggestion, error) {
	m, err := e.Match(ctx, text, Options{Include: Include{Coordinates: true}})
	if err != nil {
		if Unmatched(err) || errors.Is(err, fault.ErrUnavailable) || errors.Is(err, fault.ErrInvalidCode) {
			err = nil
		}
		return nil, err
	}
	c := &m.Data.Components
	street := joinWords(c.PreDirectional, c.StreetPreType, c.Street, c.Suffix, c.PostDirectional)
	s := Suggestion{Number: c.Number, Street: street, City: c.City, State: c.State, ZIP: c.ZIP, Location: m.Data.point}
	s.Text = s.line()
	return []Suggestion{s}, nil
}

func (s *Suggestion) line() string {
	return joinWords(s.Number, s.Street) + ", " + joinWords(s.City, s.State, s.ZIP)
}

// A query is a partly typed address.
type query struct {
	number string // house number
	value  uint32 // of its digits, or 0
	words  []string
	open   bool // the last word is a prefix
	near   geo.LatLng
	found  []completion
}

// A completion is a street that completes a query.
type completion struct {
	at      *zipStreets
	street  *indexedStreet
	number  string
	point   geo.LatLng
	skipped int     // directions that were left out
	away    float64 // from the place, as a square
}

// read divides the text into the house number and words.
func (q *query) read(clean string, closed bool) {
	q.open = !closed
	for _, w := range strings.Fields(strings.ReplaceAll(clean, ",", " ")) {
		if w = strings.Trim(w, ".-#"); w == "" {
			continue
		}
		if zip, _ := zipOf(strings.Split(w, "-")[0]); zip != "" && len(q.words) > 0 {
			w = zip
		}
		q.words = append(q.words, w)
	}
	if w := q.words; len(w) > 0 && (isDigit(w[0][0]) && !pub28.IsOrdinal(w[0]) || len(w) > 1 && classify(w[0])&isGrid != 0) {
		q.number, q.words = w[0], w[1:]
		if len(w) > 1 && classify(w[1])&isFraction != 0 {
			q.number, q.words = w[0]+" "+w[1], w[2:]
		}
		n, _ := number(q.number)
		q.value = uint32(n)
	}
}

// scope returns the ZIP Codes to look through.
func (e *Engine) scope(ctx context.Context, q *query) ([]dataset.ZIP, error) {
	r := e.ref
	for i, w := range q.words {
		if z, ok := dataset.ParseZIP(w); ok && i > 0 && r.HasStreetsIn(z) {
			return []dataset.ZIP{z}, nil
		}
	}
	zips := r.withStreets
	switch {
	case len(zips) <= maxScope:
		return zips, nil
	case q.near.IsValid():
		return r.nearest(q.near), nil
	}
	for i := 1; i < len(q.words); i++ { // the name of a city
		for k := len(q.words); k > i; k-- {
			key := pub28.Key(strings.Join(q.words[i:k], " "))
			for state := range r.covered {
				if list := r.towns[state][key]; len(list) > 0 {
					return list[:min(len(list), maxScope)], nil
				}
			}
		}
	}
	for k := len(q.words); k > 0; k-- { // the name of a street
		var list []dataset.ZIP
		key := pub28.Key(strings.Join(q.words[:k], " "))
		for _, z := range zips {
			if r.MayHaveStreet(z, key) && len(list) < maxScope {
				list = append(list, z)
			}
		}
		if len(list) > 0 {
			return list, ctx.Err()
		}
	}
	return zips[:maxScope], nil
}

// nearest returns the ZIP Codes with streets that are nearest to a point.
func (r *reference) nearest(p geo.LatLng) []dataset.ZIP {
	type spot struct {
		zip  dataset.ZIP
		away float64
	}
	list := make([]spot, 0, len(r.withStreets))
	for _, z := range r.withStreets {
		row, _ := r.ZIP(z)
		list = append(list, spot{z, squareTo(p, row.Location)})
	}
	slices.SortFunc(list, func(a, b spot) int { return cmp.Compare(a.away, b.away) })
	zips := make([]dataset.ZIP, 0, maxScope)
	for _, s := range list[:min(len(list), maxScope)] {
		zips = append(zips, s.zip)
	}
	return zips
}

// squareTo returns a measure of the distance between two points: the square of
// degrees on a plane around the first.
func squareTo(p, to geo.LatLng) float64 {
	if !p.IsValid() || !to.IsValid() {
		return math.MaxFloat64
	}
	dy, dx := to.Lat()-p.Lat(), math.Remainder(to.Lng()-p.Lng(), 360)*math.Cos(p.Lat()*math.Pi/180)
	return dx*dx + dy*dy
}

func (q *query) complete(at *zipStreets) {
	for i := range at.streets {
		if len(q.found) == maxCompleted {
			return
		}
		s := &at.streets[i]
		skipped, ok := q.street(at, s)
		if !ok {
			continue
		}
		c := completion{at: at, street: s, skipped: skipped}
		if c.number, c.point, ok = q.house(s); ok {
			c.away = squareTo(q.near, c.point)
			q.found = append(q.found, c)
		}
	}
}

func (q *query) house(s *indexedStreet) (number string, point geo.LatLng, ok bool) {
	if q.number == "" {
		return "", s.ranges[0].point, true
	}
	for i := range s.ranges {
		if x := &s.ranges[i]; x.holds(q.number, q.value) {
			return q.number, x.point, true
		}
	}
	if len(q.words) > 0 || !q.open || q.value == 0 {
		return "", point, false
	}
	for i := range s.ranges {
		if n := s.ranges[i].first(q.value); n > 0 {
			return strconv.Itoa(int(n)), s.ranges[i].point, true
		}
	}
	return "", point, false
}

// A part is a part of an address line that words may name.
type part struct {
	forms    [][]typedWord // the words of each form
	optional bool
}

// street reports whether the words are a street of a ZIP Code and its last line, or
// begin them. The direction before the name, the suffix and the direction behind it
// may be left out. skipped is 1 without a direction that the street has before it.
func (q *query) street(at *zipStreets, s *indexedStreet) (skipped int, ok bool) {
	if len(q.words) == 0 {
		return 0, true
	}
	first, named := s.pre != nil && q.is(0, s.pre), q.is(0, s.name[0])
	if !first && !named {
		return 0, false
	}
	name, suffix, post := [1][]typedWord{s.name}, [1][]typedWord{{s.suffix}}, [1][]typedWord{{s.post}}
	line := [...]part{{forms: name[:]}, {suffix[:], true}, {post[:], true}}
	switch {
	case first && q.follow(1, line[:], at.last):
		return 0, true
	case !named || !q.follow(0, line[:], at.last):
		return 0, false
	case s.pre != nil:
		return 1, true
	default:
		return 0, true
	}
}

// follow reports whether the words from i on are the parts of a line, perhaps a unit
// and the parts of the last line, or begin them.
func (q *query) follow(i int, line, last []part) bool {
	if i == len(q.words) {
		return true
	}
	if len(line) == 0 {
		if last == nil {
			return false
		}
		return q.follow(q.unit(i), last, nil)
	}
	for _, words := range line[0].forms {
		if end, ok := q.all(i, words); ok && q.follow(end, line[1:], last) {
			return true
		}
	}
	return line[0].optional && q.follow(i, line[1:], last)
}

// unit returns the position after a unit.
func (q *query) unit(i int) int {
	if _, ranged, ok := pub28.Unit(q.words[i]); ok && ranged {
		return min(i+2, len(q.words))
	}
	if i+1 < len(q.words) && isDigit(q.words[i][0]) && len(q.words[i]) < 5 {
		return i + 1
	}
	return i
}

// all reports whether the words from i on are the given ones or begin them. end is the
// position after them.
func (q *query) all(i int, words []typedWord) (end int, ok bool) {
	for _, w := range words {
		if i == len(q.words) {
			break
		}
		if !q.is(i, w) {
			return i, false
		}
		i++
	}
	return i, true
}

// is reports whether word i is one of the spellings, or begins one as the last word.
func (q *query) is(i int, w typedWord) bool {
	typed := q.words[i]
	prefix := q.open && i == len(q.words)-1
	for _, s := range w {
		if s == typed || prefix && strings.HasPrefix(s, typed) {
			return true
		}
	}
	return false
}

// compare orders completions: those without skipped directions, the nearest, the
// longest streets.
func (c completion) compare(d completion) int {
	return cmp.Or(cmp.Compare(c.skipped, d.skipped), cmp.Compare(c.away, d.away), cmp.Compare(len(d.street.ranges), len(c.street.ranges)),
		cmp.Compare(c.street.of.name, d.street.of.name), cmp.Compare(c.at.zip, d.at.zip))
}

func (c *completion) suggestion(r *reference) Suggestion {
	s := Suggestion{Number: c.number, Street: c.street.of.line(), City: c.at.city, State: c.at.state, ZIP: c.at.code, Location: c.point}
	if !s.Location.IsValid() {
		row, _ := r.ZIP(c.at.zip)
		s.Location = row.Location
	}
	s.Text = s.line()
	return s
}
