package draft

// Names that tests derive.
var (
	DistrictNames = districtNames
	DivisionNames = districtOfDivision
	InFull        = inFull
	Abbreviates   = abbreviates
)
