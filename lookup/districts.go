package lookup

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/internal/store"
)

// congress fills the family of congressional districts.
func (f *finder) congress(fam *Families, inc *Include) error {
	current, next, err := currentAndNext(f, inc.CongressionalDistrict, inc.CongressNext, func(f *finder) (drawing[CongressPeriod], error) {
		return drawingOf(f, store.LayerCongressionalDistrict, (*finder).seats)
	}, store.LayerCongressionalDistrict)
	if current.known || next.known {
		fam.CongressionalDistrict = &CongressionalDistricts{Current: current.period, Next: next.period}
	}
	inc.CongressionalDistrict, inc.CongressNext = inc.CongressionalDistrict && !current.known, inc.CongressNext && !next.known
	return err
}

// seats lists the districts of a Congress.
func (f *finder) seats(d *drawn) *CongressPeriod {
	info := d.plan.Info()
	c := &CongressPeriod{
		Source: info.Source, Year: info.Year, Vintage: info.Vintage, Congress: leadingNumber(d.period), Plan: d.note,
		IsSplit: d.split(), Districts: make([]CongressionalDistrict, len(d.list)),
	}
	for i, o := range d.list {
		a := o.layer.Area(o.Area)
		number := districtNumber(a.GEOID)
		c.Districts[i] = CongressionalDistrict{
			GEOID: a.GEOID, OCDID: f.r.congressOCD(a.State, number), State: f.r.data.State(a.State).Abbr, DistrictNumber: number, Name: a.Name,
			LandWater: f.landWater(&a), DistrictShare: f.shareOf(d, o),
		}
	}
	first := &c.Districts[0]
	c.Primary = PrimaryDistrict{GEOID: first.GEOID, State: first.State, DistrictNumber: first.DistrictNumber, Basis: f.basisOf(d)}
	c.PrimaryByPeople = f.mostPeople(d)
	return c
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

// legislature fills the family of state legislative districts. It is unavailable
// if the dataset has no district of the state, because its files are missing. A
// state with districts of one chamber has no other.
func (f *finder) legislature(fam *Families, inc *Include) error {
	current, next, err := currentAndNext(f, inc.StateLegislative, inc.StateLegislativeNext, (*finder).chambers, store.LayerStateUpper, store.LayerStateLower)
	if current.known || next.known {
		fam.StateLegislative = &StateLegislature{Current: current.period, Next: next.period}
	}
	inc.StateLegislative, inc.StateLegislativeNext = inc.StateLegislative && !current.known, inc.StateLegislativeNext && !next.known
	return err
}

// chambers lists the districts of the two chambers. They are known if the dataset
// has districts of the state.
func (f *finder) chambers() (p drawing[LegislativePeriod], err error) {
	of := &f.r.periods.legislature
	c := &LegislativePeriod{Source: of.source, Year: of.year, Vintage: of.vintage, Basis: f.basis()}
	p.known = of.known && f.r.data.State(f.state).FIPS == districtOfColumbia
	first := true
	for _, chamber := range [...]struct {
		id   store.LayerID
		into *[]LegislativeDistrict
		plan *DistrictPlan
	}{{store.LayerStateUpper, &c.Upper, &c.Plan}, {store.LayerStateLower, &c.Lower, &c.LowerPlan}} {
		d, err := f.districts(chamber.id)
		if err != nil {
			return p, err
		}
		if d == nil {
			continue
		}
		p.known = p.known || f.r.covers(d.plan, f.state)
		c.LegislativeYear = cmp.Or(c.LegislativeYear, d.period)
		if info := d.plan.Info(); info.ID != store.BaseLayer(info.ID) {
			c.Source, c.Year, c.Vintage = info.Source, info.Year, info.Vintage
		}
		*chamber.plan = d.note
		if split := d.split(); first || split == True || c.IsSplit == False {
			c.IsSplit = split // else the other chamber is split or unknown
		}
		first = false
		list := make([]LegislativeDistrict, len(d.list))
		for i, o := range d.list {
			a := o.layer.Area(o.Area)
			list[i] = LegislativeDistrict{GEOID: a.GEOID, OCDID: f.r.legislatureOCD(chamber.id, &a), Name: a.Name}
			if !f.measured {
				continue
			}
			state := f.r.data.State(a.State)
			list[i].State, list[i].StateFIPS = state.Abbr, state.FIPS
			if len(a.GEOID) > stateDigits {
				list[i].DistrictCode = a.GEOID[stateDigits:]
			}
			list[i].LandWater, list[i].DistrictShare = f.landWater(&a), f.shareOf(d, o)
		}
		*chamber.into = list
	}
	if len(c.Upper)+len(c.Lower) == 0 {
		return p, nil
	}
	if c.Lower == nil && f.unicameral() {
		c.Lower = []LegislativeDistrict{} // decision D75
	}
	if len(c.Upper) == 0 && c.Plan == (DistrictPlan{}) {
		c.Plan, c.LowerPlan = c.LowerPlan, DistrictPlan{}
	}
	return drawing[LegislativePeriod]{c, true}, nil
}

// unicameral reports whether the dataset has districts of lower chambers, but none of
// the state.
func (f *finder) unicameral() bool {
	plans := f.r.data.Plans(store.LayerStateLower)
	return len(plans) > 0 && !slices.ContainsFunc(plans, func(l *store.Layer) bool { return f.r.covers(l, f.state) })
}
