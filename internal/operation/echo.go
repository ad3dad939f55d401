package operation

import (
	"cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// The echo of the parsed request (decision D12). It never contains a key. Operations
// without a type here repeat their input, by its JSON tags.

// A CodeRequest is the echo of /v2/quick-zip and /v2/zip.
type CodeRequest struct {
	Code     string `json:"code"`      // canonical form
	CodeType string `json:"code_type"` // ZIP, ZIP+4, FSA, Postal or Coordinates
	LookupParams
}

func requestOf(code lookup.Code, params LookupParams) any {
	return &CodeRequest{Code: code.String(), CodeType: string(code.Type()), LookupParams: params}
}

// Request returns the echo of the input after Check.
func (in *LookupInput) Request() any { return requestOf(in.Parsed, in.LookupParams) }

// Request returns the echo of the input after Check.
func (in *QuickInput) Request() any { return requestOf(in.Parsed, in.LookupParams) }

// A CodesRequest is the echo of the batches of codes.
type CodesRequest struct {
	CodesCount int `json:"codes_count"` // codes in the batch
	LookupParams
}

// Total returns the echo of n codes.
func (in *LookupParams) Total(n int) any { return &CodesRequest{CodesCount: n, LookupParams: *in} }

// A RadiusRequest is the echo of /v2/radius.
type RadiusRequest struct {
	Code    string             `json:"code"`           // canonical form
	Max     envelope.RadiusMax `json:"max"`            // miles as requested, or the name of an automatic rule
	Min     *float64           `json:"min,omitzero"`   // inner limit in miles; nil when not given
	Mode    string             `json:"mode"`           // centroid or spatial
	Include envelope.Flags     `json:"include"`        // as requested, unknown flags too
	Limit   *int               `json:"limit,omitzero"` // maximum matches as requested; nil when not given
}

// Request returns the echo of the input after Check.
func (in *RadiusInput) Request() any {
	reach := envelope.RadiusMax{}
	if e := in.Max.Echo(); e != nil {
		reach = *e
	}
	return &RadiusRequest{
		Code: in.Parsed.String(), Max: reach, Min: (*float64)(in.Min), Mode: string(cmp.Or(in.Mode, radius.Centroid)), Include: in.Include, Limit: in.Limit,
	}
}

// A SearchesRequest is the echo of the batch of radius searches.
type SearchesRequest struct {
	SearchesCount int            `json:"searches_count"` // searches in the batch
	Include       envelope.Flags `json:"include"`        // as requested for all of them, unknown flags too
	Mode          string         `json:"mode,omitzero"`  // centroid or spatial, if given for all of them
}

// Total returns the echo of n searches.
func (in *RadiusParams) Total(n int) any {
	return &SearchesRequest{SearchesCount: n, Include: in.Include, Mode: string(cmp.Or(in.Mode, radius.Centroid))}
}

// Request returns the echo of the input after Check.
func (in *DistanceInput) Request() any {
	return &DistanceInput{Ends: Ends{From: in.ParsedFrom.String(), To: in.ParsedTo.String()}}
}

// A PairsRequest is the echo of the batch of distances.
type PairsRequest struct {
	PairsCount int `json:"pairs_count"` // pairs in the batch
}

// Total returns the echo of n pairs.
func (in *DistanceInput) Total(n int) any { return &PairsRequest{PairsCount: n} }

// An AddressesRequest is the echo of the batch of addresses.
type AddressesRequest struct {
	AddressesCount int `json:"addresses_count"` // addresses in the batch
	AddressParams
}

// Total returns the echo of n addresses.
func (in *AddressParams) Total(n int) any {
	return &AddressesRequest{AddressesCount: n, AddressParams: *in}
}

// A GeocodesRequest is the echo of the batch of /v2/geocode.
type GeocodesRequest struct {
	AddressesCount int `json:"addresses_count"` // addresses in the batch
	GeocodeParams
}

// Total returns the echo of n addresses.
func (in *GeocodeParams) Total(n int) any {
	return &GeocodesRequest{AddressesCount: n, GeocodeParams: *in}
}

// Request returns the echo of the input after Check.
func (in *ReverseInput) Request() any {
	return &ReverseInput{Point: in.Parsed.String(), ReverseParams: in.ReverseParams}
}

// A PointsRequest is the echo of the batch of /v2/reverse.
type PointsRequest struct {
	PointsCount int `json:"points_count"` // points in the batch
	ReverseParams
}

// Total returns the echo of n points.
func (in *ReverseParams) Total(n int) any { return &PointsRequest{PointsCount: n, ReverseParams: *in} }

// A PathRequest is the echo of a request that failed as a whole.
type PathRequest struct {
	Method string `json:"method"` // of the request, e.g. GET
	Path   string `json:"path"`   // without the query
}

// A FailedResponse is the response to a request that failed as a whole.
type FailedResponse = envelope.Response[PathRequest, envelope.Item]
