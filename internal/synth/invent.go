package synth

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store"
)

// New invents a country. The same options give the same country.
func New(o Options) (*Country, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0x706f737467656f))
	inv := &inventor{
		draft: newDraft("invented", o.Seed),
		rng:   rng, names: newNamer(rng), o: o,
		used: map[dataset.ZIP]bool{96799: true}, // American Samoa has a single code, inside Hawaii's range
	}
	for _, name := range oddNames {
		inv.names.claim("", name)
	}
	inv.military()
	for _, f := range frames {
		inv.state(f)
	}
	inv.metros()
	for _, p := range provinces {
		inv.province(p)
	}
	return inv.finish(o.Detail)
}

// An inventor draws a country from a source of random numbers.
type inventor struct {
	*draft
	rng                   *rand.Rand
	names                 *namer
	o                     Options
	used                  map[dataset.ZIP]bool
	odd                   int // odd names used
	withArea, withoutArea int // ZIPs so far
	metropolitan          int // metropolitan areas so far
}

// realZIPs is the sum over the frames, for proportion.
var realZIPs = func() (n int) {
	for _, f := range frames {
		n += f.zips
	}
	return n
}()

// military adds the ZIPs of the armed forces, without counties and points.
func (v *inventor) military() {
	for _, m := range militaryStates {
		n := max(2, v.o.ZIPs/150)
		if m.abbr == "AA" {
			n = max(2, min(n, 40))
		}
		for i := range min(n, m.high-m.low) {
			z := ZIP{
				Code: dataset.ZIP(m.low + i*(m.high-m.low)/n), City: m.regions[i%len(m.regions)],
				State: v.states[m.abbr], County: None, Class: store.Military, Zone: None,
			}
			v.used[z.Code] = true
			v.ZIPs = append(v.ZIPs, z)
		}
	}
}

// state draws the counties, cells and ZIPs of a state.
func (v *inventor) state(f stateFrame) {
	total := max(1, f.zips*v.o.ZIPs*98/100/realZIPs)
	areas := max(1, total*82/100)
	counties := min(f.counties, max(1, areas/4))
	if f.abbr == "CT" {
		counties = f.counties // all nine planning regions, always
	}
	if f.abbr == "VA" {
		counties = max(counties, 3)
	}
	areas = max(areas, counties)
	total = max(total, areas)
	s := &stateDraft{inventor: v, f: f, index: v.states[f.abbr], codes: v.codes(f, total)}
	areas = min(areas, len(s.codes))
	counties = min(counties, areas)
	boxes := split(f.box(), counties, v.rng)
	for i, b := range boxes {
		n := areas / counties
		if i < areas%counties {
			n++
		}
		s.county(i, len(boxes), b, n)
	}
	s.straddle()
	s.towns()
	s.pointOnly(total - areas)
	if f.abbr == "AK" {
		s.aleutians()
	}
}

// codes returns n ZIP Codes of the state's range, evenly spread.
func (v *inventor) codes(f stateFrame, n int) []dataset.ZIP {
	codes := make([]dataset.ZIP, 0, n)
	if f.low == f.high {
		return append(codes, dataset.ZIP(f.low))
	}
	n = min(n, f.high-f.low)
	next := f.low
	for i := range n {
		next = max(next, f.low+i*(f.high-f.low)/n)
		for next <= f.high && (v.used[dataset.ZIP(next)] || reserved(dataset.ZIP(next))) {
			next++
		}
		if next > f.high {
			break
		}
		v.used[dataset.ZIP(next)] = true
		codes = append(codes, dataset.ZIP(next))
		next++
	}
	return codes
}

// aliases draws other names of a place, one for every third ZIP.
func (v *inventor) aliases(city string) []Alias {
	if v.rng.IntN(3) != 0 {
		return nil
	}
	aliases := []Alias{{City: city + " Park", Acceptable: true}}
	if v.rng.IntN(2) == 0 {
		aliases = append(aliases, Alias{City: "Old " + city, Acceptable: false})
	}
	return aliases
}

// cityName returns a new town name. Odd names are preferred.
func (v *inventor) cityName(state string) string {
	if v.odd < len(oddNames) && v.rng.IntN(6) == 0 && v.names.claim(state, oddNames[v.odd]) {
		v.odd++
		return oddNames[v.odd-1]
	}
	return v.names.town(state)
}

// The size of the real country, for [National].
const (
	nationalZIPs        = 41_000
	nationalFSAs        = 1_650
	nationalPostalCodes = 890_000
)

// Options configures [New].
type Options struct {
	// Seed selects the country; 0 is a valid seed.
	Seed uint64
	// ZIPs is the approximate number of ZIP Codes, 200 to 60,000. Zero means 400.
	ZIPs int
	// FSAs is the number of forward sortation areas, 20 to 3,000. Zero means one
	// for every 25 ZIPs, at least 20.
	FSAs int
	// PostalCodes is the number of full postal codes, up to 2,000 an FSA. Zero
	// means ten for every FSA.
	PostalCodes int
	// Detail is the number of points of a border between two corners of its
	// cells, 0 to 64. Zero means straight borders.
	Detail int
}

// National returns the options of a country of the real size: 41,000 ZIPs,
// 1,650 FSAs and 890,000 postal codes.
func National(seed uint64) Options {
	return Options{Seed: seed, ZIPs: nationalZIPs, FSAs: nationalFSAs, PostalCodes: nationalPostalCodes, Detail: 8}
}

func (o Options) withDefaults() (Options, error) {
	if o.ZIPs == 0 {
		o.ZIPs = 400
	}
	if o.FSAs == 0 {
		o.FSAs = max(20, o.ZIPs/25)
	}
	if o.PostalCodes == 0 {
		o.PostalCodes = 10 * o.FSAs
	}
	for _, f := range []struct {
		name      string
		v, lo, hi int
	}{
		{"ZIPs", o.ZIPs, 200, 60_000},
		{"FSAs", o.FSAs, 20, 3_000},
		{"PostalCodes", o.PostalCodes, 1, 2_000 * o.FSAs},
		{"Detail", o.Detail, 0, 64},
	} {
		if f.v < f.lo || f.v > f.hi {
			return o, fmt.Errorf("synth: Options.%s is %d; expected %d to %d", f.name, f.v, f.lo, f.hi)
		}
	}
	return o, nil
}

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
