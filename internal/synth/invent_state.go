package synth

import (
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// A stateDraft draws one state.
type stateDraft struct {
	*inventor
	f     stateFrame
	index int
	codes []dataset.ZIP // not given out yet

	first    int       // first county of the state
	cells    [][]int32 // by county: its cells
	zoneOf   []int     // by county
	townNo   int
	placeNo  int
	cityOf   map[int32]string // by cell
	nextCity string
	cityLeft int
}

func (s *stateDraft) takeCode() dataset.ZIP {
	c := s.codes[0]
	s.codes = s.codes[1:]
	return c
}

// county adds a county and cuts it into n cells, one ZIP each.
func (s *stateDraft) county(i, of int, b Box, n int) {
	if i == 0 {
		s.first = len(s.Counties)
		s.cityOf = map[int32]string{}
	}
	zone := s.f.zone
	if s.f.zone2 != "" && of > 1 && i >= of-max(1, of/5) {
		zone = s.f.zone2
	}
	s.zoneOf = append(s.zoneOf, s.zone(zone))
	s.Counties = append(s.Counties, s.countyNamed(i))
	var cells []int32
	for _, box := range split(b, n, s.rng) {
		cell := newCell(box)
		cell.County, cell.State = int32(s.first+i), int32(s.index)
		cell.Zone, cell.ZIP = int32(s.zoneOf[i]), int32(len(s.ZIPs))
		p := inside(box, s.rng)
		at := s.addCell(cell, p)
		s.cityOf[at] = s.cityFor()
		s.ZIPs = append(s.ZIPs, ZIP{
			Code: s.takeCode(), City: s.cityOf[at], State: s.index, County: s.first + i, Class: store.General,
			Point: p.latLng(), Zone: s.zoneOf[i], AreaCodes: s.areaCodes(), Aliases: s.aliases(s.cityOf[at]),
			Elevation: s.elevation(),
		})
		s.ZIPs[len(s.ZIPs)-1].Enclosing = s.ZIPs[len(s.ZIPs)-1].Code
		cells = append(cells, at)
	}
	// One code in eight that has an area is a PO box all the same.
	for _, at := range cells {
		if s.withArea++; s.withArea%8 == 0 {
			s.ZIPs[s.Cells[at].ZIP].Class = store.POBox
		}
	}
	s.cells = append(s.cells, cells)
}

// cityFor returns the town of the next cell. A town has one to four cells.
func (s *stateDraft) cityFor() string {
	if s.cityLeft == 0 {
		s.nextCity, s.cityLeft = s.cityName(s.f.abbr), 1+s.rng.IntN(4)
	}
	s.cityLeft--
	return s.nextCity
}

func (s *stateDraft) areaCodes() []uint16 {
	a := s.f.areaCodes
	if s.rng.IntN(3) == 0 {
		return slices.Clone(a)
	}
	return []uint16{a[s.rng.IntN(len(a))]}
}

func (s *stateDraft) elevation() float64 {
	base := 20.0
	if s.f.region == 4 {
		base = 900
	}
	return float64(int((base+float64(s.rng.Float64()*600))*1000)) / 1000
}

func (s *stateDraft) countyNamed(i int) County {
	words, lsad := countyWords(s.f.abbr)
	base := s.names.town(s.f.abbr + " county")
	c := County{FIPS: fmt.Sprintf("%s%03d", s.f.fips, 2*i+1), State: s.index, CBSA: None, Division: None, LSAD: lsad}
	switch {
	case s.f.abbr == "DC":
		base = s.f.name
	case islandCounties[s.f.abbr] != "":
		base, words, c.FIPS = s.f.name, "", islandCounties[s.f.abbr]
	case s.f.abbr == "CT":
		c.FIPS = fmt.Sprintf("09%d", 110+10*i)
	case s.f.abbr == "VA" && i == 1:
		base, words, c.LSAD, c.FIPS = s.Counties[s.first].Base, "city", "25", "51510" // an independent city named like its county
	case s.f.abbr == "MD" && i == 0:
		base = "Prince Edmund's"
	case s.f.abbr == "NM" && i == 0:
		base = "Doña Luz"
	case s.f.abbr == "PR" && i == 0:
		base = "Añasca"
	}
	c.Base, c.Name = base, base
	if words != "" {
		c.Name = base + " " + words
	}
	return c
}

// islandCounties are the counties of the territories, one each.
var islandCounties = map[string]string{"VI": "78030", "GU": "66010", "AS": "60010", "MP": "69110"}

// straddle moves a strip of one ZIP into the next county, for every third pair
// of counties and every pair in two time zones.
func (s *stateDraft) straddle() {
	for i := 0; i+1 < len(s.cells); i++ {
		if i%3 != 0 && s.zoneOf[i] == s.zoneOf[i+1] {
			continue
		}
		if at, rest, strip, ok := s.shared(s.cells[i], s.cells[i+1]); ok {
			s.giveStrip(at, rest, strip, i+1)
		}
	}
}

// shared finds a cell of a that shares at least half of its east or north side
// with a cell of b. The strip is the quarter of the cell along that side.
func (s *stateDraft) shared(a, b []int32) (at int32, rest, strip Box, ok bool) {
	for _, i := range a {
		p := s.Cells[i].Box
		for _, j := range b {
			q := s.Cells[j].Box
			rest, strip = p, p
			switch {
			case p.X1 == q.X0 && 2*(min(p.Y1, q.Y1)-max(p.Y0, q.Y0)) >= p.Y1-p.Y0:
				rest.X1 = p.X1 - (p.X1-p.X0)/4
				strip.X0 = rest.X1
			case p.Y1 == q.Y0 && 2*(min(p.X1, q.X1)-max(p.X0, q.X0)) >= p.X1-p.X0:
				rest.Y1 = p.Y1 - (p.Y1-p.Y0)/4
				strip.Y0 = rest.Y1
			default:
				continue
			}
			return i, rest, strip, true
		}
	}
	return 0, rest, strip, false
}

func (s *stateDraft) giveStrip(at int32, rest, strip Box, county int) {
	p := inside(rest, s.rng)
	s.Cells[at].Box, s.points[at] = rest, p
	z := &s.ZIPs[s.Cells[at].ZIP]
	z.Point, z.InBoth = p.latLng(), true
	if len(z.Aliases) == 0 { // the name of the part in the other county
		z.Aliases = []Alias{{City: z.City + " Crossing", Acceptable: true}}
	}
	cell := s.Cells[at]
	cell.Box, cell.County, cell.Zone = strip, int32(s.first+county), int32(s.zoneOf[county])
	c := strip.Center()
	i := s.addCell(cell, vertexAt(c))
	s.cityOf[i] = s.cityOf[at]
	s.cells[county] = append(s.cells[county], i)
}

// pointOnly adds ZIPs without an area: PO boxes, unique ZIPs, a few general
// ones, and one in 40 that was decommissioned.
func (s *stateDraft) pointOnly(n int) {
	all := slices.Concat(s.cells...)
	for k := range min(n, len(s.codes)) {
		at := all[(k*7+3)%len(all)]
		cell := s.Cells[at]
		parent := s.ZIPs[cell.ZIP]
		z := ZIP{
			Code: s.takeCode(), City: parent.City, State: s.index, County: int(cell.County), Zone: int(cell.Zone),
			Point: inside(cell.Box, s.rng).latLng(), AreaCodes: parent.AreaCodes, Enclosing: parent.Code, Elevation: parent.Elevation,
		}
		s.withoutArea++
		switch {
		case s.withoutArea%40 == 20:
			z.Class, z.Decommissioned = store.General, true
		case s.withoutArea%8 == 0:
			z.Class = store.General
		case s.withoutArea%4 == 1:
			z.Class = store.Unique
		default:
			z.Class = store.POBox
		}
		s.ZIPs = append(s.ZIPs, z)
	}
}

// reserved reports whether a ZIP belongs to the islands at the antimeridian or
// to the armed forces.
func reserved(z dataset.ZIP) bool {
	return z == 99546 || z == 99547 || z == 99591 || z/100 == 340
}

// aleutians adds the chain of islands that crosses the antimeridian: three
// ZIPs, the westernmost on both sides of it.
func (s *stateDraft) aleutians() {
	county := len(s.Counties)
	s.Counties = append(s.Counties, County{
		FIPS: "02016", Base: "Aleutian Crossing", Name: "Aleutian Crossing Census Area", LSAD: "05",
		State: s.index, CBSA: None, Division: None,
	})
	zone := s.zone("America/Adak")
	for i, island := range []struct {
		code  dataset.ZIP
		boxes []Box
		point geo.LatLng
	}{
		{99546, []Box{{-180_000_000, 51_000_000, -175_500_000, 52_500_000}, {172_000_000, 51_000_000, 180_000_000, 53_200_000}}, geo.MustLatLng(51.88, -176.65)},
		{99547, []Box{{-175_500_000, 51_000_000, -173_000_000, 52_500_000}}, geo.MustLatLng(52.2, -174.2)},
		{99591, []Box{{-173_000_000, 51_000_000, -169_500_000, 52_500_000}}, geo.MustLatLng(51.9, -171.1)},
	} {
		z := int32(len(s.ZIPs))
		city := s.cityName(s.f.abbr)
		s.ZIPs = append(s.ZIPs, ZIP{
			Code: island.code, City: city, State: s.index, County: county, Class: store.General, Point: island.point,
			Zone: zone, AreaCodes: []uint16{907}, Elevation: float64(10 + i), Enclosing: island.code,
		})
		cell := newCell(island.boxes[0])
		cell.ZIP, cell.County, cell.State, cell.Zone = z, int32(county), int32(s.index), int32(zone)
		s.addCell(cell, vertexAt(island.point))
		s.addCells(cell, island.boxes[1:])
	}
	s.Subdivisions = append(s.Subdivisions, Subdivision{
		GEOID: "0201602380", Base: "Aleutian Crossing", Name: "Aleutian Crossing Census Area", LSAD: "05", County: county,
	})
	for i := range s.Cells {
		if s.Cells[i].County == int32(county) {
			s.Cells[i].Subdivision = int32(len(s.Subdivisions) - 1)
		}
	}
}
