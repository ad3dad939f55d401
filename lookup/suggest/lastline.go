package suggest

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/namekey"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// lastLines are readings of a query as the last line of an address, or as a name
// and an area around it. Each is tried if the earlier ones match nothing. They are weaker
// than the readings of query.go, since their last words mean something else first: "ca" is
// California, and "queens" a name.
var lastLines = [...]func(*search){
	(*search).inCanada, (*search).inCounty, (*search).stateFirst, (*search).unfinishedState, (*search).unfinishedCountry, (*search).unfinishedCode,
}

// again offers the names of readings that add appends.
func (s *search) again(add func()) {
	before := len(s.readings)
	s.mostReadings = before + maxReadings
	add()
	for i := before; i < len(s.readings); i++ {
		s.find(&s.readings[i])
	}
	if s.names(s.readings[before:]); len(s.hits) == 0 {
		s.readings = s.readings[:before]
	}
}

// inCanada reads the last word "ca" as the country: "toronto, ca".
func (s *search) inCanada() {
	if n := s.words.n; n > 1 && string(s.words.word(n-1)) == "ca" {
		s.again(func() { s.nameReadings(0, n-1, s.e.country(store.CA), true) })
	}
}

// stateFirst reads the first words as a state: "puerto rico san juan".
func (s *search) stateFirst() {
	n := s.words.n
	s.again(func() {
		for k := min(maxStateWords, n-1); k >= 1; k-- {
			if set, ok := s.e.stateNames[string(s.canonical(0, k))]; ok {
				s.nameReadings(k, n, set, false)
			}
		}
	})
}

// unfinishedState reads the last words as the beginning of a state's name:
// "springf, ill".
func (s *search) unfinishedState() {
	n := s.words.n
	s.again(func() {
		for k := 1; k <= maxStateWords && k < n; k++ {
			if set := s.statesBeginning(n - k); !set.empty() {
				s.nameReadings(0, n-k, set, true)
			}
		}
	})
}

// inCounty reads the last words as a county or its beginning, before a state if
// there is one: "astoria, queens".
func (s *search) inCounty() {
	n := s.words.n
	s.countyOf(n, stateSet{})
	for k := min(maxStateWords, n-2); k >= 1 && len(s.hits) == 0; k-- {
		set, ok := s.e.stateNames[string(s.canonical(n-k, n))]
		if !ok && !s.finished {
			set = s.statesBeginning(n - k)
		}
		if !set.empty() {
			s.countyOf(n-k, set)
		}
	}
}

// mostScanned is the maximum number of keys of a name that are read for those in a county.
// It bounds the time: every place of a county is looked at by its ZIP Codes, too.
const mostScanned = 4096

// countyOf offers names in counties whose name ends before the word end.
func (s *search) countyOf(end int, states stateSet) {
	for j := end - 1; j >= 1 && len(s.hits) == 0; j-- {
		if !s.countiesBeginning(j, end) {
			continue
		}
		before := len(s.readings)
		s.mostReadings = before + maxReadings
		s.nameReadings(0, j, states, true)
		for i := before; i < len(s.readings); i++ {
			r := &s.readings[i]
			if s.find(r); !r.found {
				continue
			}
			for k := r.whole.lo; k < min(r.whole.hi, r.whole.lo+mostScanned); k++ {
				m := exactName
				if k >= r.exact.hi {
					m = allWords
				}
				if !s.passes(s.e.starts, k, r) {
					continue
				}
				if s.inCounties(int(s.e.starts.entity[k] &^ store.AliasKey)) {
					s.considerOther(s.e.starts, k, r, m)
				}
			}
		}
		s.readings = s.readings[:before]
	}
}

// inCounties reports whether an entity, or one of its ZIPs, is in the counties that
// countiesBeginning set.
func (s *search) inCounties(entity int) bool {
	e := s.e.t.At(entity)
	set := func(c store.CountyID) bool { return s.counties[c>>6]>>(c&63)&1 == 1 }
	return set(e.County) || slices.ContainsFunc(e.ZIPs, func(z postcode.ZIP) bool {
		row, _ := s.e.d.ZIP(z)
		return set(row.County)
	})
}

// countiesBeginning sets the counties with a name that begins with the words from i
// to j, and reports whether there are any. An unfinished last word is read unchanged
// and as an abbreviation.
func (s *search) countiesBeginning(i, j int) (found bool) {
	l := s.e.starts
	if s.counties == nil {
		s.counties = make([]uint64, 1<<16/64)
	}
	clear(s.counties)
	take := func(key []byte) {
		in := l.prefix(key)
		for k := in.lo; k < in.hi; k++ {
			if l.class[k]>>8 != uint16(store.EntityCounty) {
				continue
			}
			if c := s.e.t.At(int(l.entity[k] &^ store.AliasKey)).County; c != 0 { // 0 in Canada
				s.counties[c>>6] |= 1 << (c & 63)
				found = true
			}
		}
	}
	take(s.canonical(i, j))
	if !s.finished && j == s.words.n {
		s.canonical(i, j-1)
		if i < j-1 {
			s.tmp = append(s.tmp, ' ')
		}
		take(append(s.tmp, s.words.word(j-1)...))
	}
	return found
}

// unfinishedCode reads the last words as the beginning of a code after a city,
// county or state: "chicago, il 6". If no code matches, it offers the name.
func (s *search) unfinishedCode() {
	w := &s.words
	if w.n < 2 {
		return
	}
	from := w.n - 1
	if fsa := w.word(from - 1); w.n > 2 && len(fsa) == fsaLetters && isDigit(w.word(from)[0]) && !isDigit(fsa[0]) && isDigit(fsa[1]) {
		from--
	}
	c, ok := codeOf(w.from(from, w.n))
	if !ok {
		return
	}
	s.code = c
	s.cut(from, w.n)
	s.finished = true
	s.ofCity = map[uint32]bool{}
	before := len(s.readings)
	s.mostReadings = before + maxReadings
	s.read()
	for i := before; i < len(s.readings); i++ {
		s.find(&s.readings[i])
		s.codesOf(&s.readings[i], &c)
	}
	if len(s.hits) > 0 {
		s.readings = s.readings[:before] // the total counts codes only
		return
	}
	s.names(s.readings[before:])
}

// unfinishedCountry reads the last words as the beginning of a country's name and the
// others anew: "toronto, ontario, can".
func (s *search) unfinishedCountry() {
	n := s.words.n
	for k := 1; k < min(maxStateWords, n) && len(s.hits) == 0; k++ {
		if country, ok := countryBeginning(string(s.words.from(n-k, n))); ok {
			s.again(func() {
				s.nameReadings(0, n-k, s.e.country(country), true)
				s.stateReadings(0, n-k, s.e.country(country))
			})
		}
	}
}

// countryBeginning returns the country with a name that begins with the text. The
// names of no two countries begin alike.
func countryBeginning(text string) (c store.Country, ok bool) {
	for name, country := range countryNames {
		if strings.HasPrefix(name, text) {
			return country, true
		}
	}
	return 0, false
}

// codesOf offers the codes of the places with the name of a reading.
func (s *search) codesOf(r *reading, c *code) {
	in := r.exact
	if in.size() == 0 {
		in = r.start
	}
	for k := in.lo; k < min(in.hi, in.lo+manyKeys); k++ {
		if !s.passes(s.e.starts, k, r) {
			continue
		}
		e := s.e.t.At(int(s.e.starts.entity[k] &^ store.AliasKey))
		switch {
		case c.zip && s.include.has(kindZIP):
			s.zipsOf(e, c)
		case !c.zip && c.size > fsaLetters && s.include.has(kindPostal):
			for row := range s.postalCodes(c.lo, c.hi) {
				s.offerNew(kindPostal, uint32(row.Code), 0)
			}
		case !c.zip && c.size <= fsaLetters && s.include.has(kindFSA):
			s.fsasOf(e, c)
		}
	}
}

// zipsOf offers the ZIPs of a state, county or city that begin with a code.
func (s *search) zipsOf(e *store.Entity, c *code) {
	l := &s.e.zips
	in := l.rows(c.within(kindZIP))
	if e.Kind == store.EntityPlace || e.Kind == store.EntityCity {
		for _, z := range e.ZIPs {
			if i, ok := slices.BinarySearch(l.codes[in.lo:in.hi], uint32(z)); ok {
				s.offerNew(kindZIP, uint32(z), l.rank[in.lo+i])
			}
		}
		return
	}
	for i := in.lo; i < in.hi; i++ {
		if store.StateID(l.state[i]) != e.State {
			continue
		}
		row, _ := s.e.d.ZIP(postcode.ZIP(l.codes[i]))
		if e.Kind == store.EntityState || e.Kind == store.EntityCounty && row.County == e.County {
			s.offerNew(kindZIP, l.codes[i], l.rank[i])
		}
	}
}

// fsasOf offers the FSAs of a province or city that begin with a code.
func (s *search) fsasOf(e *store.Entity, c *code) {
	l := &s.e.fsas
	in := l.rows(c.within(kindFSA))
	for i := in.lo; i < in.hi; i++ {
		row, _ := s.e.d.FSA(postcode.FSA(l.codes[i]))
		if row.Province == e.State && (e.Kind == store.EntityState || namekey.Of(row.City) == namekey.Of(e.Name)) {
			s.offerNew(kindFSA, l.codes[i], l.rank[i])
		}
	}
}

// offerNew offers a code of a city once.
func (s *search) offerNew(t kind, n uint32, rank uint16) {
	if !s.ofCity[n] {
		s.ofCity[n] = true
		s.offerCode(t, n, int32(rank), codeOfCity)
		s.loose++
	}
}
