package address

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// MaxSuggestions is the maximum number of completions of one text.
const MaxSuggestions = 50

// The limits of completions. They bound a keystroke: the streets of a ZIP Code are read
// and indexed by the first query there, and stay for those that follow. A query compares
// its words with every street of up to maxScope ZIP Codes.
const (
	maxScope     = 64  // ZIP Codes to look through
	maxCompleted = 200 // streets to rank
	maxIndexed   = 256 // ZIP Codes whose streets stay in memory
)

// Suggest returns up to limit street addresses that complete a partly typed one:
// number, street, city, state, ZIP Code. The last word is a prefix unless a space or
// comma follows. Streets near a point precede others if it is valid; a dataset of many
// ZIP Codes with streets is searched around it only. A text that completes no street is
// matched as [Engine.Match] does.
//
// The state limits them to one, by its abbreviation; "" is all states. If it has no records
// to complete, the error matches [envelope.ErrUnavailable].
func (e *Engine) Suggest(ctx context.Context, text string, limit int, near geo.LatLng, state string) ([]suggest.Match, error) {
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
	if state != "" && !e.ref.covered[state] {
		return nil, noRecords(text, e.ref.lackingRanges(state))
	}
	q := query{near: near, state: state, open: !strings.HasSuffix(text, " ") && !strings.HasSuffix(text, ",")}
	q.read(clean)
	zips, err := e.scope(ctx, &q)
	if err != nil {
		return nil, err
	}
	for _, z := range zips {
		at, err := e.index.Get(ctx, z, func() (*zipStreets, int64, error) {
			at, err := newZIPStreets(ctx, e.ref, z)
			return at, 1, err
		})
		if err != nil {
			return nil, err
		}
		q.complete(at)
	}
	if len(q.found) == 0 {
		list, err := e.matched(ctx, text)
		list = slices.DeleteFunc(list, func(m suggest.Match) bool { return state != "" && m.State != state })
		if err == nil && len(list) == 0 && e.ref.pointsOnlyIn(state) > 0 {
			return nil, noRecords(text, e.ref.lackingRanges(state))
		}
		return list, err
	}
	slices.SortStableFunc(q.found, completion.compare)
	list := make([]suggest.Match, max(0, min(limit, len(q.found))))
	for i := range list {
		c := &q.found[i]
		list[i] = completed(c.number+" "+c.street.of.line(), c.at.city, c.at.state, c.at.zip, c.point)
		if !c.point.IsValid() {
			row, _ := e.ref.ZIP(c.at.zip)
			list[i].Location = row.Location
		}
	}
	return list, nil
}

// matched returns the match of a text, for forms that no prefix completes.
func (e *Engine) matched(ctx context.Context, text string) ([]suggest.Match, error) {
	m, err := e.Match(ctx, text, Options{})
	if err != nil {
		if Unmatched(err) || errors.Is(err, envelope.ErrUnavailable) || errors.Is(err, envelope.ErrInvalidCode) {
			err = nil
		}
		return nil, err
	}
	c := &m.Data.Components
	zip, _ := postcode.ParseZIP(c.ZIP)
	street := joinWords(c.PreDirectional, c.StreetPreType, c.Street, c.Suffix, c.PostDirectional)
	return []suggest.Match{completed(c.Number+" "+street, c.City, c.State, zip, m.Data.point)}, nil
}

func completed(line, city, state string, zip postcode.ZIP, at geo.LatLng) suggest.Match {
	return suggest.Match{
		Type: suggest.StreetAddress, Name: strings.TrimSpace(line), City: city, State: state, Country: "US", Location: at, AssociatedZIPs: []string{zip.String()},
	}
}

// A query is a partly typed address. It is not parsed: the rules need a whole address, while
// here any prefix has to work. The order of the parts is fixed instead (number, street, last
// line), and the words are compared with the parts of each street of the ZIP Codes in reach.
// The last word may be unfinished.
type query struct {
	number string // house number
	value  store.HouseNumber
	words  []string
	open   bool // the last word is a prefix
	near   geo.LatLng
	state  string // of the addresses, "" for all
	found  []completion
}

// read divides the text into the house number and words.
func (q *query) read(clean string) {
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
		q.value, _ = store.ParseHouseNumber(q.number)
	}
}

// scope returns the ZIP Codes to look through: the typed one, or all if they are few. Of
// many, it takes those nearest to the point, else those of a typed city, else those that
// may have a typed street by the filters that the dataset keeps of each ZIP Code's streets.
// Without any of these, the first ones stand for all.
func (e *Engine) scope(ctx context.Context, q *query) ([]postcode.ZIP, error) {
	r := e.ref
	for i, w := range q.words {
		if z, ok := postcode.ParseZIP(w); ok && i > 0 && r.HasStreetsIn(z) && (q.state == "" || r.stateOf(z) == q.state) {
			return []postcode.ZIP{z}, nil
		}
	}
	zips := r.withStreets
	if q.state != "" {
		zips = slices.DeleteFunc(slices.Clone(zips), func(z postcode.ZIP) bool { return r.stateOf(z) != q.state })
	}
	switch {
	case len(zips) <= maxScope:
		return zips, nil
	case q.near.IsValid():
		away := make(map[postcode.ZIP]float64, len(zips))
		for _, z := range zips {
			row, _ := r.ZIP(z)
			away[z] = squareTo(q.near, row.Location)
		}
		zips = slices.Clone(zips)
		slices.SortStableFunc(zips, func(a, b postcode.ZIP) int { return cmp.Compare(away[a], away[b]) })
		return zips[:maxScope], nil
	}
	// The name of a city: the longest name of the leftmost word wins. The first word is the
	// street's.
	for i := 1; i < len(q.words); i++ {
		for k := len(q.words); k > i; k-- {
			if list := r.streetsOfCity(strings.Join(q.words[i:k], " "), cmp.Or(q.state, stateAhead(q.words[k:]))); len(list) > 0 {
				return list, nil
			}
		}
	}
	for k := len(q.words); k > 0; k-- { // the name of a street
		var list []postcode.ZIP
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

// stateAhead returns the state that words begin with, "" for none.
func stateAhead(words []string) string {
	for n := min(len(words), maxStateWords); n > 0; n-- {
		if state := pub28.State(strings.Join(words[:n], " ")); state != "" {
			return state
		}
	}
	return ""
}

// streetsOfCity returns up to maxScope ZIP Codes with streets of the cities with a name in a
// state, or in all states without one.
func (r *reference) streetsOfCity(name, in string) (list []postcode.ZIP) {
	key := pub28.Key(name)
	for _, state := range slices.Sorted(maps.Keys(r.covered)) {
		if in != "" && in != state {
			continue
		}
		for _, z := range r.towns[state][key] {
			if len(list) < maxScope && r.HasStreetsIn(z) {
				list = append(list, z)
			}
		}
	}
	return list
}

// pointsOnlyIn returns the number of ZIP Codes of a state, or of all, that have address points
// without records to complete.
func (r *reference) pointsOnlyIn(state string) (n int) {
	for s, zips := range r.pointsOnly {
		if state == "" || s == state {
			n += zips
		}
	}
	return n
}

// lackingRanges names the records to complete that a state lacks, or all without one.
func (r *reference) lackingRanges(state string) string {
	n, of, plural := r.pointsOnlyIn(state), "", "s"
	if state != "" {
		of = " of " + state
	}
	if n == 1 {
		plural = ""
	}
	switch {
	case n == 0:
		return "address records" + of
	case state != "" && !r.covered[state]:
		return "ranges of streets" + of + ", where it has only address points"
	default:
		return fmt.Sprintf("ranges of streets of %d ZIP Code%s%s with only address points", n, plural, of)
	}
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

// A completion is a street that completes a query.
type completion struct {
	at      *zipStreets
	street  *indexedStreet
	number  string
	point   geo.LatLng
	skipped bool    // the direction before the name is left out
	away    float64 // from the place, as a square
}

// compare orders completions: those without skipped directions, the nearest, the
// longest streets.
func (c completion) compare(d completion) int {
	return cmp.Or(choose(c.skipped, d.skipped), cmp.Compare(c.away, d.away), cmp.Compare(len(d.street.ranges), len(c.street.ranges)),
		cmp.Compare(c.street.of.name, d.street.of.name), cmp.Compare(c.at.zip, d.at.zip))
}

// complete adds the streets of a ZIP Code that the words are, with the last line, or
// begin. The direction before the name, the suffix and the direction behind it may be
// left out.
func (q *query) complete(at *zipStreets) {
	for i := range at.streets {
		if len(q.found) == maxCompleted {
			return
		}
		s := &at.streets[i]
		c := completion{at: at, street: s}
		switch {
		case len(q.words) == 0, s.pre != nil && q.is(0, s.pre) && q.follow(1, s.line, at.last):
		case q.is(0, s.line[0].forms[0][0]) && q.follow(0, s.line, at.last):
			c.skipped = s.pre != nil
		default:
			continue
		}
		var ok bool
		if c.number, c.point, ok = q.house(s); ok {
			c.away = squareTo(q.near, c.point)
			q.found = append(q.found, c)
		}
	}
}

// house returns the house number and its point. Digits alone are the beginning of a
// number, too.
func (q *query) house(s *indexedStreet) (number string, point geo.LatLng, ok bool) {
	if q.number == "" {
		return "", s.ranges[0].point, true
	}
	for i := range s.ranges {
		if x := &s.ranges[i]; x.Has(q.value) {
			return q.number, x.point, true
		}
	}
	for i := range s.ranges {
		if len(q.words) > 0 || !q.open || q.value.Prefix+q.value.Suffix != "" || q.value.Value == 0 {
			break
		}
		if n := s.ranges[i].first(q.value); n > 0 {
			return strconv.Itoa(int(n)), s.ranges[i].point, true
		}
	}
	return "", point, false
}

// follow reports whether the words from i on are the parts of a line, perhaps a unit
// and the parts of the last line, or begin them.
func (q *query) follow(i int, line, last []part) bool {
	if i == len(q.words) {
		return true
	}
	if len(line) == 0 {
		return last != nil && q.follow(q.unit(i), last, nil)
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
