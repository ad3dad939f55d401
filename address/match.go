package address

import (
	"context"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// maxKept is the most records that a pooled buffer keeps. A search that read more is left to
// the garbage collector, so that the pool doesn't hold the memory of the largest ones.
const maxKept = 512

// Read parses an address with the names of the dataset's cities, and appends its
// readings to into, the likeliest first.
func (e *Engine) Read(ctx context.Context, text string, into []Address) ([]Address, error) {
	s := e.search(ctx, text)
	_, into, err := s.p.parse(text, nil, s, into)
	if err == nil {
		err = s.err
	}
	e.free(s)
	return into, err
}

// search returns a search for an address from the pool. All its fields but the buffers are
// set anew, so that nothing of an earlier address remains.
func (e *Engine) search(ctx context.Context, input string) *search {
	s, _ := e.searches.Get().(*search)
	if s == nil {
		s = &search{p: new(parser)}
	}
	*s = search{ctx: ctx, ref: e.ref, input: input, p: s.p, recs: s.recs[:0], cands: s.cands[:0], reads: s.reads[:0]}
	return s
}

func (e *Engine) free(s *search) {
	if cap(s.recs) <= maxKept {
		s.ctx, s.ref, s.place, s.towns = nil, nil, nil, nil
		e.searches.Put(s)
	}
}

func (s *search) run() (*Match, error) {
	clean, reads, err := s.p.parse(s.input, s.fields, s, s.reads)
	s.reads = reads
	if err == nil {
		err = s.err
	}
	if err != nil {
		return nil, err
	}
	if len(clean) < MinClean {
		return nil, tooShort(s.input)
	}
	if err := s.ctx.Err(); err != nil {
		return nil, err
	}
	return s.match()
}

// A search is one address on its way to a record:
//
//  1. The parser makes readings. Its rules look up cities by knowsCity.
//  2. locate finds the ZIP Codes of the last line and their areas: the given one, and
//     those of the given city if it is not a name of that ZIP Code.
//  3. record looks for a box or route, then a street in the steps of levels.go, then the
//     only addressee of a unique ZIP Code. A step reads the records with the keys of the
//     readings and keeps each that may be meant as a candidate with the cost of what
//     differs.
//  4. resolve finds the unit or firm within the building and the notices (decision D22).
//
// House number, unit and recipient of a match are as typed; street, city, state and ZIP Code
// are those of the record. What the dataset lacks is unavailable instead of not found, which
// denied checks last, when no step has found it. A pool keeps searches for their buffers.
type search struct {
	ctx    context.Context
	ref    *reference
	input  string
	fields *Fields // of input; nil for a text
	p      *parser

	reads []Address
	keys  [MaxReadings]string // of the names of the readings
	err   error               // of knowsCity, which the parser's rules call without a way to fail

	zip    postcode.ZIP // as given, if it exists
	hasZIP bool
	towns  []postcode.ZIP // of the given city
	areas  []string       // of the ZIP and the towns; see [reference]

	recs  []store.StreetRecord // read by the step in hand
	cands []candidate          // among recs

	placeZIP postcode.ZIP // whose names place holds
	place    *place       // nil before the first call of zipCities

	// knownStreet is set if a street of exactly the given name was found without
	// the number. Steps that change the name are then skipped: the number is wrong,
	// and a similar street that happens to have it would be a guess.
	knownStreet bool
}

// zipCities returns the names of a ZIP Code's place.
func (s *search) zipCities(z postcode.ZIP) ([]city, error) {
	if s.place == nil || s.placeZIP != z {
		at, err := s.ref.placeOf(s.ctx, z)
		if err != nil {
			return nil, err
		}
		s.place, s.placeZIP = at, z
	}
	return s.place.cities, nil
}

func (s *search) match() (*Match, error) {
	best := &s.reads[0]
	if err := s.locate(best); err != nil {
		return nil, err
	}
	placed := s.hasZIP || len(s.towns) > 0
	switch {
	case best.ZIP == "" && (best.City == "" || best.State == ""), best.Kind == NoDelivery:
		return nil, unmatched(s.input, envelope.KindInvalidCode, envelope.ReasonIncomplete)
	case best.Country == canada:
		return nil, noRecords(s.input, "Canadian address records")
	case best.Country != "" && best.Country != "US":
		return nil, noRecords(s.input, "address records of "+best.Country)
	case !placed && best.ZIP == "" && best.guessed:
		return nil, unmatched(s.input, envelope.KindInvalidCode, envelope.ReasonIncomplete) // the end of the street was taken for a city
	case !placed:
		return nil, s.denied()
	}
	s.prepareReadings()
	found, err := s.record()
	switch {
	case err != nil:
		return nil, err
	case found == nil:
		return nil, s.denied()
	}
	r, err := s.resolve(found)
	if err != nil {
		return nil, err
	}
	return s.item(&r), nil
}

// record returns the candidate of a box or route, a street, or the only record of
// the ZIP Code; nil if none is found.
func (s *search) record() (*candidate, error) {
	for _, find := range [...]func(*search) (*candidate, error){(*search).route, (*search).street, (*search).unique} {
		if found, err := find(s); found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// prepareReadings writes numbers in digits and sets the keys of the streets.
func (s *search) prepareReadings() {
	for i := range s.reads {
		r := &s.reads[i]
		if d := pub28.Cardinal(r.Number); d != "" {
			r.Number = d
		} else if north, east, ok := strings.Cut(r.Number, " "); ok && isGridPart(north) {
			r.Number = north + east // N95 W16915
		}
		s.keys[i] = s.keyOf(i)
	}
}

// keyOf returns the key of a reading's street; many readings have that of an
// earlier one.
func (s *search) keyOf(i int) string {
	r := &s.reads[i]
	for k := range s.reads[:i] {
		if s.reads[k].Street == r.Street && s.reads[k].PreType == r.PreType {
			return s.keys[k]
		}
	}
	var room [64]byte
	name := r.Street
	if r.PreType != "" {
		name = r.Name()
	}
	return string(pub28.AppendKey(room[:0], name))
}

// locate finds the ZIP Codes and areas of the last line. If the city is a name of the given
// ZIP Code, its other ZIP Codes are left to namedInCity, the last step: most matches never
// need them. Another name is looked for in the tables of cities and, if there is no ZIP Code,
// among census places and with a letter or two wrong.
func (s *search) locate(a *Address) error {
	if z, ok := postcode.ParseZIP(a.ZIP); ok {
		list, err := s.zipCities(z)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			s.zip, s.hasZIP = z, true
			s.addArea(s.place.area)
		}
	}
	if a.City == "" || a.State == "" || s.hasZIP && s.cityOf(a.City) != nil {
		return nil
	}
	var err error
	if s.towns, err = s.ref.cityZIPs(s.ctx, a.State, a.City); err != nil {
		return err
	}
	if len(s.towns) == 0 && !s.hasZIP {
		if s.towns, err = s.ref.areaZIPs(s.ctx, a.State, a.City); err != nil {
			return err
		}
	}
	if len(s.towns) == 0 && !s.hasZIP {
		if err := s.misspelledTown(a.State, pub28.Key(a.City)); err != nil {
			return err
		}
	}
	for _, z := range s.towns {
		at, err := s.ref.placeOf(s.ctx, z)
		if err != nil {
			return err
		}
		s.addArea(at.area)
	}
	return nil
}

// maxAreas bounds the finance areas that are searched for a city, and so the reads of an
// address in a city whose name many post offices share.
const maxAreas = 64

func (s *search) addArea(area string) {
	if area != "" && !slices.Contains(s.areas, area) && len(s.areas) < maxAreas {
		s.areas = append(s.areas, area)
	}
}

// cityOf returns the city with a name among those that zipCities returned last, or
// nil.
func (s *search) cityOf(name string) *city {
	if s.place == nil || len(s.place.cities) == 0 {
		return nil
	}
	key := pub28.Key(name)
	for i := range s.place.cities {
		if c := &s.place.cities[i]; c.called(key) {
			return c
		}
	}
	return nil
}

// misspelledTown finds the one town of the state whose name is nearest. Two names at the
// same distance are none: the city decides where the street is looked for, so that a guess
// could match a street of the same name in a wrong place.
func (s *search) misspelledTown(state, key string) error {
	if err := s.ref.prepare(s.ctx); err != nil {
		return err
	}
	limit := editLimit(len(key))
	best, found := limit+1, ""
	for _, k := range s.ref.names[state] {
		switch d := edit.Distance(key, k, limit); {
		case d < best:
			best, found = d, k
		case d == best:
			found = ""
		}
	}
	if found == "" {
		return nil
	}
	s.towns = s.ref.towns[state][found]
	return nil
}
