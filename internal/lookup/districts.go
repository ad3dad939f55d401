package lookup

import (
	"strconv"

	"github.com/postgeo/postgeo/internal/dataset"
)

// congress returns nil if the dataset has no congressional districts for the
// place.
func (f *finder) congress() (*CongressionalDistricts, error) {
	l, met, err := f.in(dataset.LayerCongressionalDistrict)
	if l == nil || err != nil {
		return nil, err
	}
	if len(met) == 0 {
		return &CongressionalDistricts{}, nil
	}
	of := &f.r.periods.congress
	c := &CongressPeriod{Source: of.source, Year: of.year, Vintage: of.vintage, Congress: f.r.periods.congressNumber}
	c.Districts = make([]CongressionalDistrict, len(met))
	for i, o := range met {
		a := l.Area(o.Area)
		c.Districts[i] = CongressionalDistrict{
			GEOID: a.GEOID, State: f.r.data.State(a.State).Abbr, DistrictNumber: districtNumber(a.GEOID), Name: a.Name,
			LandWater: f.landWater(&a), Share: f.share(l, o),
		}
	}
	first := &c.Districts[0]
	c.Primary = PrimaryDistrict{GEOID: first.GEOID, State: first.State, DistrictNumber: first.DistrictNumber, Basis: f.basis()}
	return &CongressionalDistricts{Current: c}, nil
}

func districtNumber(geoid string) int {
	if len(geoid) <= stateDigits {
		return 0
	}
	n, err := strconv.Atoi(geoid[stateDigits:])
	if err != nil {
		return 0
	}
	return n
}

// stateDigits is the length of the state's FIPS code in a GEOID.
const stateDigits = 2

// The District of Columbia, by its FIPS code, has a council and no legislature.
const districtOfColumbia = "11"

// legislature returns nil if the dataset has no district of the state, because
// its files are missing. A state with districts of one chamber has no other.
func (f *finder) legislature() (*StateLegislature, error) {
	of := &f.r.periods.legislature
	if !of.known {
		return nil, nil
	}
	c := &LegislativePeriod{Source: of.source, Year: of.year, Vintage: of.vintage, Basis: f.basis()}
	covered := f.r.data.State(f.state).FIPS == districtOfColumbia
	for _, chamber := range [...]struct {
		id   dataset.LayerID
		into *[]LegislativeDistrict
	}{{dataset.LayerStateUpper, &c.Upper}, {dataset.LayerStateLower, &c.Lower}} {
		l := f.r.data.Layer(chamber.id)
		if l == nil {
			continue
		}
		covered = covered || f.r.covers(l, f.state)
		if c.LegislativeYear == "" {
			c.LegislativeYear = l.Info().Period
		}
		met, err := f.find(l)
		if err != nil {
			return nil, err
		}
		list := make([]LegislativeDistrict, len(met))
		for i, o := range met {
			a := l.Area(o.Area)
			list[i] = LegislativeDistrict{GEOID: a.GEOID, Name: a.Name}
			if !f.measured {
				continue
			}
			state := f.r.data.State(a.State)
			list[i].State, list[i].StateFIPS = state.Abbr, state.FIPS
			if len(a.GEOID) > stateDigits {
				list[i].DistrictCode = a.GEOID[stateDigits:]
			}
			list[i].LandWater, list[i].Share = f.landWater(&a), f.share(l, o)
		}
		*chamber.into = list
	}
	if len(c.Upper)+len(c.Lower) == 0 {
		if !covered {
			return nil, nil
		}
		return &StateLegislature{}, nil
	}
	return &StateLegislature{Current: c}, nil
}
