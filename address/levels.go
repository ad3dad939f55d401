package address

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/pub28"
	"github.com/postgeo/postgeo/envelope"
)

// street goes through the levels from the most exact on: each one is tried only
// when those before it found nothing.
func (s *search) street() (*candidate, error) {
	steps := []func() (*candidate, bool, error){}
	if s.hasZIP {
		steps = append(steps,
			func() (*candidate, bool, error) { return s.named(s.onlyZIP, 0) },
			func() (*candidate, bool, error) { return s.aliased(s.onlyZIP) },
			s.partInZIP,
			func() (*candidate, bool, error) { return s.named(s.areaZIPs, 0) },
			func() (*candidate, bool, error) { return s.aliased(s.areaZIPs) },
			func() (*candidate, bool, error) { return s.misspeltIn(s.zip) },
			func() (*candidate, bool, error) { return s.named(s.areaZIPs, costPart) },
			s.misspeltInAreas,
		)
	} else {
		steps = append(steps,
			func() (*candidate, bool, error) { return s.named(s.areaZIPs, 0) },
			func() (*candidate, bool, error) { return s.aliased(s.areaZIPs) },
			func() (*candidate, bool, error) { return s.again(costPart) },
			s.misspeltInAreas,
		)
	}
	for _, step := range steps {
		found, ambiguous, err := step()
		if err != nil {
			return nil, err
		}
		if ambiguous {
			return nil, s.none(envelope.Ambiguous)
		}
		if found != nil {
			return found, nil
		}
	}
	return nil, nil
}

// partInZIP decides among the candidates of the given ZIP that differ in one
// component. When another ZIP of the area has the street exactly as given,
// either may be meant: a wrong ZIP is as likely as a wrong component. A given
// add-on decides.
func (s *search) partInZIP() (*candidate, bool, error) {
	found, ambiguous, err := s.again(costPart)
	if found == nil || ambiguous || err != nil {
		return found, ambiguous, err
	}
	recs, cands, kept := s.recs, s.cands, *found
	if holds(&recs[kept.rec], s.reads[0].Plus4) {
		return found, false, nil
	}
	s.recs, s.cands = nil, nil
	elsewhere, _, err := s.named(s.areaZIPs, 0)
	if elsewhere != nil || err != nil {
		return elsewhere, elsewhere != nil, err
	}
	s.recs, s.cands = recs, cands
	return &kept, false, nil
}

// onlyZIP is the scope of the given ZIP.
func (s *search) onlyZIP(_ string, into []dataset.ZIP) ([]dataset.ZIP, error) {
	return append(into, s.zip), nil
}

// areaZIPs is the scope of the areas of the last line.
func (s *search) areaZIPs(key string, into []dataset.ZIP) ([]dataset.ZIP, error) {
	var err error
	for _, area := range s.areas {
		if into, err = s.ref.StreetZIPs(s.ctx, area, key, into); err != nil {
			return nil, err
		}
	}
	return into, nil
}

// A scope says in which ZIPs to look for a key.
type scope func(key string, into []dataset.ZIP) ([]dataset.ZIP, error)

// named looks for the readings' own names.
func (s *search) named(where scope, limit int) (*candidate, bool, error) {
	s.recs, s.cands = s.recs[:0], s.cands[:0]
	for i := range s.reads {
		key := s.keys[i]
		if s.reads[i].Kind != Street || key == "" || slices.Contains(s.keys[:i], key) {
			continue
		}
		if err := s.read(where, key, key, 0); err != nil {
			return nil, false, err
		}
	}
	return s.again(limit)
}

// again decides among the candidates of the step before.
func (s *search) again(limit int) (*candidate, bool, error) {
	found, ambiguous := s.decide(limit)
	return found, ambiguous, nil
}

// read makes candidates of the streets with a key, for the readings whose key
// is own.
func (s *search) read(where scope, key, own string, edit int) error {
	var buf [16]dataset.ZIP
	zips, err := where(key, buf[:0])
	if err != nil {
		return err
	}
	for _, z := range zips {
		from := len(s.recs)
		if s.recs, err = s.ref.Streets(s.ctx, z, key, s.recs); err != nil {
			return err
		}
		s.consider(from, func(k string) bool { return k == own }, edit, nil)
	}
	return nil
}

// aliased looks for other names of streets. The candidates of the step before
// stay as they are where there are no such names.
func (s *search) aliased(where scope) (*candidate, bool, error) {
	var aliases []Alias
	var of []int
	var zips []dataset.ZIP
	for i := range s.reads {
		key := s.keys[i]
		if s.reads[i].Kind != Street || key == "" || slices.Contains(s.keys[:i], key) {
			continue
		}
		list, err := s.aliasZIPs(where, key)
		if err != nil {
			return nil, false, err
		}
		for _, z := range list {
			n := len(aliases)
			if aliases, err = s.ref.Aliases(s.ctx, z, key, aliases); err != nil {
				return nil, false, err
			}
			for range aliases[n:] {
				of, zips = append(of, i), append(zips, z)
			}
		}
	}
	if len(aliases) == 0 {
		return nil, false, nil
	}
	recs, cands := s.recs, s.cands
	s.recs, s.cands = nil, nil
	for k := range aliases {
		a := &aliases[k]
		own := s.keys[of[k]]
		in := readingStreet(&s.reads[of[k]])
		if differ(in, street{a.PreDir, a.Street, a.Suffix, a.PostDir}) > costMoved {
			continue
		}
		if a.Low != "" && pub28.InRange(s.reads[of[k]].Number, a.Low, a.High, a.OddEven) == pub28.Outside {
			continue
		}
		from := len(s.recs)
		var err error
		if s.recs, err = s.ref.Streets(s.ctx, zips[k], pub28.Key(a.BaseStreet), s.recs); err != nil {
			return nil, false, err
		}
		s.consider(from, func(k string) bool { return k == own }, 0, a)
	}
	if found, ambiguous := s.decide(0); found != nil {
		return found, ambiguous, nil
	}
	s.recs, s.cands = recs, cands
	return nil, false, nil
}

// aliasZIPs are the ZIPs whose aliases may be meant: an alias's own name is in
// no index of streets, so that in areas the towns' ZIPs are looked through.
func (s *search) aliasZIPs(where scope, key string) ([]dataset.ZIP, error) {
	if s.hasZIP {
		list, err := where(key, nil)
		if err != nil || len(list) == 1 && list[0] == s.zip {
			return list, err
		}
	}
	return s.towns, nil
}

// misspeltIn looks for streets of a ZIP whose names are spelt nearly as those
// of the readings.
func (s *search) misspeltIn(z dataset.ZIP) (*candidate, bool, error) {
	if s.knownStreet {
		return nil, false, nil
	}
	keys, err := s.ref.StreetKeys(s.ctx, z)
	if err != nil {
		return nil, false, err
	}
	return s.nearest(keys, s.onlyZIP, costPart)
}

// misspeltInAreas does the same in the areas of the last line.
func (s *search) misspeltInAreas() (*candidate, bool, error) {
	if s.knownStreet {
		return nil, false, nil
	}
	s.recs, s.cands = s.recs[:0], s.cands[:0]
	for _, area := range s.areas {
		keys, err := s.ref.AreaKeys(s.ctx, area)
		if err != nil {
			return nil, false, err
		}
		found, ambiguous, err := s.nearest(keys, s.areaZIPs, 0)
		if found != nil || ambiguous || err != nil {
			return found, ambiguous, err
		}
	}
	return nil, false, nil
}

// nearest looks for the keys that are nearest to the readings'. beside is what
// else may differ.
func (s *search) nearest(keys []string, where scope, beside int) (*candidate, bool, error) {
	if found, ambiguous, err := s.rejoined(keys, where); found != nil || ambiguous || err != nil {
		return found, ambiguous, err
	}
	near := s.near(keys)
	for edit := 1; edit <= 2; edit++ {
		s.recs, s.cands = s.recs[:0], s.cands[:0]
		for _, n := range near {
			if n.edit == edit {
				if err := s.read(where, n.key, s.keys[n.reading], edit); err != nil {
					return nil, false, err
				}
			}
		}
		limit := edit * costEdit
		if edit == 1 {
			limit += beside
		}
		if found, ambiguous := s.decide(limit); found != nil {
			return found, ambiguous, nil
		}
	}
	return nil, false, nil
}

// A nearKey is a street's key that differs in a letter or two from that of a
// reading.
type nearKey struct {
	key     string
	reading int
	edit    int
}

// near finds the keys that are near those of the readings. Ordinals are also
// compared in letters, because their keys are digits: SEENTH ST is 7TH ST.
func (s *search) near(keys []string) []nearKey {
	var list []nearKey
	for i := range s.reads {
		own := s.keys[i]
		if s.reads[i].Kind != Street || s.reads[i].Number == "" || slices.Contains(s.keys[:i], own) {
			continue
		}
		letters := letterSet(own)
		for _, key := range keys {
			if limit := editLimit(max(len(own), len(key))); limit > 0 && len(key)-len(own) <= limit && len(own)-len(key) <= limit {
				theirs := letterSet(key)
				if bits.OnesCount64(letters&^theirs) > limit || bits.OnesCount64(theirs&^letters) > limit {
					continue
				}
				if edit := editDistance(own, key, limit); edit > 0 && edit <= limit && sameDigits(own, key) {
					list = append(list, nearKey{key, i, edit})
				}
			}
		}
		for word, n := range pub28.OrdinalWords() {
			if len(word) > 4 && len(own) >= 4 && editDistance(own, word, 1) == 1 {
				list = append(list, nearKey{strconv.Itoa(n), i, 1})
			}
		}
	}
	return list
}

// letterSet returns a bit for each letter and digit that a key holds.
func letterSet(key string) (set uint64) {
	for i := range len(key) {
		set |= 1 << (key[i] & 63)
	}
	return set
}

// rejoined looks for names whose words were joined or divided at an
// abbreviation: MTVERNON, COL UMBUS.
func (s *search) rejoined(keys []string, where scope) (*candidate, bool, error) {
	s.recs, s.cands = s.recs[:0], s.cands[:0]
	for i := range s.reads {
		a := &s.reads[i]
		if a.Kind != Street {
			continue
		}
		raw := pub28.Squeezed(a.Name())
		for _, other := range [...]string{raw, expand(raw, "MT", "MOUNT"), expand(raw, "ST", "SAINT"), expand(raw, "FT", "FORT")} {
			if other == "" || other == s.keys[i] {
				continue
			}
			if _, known := slices.BinarySearch(keys, other); !known {
				continue
			}
			if err := s.read(where, other, s.keys[i], 0); err != nil {
				return nil, false, err
			}
		}
	}
	return s.again(costMoved)
}

// expand replaces an abbreviation at the beginning of a name.
func expand(name, abbr, word string) string {
	if rest, ok := strings.CutPrefix(name, abbr); ok && len(rest) > 2 {
		return word + rest
	}
	return ""
}

// route finds a box, route or general delivery.
func (s *search) route() (*candidate, error) {
	var scopes []scope
	if s.hasZIP {
		scopes = append(scopes, s.onlyZIP)
	} else {
		scopes = append(scopes, func(_ string, into []dataset.ZIP) ([]dataset.ZIP, error) { return append(into, s.towns...), nil })
	}
	scopes = append(scopes, s.areaZIPs)
	for _, where := range scopes {
		s.recs, s.cands = s.recs[:0], s.cands[:0]
		for i := range s.reads {
			a := &s.reads[i]
			if a.Kind == Street || a.Kind == NoDelivery {
				continue
			}
			var buf [16]dataset.ZIP
			zips, err := where(s.keys[i], buf[:0])
			if err != nil {
				return nil, err
			}
			for _, z := range zips {
				from := len(s.recs)
				if s.recs, err = s.ref.Streets(s.ctx, z, s.keys[i], s.recs); err != nil {
					return nil, err
				}
				s.considerRoute(from, i)
			}
		}
		found, ambiguous := s.decide(costPart)
		if ambiguous {
			return nil, s.none(envelope.Ambiguous)
		}
		if found != nil {
			return found, nil
		}
	}
	return nil, nil
}

// considerRoute makes candidates of the records of a route or of boxes.
func (s *search) considerRoute(from, reading int) {
	a := &s.reads[reading]
	for i := from; i < len(s.recs); i++ {
		r := &s.recs[i]
		if r.RecordType == 'H' || r.RecordType == 'F' || r.RecordType == 'S' && a.Kind != Military {
			continue
		}
		c := candidate{rec: i, reading: reading, fit: pub28.Inside}
		switch {
		case r.AddrLow == "" && r.AddrHigh == "": // the route's default, or general delivery
			if a.Number != "" {
				continue
			}
			c.partial = a.Kind != GeneralDelivery
		case a.Number == "":
			continue
		default:
			c.fit = pub28.InRange(a.Number, r.AddrLow, r.AddrHigh, r.OddEven)
			if c.fit != pub28.Inside {
				continue
			}
			c.plus4 = boxPlus4(r, a.Number)
		}
		s.cands = append(s.cands, c)
	}
}

// boxPlus4 returns the add-on of one box of a range: where the range has as
// many add-ons as boxes they go side by side.
func boxPlus4(r *Record, box string) string {
	low, ok1 := number(pub28.Trim(r.AddrLow))
	high, ok2 := number(pub28.Trim(r.AddrHigh))
	n, ok3 := number(pub28.Trim(box))
	if !ok1 || !ok2 || !ok3 || n < low || n > high || high-low != int(r.High)-int(r.Low) {
		return ""
	}
	return dataset.Plus4(int(r.Low) + n - low).String()
}

// number reads up to nine digits.
func number(s string) (n int, ok bool) {
	if len(s) > 9 || !allDigits(s) {
		return 0, false
	}
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// unique returns the default record of a ZIP that belongs to one addressee,
// where any address reaches it: the one with the given add-on, else the one
// without a range of numbers.
func (s *search) unique() (*candidate, error) {
	if !s.hasZIP {
		return nil, nil
	}
	class, err := s.ref.Class(s.ctx, s.zip)
	if err != nil || class != dataset.Unique {
		return nil, err
	}
	s.recs = s.recs[:0]
	if p, ok := dataset.ParsePlus4(s.reads[0].Plus4); ok {
		if s.recs, err = s.ref.AddOn(s.ctx, s.zip, p, s.recs); err != nil {
			return nil, err
		}
	}
	if len(s.recs) == 0 {
		keys, err := s.ref.StreetKeys(s.ctx, s.zip)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			if s.recs, err = s.ref.Streets(s.ctx, s.zip, k, s.recs); err != nil {
				return nil, err
			}
			s.recs = slices.DeleteFunc(s.recs, func(r Record) bool {
				return r.Alternate || strings.TrimSpace(r.AddrLow) != "" || r.RecordType == 'G' || r.Street == "POSTMASTER"
			})
			if len(s.recs) > 0 {
				break
			}
		}
	}
	if len(s.recs) == 0 {
		return nil, nil
	}
	return &candidate{partial: true}, nil
}
