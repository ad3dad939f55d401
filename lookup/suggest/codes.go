package suggest

import (
	"bytes"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// A code is the ZIP, FSA or postal code in a query.
type code struct {
	zip    []byte // up to five digits
	postal []byte // up to six characters, letters and digits alternating
	whole  bool   // the code is the whole query, not one of its words
}

const (
	zipDigits    = 5
	fsaLetters   = 3
	postalLength = 6
)

// readCode finds a code in the words and removes it from the name. The code is the
// first or last word, or the whole query, after a word such as "zip".
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
	s.tmp = s.tmp[:0]
	for _, c := range text {
		if c != ' ' {
			s.tmp = append(s.tmp, c)
		}
	}
	c, ok := codeOf(s.tmp)
	if !ok {
		return false
	}
	start := len(s.buf)
	s.buf = append(s.buf, c.zip...)
	s.buf = append(s.buf, c.postal...)
	kept := s.buf[start:len(s.buf):len(s.buf)]
	if c.zip != nil {
		c.zip = kept
	} else {
		c.postal = kept
	}
	c.whole = true
	s.code = c
	return true
}

// codeOf parses a code or its beginning: up to 9 digits of a ZIP+4, or letters
// and digits alternating.
func codeOf(b []byte) (c code, ok bool) {
	const zip4Digits = 9
	if len(b) == 0 || len(b) > zip4Digits {
		return c, false
	}
	if isDigit(b[0]) {
		for _, d := range b {
			if !isDigit(d) {
				return c, false
			}
		}
		c.zip = b[:min(len(b), zipDigits)]
		return c, true
	}
	if len(b) > postalLength {
		return c, false
	}
	for i, d := range b {
		if i%2 == 0 && (d < 'a' || d > 'z') || i%2 == 1 && !isDigit(d) {
			return c, false
		}
	}
	c.postal = b
	return c, true
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
	c := &s.code
	switch {
	case len(c.zip) == zipDigits:
		z, _ := dataset.ParseZIP(string(c.zip))
		if row, ok := s.e.d.ZIP(z); ok && s.admits(kindZIP, row.State) {
			s.offerLoose(kindZIP, uint32(z), wholeCode)
		}
	case len(c.postal) == fsaLetters:
		if f, ok := dataset.ParseFSA(upper(c.postal)); ok {
			s.exactFSA(f, wholeCode)
		}
	case len(c.postal) == postalLength:
		if p, ok := dataset.ParsePostalCode(upper(c.postal)); ok && s.include.has(kindPostal) {
			if row, ok := s.e.d.PostalCode(p); ok && s.admits(kindPostal, row.Province) {
				s.offerLoose(kindPostal, uint32(p), wholeCode)
			}
		}
	}
}

func upper(b []byte) string { return string(bytes.ToUpper(b)) }

func (s *search) exactFSA(f dataset.FSA, m manner) {
	if row, ok := s.e.d.FSA(f); ok && s.admits(kindFSA, row.Province) {
		s.offerLoose(kindFSA, uint32(f), m)
	}
}

// parentCode adds the FSA of a postal code, listed or not.
func (s *search) parentCode() {
	if len(s.code.postal) <= fsaLetters {
		return
	}
	lo, hi := postalRange(s.code.postal)
	if len(s.code.postal) == postalLength || s.e.d.CountPostalCodes(lo, hi) == 0 {
		if f, ok := dataset.ParseFSA(upper(s.code.postal[:fsaLetters])); ok {
			s.exactFSA(f, parentFSA)
		}
	}
}

func (s *search) admits(t kind, state store.StateID) bool {
	return s.include.has(t) && (s.where.empty() || s.where.has(state))
}

// offerLoose offers a code outside of the ranges that [search.countCodes] counts.
func (s *search) offerLoose(t kind, n uint32, m manner) {
	s.offerCode(t, n, 0, 0, m)
	s.loose++
}

func (s *search) codesBegin() {
	c := &s.code
	if !c.whole || s.finished {
		return
	}
	switch {
	case len(c.zip) > 0 && len(c.zip) < zipDigits && s.include.has(kindZIP):
		lo, hi := zipRange(c.zip)
		s.takeCodes(&s.e.zips, uint32(lo), uint32(hi))
	case len(c.postal) > 0 && len(c.postal) < fsaLetters && s.include.has(kindFSA):
		lo, hi := fsaRange(c.postal)
		s.takeCodes(&s.e.fsas, uint32(lo), uint32(hi))
	case len(c.postal) >= fsaLetters && len(c.postal) < postalLength && s.include.has(kindPostal):
		lo, hi := postalRange(c.postal)
		want := s.limit
		for row := range s.e.d.PostalCodesFrom(lo) {
			if row.Code >= hi || want == 0 {
				break
			}
			if s.admits(kindPostal, row.Province) {
				s.offerCode(kindPostal, uint32(row.Code), 0, 0, codePrefix)
				want--
			}
		}
	}
}

func zipRange(digits []byte) (lo, hi dataset.ZIP) {
	n, width := dataset.ZIP(0), dataset.ZIP(1)
	for i := range zipDigits {
		n *= 10
		if i < len(digits) {
			n += dataset.ZIP(digits[i] - '0')
		} else {
			width *= 10
		}
	}
	return n, n + width
}

// fsaRange returns the FSAs that begin with one or two characters.
func fsaRange(text []byte) (lo, hi dataset.FSA) {
	const letters, digits = 26, 10
	letter := dataset.FSA(text[0] - 'a')
	if len(text) == 1 {
		return letter * digits * letters, (letter + 1) * digits * letters
	}
	n := letter*digits + dataset.FSA(text[1]-'0')
	return n * letters, (n + 1) * letters
}

// postalRange returns the postal codes that begin with three to six
// characters.
func postalRange(text []byte) (lo, hi dataset.PostalCode) {
	low, high := []byte("a0a0a0"), []byte("z9z9z9")
	copy(low, text)
	copy(high, text)
	lo, _ = dataset.ParsePostalCode(upper(low))
	hi, _ = dataset.ParsePostalCode(upper(high))
	return lo, hi + 1
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
	l := codeList{typ: kindZIP, at: func(code uint32) geo.LatLng { row, _ := d.ZIP(dataset.ZIP(code)); return row.Location }}
	for row := range d.ZIPs() {
		residents, _ := d.ZIPPopulation(row.ZIP)
		l.add(uint32(row.ZIP), residents, row.Location, row.State)
	}
	l.top = newRangeMax(l.rank)
	return l
}

func newFSAList(d *store.Dataset) codeList {
	l := codeList{typ: kindFSA, at: func(code uint32) geo.LatLng { row, _ := d.FSA(dataset.FSA(code)); return row.Location }}
	for row := range d.FSAs() {
		residents, _ := d.FSAPopulation(row.FSA)
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

func (l *codeList) manner() manner {
	if l.typ == kindZIP {
		return zipPrefix
	}
	return codePrefix
}

// takeCodes offers the best codes from lo up to hi.
func (s *search) takeCodes(l *codeList, lo, hi uint32) {
	in, m := l.rows(lo, hi), l.manner()
	if in.size() == 0 {
		return
	}
	if !s.where.empty() || s.near.on {
		for i := in.lo; i < in.hi; i++ {
			if int32(l.rank[i])+m.gain+s.near.most(l.cell[i], uint16(l.state[i])) >= s.least() {
				s.considerCode(l, i, m)
			}
		}
		return
	}
	s.cursor = append(s.cursor[:0], l.top.pop(in))
	for len(s.cursor) > 0 {
		p := s.popBest()
		if int32(p.rank)+m.gain < s.least() {
			return
		}
		s.offerCode(l.typ, l.codes[p.at], int32(p.rank), 0, m)
		s.pushRest(&l.top, &p)
	}
}

// considerCode offers a code if it passes the filters.
func (s *search) considerCode(l *codeList, i int, m manner) {
	rank, near := int32(l.rank[i]), s.near.most(l.cell[i], uint16(l.state[i]))
	if !s.where.empty() && !s.where.has(store.StateID(l.state[i])) {
		return
	}
	if near > 0 && s.near.state == 0 {
		near = s.near.at(l.at(l.codes[i]))
	}
	s.offerCode(l.typ, l.codes[i], rank, near, m)
}

func allDigits(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) {
			return false
		}
	}
	return len(b) > 0
}
