package acs

// The shapes that the types of this package have in JSON, for documents that
// describe them. Each is called on a zero value, and its fields are in the
// order in which they are written.

// JSONShape returns a number that may be null.
func (Value) JSONShape() any { return (*float64)(nil) }

// JSONShape returns the members of a metric.
func (Metric) JSONShape() any {
	return struct {
		Column     string `json:"column,omitzero"` // absent in aggregates
		Estimate   Value  `json:"est"`
		MOE        Value  `json:"moe,omitzero"`
		Percent    Value  `json:"pct,omitzero"`
		PercentMOE Value  `json:"pct_moe,omitzero"`
	}{}
}

// JSONShape returns the members of a year block. A profile that was not asked
// for is left out, one without data is null.
func (Block) JSONShape() any {
	type tables struct {
		Demographic string `json:"demographic"`
		Social      string `json:"social"`
		Economic    string `json:"economic"`
		Housing     string `json:"housing"`
	}
	return struct {
		Source      string              `json:"source"`
		Product     string              `json:"product"`
		Year        int                 `json:"year"`
		Vintage     string              `json:"vintage"`
		GeoID       string              `json:"geo_id"`
		Level       string              `json:"geography_level"`
		Tables      tables              `json:"tables"`
		Published   bool                `json:"published,omitzero"`
		Note        string              `json:"note,omitzero"`
		Demographic *DemographicProfile `json:"demographic,omitzero" shape:"null"`
		Social      *SocialProfile      `json:"social,omitzero" shape:"null"`
		Economic    *EconomicProfile    `json:"economic,omitzero" shape:"null"`
		Housing     *HousingProfile     `json:"housing,omitzero" shape:"null"`
	}{}
}

// JSONShape returns an object with a block for each year.
func (Years) JSONShape() any { return map[string]Block(nil) }

// JSONShape returns the members of an aggregate. A profile that was not asked
// for, or has no figures, is null.
func (Aggregate) JSONShape() any {
	return struct {
		Source      string              `json:"source"`
		Product     string              `json:"product"`
		Year        int                 `json:"year"`
		Vintage     string              `json:"vintage"`
		WithData    int                 `json:"zips_with_acs_data"`
		WithoutData int                 `json:"zips_without_acs_data"`
		Coverage    float64             `json:"coverage_pct"`
		Note        string              `json:"aggregation_note"`
		Demographic *DemographicProfile `json:"demographic"`
		Social      *SocialProfile      `json:"social"`
		Economic    *EconomicProfile    `json:"economic"`
		Housing     *HousingProfile     `json:"housing"`
	}{}
}

// JSONShape returns an object with an aggregate for each year.
func (Aggregates) JSONShape() any { return map[string]Aggregate(nil) }
