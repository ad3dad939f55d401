package draft

// Names that tests derive.
var (
	DistrictNames = districtNames
	DivisionNames = districtOfDivision
	BareCounty    = bareCounty
	InFull        = inFull
	Abbreviates   = abbreviates
	Tenths        = tenths
)
