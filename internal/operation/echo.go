package operation

import "github.com/postgeo/postgeo/envelope"

// The echo of the parsed request, one type for each shape of decision D12. An echo
// never contains a key.

// A PlansRequest is the part of an echo about plans of districts. Parameters that were
// not given are omitted.
type PlansRequest struct {
	AsOf string `json:"as_of,omitzero"` // day of the plans, YYYY-MM-DD
	Plan string `json:"plan,omitzero"`  // ID of a plan, e.g. "cd120"
}

// A CodeRequest is the echo of /v2/quick-zip and /v2/zip.
type CodeRequest struct {
	Code     string         `json:"code"`      // canonical form
	CodeType string         `json:"code_type"` // ZIP, ZIP+4, FSA, Postal or Coordinates
	Include  envelope.Flags `json:"include"`   // as requested, unknown flags too
	PlansRequest
}

// A DistanceRequest is the echo of /v2/distance, both ends in canonical form.
type DistanceRequest struct {
	From string `json:"from"` // the start, in canonical form
	To   string `json:"to"`   // the end, in canonical form
}

// A RadiusRequest is the echo of /v2/radius.
type RadiusRequest struct {
	Code    string             `json:"code"`           // canonical form
	Max     envelope.RadiusMax `json:"max"`            // miles as requested, or the name of an automatic rule
	Min     *float64           `json:"min,omitzero"`   // inner limit in miles; nil when not given
	Mode    string             `json:"mode"`           // centroid or spatial
	Include envelope.Flags     `json:"include"`        // as requested, unknown flags too
	Limit   *int               `json:"limit,omitzero"` // maximum matches as requested; nil when not given
}

// A SuggestRequest is the echo of /v2/suggest.
type SuggestRequest struct {
	Q         string         `json:"q"`                  // the query text
	Limit     int            `json:"limit"`              // maximum suggestions as requested
	Include   envelope.Flags `json:"include"`            // requested kinds of places; empty for all
	State     string         `json:"state,omitzero"`     // two letters
	Country   string         `json:"country,omitzero"`   // US or CA
	Proximity string         `json:"proximity,omitzero"` // code, place or coordinate near which results come first
}

// An AddressRequest is the echo of /v2/address.
type AddressRequest struct {
	Address string         `json:"address"` // as given
	Include envelope.Flags `json:"include"` // as requested, unknown flags too
	PlansRequest
}

// A GeocodeRequest is the echo of /v2/geocode.
type GeocodeRequest struct {
	Address string         `json:"address"` // as given
	Offset  float64        `json:"offset"`  // meters from the middle of the street; negative for none
	Include envelope.Flags `json:"include"` // as requested, unknown flags too
	PlansRequest
}

// A ReverseRequest is the echo of /v2/reverse.
type ReverseRequest struct {
	Point   string         `json:"point"`   // canonical form
	Within  float64        `json:"within"`  // maximum distance in meters
	Include envelope.Flags `json:"include"` // as requested, unknown flags too
	PlansRequest
}

// A GeocodesRequest is the echo of the batch of /v2/geocode.
type GeocodesRequest struct {
	AddressesCount int            `json:"addresses_count"` // addresses in the batch
	Offset         float64        `json:"offset"`          // meters from the middle of the street; negative for none
	Include        envelope.Flags `json:"include"`         // as requested, unknown flags too
	PlansRequest
}

// A PointsRequest is the echo of the batch of /v2/reverse.
type PointsRequest struct {
	PointsCount int            `json:"points_count"` // points in the batch
	Within      float64        `json:"within"`       // maximum distance in meters
	Include     envelope.Flags `json:"include"`      // as requested, unknown flags too
	PlansRequest
}

// A CodesRequest is the echo of the batches of codes.
type CodesRequest struct {
	CodesCount int            `json:"codes_count"` // codes in the batch
	Include    envelope.Flags `json:"include"`     // as requested, unknown flags too
	PlansRequest
}

// A SearchesRequest is the echo of the batch of radius searches.
type SearchesRequest struct {
	SearchesCount int            `json:"searches_count"` // searches in the batch
	Include       envelope.Flags `json:"include"`        // as requested for all of them, unknown flags too
	Mode          string         `json:"mode,omitzero"`  // centroid or spatial, if given for all of them
}

// A PairsRequest is the echo of the batch of distances.
type PairsRequest struct {
	PairsCount int `json:"pairs_count"` // pairs in the batch
}

// An AddressesRequest is the echo of the batch of addresses.
type AddressesRequest struct {
	AddressesCount int            `json:"addresses_count"` // addresses in the batch
	Include        envelope.Flags `json:"include"`         // as requested, unknown flags too
	PlansRequest
}

// A PathRequest is the echo of a request that failed as a whole.
type PathRequest struct {
	Method string `json:"method"` // of the request, e.g. GET
	Path   string `json:"path"`   // without the query
}

// An OutlinesRequest is the echo of /v2/outlines.
type OutlinesRequest struct {
	Box       string  `json:"box,omitzero"`   // west, south, east and north in degrees
	Tolerance float64 `json:"tolerance"`      // degrees of a step
	Limit     int     `json:"limit"`          // maximum number of areas
	Codes     string  `json:"codes,omitzero"` // named codes
}

// An AreaRequest is the echo of /v2/area.
type AreaRequest struct {
	Layer     string  `json:"layer"`         // kind of area
	GEOID     string  `json:"geoid"`         // ID of the area
	Tolerance float64 `json:"tolerance"`     // degrees of a step
	Plan      string  `json:"plan,omitzero"` // district plan, if given
}

// An InsideRequest is the echo of /v2/inside, without the polygon.
type InsideRequest struct {
	Mode    string         `json:"mode"`    // centroid or spatial
	Include envelope.Flags `json:"include"` // as requested, unknown flags too
	Limit   int            `json:"limit"`   // maximum number of matches
}

// A FiguresRequest is the echo of /v2/figures, without the polygon.
type FiguresRequest struct {
	Field string   `json:"field"`          // full name
	Code  string   `json:"code,omitzero"`  // center of a circle
	Max   *float64 `json:"max,omitzero"`   // radius in miles
	Layer string   `json:"layer,omitzero"` // kind of area
	GEOID string   `json:"geoid,omitzero"` // ID of the area
	Year  int      `json:"year,omitzero"`  // last of the five years, if given
}

// A FailedResponse is the response to a request that failed as a whole.
type FailedResponse = envelope.Response[PathRequest, envelope.Item]
