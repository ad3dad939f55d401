package dataset

// A Quality records what the data of one code rests on: which source gave
// each part, and by how much sources disagree. The builder fills it in.
type Quality struct {
	PointSource      string         // source of the code's point, e.g. "block-group centers 2020"; "" without a point
	OutlineSource    string         // identifier of the source of the outline, e.g. "cb-zctas"; "" without an outline
	OutlineAreaRatio float64        // drawn area divided by the area that the source states; 0 unknown
	PopulationYear   int            // last year of the survey, or the census year, of the population; 0 without one
	Counties         []CountySource // the county that each source names; empty if all agree or none names one
	ClassBasis       string         // what decided the classification, e.g. "zip-database", "uds-zcta", "inferred"
	Notes            []string       // sentences in English about anything else that a reader should know
}

// A CountySource is the county that one source names for a ZIP Code.
type CountySource struct {
	Source string // e.g. "geonames-us", "zip-database", "residents"
	FIPS   string // five digits
	Chosen bool   // whether this is the county of record
}
