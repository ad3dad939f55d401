package lookup

import "github.com/postgeo/postgeo/internal/store"

// canadianKinds are the areas of the census in Canada, in the contract's order.
var canadianKinds = [...]kind{
	{store.LayerCensusDivision, "census_division"},
	{store.LayerCensusSubdivision, "census_subdivision"},
	{store.LayerCensusTract, "tract"},
	{store.LayerMetroArea, "metro_area"},
	{store.LayerEconomicRegion, "economic_region"},
	{store.LayerPopulationCentre, "population_centre"},
	{store.LayerConsolidatedSubdivision, "consolidated_subdivision"},
	{store.LayerDesignatedPlace, "designated_place"},
	{store.LayerDisseminationArea, "dissemination_area"},
	{store.LayerDisseminationBlock, "dissemination_block"},
}

// canada fills the two families of a place in Canada.
func (f *finder) canada(fam *Families, inc *Include) error {
	if inc.Census {
		c, err := f.canadianCensus()
		if err != nil {
			return err
		}
		fam.Census, inc.Census = c, c == nil
	}
	return f.federal(fam, inc)
}

// canadianCensus returns nil if the dataset has no census layer.
func (f *finder) canadianCensus() (*Census, error) {
	of := &f.r.periods.canada
	if !of.known && f.assigned == nil {
		return nil, nil
	}
	c := &CensusPeriod{Source: of.source, Year: of.year, Basis: f.basis()}
	kinds := canadianKinds[:]
	if f.measured { // only full postal codes have dissemination areas and blocks
		kinds = kinds[:len(kinds)-2]
	}
	found, err := f.kinds(kinds, &c.CensusDivision, &c.CensusSubdivision, &c.Tract, &c.MetroArea, &c.EconomicRegion,
		&c.PopulationCentre, &c.ConsolidatedSubdivision, &c.DesignatedPlace, &c.DisseminationArea, &c.DisseminationBlock)
	if err != nil {
		return nil, err
	}
	if !found {
		return &Census{}, nil
	}
	return &Census{Current: c}, nil
}

// federal fills the family of federal electoral districts.
func (f *finder) federal(fam *Families, inc *Include) error {
	current, next, err := currentAndNext(f, inc.CongressionalDistrict, inc.CongressNext, func(f *finder) (drawing[FederalPeriod], error) {
		return drawingOf(f, store.LayerFederalDistrict, (*finder).order)
	}, store.LayerFederalDistrict)
	if current.known || next.known {
		fam.FederalElectoralDistrict = &FederalDistricts{Current: current.period, Next: next.period}
	}
	inc.CongressionalDistrict, inc.CongressNext = inc.CongressionalDistrict && !current.known, inc.CongressNext && !next.known
	return err
}

// order lists the districts of a Representation Order.
func (f *finder) order(d *drawn) *FederalPeriod {
	info := d.plan.Info()
	c := &FederalPeriod{
		Source: info.Source, Year: info.Year, Plan: d.note, Basis: f.basis(), Districts: make([]FederalDistrict, len(d.list)),
	}
	for i, o := range d.list {
		a := o.layer.Area(o.Area)
		c.Districts[i] = FederalDistrict{GEOID: a.GEOID, OCDID: orderOCD(a.GEOID, o.layer), Name: a.Name, NameFR: a.NameFR, PctOfFSA: f.shareOf(d, o).PctOfFSA}
	}
	return c
}
