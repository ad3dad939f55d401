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

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// QuickLookup says which place a code is, as /v2/quick-zip does.
func (c *Client) QuickLookup(ctx context.Context, code string, o lookup.QuickOptions) (*lookup.QuickRecord, *Reply, error) {
	return single[envelope.CodeRequest, lookup.QuickRecord](ctx, c, "/v2/quick-zip", codeQuery(code, quickFlags(o), o.At))
}

// Lookup returns everything that identifies a code and the enrichments that
// were asked for, as /v2/zip does.
func (c *Client) Lookup(ctx context.Context, code string, o lookup.Options) (*lookup.Record, *Reply, error) {
	return single[envelope.CodeRequest, lookup.Record](ctx, c, "/v2/zip", codeQuery(code, fullFlags(o), o.At))
}

// Distance measures the geodesic between two codes or coordinates, as
// /v2/distance does.
func (c *Client) Distance(ctx context.Context, from, to string, o radius.DistanceOptions) (*radius.DistanceResult, *Reply, error) {
	return single[envelope.DistanceRequest, radius.DistanceResult](ctx, c, "/v2/distance", withTime(url.Values{"from": {from}, "to": {to}}, o.At))
}

// Radius finds the codes around a code or coordinate, as /v2/radius does.
// Options that no search could follow are refused without asking the server,
// with a [*fault.Error].
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
	if flags := searchFlags(o.Include); flags != "" {
		query.Set("include", flags)
	}
	return single[envelope.RadiusRequest, radius.Result](ctx, c, "/v2/radius", withTime(query, o.At))
}

// Suggest returns what a person may mean who has typed the query so far, as
// /v2/suggest does. The options' Locator and Client are the server's to know
// and are not sent.
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

// Health says whether the server can answer. A server that says of itself that
// it cannot, with status 503, is no error.
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
		return nil, newReply(a), fmt.Errorf("client: %v: %w: no state of health", &q, ErrAnswer)
	}
	reply, err := c.refused(a)
	return nil, reply, err
}

// single asks a route of one input.
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

// withTime adds the time of time zones to q; without one the server's clock
// applies.
func withTime(q url.Values, at time.Time) url.Values {
	if !at.IsZero() {
		q.Set("at", at.Format(time.RFC3339))
	}
	return q
}

// The flags of requests go as one text: a list of them is limited to 50
// entries.

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

// autoName returns the name that the parameter max has for a rule.
func autoName(a radius.Auto) string {
	if a == radius.Commute {
		return "auto-commute"
	}
	return "auto"
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
