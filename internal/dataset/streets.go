package dataset

import (
	"github.com/postgeo/postgeo/internal/dataset/internal/streets"
)

type (
	// StreetRecord is a range of numbers of a street, with or without an add-on.
	StreetRecord = streets.Record
	// ZIP4Record is one record of the ZIP+4 product.
	ZIP4Record = streets.ZIP4Record
	// StreetAlias is another name of a street.
	StreetAlias = streets.Alias
	// CityName is a name of a ZIP Code's place in the City State product.
	CityName = streets.CityName
)

// Of streets.
const (
	SectionStreets = streets.SectionStreets // records, city names and other names
	KindZIP4       = streets.KindZIP4       // in a comparison
)
