package suggest

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/namekey"
	"github.com/postgeo/postgeo/internal/fault"
)

// A search is the state of one query. Its slices are reused.
type search struct {
	e *Engine

	limit    int
	include  Types
	where    stateSet // empty: anywhere
	finished bool     // a space follows the last word
	comma    bool     // the query has a comma
	words    words
	readings []reading
	guesses  []reading // exact names with the beginning of a state
	misread  []countedSpan
	beyond   bool   // matches do not all begin with the query
	buf      []byte // text of the readings
	tmp      []byte
	code     code
	room     room
	near     near

	seen   []uint32 // by entity: the stamp of the last search that found it
	best   []int32  // by entity: its merit in that search
	stamp  uint32
	bucket []hit // of the current bucket
	hits   []hit
	cutOff []int // entities of a bucket beyond the limit
	total  int
	// codesCut is the number of codes of a bucket beyond the limit, except for
	// prefix matches.
	codesCut int
	cursor   []popped
	found    []typoSpan
}

// A hit is a match.
type hit struct {
	entity int // number of an entity; negative for codes
	code   uint32
	typ    Type // of codes
	score  int32
	near   int32 // part of score
	bucket Bucket
}

// begin checks the options and parses the query.
func (s *search) begin(query string, opt Options) error {
	if strings.TrimSpace(query) == "" {
		return &fault.Error{Op: "suggest", Kind: fault.InvalidParam, Reason: fault.Empty, Thing: fault.Query, Param: "query"}
	}
	if len(query) > MaxQueryLength && utf8.RuneCountInString(query) > MaxQueryLength {
		return &fault.Error{Op: "suggest", Kind: fault.InvalidParam, Reason: fault.TooLong, Thing: fault.Query, Param: "query", Input: query, Chars: MaxQueryLength}
	}
	s.limit, s.include = opt.Limit, opt.Include
	switch {
	case opt.Limit == 0:
		s.limit = DefaultLimit
	case opt.Limit < 1 || opt.Limit > MaxLimit:
		return invalid("Limit", strconv.Itoa(opt.Limit), limitRange)
	}
	if opt.Include&^allTypes != 0 {
		return invalid("Include", fmt.Sprintf("%#x", uint16(opt.Include)), expectedTypes())
	}
	if err := s.setWhere(opt); err != nil {
		return err
	}
	s.words.text = namekey.Fold(s.words.text[:0], query)
	s.words.split()
	last := query[len(query)-1]
	s.finished = last == ' ' || last == ',' || last == '\t'
	s.comma = strings.Contains(query, ",")
	s.buf, s.readings, s.hits, s.total = s.buf[:0], s.readings[:0], s.hits[:0], 0
	s.guesses, s.misread, s.beyond, s.cutOff, s.codesCut = s.guesses[:0], s.misread[:0], false, s.cutOff[:0], 0
	s.code = code{}
	s.near = near{table: s.near.table, cells: s.near.cells[:0]}
	s.newStamp()
	if len(s.words.text) > 0 {
		s.readCode()
		s.read()
	}
	return nil
}

// newStamp resets the seen entities.
func (s *search) newStamp() {
	if s.stamp++; s.stamp == 0 { // after two billion searches
		clear(s.seen)
		s.stamp = 1
	}
}

// setWhere parses state and country.
func (s *search) setWhere(opt Options) error {
	s.where = stateSet{}
	country := dataset.Country(0)
	if opt.Country != "" {
		switch strings.ToUpper(strings.TrimSpace(opt.Country)) {
		case "US":
			country = dataset.US
		case "CA":
			country = dataset.CA
		default:
			return invalid("Country", opt.Country, "US or CA")
		}
		s.where = s.e.country(country)
	}
	if opt.State == "" {
		return nil
	}
	id, ok := s.e.state(opt.State)
	if !ok {
		return invalid("State", opt.State, "the abbreviation of a US state or Canadian province")
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
func (e *Engine) state(abbr string) (dataset.StateID, bool) {
	abbr = strings.ToUpper(strings.TrimSpace(abbr))
	if id, ok := e.d.StateByAbbr(dataset.US, abbr); ok {
		return id, true
	}
	return e.d.StateByAbbr(dataset.CA, abbr)
}

// run fills the buckets in their order until there are enough matches.
func (s *search) run() {
	for i := range s.readings {
		s.find(&s.readings[i])
	}
	for i := range s.guesses {
		s.find(&s.guesses[i])
	}
	const begins = 5 // the first steps find what begins with the query
	for i, step := range [...]func(*search){
		(*search).exact, (*search).aliases, (*search).allWords, (*search).prefixes, (*search).innerWords,
		(*search).anyOrder, (*search).cityCodes, (*search).unfinishedState, (*search).misspelled,
	} {
		step(s)
		s.beyond = s.beyond || i >= begins && len(s.bucket) > 0
		s.flush()
		if len(s.hits) >= s.limit {
			if i == 0 { // the step of aliases is skipped
				s.parentCode()
				s.flush()
			}
			break
		}
	}
	s.count()
}

// find sets the spans of a reading.
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

// exact adds entities and codes that equal the query.
func (s *search) exact() {
	s.exactCode()
	s.exactNames()
}

// foundReadings iterates over the readings with spans.
func (s *search) foundReadings() iter.Seq2[int, *reading] {
	return func(yield func(int, *reading) bool) {
		for i := range s.readings {
			if r := &s.readings[i]; r.found && !yield(i, r) {
				return
			}
		}
	}
}

func (s *search) exactNames() {
	for _, r := range s.foundReadings() {
		s.take(s.e.starts, s.e.starts.names(r.exact), r, ExactName, 0)
		s.take(s.e.starts, r.one, r, ExactName, 0)
	}
}

// aliases adds entities with another name that equals the query.
func (s *search) aliases() {
	s.parentCode()
	s.aliasNames()
}

func (s *search) aliasNames() {
	for _, r := range s.foundReadings() {
		own := s.e.starts.names(r.exact)
		s.take(s.e.starts, span{own.hi, r.exact.hi}, r, ExactAlias, 0)
		s.take(s.e.joined, r.joinExact, r, ExactAlias, 0)
	}
}

// allWords adds names with all words of the query in their order. A single
// unfinished word belongs to [Prefix].
func (s *search) allWords() {
	for _, r := range s.foundReadings() {
		if !r.finished && r.words < 2 {
			continue
		}
		s.take(s.e.starts, span{r.exact.hi, r.whole.hi}, r, AllWords, 0)
		s.take(s.e.inner, r.innerWhole, r, AllWords, 0)
	}
}

// prefixes adds names and codes that begin with the query.
func (s *search) prefixes() {
	s.prefixNames()
	s.codePrefix()
}

func (s *search) prefixNames() {
	for _, r := range s.foundReadings() {
		if r.finished && !r.context {
			continue
		}
		lo := r.exact.hi
		if r.finished || r.words > 1 {
			lo = r.whole.hi
		}
		s.take(s.e.starts, span{lo, r.start.hi}, r, Prefix, 0)
	}
	for i := range s.guesses {
		s.take(s.e.starts, s.guesses[i].exact, &s.guesses[i], Prefix, 0)
	}
	for _, r := range s.foundReadings() {
		if !r.finished || r.context {
			s.takeJoined(r)
		}
	}
}

// innerWords adds names with a later word that begins with the query.
func (s *search) innerWords() {
	for _, r := range s.foundReadings() {
		if r.finished && !r.context {
			continue
		}
		lo := r.inner.lo
		if r.finished || r.words > 1 {
			lo = r.innerWhole.hi
		}
		s.take(s.e.inner, span{lo, r.inner.hi}, r, InnerWord, 0)
	}
}
