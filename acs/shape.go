package acs

// The shapes that the types of this package have in JSON, for documents that
// describe them. Each is called on a zero value, and its fields are in the
// order in which they are written.

// JSONShape returns a number that may be null.
func (Value) JSONShape() any { return (*float64)(nil) }

type metricShape struct {
	Column     string `json:"column,omitzero"`  // the estimate's column in the published table, e.g. DP03_0062E; absent in aggregates
	Estimate   Value  `json:"est"`              // estimate over the five years: people, households, homes, dollars, years of age or minutes, as the field's name says; null where none was published
	MOE        Value  `json:"moe,omitzero"`     // margin of error of est at a confidence of 90 percent, in its unit; null where none was published; absent in aggregates
	Percent    Value  `json:"pct,omitzero"`     // est in percent of the field's universe, 1 decimal; absent in a universe and in medians
	PercentMOE Value  `json:"pct_moe,omitzero"` // margin of error of pct at a confidence of 90 percent, in percentage points; absent in aggregates
}

// JSONShape returns the members of a metric.
func (Metric) JSONShape() any { return metricShape{} }

type tables struct {
	Demographic string `json:"demographic"` // data profile of people, age, race and citizenship
	Social      string `json:"social"`      // data profile of households, education, veterans, disability, origin, language and ancestry
	Economic    string `json:"economic"`    // data profile of work, commuting, income, insurance and poverty
	Housing     string `json:"housing"`     // data profile of homes, their age, value, rent and costs
}

type blockShape struct {
	Source      string              `json:"source"`                            // who published the figures
	Product     string              `json:"product"`                           // name of the survey's product
	Year        int                 `json:"year"`                              // last of the five years of the estimates
	Vintage     string              `json:"vintage"`                           // first and last of the five years, e.g. 2020-2024
	GeoID       string              `json:"geo_id"`                            // the Census Bureau's identifier of the area, e.g. 860Z200US10001
	Level       string              `json:"geography_level"`                   // zcta, the ZIP Code Tabulation Area of the same code, or tract
	Tables      tables              `json:"tables"`                            // the Census Bureau's tables that the profiles come from
	Published   bool                `json:"published,omitzero"`                // whether the year has figures of the area
	Note        string              `json:"note,omitzero"`                     // why there are no figures
	Demographic *DemographicProfile `json:"demographic,omitzero" shape:"null"` // table DP05; absent where it was not asked for, null where the year has none
	Social      *SocialProfile      `json:"social,omitzero" shape:"null"`      // table DP02; absent where it was not asked for, null where the year has none
	Economic    *EconomicProfile    `json:"economic,omitzero" shape:"null"`    // table DP03; absent where it was not asked for, null where the year has none
	Housing     *HousingProfile     `json:"housing,omitzero" shape:"null"`     // table DP04; absent where it was not asked for, null where the year has none
}

// JSONShape returns the members of a year block. A profile that was not asked
// for is left out, one without data is null.
func (Block) JSONShape() any { return blockShape{} }

// JSONShape returns an object with a block for each year.
func (Years) JSONShape() any { return map[string]Block(nil) }

type aggregateShape struct {
	Source      string              `json:"source"`                // who published the figures
	Product     string              `json:"product"`               // name of the survey's product
	Year        int                 `json:"year"`                  // last of the five years of the estimates
	Vintage     string              `json:"vintage"`               // first and last of the five years, e.g. 2020-2024
	WithData    int                 `json:"zips_with_acs_data"`    // ZIP Codes inside of which any profile that was asked for has figures
	WithoutData int                 `json:"zips_without_acs_data"` // the other ZIP Codes inside
	Coverage    float64             `json:"coverage_pct"`          // ZIP Codes with figures in percent of all US ZIP Codes inside, 1 decimal
	Note        string              `json:"aggregation_note"`      // how parts are weighted, and how counts, medians and rates were brought together
	Demographic *DemographicProfile `json:"demographic"`           // table DP05 over all areas; null where it was not asked for or has no figures
	Social      *SocialProfile      `json:"social"`                // table DP02 over all areas; null where it was not asked for or has no figures
	Economic    *EconomicProfile    `json:"economic"`              // table DP03 over all areas; null where it was not asked for or has no figures
	Housing     *HousingProfile     `json:"housing"`               // table DP04 over all areas; null where it was not asked for or has no figures
}

// JSONShape returns the members of an aggregate. A profile that was not asked
// for, or has no figures, is null.
func (Aggregate) JSONShape() any { return aggregateShape{} }

// JSONShape returns an object with an aggregate for each year.
func (Aggregates) JSONShape() any { return map[string]Aggregate(nil) }
