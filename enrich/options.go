package enrich

import (
	"strings"

	"github.com/postgeo/postgeo"
)

// A Kind is what a row has that it is looked up by.
type Kind uint8

// The kinds of keys.
const (
	Code        Kind = iota + 1 // a ZIP, ZIP+4, FSA or Canadian postal code, or a coordinate as one text
	Coordinates                 // a latitude and a longitude
	Address                     // a US address
	Text                        // what a person calls a place: "san francisco ca", "Orange County, CA", a code
)

// String returns "code", "coordinates", "address" or "text".
func (k Kind) String() string {
	switch k {
	case Code:
		return "code"
	case Coordinates:
		return "coordinates"
	case Address:
		return "address"
	case Text:
		return "text"
	default:
		return ""
	}
}

// Options say what is added to rows.
type Options struct {
	// Kind is what rows are looked up by. It is needed.
	Kind Kind
	// Add are the fields: paths of [Catalog], each of which may have a name of
	// its own before it, "income=acs.economic.income.median_household_income".
	// "nearest_place.*", "nearest_place.2.*" and "in_area.*" are all columns.
	// None adds only status and reason.
	Add []string
	// RestoreZeros reads codes that a spreadsheet has taken for numbers: 501 as
	// 00501, 6103 and 6103.0 as 06103, and eight digits as a ZIP+4.
	RestoreZeros bool
	// DistanceTo is the code or coordinate that the fields of distance measure
	// to. They need it, or DistanceToRow.
	DistanceTo string
	// DistanceToRow says that each row brings a place of its own that its fields
	// of distance measure to (see [Enricher.RowTo]). DistanceTo is then that of
	// rows which bring none.
	DistanceToRow bool
	// Radius is the search that the fields of radius tell of, around each row.
	// They need its Max or Auto. Its Include is found from the fields.
	Radius postgeo.RadiusOptions
	// Nearest says which codes the fields of nearest tell of, around each row.
	// Its Count is how many of them a field without a number lists: "nearest.code"
	// is one code, or with a Count of 3 three, and "nearest.2.code" the second in
	// either case. Its Timezone is found from the fields.
	Nearest postgeo.NearestOptions
	// Places are the places that the fields of nearest_place tell of. They need
	// them. The Count and the Max of Nearest hold for them too.
	Places *Places
	// Areas are the areas that the fields of in_area tell of. They need them.
	Areas *Areas
	// BoundaryOf is the ZIP or FSA whose boundary the fields of boundary measure
	// to. They need it.
	BoundaryOf string
	// Suggest says what texts may mean: its Include, State, Country and
	// Proximity.
	Suggest postgeo.SuggestOptions
}

// JoinCoordinates makes the key of a row with a latitude and a longitude, "" of
// two empty ones.
func JoinCoordinates(lat, lon string) string {
	lat, lon = strings.TrimSpace(lat), strings.TrimSpace(lon)
	if lat == "" && lon == "" {
		return ""
	}
	return lat + "," + lon
}

// JoinAddress makes the key of a row whose address or text stands in several
// columns. Empty ones are left out.
func JoinAddress(parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ", ")
}
