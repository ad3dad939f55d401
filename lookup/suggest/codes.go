package suggest

import (
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// A code is the ZIP, FSA or postal code in a query, or the beginning of one. Codes are
// numbers in the order of their texts, so that those with a beginning are a range: 902 is
// 90200 to 90299.
type code struct {
	size   int    // characters; 0 for none
	zip    bool   // digits only
	lo, hi uint32 // the ZIPs or postal codes that begin with the text
	whole  bool   // the code is the whole query, not one of its words
}

const (
	zipDigits    = 5
	fsaLetters   = 3
	postalLength = 6
)

// complete returns the type of a complete code, or 0.
func (c *code) complete() kind {
	switch {
	case c.zip && c.size == zipDigits:
		return kindZIP
	case !c.zip && c.size == fsaLetters:
		return kindFSA
	case c.size == postalLength:
		return kindPostal
	default:
		return 0
	}
}

// longer returns the type of the codes that continue the text, or 0.
func (c *code) longer() kind {
	switch {
	case c.size == 0, c.zip && c.size == zipDigits, c.size == postalLength:
		return 0
	case c.zip:
		return kindZIP
	case c.size < fsaLetters:
		return kindFSA
	default:
		return kindPostal
	}
}

// within returns the codes of a type that begin with the text.
func (c *code) within(t kind) (lo, hi uint32) {
	if t == kindFSA {
		return c.lo / postcode.NumLDUs, c.hi / postcode.NumLDUs
	}
	return c.lo, c.hi
}

// readCode finds a code in the words and removes it from the name. The code is the
// first or last word, or the whole query, after a word such as "zip". Next to a name it has to
// be complete, since a short number may belong to the name; unfinishedCode tries others if
// nothing matches.
func (s *search) readCode() {
	w := &s.words
	if w.n == 0 {
		return
	}
	from := codeWords(w)
	if from < w.n && s.wholeCode(w.from(from, w.n)) {
		if from > 0 {
			s.cut(w.n, w.n) // "zip 90210" is not a name
		}
		return
	}
	for _, at := range [...]int{w.n - 1, 0} {
		pair := max(at-1, 0)
		if w.n >= 3 && s.codeInWords(pair, pair+2) || s.codeInWords(at, at+1) {
			return
		}
	}
}

// codeWords returns the number of leading words that announce a code.
func codeWords(w *words) int {
	switch string(w.word(0)) {
	case "zip", "zipcode", "postcode", "postal", "fsa", "code":
	default:
		return 0
	}
	if w.n > 2 && string(w.word(1)) == "code" {
		return 2
	}
	return 1
}

func (s *search) wholeCode(text []byte) bool {
	c, ok := codeOf(text)
	if ok {
		c.whole = true
		s.code = c
	}
	return ok
}

// codeOf parses a code or its beginning: up to 9 digits of a ZIP+4, or letters
// and digits alternating. Spaces are ignored.
func codeOf(text []byte) (c code, ok bool) {
	const zip4Digits = 9
	base := func(i int) uint32 {
		if c.zip || i%2 == 1 {
			return 10
		}
		return 26
	}
	most, length := zip4Digits, zipDigits
	for _, b := range text {
		if b == ' ' {
			continue
		}
		if c.size == 0 {
			if c.zip = isDigit(b); !c.zip {
				most, length = postalLength, postalLength
			}
		}
		n := b - '0'
		if base(c.size) == 26 {
			n = b - 'a'
		}
		if c.size == most || uint32(n) >= base(c.size) {
			return code{}, false
		}
		if c.size++; c.size <= length {
			c.lo = c.lo*base(c.size-1) + uint32(n)
		}
	}
	ok, c.size = c.size > 0, min(c.size, length)
	c.hi = c.lo + 1
	for i := c.size; i < length; i++ {
		c.lo, c.hi = c.lo*base(i), c.hi*base(i)
	}
	return c, ok
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// codeInWords parses the words from i to j as a complete code next to a name.
func (s *search) codeInWords(i, j int) bool {
	w := &s.words
	if j-i == w.n {
		return false
	}
	text := w.from(i, j)
	full := len(text) == zipDigits && isDigit(text[0]) ||
		(len(text) == zipDigits+5 || j == w.n && len(text) < zipDigits+5) && j-i == 2 && len(w.word(i)) == zipDigits && isDigit(text[0]) ||
		len(text) == fsaLetters && !isDigit(text[0]) ||
		len(text) == postalLength+1 && j-i == 2 && len(w.word(i)) == fsaLetters ||
		len(text) == postalLength && j-i == 1 && !isDigit(text[0])
	if !full || !s.wholeCode(text) {
		return false
	}
	s.code.whole = false
	if i == 0 {
		s.cut(0, j)
	} else {
		s.cut(i, w.n)
	}
	s.finished = true // the name is followed by a code
	return true
}

// cut removes the words from i to j, which are the first or the last ones.
func (s *search) cut(i, j int) {
	w := &s.words
	switch i {
	case w.n:
		w.text = w.text[:0]
	case 0:
		w.text = append(w.text[:0], w.text[min(w.at[j], len(w.text)):]...)
		w.commas >>= j
	default:
		w.text = w.text[:w.at[i]-1]
	}
	w.split()
}

// exactCode adds the complete code of the query.
func (s *search) exactCode() {
	if t := s.code.complete(); t != 0 {
		n, _ := s.code.within(t)
		s.exact(t, n, wholeCode)
	}
}

// parentCode adds the FSA of a postal code, listed or not. An unfinished one that the
// dataset's postal codes continue shows these instead.
func (s *search) parentCode() {
	c := &s.code
	if c.zip || c.size <= fsaLetters {
		return
	}
	if c.complete() == kindPostal || s.e.d.CountPostalCodes(postcode.PostalCode(c.lo), postcode.PostalCode(c.hi)) == 0 {
		s.exact(kindFSA, c.lo/postcode.NumLDUs, parentFSA)
	}
}

// exact offers a code of the dataset outside of the ranges that [search.countCodes]
// counts.
func (s *search) exact(t kind, n uint32, m manner) {
	var state store.StateID
	var ok bool
	switch t { //nolint:exhaustive // the others are not codes
	case kindZIP:
		var row store.ZIPRow
		row, ok = s.e.d.ZIP(postcode.ZIP(n))
		state = row.State
	case kindFSA:
		var row store.FSARow
		row, ok = s.e.d.FSA(postcode.FSA(n))
		state = row.Province
	case kindPostal:
		var row store.PostalRow
		row, ok = s.e.d.PostalCode(postcode.PostalCode(n))
		state = row.Province
	}
	if ok && s.admits(t, state) {
		s.offerCode(t, n, 0, m)
		s.loose++
	}
}

func (s *search) admits(t kind, state store.StateID) bool {
	return s.include.has(t) && (s.where.empty() || s.where.has(state))
}

func (s *search) codesBegin() {
	t := s.code.longer()
	if t == 0 || !s.code.whole || s.finished || !s.include.has(t) {
		return
	}
	lo, hi := s.code.within(t)
	if t != kindPostal {
		s.takeCodes(s.e.codes(t), lo, hi)
		return
	}
	want := s.limit
	for row := range s.postalCodes(lo, hi) {
		if want == 0 {
			break
		}
		if s.admits(kindPostal, row.Province) {
			s.offerCode(kindPostal, uint32(row.Code), 0, codePrefix)
			want--
		}
	}
}

// postalCodes yields the postal codes of the dataset from lo up to hi.
func (s *search) postalCodes(lo, hi uint32) iter.Seq[store.PostalRow] {
	return func(yield func(store.PostalRow) bool) {
		for row := range s.e.d.PostalCodesFrom(postcode.PostalCode(lo)) {
			if uint32(row.Code) >= hi || !yield(row) {
				return
			}
		}
	}
}

// codeRank returns the rank of a code on the scale of names, but lower.
func codeRank(residents float64) int32 {
	const weight = 1.0 / 64
	return int32(math.Round(rankUnit * math.Log2(1+weight*residents)))
}

// A codeList holds the ZIPs or FSAs of a dataset with their ranks.
type codeList struct {
	typ   kind
	codes []uint32
	rank  []uint16
	cell  []uint16
	state []uint8
	at    func(code uint32) geo.LatLng
	top   rangeMax
}

func (l *codeList) add(code uint32, residents int32, at geo.LatLng, state store.StateID) {
	l.codes = append(l.codes, code)
	l.rank = append(l.rank, uint16(codeRank(float64(residents))))
	l.cell = append(l.cell, cellOf(at))
	l.state = append(l.state, uint8(state))
}

func newZIPList(d *store.Dataset) codeList {
	l := codeList{typ: kindZIP, at: func(code uint32) geo.LatLng { row, _ := d.ZIP(postcode.ZIP(code)); return row.Location }}
	for row := range d.ZIPs() {
		residents, _ := d.Population(store.CodeOfZIP(row.ZIP))
		l.add(uint32(row.ZIP), residents, row.Location, row.State)
	}
	l.top = newRangeMax(l.rank)
	return l
}

func newFSAList(d *store.Dataset) codeList {
	l := codeList{typ: kindFSA, at: func(code uint32) geo.LatLng { row, _ := d.FSA(postcode.FSA(code)); return row.Location }}
	for row := range d.FSAs() {
		residents, _ := d.Population(store.CodeOfFSA(row.FSA))
		l.add(uint32(row.FSA), residents, row.Location, row.Province)
	}
	l.top = newRangeMax(l.rank)
	return l
}

func (l *codeList) rows(lo, hi uint32) span {
	from, _ := slices.BinarySearch(l.codes, lo)
	to, _ := slices.BinarySearch(l.codes, hi)
	return span{from, to}
}

func (e *Engine) codes(t kind) *codeList {
	if t == kindZIP {
		return &e.zips
	}
	return &e.fsas
}

// takeCodes offers the best codes from lo up to hi.
func (s *search) takeCodes(l *codeList, lo, hi uint32) {
	in, m := l.rows(lo, hi), codePrefix
	if l.typ == kindZIP {
		m = zipPrefix
	}
	if in.size() == 0 {
		return
	}
	if s.where.empty() && !s.near.on {
		for at, rank := range s.ranked(&l.top, in) {
			if rank+m.gain < s.least() {
				return
			}
			s.offerCode(l.typ, l.codes[at], rank, m)
		}
		return
	}
	for i := in.lo; i < in.hi; i++ {
		rank, near := int32(l.rank[i]), s.near.most(l.cell[i], uint16(l.state[i]))
		if rank+m.gain+near < s.least() || !s.where.empty() && !s.where.has(store.StateID(l.state[i])) {
			continue
		}
		if near > 0 && s.near.state == 0 {
			near = s.near.at(l.at(l.codes[i]))
		}
		s.offerCode(l.typ, l.codes[i], rank+near, m)
	}
}

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
