package operation

import "github.com/postgeo/postgeo/envelope"

// The echo of the parsed request (decision D12). It never contains a key. Operations
// without a type here repeat their input, as its tags for JSON say.

// A CodeRequest is the echo of /v2/quick-zip and /v2/zip.
type CodeRequest struct {
	Code     string `json:"code"`      // canonical form
	CodeType string `json:"code_type"` // ZIP, ZIP+4, FSA, Postal or Coordinates
	LookupParams
}

// A CodesRequest is the echo of the batches of codes.
type CodesRequest struct {
	CodesCount int `json:"codes_count"` // codes in the batch
	LookupParams
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
	AddressesCount int `json:"addresses_count"` // addresses in the batch
	AddressParams
}

// A GeocodesRequest is the echo of the batch of /v2/geocode.
type GeocodesRequest struct {
	AddressesCount int `json:"addresses_count"` // addresses in the batch
	GeocodeParams
}

// A PointsRequest is the echo of the batch of /v2/reverse.
type PointsRequest struct {
	PointsCount int `json:"points_count"` // points in the batch
	ReverseParams
}

// A PathRequest is the echo of a request that failed as a whole.
type PathRequest struct {
	Method string `json:"method"` // of the request, e.g. GET
	Path   string `json:"path"`   // without the query
}

// A FailedResponse is the response to a request that failed as a whole.
type FailedResponse = envelope.Response[PathRequest, envelope.Item]
