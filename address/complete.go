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
	words := strings.Fields(strings.ReplaceAll(clean, ",", " "))
	for i, w := range words {
		words[i] = strings.Trim(w, ".-#")
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	q.open = !closed
	if len(words) > 0 && (isDigit(words[0][0]) && !pub28.IsOrdinal(words[0]) || len(words) > 1 && classify(words[0])&isGrid != 0) {
		q.number, words = words[0], words[1:]
		if len(words) > 0 && classify(words[0])&isFraction != 0 {
			q.number, words = q.number+" "+words[0], words[1:]
		}
		if n, ok := number(q.number); ok {
			q.value = uint32(n)
		}
	}
	q.words = words
}

// scope returns the ZIP Codes to look through.
func (e *Engine) scope(ctx context.Context, q *query) ([]dataset.ZIP, error) {
	r := e.ref
	for i, w := range q.words {
		if z, ok := dataset.ParseZIP(strings.SplitN(w, "-", 2)[0]); ok && i > 0 && r.HasStreetsIn(z) {
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

// street reports whether the words are a street of a ZIP Code and its last line, or
// begin them. The direction before the name, the suffix and the direction behind it
// may be left out.
func (q *query) street(at *zipStreets, s *indexedStreet) (skipped int, ok bool) {
	if len(q.words) == 0 {
		return 0, true
	}
	if s.pre != nil && q.is(0, s.pre) && q.named(at, s, 1) {
		return 0, true
	}
	if !q.named(at, s, 0) {
		return 0, false
	}
	if s.pre != nil {
		return 1, true
	}
	return 0, true
}

// named reports whether the words from i on are a street's name and what follows.
func (q *query) named(at *zipStreets, s *indexedStreet, i int) bool {
	for _, w := range s.name {
		if i == len(q.words) {
			return true
		}
		if !q.is(i, w) {
			return false
		}
		i++
	}
	ends := [4]int{i, i, i, i} // without suffix and direction, with either, with both
	if s.suffix != nil && q.is(i, s.suffix) {
		ends[1], ends[3] = i+1, i+1
	}
	if s.post != nil {
		if q.is(i, s.post) {
			ends[2] = i + 1
		}
		if q.is(ends[1], s.post) {
			ends[3] = ends[1] + 1
		}
	}
	for k := len(ends) - 1; k >= 0; k-- {
		if q.placed(at, q.unit(ends[k])) {
			return true
		}
	}
	return false
}

// unit returns the position after a unit.
func (q *query) unit(i int) int {
	if i >= len(q.words) {
		return i
	}
	if _, ranged, ok := pub28.Unit(q.words[i]); ok && ranged {
		return min(i+2, len(q.words))
	}
	if i+1 < len(q.words) && isDigit(q.words[i][0]) && len(q.words[i]) < 5 {
		return i + 1
	}
	return i
}

// placed reports whether the words from i on are the last line or begin it.
func (q *query) placed(at *zipStreets, i int) bool {
	if q.stated(at, i) {
		return true
	}
	for _, c := range at.cities {
		if end, ok := q.all(i, c); ok && q.stated(at, end) {
			return true
		}
	}
	return false
}

func (q *query) stated(at *zipStreets, i int) bool {
	if q.zipped(at, i) {
		return true
	}
	for _, s := range at.states {
		if end, ok := q.all(i, s); ok && q.zipped(at, end) {
			return true
		}
	}
	return false
}

func (q *query) zipped(at *zipStreets, i int) bool {
	switch {
	case i >= len(q.words):
		return true
	case i < len(q.words)-1:
		return false
	default:
		zip, _, _ := strings.Cut(q.words[i], "-")
		return zip == at.code || q.open && zip == q.words[i] && strings.HasPrefix(at.code, zip)
	}
}

// all reports whether the words from i on are the given ones or begin them. end is the
// position after them.
func (q *query) all(i int, words []string) (end int, ok bool) {
	for k := range words {
		if i == len(q.words) {
			return i, k > 0
		}
		if !q.is(i, words[k:k+1]) {
			return i, false
		}
		i++
	}
	return i, true
}

// is reports whether word i is one of the spellings, or begins one as the last word.
func (q *query) is(i int, w typedWord) bool {
	if i >= len(q.words) {
		return false
	}
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
