package suggest

import (
	"strconv"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/lookup"
)

// room holds the values of a result that matches point to, to save allocations.
type room struct {
	numbers []int
	boxes   []Box
}

func (s *search) number(n int) *int {
	s.room.numbers = append(s.room.numbers, n)
	return &s.room.numbers[len(s.room.numbers)-1]
}

// makeRoom allocates the values of n matches, at most two numbers each.
func (s *search) makeRoom(n int) { s.room = room{make([]int, 0, 2*n), make([]Box, 0, n)} }

func (s *search) match(m *Match, h *hit) {
	m.Reason = Reason{Bucket: h.bucket, Proximity: float64(h.near) / rankUnit}
	if h.entity < 0 {
		s.matchCode(m, h)
	} else {
		s.matchEntity(m, h)
	}
	m.Reason.Evidence = float64(h.score)/rankUnit - m.Reason.Prominence - m.Reason.Proximity
}

// matchEntity sets the fields of a named place.
func (s *search) matchEntity(m *Match, h *hit) {
	m.Reason.Prominence = float64(s.e.t.Prominence(h.entity)) / rankUnit
	d, e := s.e.d, s.e.t.At(h.entity)
	m.Type, m.Name, m.Location = typeOf(e.Kind), e.Name, e.Location
	s.place(m, e.State)
	if e.Population != dataset.NoPopulation {
		m.Population = s.number(int(e.Population))
	}
	m.BBox = s.box(e.Box)
	m.AssociatedZIPs = e.ZIPs
	switch e.Kind {
	case dataset.EntityState:
		fips := d.State(e.State).FIPS
		m.StateName, m.FIPS, m.GEOID = "", fips, fips
	case dataset.EntityCounty:
		if e.County == 0 { // a census division of Canada
			m.GEOID = strconv.Itoa(int(e.Ref))
			return
		}
		m.FIPS, m.GEOID = d.County(e.County).FIPS, d.County(e.County).FIPS
		m.CBSACode = d.CBSA(d.County(e.County).CBSA).Code
	case dataset.EntityCBSA:
		c := d.CBSA(dataset.CBSAID(e.Ref))
		m.CBSACode, m.GEOID, m.MetroMicro = c.Code, c.Code, "micro"
		if c.Metropolitan {
			m.MetroMicro = "metro"
		}
	case dataset.EntityPlace, dataset.EntityDistrict:
		if e.Ref != 0 {
			m.GEOID = geoid(e.Ref)
		}
		s.county(m, e.County)
	case dataset.EntityCity:
		s.county(m, e.County)
	}
}

// matchCode sets the fields of a ZIP, FSA or postal code.
func (s *search) matchCode(m *Match, h *hit) {
	d := s.e.d
	m.Type = h.typ
	switch h.typ { //nolint:exhaustive // the others are not codes
	case ZIP:
		z := dataset.ZIP(h.code)
		row, _ := d.ZIP(z)
		m.Name, m.City, m.Location = z.String(), row.City, row.Location
		m.Classification = lookup.Classification(row.Class)
		m.ClassificationName = m.Classification.Name()
		s.place(m, row.State)
		s.county(m, row.County)
		if n, ok := d.ZIPPopulation(z); ok {
			m.Population = s.number(int(n))
			m.Reason.Prominence = float64(codeRank(float64(n))) / rankUnit
		}
		if a, ok := d.ZIPAreas().Find(z); ok {
			m.BBox = s.box(d.ZIPAreas().Index().Box(a))
		}
	case FSA:
		f := dataset.FSA(h.code)
		row, _ := d.FSA(f)
		m.Name, m.City, m.Location = f.String(), row.City, row.Location
		s.place(m, row.Province)
		if n, ok := d.FSAPopulation(f); ok {
			m.Population = s.number(int(n))
			m.Reason.Prominence = float64(codeRank(float64(n))) / rankUnit
		}
		if a, ok := d.FSAAreas().Find(f); ok {
			m.BBox = s.box(d.FSAAreas().Index().Box(a))
		}
		lo, hi := postalRange([]byte{byte('a' + f/260), byte('0' + f/26%10), byte('a' + f%26)})
		if n := d.CountPostalCodes(lo, hi); n > 0 {
			m.PostalCodeCount = s.number(n)
		}
	case Postal:
		p := dataset.PostalCode(h.code)
		row, _ := d.PostalCode(p)
		m.Name, m.City, m.Location = p.String(), row.City, row.Location
		s.place(m, row.Province)
	case ElectoralDistrict:
		x := &s.e.districts[h.code]
		m.Name, m.GEOID, m.Location = x.name, x.area.GEOID, x.area.Point
		s.place(m, x.area.State)
	}
}

// place sets state or province and country.
func (s *search) place(m *Match, id dataset.StateID) {
	st := s.e.d.State(id)
	m.Country, m.StateName = st.Country.String(), st.Name
	if st.Country == dataset.CA {
		m.Province = st.Abbr
	} else {
		m.State = st.Abbr
	}
}

func (s *search) county(m *Match, id dataset.CountyID) {
	c := s.e.d.County(id)
	m.County, m.CountyFIPS = c.Name, c.FIPS
}

func (s *search) box(b geo.Box) *Box {
	if b.IsEmpty() {
		return nil
	}
	s.room.boxes = append(s.room.boxes, Box{MinLat: b.SouthWest.Lat(), MaxLat: b.NorthEast.Lat(), MinLon: b.SouthWest.Lng(), MaxLon: b.NorthEast.Lng()})
	return &s.room.boxes[len(s.room.boxes)-1]
}

// geoid formats a number with seven digits, or ten if it is larger.
func geoid(n uint32) string {
	const short, long = 7, 10
	digits := short
	if n >= 10_000_000 {
		digits = long
	}
	var b [long]byte
	for i := digits - 1; i >= 0; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
	return string(b[:digits])
}
