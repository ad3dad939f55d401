package suggest

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/store"
)

// A search is the state of one query. Its slices are reused: the pool of the engine keeps
// searches, and begin resets what the last query left.
type search struct {
	e *Engine

	limit        int
	include      kinds
	where        stateSet // empty: anywhere
	finished     bool     // a space follows the last word
	inState      bool     // the query ends with a state between two commas
	longer       bool     // names begin with the whole query
	words        words
	readings     []reading
	mostReadings int
	guesses      []reading // exact names with the beginning of a state
	misread      []countedSpan
	beyond       bool   // matches do not all begin with the query
	district     string // name of a congressional district that is the query, or its beginning
	buf          []byte // text of the readings
	tmp          []byte
	code         code
	room         room
	near         near

	seen     []uint32 // by entity: the stamp of the last search that found it
	best     []int32  // by entity: its best score in that search
	stamp    uint32
	hits     []hit           // at the limit, and finally, best first
	others   []int           // offered entities outside of the spans of readings
	loose    int             // offered codes outside of the ranges of the query's code
	ofCity   map[uint32]bool // offered codes of a city, county or state; all of one type
	counties []uint64        // bits of the counties that the last words name
	keys     int             // in the spans of readings
	total    int
	cursor   []popped
	found    []typoSpan
}

func (s *search) begin(query string, opt Options) error {
	if strings.TrimSpace(query) == "" {
		return &envelope.Failure{Op: "suggest", Kind: envelope.KindInvalidParam, Reason: envelope.ReasonEmpty, Thing: envelope.ThingQuery, Param: "query"}
	}
	if len(query) > MaxQueryLength && utf8.RuneCountInString(query) > MaxQueryLength {
		return &envelope.Failure{Op: "suggest", Kind: envelope.KindInvalidParam, Reason: envelope.ReasonTooLong, Thing: envelope.ThingQuery, Param: "query", Input: query, Chars: MaxQueryLength}
	}
	s.limit = opt.Limit
	switch {
	case opt.Limit == 0:
		s.limit = DefaultLimit
	case opt.Limit < 1 || opt.Limit > MaxLimit:
		return invalid("limit", strconv.Itoa(opt.Limit), limitRange)
	}
	var err error
	if s.include, err = setOf(opt.Include); err != nil {
		return err
	}
	if err := s.setWhere(opt); err != nil {
		return err
	}
	s.words.fold(query)
	last := query[len(query)-1]
	s.finished = last == ' ' || last == ',' || last == '\t'
	s.buf, s.readings, s.hits, s.total = s.buf[:0], s.readings[:0], s.hits[:0], 0
	s.guesses, s.misread, s.beyond, s.others, s.loose = s.guesses[:0], s.misread[:0], false, s.others[:0], 0
	s.mostReadings, s.keys, s.district, s.inState, s.longer = maxReadings, 0, "", false, false
	s.code = code{}
	s.near = near{table: s.near.table, cells: s.near.cells[:0]}
	s.newStamp()
	if name, ok := s.e.districtShape(query); ok && (s.include == 0 || s.include.has(kindElectoral)) {
		s.district, s.include = name, kindsOf(kindElectoral)
		return nil
	}
	if len(s.words.text) > 0 {
		s.readCode()
		s.read()
		if last == ',' {
			s.onlyTyped()
		}
	}
	return nil
}

// begins reports whether names begin with the whole query.
func (s *search) begins() bool {
	for i := range s.readings {
		if r := &s.readings[i]; !r.context && (r.whole.size() > 0 || !r.finished && r.start.size() > 0) {
			return true
		}
	}
	return false
}

// newStamp resets the seen entities, in one step instead of clearing a number for each of
// the entities.
func (s *search) newStamp() {
	if s.stamp++; s.stamp == 0 { // after two billion searches
		clear(s.seen)
		s.stamp = 1
	}
}

// setWhere parses state and country.
func (s *search) setWhere(opt Options) error {
	s.where = stateSet{}
	country := store.Country(0)
	if opt.Country != "" {
		switch strings.ToUpper(strings.TrimSpace(opt.Country)) {
		case "US":
			country = store.US
		case "CA":
			country = store.CA
		default:
			return invalid("country", opt.Country, "US or CA")
		}
		s.where = s.e.country(country)
	}
	if opt.State == "" {
		return nil
	}
	id, ok := s.e.state(opt.State)
	if !ok {
		return invalid("state", opt.State, "the abbreviation of a US state or Canadian province")
	}
	var one stateSet
	one.add(id)
	if country != 0 && s.e.d.State(id).Country != country {
		s.where = nowhere
		return nil
	}
	s.where = one
	return nil
}

// nowhere is a nonempty set without a state of the dataset.
var nowhere = stateSet{1}

// state returns a state or province by its abbreviation. The abbreviations of the
// countries differ.
func (e *Engine) state(abbr string) (store.StateID, bool) {
	abbr = strings.ToUpper(strings.TrimSpace(abbr))
	if id, ok := e.d.StateByAbbr(store.US, abbr); ok {
		return id, true
	}
	return e.d.StateByAbbr(store.CA, abbr)
}

// run finds the hits. The order is by the gains of the manners: what matches well is taken
// first, so that the least score is high when long spans of weak matches come.
func (s *search) run() {
	for i := range s.readings {
		s.find(&s.readings[i])
	}
	s.longer = s.words.n > 1 && !s.inState && s.begins()
	for i := range s.guesses {
		s.find(&s.guesses[i])
	}
	if s.include>>kindElectoral&1 == 1 {
		s.electoral(s.district)
	}
	s.exactCode()
	s.parentCode()
	s.names(s.readings)
	for i := range s.guesses {
		s.take(s.e.starts, s.guesses[i].exact, &s.guesses[i], stateGuess)
	}
	s.codesBegin()
	if s.e.t.Len() > 0 && s.words.n > 0 {
		list := lastLines[:]
		if s.inState {
			list = list[:1]
		}
		for i := 0; i < len(list) && len(s.hits) == 0; i++ {
			s.beyond = true
			list[i](s)
		}
		s.misspelled()
	}
	if len(s.hits) < s.limit {
		s.sort()
	}
	s.count()
}

// find sets the spans of a reading. Exact and whole names are prefixes of the span of keys
// that begin with it, because the end of a key and the space sort before letters.
func (s *search) find(r *reading) {
	e := s.e
	r.states = s.within(r.states)
	if e.t.Len() == 0 || r.states == nowhere || len(r.key) == 0 {
		return
	}
	r.found = true
	s.filter(r)
	r.start = e.starts.prefix(r.key)
	r.exact = e.starts.upTo(r.start, len(r.key), endOfKey)
	r.whole = e.starts.upTo(r.start, len(r.key), ' ')
	r.inner = e.inner.prefix(r.key)
	r.innerWhole = e.inner.upTo(r.inner, len(r.key), ' ')
	s.keys += r.start.size() + r.inner.size()
	key := r.key
	if r.words > 1 {
		key = r.joined
	}
	if len(key) > 0 {
		r.join = e.joined.prefix(key)
		r.joinExact = e.joined.upTo(r.join, len(key), endOfKey)
		if r.words > 1 {
			r.one = e.starts.prefix(key)
			r.one = e.starts.names(e.starts.upTo(r.one, len(key), endOfKey))
		}
	}
}

// within returns the states that both a reading and the options allow.
func (s *search) within(states stateSet) stateSet {
	switch {
	case s.where.empty():
		return states
	case states.empty():
		return s.where
	}
	both := states.and(&s.where)
	if both.empty() {
		return nowhere
	}
	return both
}

// names offers the keys of readings from the best manner to the weakest. An entity with keys
// in several spans keeps its best score (offer).
func (s *search) names(list []reading) {
	e := s.e
	for i := range list {
		r := &list[i]
		if !r.found {
			continue
		}
		own := e.starts.names(r.exact)
		if r.ofState {
			s.takeInState(own, r)
		} else {
			s.take(e.starts, own, r, exactName)
		}
		s.take(e.starts, r.one, r, exactName)
		s.take(e.starts, span{own.hi, r.exact.hi}, r, exactAlias)
		s.take(e.joined, r.joinExact, r, exactJoined)
		begins, inner := r.exact.hi, innerWhole
		if r.finished || r.words > 1 {
			begins, inner = r.whole.hi, allWords
			s.take(e.starts, span{r.exact.hi, r.whole.hi}, r, allWords)
		}
		s.take(e.inner, r.innerWhole, r, inner)
		if r.finished && !r.context {
			continue
		}
		s.take(e.starts, span{begins, r.start.hi}, r, prefix)
		s.takeJoined(r)
		s.take(e.inner, span{r.innerWhole.hi, r.inner.hi}, r, innerPrefix)
	}
}

// takeInState offers the names that a reading is, before its state. Unless the query
// may be a longer name, those written in full precede all other names.
func (s *search) takeInState(own span, r *reading) {
	l := s.e.starts
	for i := own.lo; i < own.hi; i++ {
		m := exactName
		if (r.typed || !s.longer) && s.inFull(int(l.entity[i]), l.class[i], r.words) {
			m = exactInState
		}
		s.consider(l, i, r, r.adjust(m))
	}
}

// inFull reports whether so many words are the name of a place, or the name of another
// entity with its kind: "Jackson County". Names of census divisions have none.
func (s *search) inFull(entity int, class uint16, words int) bool {
	switch kind := store.EntityKind(class >> 8); {
	case kind == store.EntityPlace || kind == store.EntityCity:
		return true
	case kind == store.EntityState || s.e.d.State(store.StateID(class&0xff)).Country == store.CA:
		return false
	}
	s.tmp = namekey.Fold(s.tmp[:0], s.e.t.At(entity).Name)
	return bytes.Count(s.tmp, []byte(" ")) < words
}
