package address

import (
	"slices"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
)

// A step looks for a street's record in one way. ambiguous means that the best
// candidates, which cost at most limit, are different streets.
type step struct {
	look  func(s *search, where scope, limit int) (found *candidate, ambiguous bool, err error)
	where scope
	limit int
}

// The steps from the most exact on. Each one runs only if those before it found
// nothing. They follow the grades of decision D22: nothing corrected, then one component,
// then more. With a ZIP Code, a wrong part of the street in that ZIP Code and the street as
// given in another one are a correction each, which partInZIP weighs against each other.
// Aliases precede parts that differ, since the City State product lists them. partInZIP and
// again decide among the candidates that named has read, and the steps between keep these.
// misspelled also comes late because it compares with every street of a ZIP Code or area.
var (
	stepsWithZIP = []step{
		{(*search).named, inZIP, 0},
		{(*search).aliased, inZIP, 0},
		{(*search).classed, inZIP, costPart},
		{(*search).partInZIP, inZIP, costPart},
		{(*search).named, inAreas, 0},
		{(*search).aliased, inAreas, 0},
		{(*search).misspelled, inZIP, costPart},
		{(*search).classed, inAreas, costPart},
		{(*search).named, inAreas, costPart},
		{(*search).misspelled, inAreas, 0},
		{(*search).namedInCity, inCity, 0},
	}
	stepsWithoutZIP = []step{
		{(*search).named, inAreas, 0},
		{(*search).aliased, inAreas, 0},
		{(*search).classed, inAreas, costPart},
		{(*search).again, inAreas, costPart},
		{(*search).misspelled, inAreas, 0},
	}
)

func (s *search) street() (*candidate, error) {
	if !slices.ContainsFunc(s.reads, func(a Address) bool { return a.Kind == Street }) {
		return nil, nil
	}
	steps := stepsWithoutZIP
	if s.hasZIP {
		steps = stepsWithZIP
	}
	for _, t := range steps {
		found, ambiguous, err := t.look(s, t.where, t.limit)
		if ambiguous && err == nil {
			return nil, unmatched(s.input, envelope.KindAmbiguous, 0)
		}
		if found != nil || err != nil {
			return found, err
		}
	}
	return nil, nil
}

// again decides among the candidates of the step before with another limit.
func (s *search) again(_ scope, limit int) (*candidate, bool, error) {
	found, ambiguous := s.decide(limit)
	return found, ambiguous, nil
}

// partInZIP decides among the candidates of the given ZIP Code that differ in
// one component. If another ZIP Code of the area or city has the street exactly
// as given, either may be meant: each needs one correction (decision D22). A
// given add-on decides.
func (s *search) partInZIP(_ scope, limit int) (*candidate, bool, error) {
	found, ambiguous := s.decide(limit)
	if found == nil || ambiguous {
		return found, ambiguous, nil
	}
	recs, cands, kept := s.recs, s.cands, *found // a copy, because found points into cands
	if holds(&recs[kept.rec], s.reads[0].Plus4) {
		return found, false, nil
	}
	s.recs, s.cands = nil, nil // the searches below write over what the buffers hold
	for _, exactly := range [...]step{{(*search).named, inAreas, 0}, {(*search).namedInCity, inCity, 0}} {
		elsewhere, _, err := exactly.look(s, exactly.where, exactly.limit)
		if elsewhere != nil { // the candidates of both are ambiguous
			s.cands = append(s.cands, kept)
			s.cands[len(s.cands)-1].rec = len(s.recs)
			s.recs = append(s.recs, recs[kept.rec])
		}
		if elsewhere != nil || err != nil {
			return elsewhere, elsewhere != nil, err
		}
	}
	s.recs, s.cands = recs, cands
	return &kept, false, nil
}

// namedInCity looks for the street exactly as given in all other ZIP Codes of
// the given city, which includes the given ZIP Code. Large cities have several
// finance areas.
func (s *search) namedInCity(where scope, limit int) (*candidate, bool, error) {
	a := &s.reads[0]
	if a.City == "" || a.State == "" || len(s.towns) > 0 {
		return nil, false, nil // no city, or its areas have been looked through
	}
	var err error
	if s.towns, err = s.ref.cityZIPs(s.ctx, a.State, a.City); err != nil {
		return nil, false, err
	}
	found, ambiguous, err := s.named(where, limit)
	if found == nil {
		s.towns = nil // the next step uses only the given ZIP
	}
	return found, ambiguous, err
}

// A scope selects the ZIP Codes to search.
type scope uint8

const (
	inZIP   scope = iota // the given one
	inAreas              // those with the key in the areas of the last line, but for the given one
	inTowns              // those of the given city
	inCity               // those of the given city outside the areas
)

// maxTowns bounds the ZIP Codes of a city that are searched. No city has as
// many; a name that many towns of a state share might.
const maxTowns = 512

// zips appends the ZIP Codes of a scope that may have a street with the key.
func (s *search) zips(where scope, key string, into []postcode.ZIP) ([]postcode.ZIP, error) {
	towns := s.towns[:min(len(s.towns), maxTowns)]
	switch where {
	case inZIP:
		return append(into, s.zip), nil
	case inTowns:
		return append(into, towns...), nil
	case inCity:
		for _, z := range towns {
			at, err := s.ref.placeOf(s.ctx, z)
			if err != nil {
				return nil, err
			}
			if !slices.Contains(s.areas, at.area) {
				into = append(into, z)
			}
		}
		return into, nil
	default:
		var err error
		from := len(into)
		for _, area := range s.areas {
			if into, err = s.ref.streetZIPs(s.ctx, area, key, into); err != nil {
				return nil, err
			}
		}
		if s.hasZIP { // steps that came before have looked there
			into = append(into[:from], slices.DeleteFunc(into[from:], func(z postcode.ZIP) bool { return z == s.zip })...)
		}
		return into, nil
	}
}

// try decides among the candidates that find makes. If none of them will do and keep
// is set, those of the step before stay, for a later step that admits a higher cost. It then
// starts with new buffers, because appending to the old ones would write over what stays.
func (s *search) try(limit int, keep bool, find func() error) (*candidate, bool, error) {
	recs, cands := s.recs, s.cands
	if keep {
		s.recs, s.cands = nil, nil
	} else {
		s.recs, s.cands = recs[:0], cands[:0]
	}
	if err := find(); err != nil {
		return nil, false, err
	}
	found, ambiguous := s.decide(limit)
	if found == nil && keep {
		s.recs, s.cands = recs, cands
	}
	return found, ambiguous, nil
}

// isFirst reports whether a reading is the first one of a street with its key.
func (s *search) isFirst(i int) bool {
	return s.reads[i].Kind == Street && s.keys[i] != "" && !slices.Contains(s.keys[:i], s.keys[i])
}

// named looks for the readings' own names.
func (s *search) named(where scope, limit int) (*candidate, bool, error) {
	return s.try(limit, false, func() error {
		for i := range s.reads {
			if !s.isFirst(i) {
				continue
			}
			if err := s.read(where, s.keys[i], s.keys[i], 0, 0); err != nil {
				return err
			}
			if found, ambiguous := s.decide(0); found != nil && !ambiguous && found.reading == i && s.unbeaten(found) {
				return nil
			}
		}
		return nil
	})
}

// unbeaten reports whether nothing that later readings find can be preferred to
// a candidate of the first reading with its key. For an address that
// matches by its first reading, this saves the records of up to seven other keys. The
// conditions are the criteria of prefer: a candidate that has all of them can at best be
// equaled, and the earlier reading wins then.
func (s *search) unbeaten(c *candidate) bool {
	r := &s.recs[c.rec]
	return c.fit == pub28.Inside && !r.Alternate && (!s.hasZIP || r.ZIP == s.zip) &&
		(s.reads[0].Plus4 == "" || holds(r, s.reads[0].Plus4)) && (len(s.towns) == 0 || slices.Contains(s.towns, r.ZIP)) &&
		!(s.hasUnit(c) && s.unitInName(c.reading, r.ZIP))
}

// unitInName reports whether a ZIP Code may have a street under a name that
// includes the unit of a reading.
func (s *search) unitInName(reading int, z postcode.ZIP) bool {
	for i := range s.reads {
		a := &s.reads[i]
		if a.Kind == Street && a.Secondary == (Unit{}) && s.keys[i] != s.keys[reading] && s.ref.MayHaveStreet(z, s.keys[i]) {
			return true
		}
	}
	return false
}

// read makes candidates of the streets with a key, for the readings whose key
// is own.
func (s *search) read(where scope, key, own string, edit, class int) error {
	var buf [16]postcode.ZIP
	zips, err := s.zips(where, key, buf[:0])
	if err != nil {
		return err
	}
	for _, z := range zips {
		from := len(s.recs)
		if s.recs, err = s.ref.Streets(s.ctx, z, key, s.recs); err != nil {
			return err
		}
		s.consider(from, own, edit, class, nil)
	}
	return nil
}

// aliased looks for other names of streets.
func (s *search) aliased(where scope, limit int) (*candidate, bool, error) {
	return s.try(limit, true, func() error {
		for i := range s.reads {
			if !s.isFirst(i) {
				continue
			}
			zips, err := s.aliasZIPs(where, s.keys[i])
			if err != nil {
				return err
			}
			for _, z := range zips {
				if err := s.readAliases(z, i); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// readAliases makes candidates of the streets of a ZIP Code that a reading names by
// another name.
func (s *search) readAliases(z postcode.ZIP, reading int) error {
	aliases, err := s.ref.StreetAliases(s.ctx, z, s.keys[reading], nil)
	in, number := readingStreet(&s.reads[reading]), s.reads[reading].Number
	for k := range aliases {
		a := &aliases[k]
		if differ(in, street{a.PreDir, a.Street, a.Suffix, a.PostDir}) > costMoved ||
			a.Low != "" && pub28.InRange(number, a.Low, a.High, a.OddEven) == pub28.Outside {
			continue
		}
		from := len(s.recs)
		if s.recs, err = s.ref.Streets(s.ctx, z, pub28.Key(a.BaseStreet), s.recs); err != nil {
			return err
		}
		s.consider(from, s.keys[reading], 0, 0, a)
	}
	return err
}

// aliasZIPs returns the ZIP Codes to search for aliases. No index of streets
// lists their names, so that areas are searched through the ZIP Codes of the
// towns.
func (s *search) aliasZIPs(where scope, key string) ([]postcode.ZIP, error) {
	if s.hasZIP {
		list, err := s.zips(where, key, nil)
		if err != nil || len(list) == 1 && list[0] == s.zip {
			return list, err
		}
	}
	return s.towns, nil
}
