package acs

import "github.com/postgeo/postgeo/internal/dataset"

// A Level is a kind of area with figures. Its String is "zcta" or "tract".
type Level = dataset.ACSLevel

// The levels.
const (
	ZCTA  = dataset.ACSZCTA  // ZIP Code Tabulation Areas, of five digits
	Tract = dataset.ACSTract // census tracts, of eleven digits
)
