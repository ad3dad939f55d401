package enrich

import (
	"strings"

	"github.com/postgeo/postgeo"

	"github.com/postgeo/postgeo/internal/enum"
)

// A Kind is a kind of key that rows are matched by.
type Kind uint8

// The kinds of keys.
const (
	Code        Kind = iota + 1 // a ZIP, ZIP+4, FSA or Canadian postal code, or a coordinate as one text
	Coordinates                 // a latitude and a longitude
	Address                     // a US address
	Text                        // the name of a place, "san francisco ca" or "Orange County, CA", or a code
)

var kindNames = enum.Names[Kind]{Code: "code", Coordinates: "coordinates", Address: "address", Text: "text"}

// String returns "code", "coordinates", "address" or "text".
func (k Kind) String() string { return kindNames.Of(k) }

// Options configures an [Enricher].
type Options struct {
	// Kind is the kind of the rows' keys. It is required.
	Kind Kind
	// Add lists the fields: paths of [Catalog]. A column name may precede a
	// path, "income=acs.economic.income.median_household_income".
	// "nearest_place.*", "nearest_place.2.*" and "in_area.*" are all columns.
	// If Add is empty, rows only get status and reason.
	Add []string
	// RestoreZeros restores codes that a spreadsheet turned into numbers: 501
	// becomes 00501, 6103 and 6103.0 become 06103, and eight digits become a
	// ZIP+4.
	RestoreZeros bool
	// DistanceTo is the code or coordinate that distance fields measure to.
	// They require it, or DistanceToRow.
	DistanceTo string
	// DistanceToRow indicates that each row has its own place to measure
	// distances to (see [Enricher.RowTo]). DistanceTo then applies to rows
	// without one.
	DistanceToRow bool
	// Radius configures the search around each row for radius fields. They
	// require its Max or Auto. Its Include is derived from the fields.
	Radius postgeo.RadiusOptions
	// Nearest configures the search around each row for nearest fields. Its
	// Count is the number of codes in a field without a number: "nearest.code"
	// is one code, or three with a Count of 3, and "nearest.2.code" is always
	// the second. Its Timezone is derived from the fields.
	Nearest postgeo.NearestOptions
	// Places is required by nearest_place fields. The Count and the Max of
	// Nearest apply to it too.
	Places *Places
	// Areas is required by in_area fields.
	Areas *Areas
	// BoundaryOf is the ZIP or FSA whose boundary the boundary fields measure
	// to. They require it.
	BoundaryOf string
	// Suggest restricts the matches of texts by its Include, State, Country and
	// Proximity.
	Suggest postgeo.SuggestOptions
}

// JoinCoordinates returns the key of a row with a latitude and a longitude, or
// "" if both are empty.
func JoinCoordinates(lat, lon string) string {
	lat, lon = strings.TrimSpace(lat), strings.TrimSpace(lon)
	if lat == "" && lon == "" {
		return ""
	}
	return lat + "," + lon
}

// JoinAddress returns the key of a row whose address or text is split into
// several columns. Empty ones are left out.
func JoinAddress(parts ...string) string {
	kept := make([]string, 0, len(parts))
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ", ")
}
