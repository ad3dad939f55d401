package suggest

import (
	"bytes"
	"iter"
	"math/bits"
	"sort"
	"strings"

	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/store"
)

// maxWords is the maximum number of words that are interpreted. Names have fewer.
const maxWords = 16

// words are the folded words of a query.
type words struct {
	text   []byte // as namekey.Fold leaves them
	at     [maxWords + 1]int
	n      int    // 0 if there are none or too many
	commas uint32 // bit i is set if a comma precedes the word i
}

// fold sets the words of a query and their commas.
func (w *words) fold(query string) {
	w.text, w.commas = namekey.Fold(w.text[:0], query), 0
	w.split()
	if w.n == 0 || strings.IndexByte(query, ',') < 0 {
		return
	}
	var buf [64]byte
	n := 0
	for part := range strings.SplitSeq(query, ",") {
		w.commas |= 1 << n
		if folded := namekey.Fold(buf[:0], part); len(folded) > 0 {
			n += 1 + bytes.Count(folded, []byte(" "))
		}
	}
}

func (w *words) comma(i int) bool { return i > 0 && w.commas>>i&1 == 1 }

func (w *words) split() {
	w.n = 0
	if len(w.text) == 0 {
		return
	}
	w.at[0], w.n = 0, 1
	for i, c := range w.text {
		if c != ' ' {
			continue
		}
		if w.n == maxWords {
			w.n = 0
			return
		}
		w.at[w.n] = i + 1
		w.n++
	}
	w.at[w.n] = len(w.text) + 1
}

func (w *words) word(i int) []byte { return w.text[w.at[i] : w.at[i+1]-1] }

func (w *words) from(i, j int) []byte {
	if i >= j {
		return nil
	}
	return w.text[w.at[i] : w.at[j]-1]
}

type stateSet [4]uint64

func (s *stateSet) add(id store.StateID) { s[id>>6] |= 1 << (id & 63) }
func (s *stateSet) addAll(o *stateSet) {
	for i := range s {
		s[i] |= o[i]
	}
}

func (s *stateSet) has(id store.StateID) bool { return s[id>>6]>>(id&63)&1 == 1 }
func (s *stateSet) empty() bool               { return *s == stateSet{} }

func (s *stateSet) only() (id store.StateID, ok bool) {
	const bitsOfWord = 64
	n := 0
	for i, w := range s {
		n += bits.OnesCount64(w)
		if w != 0 {
			id = store.StateID(i*bitsOfWord + bits.TrailingZeros64(w))
		}
	}
	return id, n == 1
}

// all yields the states, ascending.
func (s *stateSet) all() iter.Seq[store.StateID] {
	return func(yield func(store.StateID) bool) {
		for id := range 256 {
			if s.has(store.StateID(id)) && !yield(store.StateID(id)) {
				return
			}
		}
	}
}

func (s *stateSet) and(o *stateSet) stateSet {
	return stateSet{s[0] & o[0], s[1] & o[1], s[2] & o[2], s[3] & o[3]}
}

// A reading is an interpretation of a query: a name and its states. Words are ambiguous
// (Washington, La Canada, "co"), and the next letter may decide. All readings are looked up,
// and the scores choose among what they find.
type reading struct {
	key      []byte // canonical words of the name
	joined   []byte // the unchanged words as one; nil for a single word
	finished bool   // the last word is whole
	context  bool   // the states are from other words of the query
	ofState  bool   // they are one state, or those of one abbreviation
	typed    bool   // a comma precedes the state
	only     kinds  // types; empty: any
	words    int
	states   stateSet // empty: anywhere
	loss     int32    // of gain of names that are longer
	typos    Bucket   // OneTypo if the context has a typo; else 0

	filtered bool                   // only the classes in allow pass
	allow    [numEntityClasses]bool // a table, since each key of a span is looked up in it

	found             bool // the spans below are set
	start             span // of the names that begin with the key
	exact             span // equal to the key
	whole             span // equal to the key or with further words
	inner, innerWhole span // of the later words
	join, joinExact   span // of names as one word
	one               span // of names that are the words written as one
}

// maxReadings limits the readings of a query, and so the time of a long one. The likeliest
// come first.
const maxReadings = 8

// maxStateWords is the maximum number of words of a state or country.
const maxStateWords = 4

// read adds the readings of the query by their likelihood: a name, a name and a
// state, a name and a country.
func (s *search) read() {
	w := &s.words
	end := w.n
	country := s.trailingCountry(&end)
	lead, leadOnly := s.leadingWords(end)
	if w.n == 0 { // too many words for a name
		s.addReading(0, 0, stateSet{}, false)
		return
	}
	s.nameReadings(0, w.n, stateSet{}, false)
	if end < w.n {
		before := len(s.readings)
		s.nameReadings(0, end, country, true)
		for i := before; i < len(s.readings); i++ {
			s.readings[i].loss = countryLoss
		}
	}
	if last := string(w.word(end - 1)); end > 1 && (last == "state" || last == "province") {
		s.nameReadings(0, end-1, country, true)
		s.readings[len(s.readings)-1].only = kindsOf(kindState)
	}
	s.stateReadings(0, end, country)
	if lead > 0 {
		before := len(s.readings)
		s.nameReadings(lead, end, country, false)
		s.stateReadings(lead, end, country)
		for i := before; i < len(s.readings); i++ {
			s.readings[i].only = leadOnly
		}
	}
	s.guess(end)
}

// onlyTyped drops the readings without the state between the last two commas of a
// query: "Jackson, MO,".
func (s *search) onlyTyped() {
	n := 0
	for i := range s.readings {
		if s.readings[i].typed {
			s.readings[n] = s.readings[i]
			n++
		}
	}
	if s.inState = n > 0; s.inState {
		s.readings = s.readings[:n]
	}
}

// guess reads the last words as the beginning of a state's name, so that "dover d"
// also matches Dover in Delaware.
func (s *search) guess(end int) {
	w := &s.words
	if s.finished || w.n < 2 || end < w.n {
		return
	}
	for k := 1; k <= 2 && k < w.n; k++ {
		set := s.statesBeginning(w.n - k)
		if set.empty() {
			continue
		}
		before := len(s.readings)
		s.addReading(0, w.n-k, set, true)
		s.guesses = append(s.guesses, s.readings[before:]...)
		s.readings = s.readings[:before]
	}
}

// statesBeginning returns the states with a name that begins with the words from
// i.
func (s *search) statesBeginning(i int) (set stateSet) {
	w := &s.words
	s.tmp = s.tmp[:0]
	for k := i; k < w.n-1; k++ {
		s.tmp = append(namekey.AppendCanonical(s.tmp, w.word(k)), ' ')
	}
	s.tmp = append(s.tmp, w.word(w.n-1)...)
	list := s.e.stateList
	from := sort.Search(len(list), func(k int) bool { return list[k].key >= string(s.tmp) })
	for ; from < len(list) && strings.HasPrefix(list[from].key, string(s.tmp)); from++ {
		set.addAll(&list[from].set)
	}
	return set
}

func (s *search) stateReadings(from, end int, country stateSet) {
	w := &s.words
	for k := min(maxStateWords, end-from-1); k >= 1; k-- {
		set, ok := s.e.stateNames[string(s.canonical(end-k, end))]
		if !ok {
			set, ok = s.e.stateNames[string(w.from(end-k, end))]
		}
		if !ok {
			continue
		}
		if !country.empty() {
			set = set.and(&country)
		}
		if set.empty() {
			continue
		}
		before := len(s.readings)
		s.nameReadings(from, end-k, set, true)
		for i := before; i < len(s.readings); i++ {
			s.readings[i].ofState, s.readings[i].typed = true, w.comma(end-k)
		}
	}
}

// nameReadings adds readings of the words from i to j as a name. An unfinished last
// word is read unchanged and as an abbreviation.
func (s *search) nameReadings(i, j int, states stateSet, context bool) {
	if i >= j {
		return
	}
	s.addReading(i, j, states, context)
	last := s.words.word(j - 1)
	if !s.finished && !context && len(last) <= 5 {
		s.tmp = namekey.AppendCanonical(s.tmp[:0], last)
		if !bytes.HasPrefix(s.tmp, last) { // "n" is a prefix of "north"
			s.addWith(i, j, states, context, j-1, string(s.tmp))
		}
	}
	for k := i; k < j; k++ {
		if other, ok := otherMeanings[string(s.words.word(k))]; ok && (k > i || other != "county") && !s.words.comma(k) {
			s.addWith(i, j, states, context, k, other)
		}
	}
}

// otherMeanings are the second meanings of abbreviations.
var otherMeanings = map[string]string{"pt": "port", "co": "county", "mt": "mountain"}

// addReading adds a reading of the words from i to j. An unfinished last word is
// unchanged.
func (s *search) addReading(i, j int, states stateSet, context bool) {
	s.addWith(i, j, states, context, -1, "")
}

func (s *search) addWith(i, j int, states stateSet, context bool, replace int, word string) {
	if len(s.readings) == s.mostReadings {
		return
	}
	r := reading{finished: s.finished || context, context: context, words: j - i, states: states}
	start := len(s.buf)
	if s.words.n == 0 {
		s.buf = append(s.buf, s.words.text...)
		r.words = maxWords + 1
	}
	for k := i; k < j; k++ {
		if k > i {
			s.buf = append(s.buf, ' ')
		}
		switch {
		case k == replace:
			s.buf = append(s.buf, word...)
		case k == j-1 && !r.finished:
			s.buf = append(s.buf, s.words.word(k)...)
		default:
			s.buf = namekey.AppendCanonical(s.buf, s.words.word(k))
		}
	}
	r.key = s.buf[start:len(s.buf):len(s.buf)]
	for _, have := range s.readings {
		if bytes.Equal(have.key, r.key) && have.states == r.states {
			s.buf = s.buf[:start]
			return
		}
	}
	if r.words > 1 && r.words <= maxWords && s.words.commas>>(i+1)&(1<<(j-i-1)-1) == 0 {
		start = len(s.buf)
		for k := i; k < j; k++ {
			if k == replace {
				s.buf = append(s.buf, word...)
			} else {
				s.buf = append(s.buf, s.words.word(k)...)
			}
		}
		r.joined = s.buf[start:len(s.buf):len(s.buf)]
	}
	s.readings = append(s.readings, r)
}

// canonical returns the words from i to j with expanded abbreviations.
func (s *search) canonical(i, j int) []byte {
	s.tmp = s.tmp[:0]
	for k := i; k < j; k++ {
		if k > i {
			s.tmp = append(s.tmp, ' ')
		}
		s.tmp = namekey.AppendCanonical(s.tmp, s.words.word(k))
	}
	return s.tmp
}

// countryNames are names of countries after a city.
var countryNames = map[string]store.Country{
	"us": store.US, "usa": store.US, "u s": store.US, "u s a": store.US, "united states": store.US, "united states of america": store.US,
	"america": store.US, "canada": store.CA, "can": store.CA,
}

// trailingCountry removes the name of a country from the end and returns its
// states.
func (s *search) trailingCountry(end *int) stateSet {
	w := &s.words
	for k := min(maxStateWords, w.n-1); k >= 1; k-- {
		if c, ok := countryNames[string(w.from(w.n-k, w.n))]; ok {
			*end = w.n - k
			return s.e.country(c)
		}
	}
	return stateSet{}
}

// leadingWords returns the number of leading words such as "city of", and the
// types that they announce.
func (s *search) leadingWords(end int) (n int, only kinds) {
	w := &s.words
	if end < 3 {
		return 0, 0
	}
	switch string(w.word(0)) {
	case "county":
		only = kindsOf(kindCounty)
	case "state", "province", "commonwealth", "territory":
		only = kindsOf(kindState)
	default:
		if !namekey.IsMunicipality(w.word(0)) {
			return 0, 0
		}
		only = kindsOf(kindPlace, kindCity)
	}
	switch string(w.word(1)) {
	case "of", "de", "du":
		return 2, only
	default:
		return 0, 0
	}
}
