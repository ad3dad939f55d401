package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/geocode"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/lookup/suggest"
	"github.com/postgeo/postgeo/internal/radius"
)

// QuickLookup calls /v2/quick-zip for the place of a code.
func (c *Client) QuickLookup(ctx context.Context, code string, o lookup.QuickOptions) (*lookup.QuickRecord, *Reply, error) {
	return single[envelope.CodeRequest, lookup.QuickRecord](ctx, c, "/v2/quick-zip", codeQuery(code, quickFlags(o), o.At))
}

// Lookup calls /v2/zip for the record of a code and the requested enrichments.
func (c *Client) Lookup(ctx context.Context, code string, o lookup.Options) (*lookup.Record, *Reply, error) {
	return single[envelope.CodeRequest, lookup.Record](ctx, c, "/v2/zip", codeQuery(code, fullFlags(o), o.At))
}

// Distance calls /v2/distance for the distance between two codes or coordinates.
func (c *Client) Distance(ctx context.Context, from, to string, o radius.DistanceOptions) (*radius.DistanceResult, *Reply, error) {
	return single[envelope.DistanceRequest, radius.DistanceResult](ctx, c, "/v2/distance", withTime(url.Values{"from": {from}, "to": {to}}, o.At))
}

// Radius calls /v2/radius for the codes around a code or coordinate. It returns a
// [*fault.Error] for invalid options without a request.
func (c *Client) Radius(ctx context.Context, center string, o radius.Options) (*radius.Result, *Reply, error) {
	if err := o.Check(); err != nil {
		return nil, nil, fmt.Errorf("client: %w", err)
	}
	query := url.Values{"code": {center}, "mode": {o.Mode.String()}}
	if o.Auto != 0 {
		query.Set("max", autoName(o.Auto))
	} else {
		query.Set("max", number(float64(o.Max)))
	}
	if o.Min > 0 {
		query.Set("min", number(float64(o.Min)))
	}
	if o.Limit > 0 {
		query.Set("limit", strconv.Itoa(o.Limit))
	}
	if o.Points != 0 {
		query.Set("points", number(o.Points))
	}
	if flags := searchFlags(o.Include); flags != "" {
		query.Set("include", flags)
	}
	return single[envelope.RadiusRequest, radius.Result](ctx, c, "/v2/radius", withTime(query, o.At))
}

// Suggest calls /v2/suggest for matches of a partial query. It ignores the options
// Locator and Client.
func (c *Client) Suggest(ctx context.Context, query string, o suggest.Options) (*suggest.Result, *Reply, error) {
	v := url.Values{"q": {query}}
	if o.Limit != 0 {
		v.Set("limit", strconv.Itoa(o.Limit))
	}
	for name, value := range map[string]string{"include": o.Include.String(), "state": o.State, "country": o.Country, "proximity": o.Proximity} {
		if value != "" {
			v.Set(name, value)
		}
	}
	return single[envelope.SuggestRequest, suggest.Result](ctx, c, "/v2/suggest", v)
}

// Health calls /v2/health. An unhealthy server, with status 503, is not an error.
func (c *Client) Health(ctx context.Context) (*Health, *Reply, error) {
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

func single[Q, T any](ctx context.Context, c *Client, path string, query url.Values) (*T, *Reply, error) {
	q := request{path: path, query: query}
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

func codeQuery(code, flags string, at time.Time) url.Values {
	q := url.Values{"code": {code}}
	if flags != "" {
		q.Set("include", flags)
	}
	return withTime(q, at)
}

// withTime adds the time of time zones to q. The default is the server's clock.
func withTime(q url.Values, at time.Time) url.Values {
	if !at.IsZero() {
		q.Set("at", at.Format(time.RFC3339))
	}
	return q
}

// Flags are sent as one string, because lists are limited to 50 entries.

const flagTimezone = "timezone"

func quickFlags(o lookup.QuickOptions) string {
	if o.Timezone {
		return flagTimezone
	}
	return ""
}

func fullFlags(o lookup.Options) string { return strings.Join(o.Include.Flags(), ",") }

func searchFlags(inc radius.Include) string {
	var flags []string
	if inc.Timezone {
		flags = append(flags, flagTimezone)
	}
	for _, tag := range inc.ACS {
		flags = append(flags, tag.String())
	}
	return strings.Join(append(flags, inc.Dropped...), ",")
}

// autoName returns the value of max for a rule.
func autoName(a radius.Auto) string {
	if a == radius.Commute {
		return "auto-commute"
	}
	return "auto"
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Geocode calls /v2/geocode for the position of an address.
func (c *Client) Geocode(ctx context.Context, text string, o geocode.Options) (*geocode.Result, *Reply, error) {
	query := url.Values{"address": {text}}
	if v := offsetOf(o); v != nil {
		query.Set("offset", number(*v))
	}
	return single[envelope.GeocodeRequest, geocode.Result](ctx, c, "/v2/geocode", withAreas(query, o.Include))
}

// Reverse calls /v2/reverse for the address nearest to a point.
func (c *Client) Reverse(ctx context.Context, at geo.LatLng, o geocode.ReverseOptions) (*geocode.Nearest, *Reply, error) {
	query := url.Values{"point": {at.String()}}
	if o.Within != 0 {
		query.Set("within", number(float64(o.Within)))
	}
	return single[envelope.ReverseRequest, geocode.Nearest](ctx, c, "/v2/reverse", withAreas(query, o.Include))
}

// offsetOf returns the parameter offset; nil means the default.
func offsetOf(o geocode.Options) *float64 {
	if o.Offset == 0 {
		return nil
	}
	v := max(float64(o.Offset), -1)
	return &v
}

func withAreas(q url.Values, inc address.Include) url.Values {
	if flags := strings.Join(inc.Enrichments(), ","); flags != "" {
		q.Set("include", flags)
	}
	return q
}

// MatchAddress calls /v2/address for the ZIP+4 record of a US address. An address
// without a match returns an error.
func (c *Client) MatchAddress(ctx context.Context, text string, o address.Options) (*address.Match, *Reply, error) {
	query := url.Values{"address": {text}}
	if flags := strings.Join(o.Include.Flags(), ","); flags != "" {
		query.Set("include", flags)
	}
	return single[envelope.AddressRequest, address.Match](ctx, c, "/v2/address", query)
}

// MatchAddressBatch calls /v2/address/batch. An address without a match is an item whose
// Matched is false. For errors see [Batch].
func (c *Client) MatchAddressBatch(ctx context.Context, texts []string, o address.Options) (*Batch[address.Match], error) {
	flags := strings.Join(o.Include.Flags(), ",")
	return batch[envelope.AddressesRequest, address.Match](ctx, c, "/v2/address/batch", texts, func(chunk []string) any {
		return struct {
			Addresses []string `json:"addresses"`
			Include   string   `json:"include,omitzero"`
		}{chunk, flags}
	})
}
