package client

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A Batch is the result of a list of inputs, which are sent in consecutive requests
// of [Options].BatchSize. The error of an input is in its item. If a request fails as
// a whole, the batch ends and the call also returns the error. All remaining items
// then have that error.
type Batch[T any] struct {
	// Items has one entry per input, in the order of the inputs.
	Items []Item[T]
	// Replies has one entry per response, in order.
	Replies []*Reply
}

// Credits returns the total cost of the batch.
func (b *Batch[T]) Credits() int {
	n := 0
	for _, r := range b.Replies {
		n += r.Meta.Credits.Used
	}
	return n
}

// A Pair is the two ends of a distance: codes or coordinates.
type Pair struct {
	From string `json:"from"` // code or coordinate of the start
	To   string `json:"to"`   // code or coordinate of the end
}

// QuickLookupBatch calls /v2/quick-zip/batch for the places of codes. For errors see
// [Batch].
func (c *Client) QuickLookupBatch(ctx context.Context, codes []string, o lookup.QuickOptions) (*Batch[lookup.QuickRecord], error) {
	in := operation.LookupInput{LookupParams: operation.QuickParamsOf(o)}
	return batch[lookup.QuickRecord](ctx, c, operation.Quick, "codes", codes, &in, o)
}

// LookupBatch calls /v2/zip/batch for the records of codes, with the same enrichments for
// all.
func (c *Client) LookupBatch(ctx context.Context, codes []string, o lookup.Options) (*Batch[lookup.Record], error) {
	in := operation.LookupInput{LookupParams: operation.LookupParamsOf(o)}
	return batch[lookup.Record](ctx, c, operation.Lookup, "codes", codes, &in, o, unsentLookup...)
}

// DistanceBatch calls /v2/distance/batch for the distances of pairs.
func (c *Client) DistanceBatch(ctx context.Context, pairs []Pair, o radius.DistanceOptions) (*Batch[radius.DistanceResult], error) {
	in := operation.DistanceInput{Clock: operation.Clock{At: o.At}}
	return batch[radius.DistanceResult](ctx, c, operation.Distance, "pairs", pairs, &in, o)
}

// RadiusBatch calls /v2/radius/batch. It returns an error for invalid options and for
// spatial mode without a request.
func (c *Client) RadiusBatch(ctx context.Context, searches []radius.Query) (*Batch[radius.Result], error) {
	items := make([]map[string]any, len(searches))
	for i := range searches {
		s := &searches[i]
		in := operation.RadiusInput{Place: operation.Place{Code: s.Center}, RadiusParams: operation.RadiusParamsOf(s.Options)}
		err := s.Options.Check()
		if s.Options.Mode == radius.Spatial {
			err = &envelope.Fault{Code: envelope.SpatialModeDisabledBatch, Message: wording.SpatialBatch}
		} else if err == nil {
			err = checkUnset(s.Options, unsentRadius)
		}
		if err != nil {
			return nil, fmt.Errorf("client: search %d: %w", i, err)
		}
		items[i] = operation.EncodeJSON(operation.Radius.Params, &in)
	}
	return send[radius.Result](ctx, c, operation.Radius.Batch, "searches", items, nil)
}

// MatchAddressBatch calls /v2/address/batch. An address without a match is an item whose
// Matched is false. For errors see [Batch].
func (c *Client) MatchAddressBatch(ctx context.Context, texts []string, o address.Options) (*Batch[address.Match], error) {
	in := operation.AddressInput{AddressParams: operation.AddressParamsOf(o)}
	return batch[address.Match](ctx, c, operation.Address, "addresses", texts, &in, o, unsentAddress...)
}

// GeocodeBatch calls /v2/geocode/batch for the positions of addresses. For errors see
// [Batch].
func (c *Client) GeocodeBatch(ctx context.Context, texts []string, o geocode.Options) (*Batch[geocode.Result], error) {
	in := operation.GeocodeInput{GeocodeParams: operation.GeocodeParamsOf(o)}
	return batch[geocode.Result](ctx, c, operation.Geocode, "addresses", texts, &in, o, unsentPlace...)
}

// ReverseBatch calls /v2/reverse/batch for the addresses nearest to points. For errors
// see [Batch].
func (c *Client) ReverseBatch(ctx context.Context, points []geo.LatLng, o geocode.ReverseOptions) (*Batch[geocode.Nearest], error) {
	in := operation.ReverseInput{ReverseParams: operation.ReverseParamsOf(o)}
	texts := make([]string, len(points))
	for i, p := range points {
		texts[i] = p.String()
	}
	return batch[geocode.Nearest](ctx, c, operation.Reverse, "points", texts, &in, o, unsentPlace...)
}

// batch calls the batch route of an operation, with the parameters of in for all inputs.
// The options that have no parameter must not be set.
func batch[T, I any](ctx context.Context, c *Client, about *operation.Operation, list string, inputs []I, in, o any, unsent ...string) (*Batch[T], error) {
	if err := checkUnset(o, unsent); err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	shared := slices.DeleteFunc(slices.Clone(about.Params), func(p *operation.Param) bool { return p.Required })
	return send[T](ctx, c, about.Batch, list, inputs, operation.EncodeJSON(shared, in))
}

// send sends the inputs as a list, with the members of shared, in as many requests as
// necessary.
func send[T, I any](ctx context.Context, c *Client, path, list string, inputs []I, shared map[string]any) (*Batch[T], error) {
	b := &Batch[T]{Items: make([]Item[T], len(inputs))}
	for at := 0; at < len(inputs); at += c.o.BatchSize {
		chunk := inputs[at:min(at+c.o.BatchSize, len(inputs))]
		body := map[string]any{list: chunk}
		maps.Copy(body, shared)
		items, reply, err := part[T](ctx, c, path, body, len(chunk), idempotencyKey(ctx, at/c.o.BatchSize))
		if reply != nil {
			b.Replies = append(b.Replies, reply)
		}
		if err != nil { // a lack of credits, for example, would fail the next requests, too
			for i := range b.Items[at:] {
				b.Items[at+i].Err = err
			}
			return b, err
		}
		copy(b.Items[at:], items)
	}
	return b, nil
}

// part sends one request of a batch with n inputs.
func part[T any](ctx context.Context, c *Client, path string, body any, n int, key string) ([]Item[T], *Reply, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, nil, fmt.Errorf("client: POST %s: encoding the request: %w", path, err)
	}
	q := request{path: path, body: data, key: key}
	a, err := c.send(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	return decode[T](c, &q, a, n)
}
