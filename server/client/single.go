package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// QuickLookup calls /v2/quick-zip for the place of a code.
func (c *Client) QuickLookup(ctx context.Context, code string, o lookup.QuickOptions) (*lookup.QuickRecord, *Reply, error) {
	in := operation.LookupInput{Place: operation.Place{Code: code}, LookupParams: operation.QuickParamsOf(o)}
	return single[envelope.CodeRequest, lookup.QuickRecord](ctx, c, operation.Quick, operation.Quick.Params, &in, o, quickOptions)
}

// Lookup calls /v2/zip for the record of a code and the requested enrichments.
func (c *Client) Lookup(ctx context.Context, code string, o lookup.Options) (*lookup.Record, *Reply, error) {
	in := operation.LookupInput{Place: operation.Place{Code: code}, LookupParams: operation.LookupParamsOf(o)}
	return single[envelope.CodeRequest, lookup.Record](ctx, c, operation.Lookup, operation.Lookup.Params, &in, o, lookupOptions)
}

// Distance calls /v2/distance for the distance between two codes or coordinates.
func (c *Client) Distance(ctx context.Context, from, to string, o radius.DistanceOptions) (*radius.DistanceResult, *Reply, error) {
	in := operation.DistanceInput{Ends: operation.Ends{From: from, To: to}, Clock: operation.Clock{At: o.At}}
	return single[envelope.DistanceRequest, radius.DistanceResult](ctx, c, operation.Distance, operation.Distance.Params, &in, o, distanceOptions)
}

// Radius calls /v2/radius for the codes around a code or coordinate. It returns a
// [*fault.Error] for invalid options without a request.
func (c *Client) Radius(ctx context.Context, center string, o radius.Options) (*radius.Result, *Reply, error) {
	if err := o.Check(); err != nil {
		return nil, nil, fmt.Errorf("client: %w", err)
	}
	in, o := radiusInput(center, o)
	return single[envelope.RadiusRequest, radius.Result](ctx, c, operation.Radius, operation.Radius.Params, &in, o, radiusOptions)
}

// Suggest calls /v2/suggest for matches of a partial query. The options Locator and
// Client, which are those of the server, are errors.
func (c *Client) Suggest(ctx context.Context, query string, o suggest.Options) (*suggest.Result, *Reply, error) {
	in := operation.SuggestInputOf(query, o)
	return single[envelope.SuggestRequest, suggest.Result](ctx, c, operation.Suggest, operation.SuggestRoute, &in, o, suggestOptions)
}

// Geocode calls /v2/geocode for the position of an address.
func (c *Client) Geocode(ctx context.Context, text string, o geocode.Options) (*geocode.Result, *Reply, error) {
	in, o := geocodeInput(text, o)
	return single[envelope.GeocodeRequest, geocode.Result](ctx, c, operation.Geocode, operation.Geocode.Params, &in, o, geocodeOptions)
}

// Reverse calls /v2/reverse for the address nearest to a point.
func (c *Client) Reverse(ctx context.Context, at geo.LatLng, o geocode.ReverseOptions) (*geocode.Nearest, *Reply, error) {
	in := operation.ReverseInput{Point: at.String(), ReverseParams: operation.ReverseParamsOf(o)}
	return single[envelope.ReverseRequest, geocode.Nearest](ctx, c, operation.Reverse, operation.Reverse.Params, &in, o, reverseOptions)
}

// ZIP3 calls /v2/zip3 for the people of the ZIP Codes that begin with three digits.
func (c *Client) ZIP3(ctx context.Context, code string) (*lookup.ZIP3, *Reply, error) {
	return called[operation.ZIP3Input, lookup.ZIP3](ctx, c, operation.ZIP3, &operation.ZIP3Input{Code: code})
}

// MatchAddress calls /v2/address for the ZIP+4 record of a US address. An address
// without a match returns an error.
func (c *Client) MatchAddress(ctx context.Context, text string, o address.Options) (*address.Match, *Reply, error) {
	in := operation.AddressInput{AddressLine: operation.AddressLine{Address: text}, AddressParams: operation.AddressParamsOf(o)}
	return single[envelope.AddressRequest, address.Match](ctx, c, operation.Address, operation.Address.Params, &in, o, addressOptions)
}

// Health calls /v2/health. An unhealthy server, with status 503, is not an error.
func (c *Client) Health(ctx context.Context) (*envelope.Health, *Reply, error) {
	q := request{path: "/v2/health", final: true}
	a, err := c.send(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	var resp envelope.HealthResponse
	known := a.status == http.StatusOK || a.status == http.StatusServiceUnavailable
	if err := json.Unmarshal(a.body, &resp); known && err == nil && resp.Data.Status != "" {
		reply := newReply(a)
		reply.Meta = resp.Meta
		return &resp.Data, reply, nil
	}
	if a.status == http.StatusOK {
		return nil, newReply(a), fmt.Errorf("client: %v: %w: no health status", &q, ErrAnswer)
	}
	reply, err := c.refused(a)
	return nil, reply, err
}

// single calls a route. Options that the server would not receive are an error.
func single[Q, T, In, O any](ctx context.Context, c *Client, about *operation.Operation, params []*operation.Param, in *In, o O, options func(*In) O) (*T, *Reply, error) {
	if err := kept(params, in, o, options); err != nil {
		return nil, nil, err
	}
	q := request{path: about.Path, query: operation.Encode(params, in)}
	a, err := c.send(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	items, reply, err := decode[Q, T](c, &q, a, 1)
	if err != nil {
		return nil, reply, err
	}
	return items[0].Value, reply, items[0].Err
}

// called calls a route whose parameters are the input.
func called[In, T any](ctx context.Context, c *Client, about *operation.Operation, in *In) (*T, *Reply, error) {
	return single[In, T](ctx, c, about, about.Params, in, struct{}{}, func(*In) (o struct{}) { return o })
}

// kept returns an error if a server that parses the parameters of in, and derives its
// options from them, would not have an option of o. The server refuses values out of
// range.
func kept[In, O any](params []*operation.Param, in *In, o O, options func(*In) O) error {
	got, err := operation.Received[In](params, operation.Encode(params, in))
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	if err := operation.Lost(o, options(&got)); err != nil {
		return fmt.Errorf("client: %w", err)
	}
	return nil
}

// radiusInput returns the input of a search, and the options without those that others
// replace.
func radiusInput(center string, o radius.Options) (operation.RadiusInput, radius.Options) {
	if o.Auto != "" {
		o.Max = 0
	}
	return operation.RadiusInput{Place: operation.Place{Code: center}, RadiusParams: operation.RadiusParamsOf(o)}, o
}

// geocodeInput returns the input of an address, and the options with the offset that a
// server parses.
func geocodeInput(text string, o geocode.Options) (operation.GeocodeInput, geocode.Options) {
	o.Offset = max(o.Offset, -1)
	return operation.GeocodeInput{Address: text, GeocodeParams: operation.GeocodeParamsOf(o)}, o
}

// The options that a server derives from inputs.

func quickOptions(in *operation.LookupInput) lookup.QuickOptions {
	o, _ := in.QuickOptions()
	return o
}

func lookupOptions(in *operation.LookupInput) lookup.Options {
	o, _ := in.Options(acs.LastYear)
	return o
}

func distanceOptions(in *operation.DistanceInput) radius.DistanceOptions {
	return radius.DistanceOptions{At: in.At}
}

func radiusOptions(in *operation.RadiusInput) radius.Options {
	o, _ := in.Options(acs.LastYear)
	return o
}

func suggestOptions(in *operation.SuggestInput) suggest.Options {
	o, _ := in.Options() // the server refuses unknown types
	return o
}

func geocodeOptions(in *operation.GeocodeInput) geocode.Options {
	o, _ := in.Options(acs.LastYear)
	return o
}

func reverseOptions(in *operation.ReverseInput) geocode.ReverseOptions {
	o, _ := in.Options(acs.LastYear)
	return o
}

func addressOptions(in *operation.AddressInput) address.Options {
	o, _ := in.Options(acs.LastYear)
	return o
}
