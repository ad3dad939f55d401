package lookup

import (
	"fmt"
	"sync/atomic"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// schoolDetails caches the details of school districts by their number in the
// layer, so that each is read from the file once.
type schoolDetails []atomic.Pointer[schoolDetail]

// A schoolDetail holds the data of a school district that its layer does not
// have.
type schoolDetail struct {
	store.SchoolDistrict
	locale SchoolLocale
	codes  NCESCodes
}

// fill adds the details to the district of a record, which belongs to the
// caller.
func (d *schoolDetail) fill(s *SchoolDistrict, f *finder) {
	s.GradeLow, s.GradeHigh, s.NCESCodes = d.GradeLow, d.GradeHigh, d.codes
	if d.Locale != "" {
		locale := d.locale
		s.Locale = &locale
	}
	if o := d.Office; o != nil {
		s.Office = &SchoolOffice{Address: o.Street, City: o.City, State: o.State, ZIP: o.ZIP, County: o.County}
		if o.Location.IsValid() {
			s.Office.Lat, s.Office.Lon = f.figure(geo.Round(o.Location.Lat(), 6)), f.figure(geo.Round(o.Location.Lng(), 6))
		}
	}
}

// schools returns nil if the dataset has no school districts for the place.
func (f *finder) schools() (*SchoolDistricts, error) {
	l, met, err := f.in(store.LayerSchoolDistrict)
	if l == nil || err != nil {
		return nil, err
	}
	if len(met) == 0 {
		return &SchoolDistricts{}, nil
	}
	c := &SchoolPeriod{Source: f.r.periods.schools.source, SchoolYear: l.Info().Period, Basis: f.basis(), Districts: make([]SchoolDistrict, len(met))}
	for i, o := range met {
		a := l.Area(o.Area)
		detail, err := f.school(o.Area, a.GEOID)
		if err != nil {
			return nil, err
		}
		c.Districts[i] = SchoolDistrict{
			LEAID: a.GEOID, Name: a.Name, Type: schoolType(a.Type), StateFIPS: f.r.data.State(a.State).FIPS,
			LandWater: f.landWater(&a), Centroid: a.Point, Share: f.share(l, o),
		}
		detail.fill(&c.Districts[i], f)
	}
	return &SchoolDistricts{Current: c}, nil
}

// schoolType returns the contract's word for a kind of school district.
func schoolType(kind string) string {
	switch kind {
	case "", "unified", "elementary", "secondary", "administrative":
		return kind
	default:
		return "other"
	}
}

func (f *finder) school(i int, leaid string) (*schoolDetail, error) {
	if d := f.r.schools[i].Load(); d != nil {
		return d, nil
	}
	s, err := f.r.data.SchoolDistrict(f.ctx, i)
	if err != nil {
		return nil, fmt.Errorf("lookup: school district %s: %w", leaid, err)
	}
	d := &schoolDetail{
		SchoolDistrict: s, locale: SchoolLocale{Code: s.Locale, Description: localeNames[s.Locale]},
		codes: NCESCodes{LEAID: leaid, StateID: s.StateID, AgencyType: s.Agency},
	}
	f.r.schools[i].Store(d)
	return d, nil
}
