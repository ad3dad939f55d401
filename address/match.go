package address

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/pub28"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/internal/edit"
)

// A Matcher matches addresses to the records of a reference. It is safe for
// concurrent use if the reference is.
type Matcher struct {
	ref  Reference
	rest sync.Pool // of *search, for their buffers
}

// NewMatcher returns a matcher that reads the reference.
func NewMatcher(ref Reference) *Matcher { return &Matcher{ref: ref} }

// maxKept is how many records the buffer of a search may have that is used
// again.
const maxKept = 512

// Match finds the record of an address. The house number is never changed, and
// no direction is reversed. The error is a [*fault.Error], the context's, or a
// failure of the reference.
func (m *Matcher) Match(ctx context.Context, input string) (*Match, error) {
	s, _ := m.rest.Get().(*search)
	if s == nil {
		s = &search{}
	}
	*s = search{ctx: ctx, ref: m.ref, input: input, p: s.p, recs: s.recs[:0], cands: s.cands[:0], reads: s.reads[:0]}
	found, err := s.run()
	if cap(s.recs) <= maxKept {
		s.ctx, s.ref, s.cities, s.towns = nil, nil, nil, nil
		m.rest.Put(s)
	}
	return found, err
}

// run reads the address and matches it.
func (s *search) run() (*Match, error) {
	clean, reads, err := s.p.parse(s.input, s, s.reads)
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

// A search is one address on its way to a record.
type search struct {
	ctx   context.Context
	ref   Reference
	input string
	p     parser
	reads []Address
	keys  [MaxReadings]string // of the names of the readings
	err   error               // of knowsCity

	zip      dataset.ZIP // as given, if it exists
	hasZIP   bool
	towns    []dataset.ZIP // of the given city
	townEdit int           // how much the city was misspelt to find them
	areas    []string

	recs  []Record
	cands []candidate

	citiesOf dataset.ZIP // whose names cities holds
	cities   []City
	// knownStreet says that a street of exactly the given name was found without
	// the number.
	knownStreet bool

	asked bool // they were
}

// zipCities returns the names of a ZIP's place.
func (s *search) zipCities(z dataset.ZIP) ([]City, error) {
	if s.asked && s.citiesOf == z {
		return s.cities, nil
	}
	list, err := s.ref.Cities(s.ctx, z)
	if err != nil {
		return nil, err
	}
	s.cities, s.citiesOf, s.asked = list, z, true
	return list, nil
}

// knowsCity is the parser's question whether words are a name of the last
// line's place.
func (s *search) knowsCity(name, state, zip string) bool {
	if s.err != nil {
		return false
	}
	if z, ok := dataset.ParseZIP(zip); ok {
		if _, s.err = s.zipCities(z); s.cityOf(name) != nil {
			return true
		}
	}
	if s.err != nil || state == "" {
		return false
	}
	var zips [1]dataset.ZIP
	var list []dataset.ZIP
	list, s.err = s.ref.CityZIPs(s.ctx, state, pub28.Key(name), zips[:0])
	return len(list) > 0
}

// match goes through the levels.
func (s *search) match() (*Match, error) {
	best := &s.reads[0]
	if err := s.place(best); err != nil {
		return nil, err
	}
	switch {
	case best.ZIP == "" && (best.City == "" || best.State == ""), best.Kind == NoDelivery:
		return nil, unmatched(s.input, fault.InvalidCode, fault.Incomplete)
	case !s.hasZIP && len(s.towns) == 0 && best.ZIP == "" && best.guessed:
		return nil, unmatched(s.input, fault.InvalidCode, fault.Incomplete) // the end of the street was taken for a city
	case !s.hasZIP && len(s.towns) == 0:
		return nil, s.denied()
	}
	for i := range s.reads {
		r := &s.reads[i]
		if d := pub28.Cardinal(r.Number); d != "" {
			r.Number = d
		} else if north, east, ok := strings.Cut(r.Number, " "); ok && isGridPart(north) {
			r.Number = north + east // N95 W16915
		}
		s.keys[i] = s.keyOf(i)
	}
	var found *candidate
	var err error
	if best.Kind != Street {
		found, err = s.route()
	}
	if found == nil && err == nil && s.hasStreet() {
		found, err = s.street()
	}
	if err != nil {
		return nil, err
	}
	if found == nil {
		if found, err = s.unique(); err != nil {
			return nil, err
		}
	}
	if found == nil {
		return nil, s.denied()
	}
	return s.result(found)
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

func (s *search) hasStreet() bool {
	return slices.ContainsFunc(s.reads, func(a Address) bool { return a.Kind == Street })
}

// place finds the ZIPs that the last line may mean.
func (s *search) place(a *Address) error {
	if z, ok := dataset.ParseZIP(a.ZIP); ok {
		list, err := s.zipCities(z)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			s.zip, s.hasZIP = z, true
			area, err := s.ref.Area(s.ctx, z)
			if err != nil {
				return err
			}
			s.addArea(area)
		}
	}
	if a.City == "" || a.State == "" || s.hasZIP && s.cityOf(a.City) != nil {
		return nil
	}
	key := pub28.Key(a.City)
	var err error
	if s.towns, err = s.ref.CityZIPs(s.ctx, a.State, key, nil); err != nil {
		return err
	}
	if len(s.towns) == 0 && !s.hasZIP {
		if err := s.misspeltTown(a.State, key); err != nil {
			return err
		}
	}
	for _, z := range s.towns {
		area, err := s.ref.Area(s.ctx, z)
		if err != nil {
			return err
		}
		s.addArea(area)
	}
	return nil
}

// maxAreas is how many finance areas of a city are looked through; large cities
// have several, and the bound keeps what one address costs in check.
const maxAreas = 64

func (s *search) addArea(area string) {
	if area != "" && !slices.Contains(s.areas, area) && len(s.areas) < maxAreas {
		s.areas = append(s.areas, area)
	}
}

// cityOf returns the name, among those that zipCities returned last, that a
// text is, or nil.
func (s *search) cityOf(name string) *City {
	if len(s.cities) == 0 {
		return nil
	}
	key := pub28.Key(name)
	for i := range s.cities {
		if s.cities[i].called(key) {
			return &s.cities[i]
		}
	}
	return nil
}

// misspeltTown finds the one town of the state whose name is nearest.
func (s *search) misspeltTown(state, key string) error {
	names, err := s.ref.CityKeys(s.ctx, state)
	if err != nil {
		return err
	}
	limit := editLimit(len(key))
	best, found := limit+1, ""
	for _, k := range names {
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
	s.townEdit = best
	s.towns, err = s.ref.CityZIPs(s.ctx, state, found, nil)
	return err
}
