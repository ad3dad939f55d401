package suggest

import (
	"strconv"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// room holds the values of a result that matches point to, to save allocations. Its slices
// have their full capacity from the beginning: growing one would leave earlier pointers with
// a copy.
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
	m.Bucket = h.bucket
	if h.entity < 0 {
		s.matchCode(m, h)
	} else {
		s.matchEntity(m, h)
	}
}

// matchEntity sets the fields of a named place.
func (s *search) matchEntity(m *Match, h *hit) {
	d, e := s.e.d, s.e.t.At(h.entity)
	m.Type, m.Name, m.Location = types[typeOf[e.Kind]], e.Name, e.Location
	s.place(m, e.State)
	if e.Population != store.NoPopulation {
		m.Population = s.number(int(e.Population))
	}
	m.BBox = s.box(e.Box)
	if n := uint32(len(e.ZIPs)); n > 0 {
		from := s.e.zipFrom[h.entity]
		m.AssociatedZIPs = s.e.zipTexts[from : from+n : from+n]
	}
	switch e.Kind {
	case store.EntityState:
		fips := d.State(e.State).FIPS
		m.StateName, m.FIPS, m.GEOID = "", fips, fips
	case store.EntityCounty:
		if e.County == 0 { // a census division of Canada
			m.GEOID = strconv.Itoa(int(e.Ref))
			return
		}
		m.FIPS, m.GEOID = d.County(e.County).FIPS, d.County(e.County).FIPS
		m.CBSACode = d.CBSA(d.County(e.County).CBSA).Code
	case store.EntityCBSA:
		c := d.CBSA(store.CBSAID(e.Ref))
		m.CBSACode, m.GEOID, m.MetroMicro = c.Code, c.Code, "micro"
		if c.Metropolitan {
			m.MetroMicro = "metro"
		}
	case store.EntityPlace, store.EntityDistrict:
		if e.Ref != 0 {
			m.GEOID = store.PlaceGEOID(e.Ref, d.State(e.State).FIPS)
		}
		s.county(m, e.County)
	case store.EntityCity:
		s.county(m, e.County)
	}
}

// matchCode sets the fields of a ZIP, FSA or postal code.
func (s *search) matchCode(m *Match, h *hit) {
	d := s.e.d
	m.Type = types[h.typ]
	switch h.typ { //nolint:exhaustive // the others are not codes
	case kindZIP:
		z := postcode.ZIP(h.code)
		row, _ := d.ZIP(z)
		m.Name, m.City, m.Location = z.String(), row.City, row.Location
		m.Classification = lookup.Classification(row.Class.Letter())
		m.ClassificationName = lookup.ClassificationName(row.Class.Name())
		s.place(m, row.State)
		s.county(m, row.County)
		if n, ok := d.Population(store.CodeOfZIP(z)); ok {
			m.Population = s.number(int(n))
		}
		if a, ok := d.ZIPAreas().Find(z); ok {
			m.BBox = s.box(d.ZIPAreas().Index().Box(a))
		}
	case kindFSA:
		f := postcode.FSA(h.code)
		row, _ := d.FSA(f)
		m.Name, m.City, m.Location = f.String(), row.City, row.Location
		s.place(m, row.Province)
		if n, ok := d.Population(store.CodeOfFSA(f)); ok {
			m.Population = s.number(int(n))
		}
		if a, ok := d.FSAAreas().Find(f); ok {
			m.BBox = s.box(d.FSAAreas().Index().Box(a))
		}
		if n := d.CountPostalCodes(f.PostalCode(0), (f + 1).PostalCode(0)); n > 0 {
			m.PostalCodeCount = s.number(n)
		}
	case kindPostal:
		p := postcode.PostalCode(h.code)
		row, _ := d.PostalCode(p)
		m.Name, m.City, m.Location = p.String(), row.City, row.Location
		s.place(m, row.Province)
	case kindElectoral:
		x := &s.e.districts.list[h.code]
		m.Name, m.GEOID, m.Location = x.name, x.area.GEOID, x.area.Point
		if x.state != 0 {
			s.place(m, x.state)
		}
	}
}

// place sets state or province and country.
func (s *search) place(m *Match, id store.StateID) {
	st := s.e.d.State(id)
	m.Country, m.StateName = st.Country.String(), st.Name
	if st.Country == store.CA {
		m.Province = st.Abbr
	} else {
		m.State = st.Abbr
	}
}

func (s *search) county(m *Match, id store.CountyID) {
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

// A Result is the contract's suggest item. Its Item carries the notices of the
// query.
type Result struct {
	envelope.Item
	// TotalMatched is the number of distinct matches without a limit. Matches with typos
	// are only counted if the limit was not reached without them.
	TotalMatched int     `json:"total_matched"`
	Matches      []Match `json:"matches"` // best first
}

// A Match is a possible meaning of a query. Only fields that apply to its type and
// are in the dataset are set.
type Match struct {
	Type               Type                      `json:"type"`                         // kind of match
	Name               string                    `json:"name"`                         // of ZIPs, FSAs and postal codes the code
	City               string                    `json:"city,omitzero"`                // of a code
	State              string                    `json:"state,omitzero"`               // two letters, in the United States
	Province           string                    `json:"province,omitzero"`            // two letters, in Canada
	StateName          string                    `json:"state_name,omitzero"`          // e.g. "California"
	Country            string                    `json:"country"`                      // US or CA
	County             string                    `json:"county,omitzero"`              // of a ZIP, place or city
	CountyFIPS         string                    `json:"county_fips,omitzero"`         // five digits
	FIPS               string                    `json:"fips,omitzero"`                // of a state two digits, of a county five
	GEOID              string                    `json:"geoid,omitzero"`               // of a place, district, county, state or census subdivision
	CBSACode           string                    `json:"cbsa_code,omitzero"`           // five digits
	MetroMicro         string                    `json:"metro_micro,omitzero"`         // metropolitan or micropolitan
	Classification     lookup.Classification     `json:"classification,omitzero"`      // of ZIPs
	ClassificationName lookup.ClassificationName `json:"classification_name,omitzero"` // the class as a word
	Location           geo.LatLng                `json:"location,omitzero"`            // in degrees of WGS84
	Population         *int                      `json:"population,omitzero"`          // people, latest table
	BBox               *Box                      `json:"bbox,omitzero"`
	PostalCodeCount    *int                      `json:"postal_code_count,omitzero"` // of FSAs, if the dataset's list is complete
	AssociatedZIPs     []string                  `json:"associated_zips,omitzero"`   // ZIP Codes whose mail may be addressed to the city, ascending

	// Bucket is the kind of the match. It is not written.
	Bucket Bucket `json:"-"`
}

// A Box is the smallest rectangle of parallels and meridians around a match.
// Across the antimeridian MinLon is greater than MaxLon.
type Box struct {
	MinLat float64 `json:"min_lat"` // degrees
	MaxLat float64 `json:"max_lat"` // degrees
	MinLon float64 `json:"min_lon"` // degrees
	MaxLon float64 `json:"max_lon"` // degrees
}

// A Bucket is the kind of a match. Lower buckets are stronger evidence.
type Bucket uint8

// The buckets.
const (
	ExactName  Bucket = iota + 1 // the query is the name, or the code
	ExactAlias                   // the query is another name
	AllWords                     // every word of the query is a word of the name
	Prefix                       // the name, or another, begins with the query
	InnerWord                    // a later word of the name begins with the query
	OneTypo                      // one letter is wrong, missing, too many, or two are swapped
	TwoTypos                     // two typos
)

// String returns the bucket in words, or "" for any other value.
func (b Bucket) String() string {
	if int(b) >= len(bucketNames) {
		return ""
	}
	return bucketNames[b]
}

var bucketNames = [...]string{"", "exact name", "exact alias", "all words", "prefix", "inner word", "one typo", "two typos"}
