package suggest

import (
	"encoding/json"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/lookup"
)

// A Result is the contract's suggest item. Its Item carries the notices of the
// query.
type Result struct {
	envelope.Item
	// TotalMatched is the number of distinct matches without a limit. Matches
	// with typos or another order of words are only counted if the limit was not
	// reached without them.
	TotalMatched int     `json:"total_matched"`
	Matches      []Match `json:"matches"` // best first
}

// A Match is a possible meaning of a query. Only fields that apply to its type and
// are in the dataset are set.
type Match struct {
	Type               Type                      `json:"type"`                         // kind of match
	Name               string                    `json:"name"`                         // of ZIPs, FSAs and postal codes the code
	City               string                    `json:"city,omitzero"`                // of a code
	State              string                    `json:"state,omitzero"`               // two letters, in the United States
	Province           string                    `json:"province,omitzero"`            // two letters, in Canada
	StateName          string                    `json:"state_name,omitzero"`          // e.g. "California"
	Country            string                    `json:"country"`                      // US or CA
	County             string                    `json:"county,omitzero"`              // of a ZIP, place or city
	CountyFIPS         string                    `json:"county_fips,omitzero"`         // five digits
	FIPS               string                    `json:"fips,omitzero"`                // of a state two digits, of a county five
	GEOID              string                    `json:"geoid,omitzero"`               // of a place, a school district (LEAID), a county, a state, a census subdivision
	CBSACode           string                    `json:"cbsa_code,omitzero"`           // five digits
	MetroMicro         string                    `json:"metro_micro,omitzero"`         // metropolitan or micropolitan
	Classification     lookup.Classification     `json:"classification,omitzero"`      // of ZIPs
	ClassificationName lookup.ClassificationName `json:"classification_name,omitzero"` // the class as a word
	Location           geo.LatLng                `json:"location,omitzero"`            // in degrees of WGS84
	Population         *int                      `json:"population,omitzero"`          // people, latest table
	BBox               *Box                      `json:"bbox,omitzero"`
	PostalCodeCount    *int                      `json:"postal_code_count,omitzero"` // of FSAs, if the dataset's list is complete
	AssociatedZIPs     AssociatedZIPs            `json:"associated_zips,omitzero"`   // ZIPs of the place

	// Reason explains the position of the match.
	Reason Reason `json:"-"`
}

// A Box is the smallest rectangle of parallels and meridians around a match.
// Across the antimeridian MinLon is greater than MaxLon.
type Box struct {
	MinLat float64 `json:"min_lat"` // degrees
	MaxLat float64 `json:"max_lat"` // degrees
	MinLon float64 `json:"min_lon"` // degrees
	MaxLon float64 `json:"max_lon"` // degrees
}

// AssociatedZIPs are the ZIP Codes whose mail may be addressed to a city,
// ascending.
type AssociatedZIPs []dataset.ZIP

// IsZero reports whether there are none.
func (z AssociatedZIPs) IsZero() bool { return len(z) == 0 }

// MarshalJSON writes a list of strings of five digits.
func (z AssociatedZIPs) MarshalJSON() ([]byte, error) {
	const width = 8 // of a code with its quotes and comma
	b := append(make([]byte, 0, width*len(z)+2), '[')
	for i, code := range z {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, code.String()...)
		b = append(b, '"')
	}
	return append(b, ']'), nil
}

// UnmarshalJSON reads the format of MarshalJSON.
func (z *AssociatedZIPs) UnmarshalJSON(data []byte) error {
	var codes []string
	if err := json.Unmarshal(data, &codes); err != nil {
		return err
	}
	*z = make(AssociatedZIPs, len(codes))
	for i, c := range codes {
		(*z)[i], _ = dataset.ParseZIP(c)
	}
	return nil
}

// A Bucket is the kind of a match. Lower buckets are stronger evidence.
type Bucket uint8

// The buckets.
const (
	ExactName  Bucket = iota + 1 // the query is the name, or the code
	ExactAlias                   // the query is another name
	AllWords                     // every word of the query is a word of the name
	Prefix                       // the name, or another, begins with the query
	InnerWord                    // a later word of the name begins with the query
	OneTypo                      // one letter is wrong, missing, too many, or two are swapped
	TwoTypos                     // two typos
)

// String returns the bucket in words, or "" for any other value.
func (b Bucket) String() string {
	switch b {
	case ExactName:
		return "exact name"
	case ExactAlias:
		return "exact alias"
	case AllWords:
		return "all words"
	case Prefix:
		return "prefix"
	case InnerWord:
		return "inner word"
	case OneTypo:
		return "one typo"
	case TwoTypos:
		return "two typos"
	default:
		return ""
	}
}

// A Reason explains the position of a match in the list, which descends by the
// sum of Prominence, Evidence and Proximity.
type Reason struct {
	Bucket     Bucket
	Prominence float64 // binary logarithm of residents, weighted by the kind of thing
	Evidence   float64 // for the Bucket, in doublings of residents
	Proximity  float64 // for being near, at most 8 doublings
}

// Score returns the sum of the terms.
func (r *Reason) Score() float64 { return r.Prominence + r.Evidence + r.Proximity }
