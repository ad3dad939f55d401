package radius

import (
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// A Result is the contract's radius item. Its Item carries the notices of the
// search. Matches are sorted by distance and then by code.
type Result struct {
	envelope.Item
	Search  Search  `json:"search"`
	Matches []Match `json:"matches"`
	Summary Summary `json:"summary"`
	Stats   *Stats  `json:"stats,omitzero"` // when profiles of the survey were asked for and any has figures
	// Delivered are the flags that the search served, for its price.
	Delivered []string `json:"-"`

	missing []string // flags of the survey that could not be served
}

// A Search repeats what was searched.
type Search struct {
	Center   Center     `json:"center"`
	Max      geo.Miles  `json:"max"`          // what Auto came to, to 0.1 mile, or as given
	Min      *geo.Miles `json:"min,omitzero"` // nil when not given
	Mode     Mode       `json:"mode"`
	AutoMode Auto       `json:"auto_mode,omitzero"` // the rule that found Max
	Limit    *int       `json:"limit,omitzero"`     // nil when not given
}

// A Center is the place around which was searched. A coordinate has no code;
// it carries the country, city and state of the area that holds it, where
// there is one.
type Center struct {
	Country   string          `json:"country,omitzero"`
	Code      string          `json:"code,omitzero"` // canonical; of a ZIP+4 its ZIP
	CodeType  lookup.CodeType `json:"code_type,omitzero"`
	City      string          `json:"city,omitzero"`
	State     string          `json:"state,omitzero"`
	Location  geo.LatLng      `json:"location"`
	InputType InputType       `json:"input_type"`
}

// A Match is a code that was found.
type Match struct {
	Country            string                    `json:"country"`
	Code               string                    `json:"code"`
	CodeType           lookup.CodeType           `json:"code_type"`
	City               string                    `json:"city"`
	State              string                    `json:"state"`
	County             string                    `json:"county,omitzero"`
	CountyFIPS         string                    `json:"county_fips,omitzero"`
	Classification     lookup.Classification     `json:"classification,omitzero"`
	ClassificationName lookup.ClassificationName `json:"classification_name,omitzero"`
	Location           geo.LatLng                `json:"location"`
	DistanceMiles      geo.Miles                 `json:"distance_miles"`      // from the center to Location, 2 decimals
	PctInside          *float64                  `json:"pct_inside,omitzero"` // 0 to 100, 1 decimal; nil for a point and in centroid mode
	AreaSqMi           *geo.SquareMiles          `json:"area_sq_mi,omitzero"` // 2 decimals; nil for a point and in centroid mode
	Timezone           *lookup.TimeZone          `json:"timezone,omitzero"`   // when asked for
}

// A Summary counts the matches.
type Summary struct {
	TotalCount    int  `json:"total_count"` // matches that are listed
	USZIPCount    int  `json:"us_zip_count"`
	CAFSACount    int  `json:"ca_fsa_count"`
	CAPostalCount int  `json:"ca_postal_count"`
	Available     *int `json:"total_available,omitzero"` // all there are, when not all are listed
}
