package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"

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
	return single[lookup.QuickRecord](ctx, c, operation.Quick, &in, o)
}

// Lookup calls /v2/zip for the record of a code and the requested enrichments.
func (c *Client) Lookup(ctx context.Context, code string, o lookup.Options) (*lookup.Record, *Reply, error) {
	in := operation.LookupInput{Place: operation.Place{Code: code}, LookupParams: operation.LookupParamsOf(o)}
	return single[lookup.Record](ctx, c, operation.Lookup, &in, o, unsentLookup...)
}

// Distance calls /v2/distance for the distance between two codes or coordinates.
func (c *Client) Distance(ctx context.Context, from, to string, o radius.DistanceOptions) (*radius.DistanceResult, *Reply, error) {
	in := operation.DistanceInput{Ends: operation.Ends{From: from, To: to}, Clock: operation.Clock{At: o.At}}
	return single[radius.DistanceResult](ctx, c, operation.Distance, &in, o)
}

// Radius calls /v2/radius for the codes around a code or coordinate. It returns a
// [*envelope.Failure] for invalid options without a request.
func (c *Client) Radius(ctx context.Context, center string, o radius.Options) (*radius.Result, *Reply, error) {
	if err := o.Check(); err != nil {
		return nil, nil, fmt.Errorf("client: %w", err)
	}
	in := operation.RadiusInput{Place: operation.Place{Code: center}, RadiusParams: operation.RadiusParamsOf(o)}
	return single[radius.Result](ctx, c, operation.Radius, &in, o, unsentRadius...)
}

// Suggest calls /v2/suggest for matches of a partial query. The options Locator and
// Client are the server's, so that it returns an error if one is set.
func (c *Client) Suggest(ctx context.Context, query string, o suggest.Options) (*suggest.Result, *Reply, error) {
	in := operation.SuggestInputOf(query, o)
	return single[suggest.Result](ctx, c, operation.Suggest, &in, o, unsentSuggest...)
}

// Geocode calls /v2/geocode for the position of an address. It returns an error if the
// options At or Include.Coordinates are set, which have no parameter.
func (c *Client) Geocode(ctx context.Context, text string, o geocode.Options) (*geocode.Result, *Reply, error) {
	in := operation.GeocodeInput{Address: text, GeocodeParams: operation.GeocodeParamsOf(o)}
	return single[geocode.Result](ctx, c, operation.Geocode, &in, o, unsentPlace...)
}

// Reverse calls /v2/reverse for the address nearest to a point. It returns an error if the
// options At or Include.Coordinates are set, which have no parameter.
func (c *Client) Reverse(ctx context.Context, at geo.LatLng, o geocode.ReverseOptions) (*geocode.Nearest, *Reply, error) {
	in := operation.ReverseInput{Point: at.String(), ReverseParams: operation.ReverseParamsOf(o)}
	return single[geocode.Nearest](ctx, c, operation.Reverse, &in, o, unsentPlace...)
}

// ZIP3 calls /v2/zip3 for the people of the ZIP Codes that begin with three digits.
func (c *Client) ZIP3(ctx context.Context, code string) (*lookup.ZIP3, *Reply, error) {
	return single[lookup.ZIP3](ctx, c, operation.ZIP3, &operation.ZIP3Input{Code: code}, nil)
}

// MatchAddress calls /v2/address for the ZIP+4 record of a US address. An address
// without a match returns an error, as does the option At, which has no parameter.
func (c *Client) MatchAddress(ctx context.Context, text string, o address.Options) (*address.Match, *Reply, error) {
	in := operation.AddressInput{AddressLine: operation.AddressLine{Address: text}, AddressParams: operation.AddressParamsOf(o)}
	return single[address.Match](ctx, c, operation.Address, &in, o, unsentAddress...)
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
		return nil, newReply(a), fmt.Errorf("client: %v: %w: no health status", &q, ErrResponse)
	}
	reply, err := c.refused(a)
	return nil, reply, err
}

// single calls a route. The options that have no parameter must not be set.
func single[T any](ctx context.Context, c *Client, about *operation.Operation, in, o any, unsent ...string) (*T, *Reply, error) {
	if err := checkUnset(o, unsent); err != nil {
		return nil, nil, fmt.Errorf("client: %w", err)
	}
	params := about.Params
	if about == operation.Suggest { // its query has another name over HTTP
		params = operation.SuggestRoute
	}
	q := request{path: about.Path, query: operation.Encode(params, in)}
	a, err := c.send(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	items, reply, err := decode[T](c, &q, a, 1)
	if err != nil {
		return nil, reply, err
	}
	return items[0].Value, reply, items[0].Err
}

// The options that have no parameter, by the names of their fields. A call with one of them
// is refused: without the option the result would be another one, and no error would show it.
var (
	unsentLookup  = []string{"ACS"}
	unsentRadius  = []string{"ACS"}
	unsentSuggest = []string{"Locator", "Client"}
	unsentAddress = []string{"At"}
	unsentPlace   = []string{"Include.Coordinates", "At"}
)

// checkUnset returns an error if one of the named options is set.
func checkUnset(o any, names []string) error {
	for _, name := range names {
		field := reflect.ValueOf(o)
		for part := range strings.SplitSeq(name, ".") {
			field = field.FieldByName(part)
		}
		if !field.IsZero() {
			return &envelope.Failure{Kind: envelope.KindInvalidParam, Param: name, Detail: name + " has no parameter over HTTP"}
		}
	}
	return nil
}
