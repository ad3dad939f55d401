package synth

import (
	"fmt"
	"slices"
)

// townWords returns the legal description of a state's county subdivisions,
// its LSAD code, and whether they are active governments.
func townWords(abbr string) (words, lsad string, active bool) {
	switch abbr {
	case "CT", "MA", "ME", "NH", "NY", "RI", "VT", "WI":
		return "town", "43", true
	case "IL", "IN", "KS", "MI", "MN", "MO", "ND", "NE", "NJ", "OH", "PA", "SD", "IA", "AR", "NC":
		return "township", "44", true
	case "PR":
		return "barrio-pueblo", "86", false
	default:
		return "CCD", "22", false
	}
}

// towns makes places and county subdivisions of the state's cells: a place
// for three towns in four, one in five of them unincorporated.
func (s *stateDraft) towns() {
	words, lsad, active := townWords(s.f.abbr)
	for i, cells := range s.cells {
		county := s.first + i
		for start := 0; start < len(cells); {
			city := s.cityOf[cells[start]]
			end := start + 1
			for end < len(cells) && s.cityOf[cells[end]] == city {
				end++
			}
			s.townNo++
			fips := 5 * s.townNo
			s.Subdivisions = append(s.Subdivisions, Subdivision{
				GEOID: fmt.Sprintf("%s%05d", s.Counties[county].FIPS, fips), Base: city, Name: city + " " + words, LSAD: lsad,
				Active: active, County: county,
			})
			for _, at := range cells[start:end] {
				s.Cells[at].Subdivision = int32(len(s.Subdivisions) - 1)
			}
			start = end
		}
	}
	s.places()
}

// places joins all cells of a town, across counties, to one place.
func (s *stateDraft) places() {
	var order []string
	cells := map[string][]int32{}
	for _, at := range slices.Concat(s.cells...) {
		city := s.cityOf[at]
		if cells[city] == nil {
			order = append(order, city)
		}
		cells[city] = append(cells[city], at)
	}
	for _, city := range order {
		s.placeNo++
		if s.placeNo%4 == 0 {
			continue
		}
		p := Place{GEOID: fmt.Sprintf("%s%05d", s.f.fips, 20*s.placeNo), Base: city, State: s.index}
		switch {
		case s.placeNo%5 == 0:
			p.Name, p.LSAD = city+" CDP", "57"
		case s.placeNo%3 == 0:
			p.Name, p.LSAD, p.Active = city+" village", "47", true
		default:
			p.Name, p.LSAD, p.Active = city+" city", "25", true
		}
		s.Places = append(s.Places, p)
		for _, at := range cells[city] {
			s.Cells[at].Place = int32(len(s.Places) - 1)
		}
	}
}

// metros joins runs of counties to metropolitan and micropolitan areas. Every
// eighth metropolitan area has divisions. Every fourth area belongs to a
// combined area.
func (v *inventor) metros() {
	code := 10100
	for start := 0; start < len(v.Counties); {
		size := 1 + v.rng.IntN(4)
		end := start
		for end < len(v.Counties) && end < start+size && v.Counties[end].State == v.Counties[start].State {
			end++
		}
		if v.rng.IntN(10) < 6 {
			v.metro(fmt.Sprint(code), start, end)
			code += 20
		}
		start = end
	}
}

func (v *inventor) metro(code string, start, end int) {
	abbr := v.States[v.Counties[start].State].Abbr
	city := v.names.town("metro")
	m := CBSA{Code: code, Title: city + ", " + abbr, Metropolitan: end-start > 1}
	id := len(v.CBSAs)
	if id%4 == 0 {
		m.CSA, m.CSATitle = fmt.Sprintf("%03d", 100+id/4%800), city+"-"+v.names.town("metro")+", "+abbr
	}
	for i := start; i < end; i++ {
		v.Counties[i].CBSA, v.Counties[i].Central = id, i == start
	}
	if m.Metropolitan {
		v.metropolitan++
	}
	if m.Metropolitan && v.metropolitan%8 == 1 {
		for i := start; i < end; i++ {
			v.Counties[i].Division = len(v.Divisions)
			v.Divisions = append(v.Divisions, MetroDivision{
				Code: fmt.Sprintf("%05d", 9000+10*len(v.Divisions)+4), Title: v.Counties[i].Base + ", " + abbr, CBSA: id,
			})
		}
	}
	v.CBSAs = append(v.CBSAs, m)
}
