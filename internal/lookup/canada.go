package lookup

import "github.com/postgeo/postgeo/internal/dataset"

// canadianLayers are the layers of the census in Canada, in the contract's
// order.
var canadianLayers = [...]dataset.LayerID{
	dataset.LayerCensusDivision, dataset.LayerCensusSubdivision, dataset.LayerCensusTract, dataset.LayerMetroArea, dataset.LayerEconomicRegion,
	dataset.LayerPopulationCentre, dataset.LayerConsolidatedSubdivision, dataset.LayerDesignatedPlace,
	dataset.LayerDisseminationArea, dataset.LayerDisseminationBlock,
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
	if inc.CongressionalDistrict {
		c, err := f.federal()
		if err != nil {
			return err
		}
		fam.FederalElectoralDistrict, inc.CongressionalDistrict = c, c == nil
	}
	return nil
}

// canadianCensus returns nil if the dataset has no census layer.
func (f *finder) canadianCensus() (*Census, error) {
	of := &f.r.periods.canada
	if !of.known && f.assigned == nil {
		return nil, nil
	}
	c := &CensusPeriod{Source: of.source, Year: of.year, Basis: f.basis()}
	found := false
	for _, s := range [...]struct {
		id   dataset.LayerID
		into *[]CensusArea
	}{
		{dataset.LayerCensusDivision, &c.CensusDivision},
		{dataset.LayerCensusSubdivision, &c.CensusSubdivision},
		{dataset.LayerCensusTract, &c.Tract},
		{dataset.LayerMetroArea, &c.MetroArea},
		{dataset.LayerEconomicRegion, &c.EconomicRegion},
		{dataset.LayerPopulationCentre, &c.PopulationCentre},
		{dataset.LayerConsolidatedSubdivision, &c.ConsolidatedSubdivision},
		{dataset.LayerDesignatedPlace, &c.DesignatedPlace},
		{dataset.LayerDisseminationArea, &c.DisseminationArea},
		{dataset.LayerDisseminationBlock, &c.DisseminationBlock},
	} {
		if f.measured && (s.id == dataset.LayerDisseminationArea || s.id == dataset.LayerDisseminationBlock) {
			break // only full postal codes have them
		}
		var err error
		if *s.into, err = f.census(s.id); err != nil {
			return nil, err
		}
		found = found || len(*s.into) > 0
	}
	if !found {
		return &Census{}, nil
	}
	return &Census{Current: c}, nil
}

// federal returns nil if the dataset has no federal electoral districts for the
// place.
func (f *finder) federal() (*FederalDistricts, error) {
	l, met, err := f.in(dataset.LayerFederalDistrict)
	if l == nil || err != nil {
		return nil, err
	}
	if len(met) == 0 {
		return &FederalDistricts{}, nil
	}
	of := &f.r.periods.federal
	c := &FederalPeriod{Source: of.source, Year: of.year, Basis: f.basis(), Districts: make([]FederalDistrict, len(met))}
	for i, o := range met {
		a := l.Area(o.Area)
		c.Districts[i] = FederalDistrict{GEOID: a.GEOID, Name: a.Name, NameFR: a.NameFR, PctOfFSA: f.share(l, o).PctOfFSA}
	}
	return &FederalDistricts{Current: c}, nil
}
