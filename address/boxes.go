package address

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// route finds a box, route or general delivery.
func (s *search) route() (*candidate, error) {
	if s.reads[0].Kind == Street {
		return nil, nil
	}
	scopes := [...]scope{inTowns, inAreas}
	if s.hasZIP {
		scopes[0] = inZIP
	}
	for _, where := range scopes {
		found, ambiguous, err := s.try(costPart, false, func() error { return s.routes(where) })
		switch {
		case ambiguous:
			return nil, unmatched(s.input, envelope.KindAmbiguous, 0)
		case found != nil || err != nil:
			return found, err
		}
	}
	return nil, nil
}

// routes makes candidates of the records of the readings that are no streets.
func (s *search) routes(where scope) error {
	for i := range s.reads {
		if k := s.reads[i].Kind; k == Street || k == NoDelivery {
			continue
		}
		var buf [16]postcode.ZIP
		zips, err := s.zips(where, s.keys[i], buf[:0])
		if err != nil {
			return err
		}
		for _, z := range zips {
			from := len(s.recs)
			if s.recs, err = s.ref.Streets(s.ctx, z, s.keys[i], s.recs); err != nil {
				return err
			}
			s.considerRoute(from, i)
		}
	}
	return nil
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

// boxPlus4 returns the add-on of one box of a range if the range has as many
// add-ons as boxes, else "". Boxes and add-ons are then numbered in step: box 7 of the range
// 5 to 9 has the third add-on.
func boxPlus4(r *store.StreetRecord, box string) string {
	low, ok1 := number(pub28.Trim(r.AddrLow))
	high, ok2 := number(pub28.Trim(r.AddrHigh))
	n, ok3 := number(pub28.Trim(box))
	if !ok1 || !ok2 || !ok3 || n < low || n > high || high-low != int(r.High)-int(r.Low) {
		return ""
	}
	return postcode.Plus4(int(r.Low) + n - low).String()
}

// number reads up to nine digits.
func number(s string) (n int, ok bool) {
	if len(s) > 9 || !pub28.AllDigits(s) {
		return 0, false
	}
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n, true
}

// unique returns the default record of a ZIP Code with one addressee, which any
// address reaches. It is the record with the given add-on, else the one without
// a range of numbers.
func (s *search) unique() (*candidate, error) {
	if !s.hasZIP {
		return nil, nil
	}
	if s.ref.class(s.zip) != store.Unique {
		return nil, nil
	}
	var err error
	s.recs = s.recs[:0]
	if p, ok := postcode.ParsePlus4(s.reads[0].Plus4); ok {
		if s.recs, err = s.ref.addOn(s.ctx, s.zip, p, s.recs); err != nil {
			return nil, err
		}
	}
	if len(s.recs) == 0 {
		keys, err := s.ref.streetKeys(s.ctx, s.zip)
		if err != nil {
			return nil, err
		}
		for _, k := range keys {
			if s.recs, err = s.ref.Streets(s.ctx, s.zip, k, s.recs); err != nil {
				return nil, err
			}
			s.recs = slices.DeleteFunc(s.recs, func(r store.StreetRecord) bool {
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
