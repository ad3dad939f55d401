package suggest

import (
	"fmt"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// match fills in what is shown of a hit.
func (s *search) match(m *Match, h *hit) {
	m.Reason = Reason{Bucket: h.bucket, Proximity: float64(h.near) / rankUnit}
	if h.entity < 0 {
		s.matchCode(m, h)
		return
	}
	m.Reason.Prominence = float64(s.e.t.Prominence(h.entity)) / rankUnit
	d, e := s.e.d, s.e.t.At(h.entity)
	m.Type, m.Name, m.Location = typeOf(e.Kind), e.Name, e.Location
	s.place(m, e.State)
	if e.Population != dataset.NoPopulation {
		n := int(e.Population)
		m.Population = &n
	}
	m.BBox = boxOf(e.Box)
	m.AssociatedZIPs = e.ZIPs
	switch e.Kind {
	case dataset.EntityState:
		m.StateName, m.FIPS, m.GEOID = "", d.State(e.State).FIPS, d.State(e.State).FIPS
	case dataset.EntityCounty:
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
			m.GEOID = fmt.Sprintf("%07d", e.Ref)
		}
		s.county(m, e.County)
	case dataset.EntityCity:
		s.county(m, e.County)
	}
}

// matchCode fills in what is shown of a ZIP, FSA or postal code.
func (s *search) matchCode(m *Match, h *hit) {
	d := s.e.d
	m.Type = h.typ
	switch h.typ {
	case ZIP:
		z := dataset.ZIP(h.code)
		row, _ := d.ZIP(z)
		m.Name, m.City, m.Location = z.String(), row.City, row.Location
		m.Classification = lookup.Classification(row.Class)
		m.ClassificationName = m.Classification.Name()
		s.place(m, row.State)
		s.county(m, row.County)
		if n, ok := d.ZIPPopulation(z); ok {
			m.Population = whole(n)
			m.Reason.Prominence = float64(codeRank(float64(n))) / rankUnit
		}
		if a, ok := d.ZIPAreas().Find(z); ok {
			m.BBox = boxOf(d.ZIPAreas().Index().Box(a))
		}
	case FSA:
		f := dataset.FSA(h.code)
		row, _ := d.FSA(f)
		m.Name, m.City, m.Location = f.String(), row.City, row.Location
		s.place(m, row.Province)
		if n, ok := d.FSAPopulation(f); ok {
			m.Population = whole(n)
			m.Reason.Prominence = float64(codeRank(float64(n))) / rankUnit
		}
		if a, ok := d.FSAAreas().Find(f); ok {
			m.BBox = boxOf(d.FSAAreas().Index().Box(a))
		}
		lo, hi := postalRange([]byte{byte('a' + f/260), byte('0' + f/26%10), byte('a' + f%26)})
		if n := d.CountPostalCodes(lo, hi); n > 0 {
			m.PostalCodeCount = &n
		}
	case Postal:
		p := dataset.PostalCode(h.code)
		row, _ := d.PostalCode(p)
		m.Name, m.City, m.Location = p.String(), row.City, row.Location
		s.place(m, row.Province)
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

func whole(n int32) *int {
	v := int(n)
	return &v
}

func boxOf(b geo.Box) *Box {
	if b.IsEmpty() {
		return nil
	}
	return &Box{MinLat: b.SouthWest.Lat(), MaxLat: b.NorthEast.Lat(), MinLon: b.SouthWest.Lng(), MaxLon: b.NorthEast.Lng()}
}
