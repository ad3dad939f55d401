package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"time"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/geocode"
	"github.com/postgeo/postgeo/internal/lookup"
	"github.com/postgeo/postgeo/internal/radius"
	"github.com/postgeo/postgeo/internal/wording"
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

// All iterates over the values or errors of the inputs, in order.
func (b *Batch[T]) All() iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		for _, item := range b.Items {
			if !yield(item.Value, item.Err) {
				return
			}
		}
	}
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
	From string `json:"from"`
	To   string `json:"to"`
}

// A RadiusSearch is one search of a batch. Its mode must be [radius.Centroid].
type RadiusSearch struct {
	Center  string
	Options radius.Options
}

// QuickLookupBatch calls /v2/quick-zip/batch for the places of codes. For errors see
// [Batch].
func (c *Client) QuickLookupBatch(ctx context.Context, codes []string, o lookup.QuickOptions) (*Batch[lookup.QuickRecord], error) {
	return batch[envelope.CodesRequest, lookup.QuickRecord](ctx, c, "/v2/quick-zip/batch", codes, codesBody(quickFlags(o), o.At))
}

// LookupBatch calls /v2/zip/batch for the records of codes, with the same enrichments for
// all.
func (c *Client) LookupBatch(ctx context.Context, codes []string, o lookup.Options) (*Batch[lookup.Record], error) {
	return batch[envelope.CodesRequest, lookup.Record](ctx, c, "/v2/zip/batch", codes, codesBody(fullFlags(o), o.At))
}

// DistanceBatch calls /v2/distance/batch for the distances of pairs.
func (c *Client) DistanceBatch(ctx context.Context, pairs []Pair, o radius.DistanceOptions) (*Batch[radius.DistanceResult], error) {
	return batch[envelope.PairsRequest, radius.DistanceResult](ctx, c, "/v2/distance/batch", pairs, func(chunk []Pair) any {
		return struct {
			Pairs []Pair    `json:"pairs"`
			At    time.Time `json:"at,omitzero"`
		}{chunk, o.At}
	})
}

// RadiusBatch calls /v2/radius/batch. It returns an error for invalid options, for spatial
// mode and for points without a request.
func (c *Client) RadiusBatch(ctx context.Context, searches []RadiusSearch) (*Batch[radius.Result], error) {
	items := make([]searchItem, len(searches))
	for i := range searches {
		s := &searches[i]
		err := s.Options.Check()
		if s.Options.Mode == radius.Spatial {
			err = envelope.NewFault(envelope.SpatialModeDisabledBatch, wording.SpatialBatch)
		} else if err == nil && s.Options.Points != 0 {
			err = &fault.Error{Op: "radius", Kind: fault.InvalidParam, Param: "Points", Input: number(s.Options.Points), Range: "0 in a batch"}
		}
		if err != nil {
			return nil, fmt.Errorf("client: search %d: %w", i, err)
		}
		items[i] = newSearchItem(s)
	}
	return batch[envelope.SearchesRequest, radius.Result](ctx, c, "/v2/radius/batch", items, func(chunk []searchItem) any {
		return struct {
			Searches []searchItem `json:"searches"`
		}{chunk}
	})
}

// GeocodeBatch calls /v2/geocode/batch for the positions of addresses. For errors see
// [Batch].
func (c *Client) GeocodeBatch(ctx context.Context, texts []string, o geocode.Options) (*Batch[geocode.Result], error) {
	offset, flags := offsetOf(o), o.Include.Enrichments()
	return batch[envelope.GeocodesRequest, geocode.Result](ctx, c, "/v2/geocode/batch", texts, func(chunk []string) any {
		return struct {
			Addresses []string `json:"addresses"`
			Offset    *float64 `json:"offset,omitzero"`
			Include   []string `json:"include,omitempty"`
		}{chunk, offset, flags}
	})
}

// ReverseBatch calls /v2/reverse/batch for the addresses nearest to points. For errors
// see [Batch].
func (c *Client) ReverseBatch(ctx context.Context, points []geo.LatLng, o geocode.ReverseOptions) (*Batch[geocode.Nearest], error) {
	flags := o.Include.Enrichments()
	return batch[envelope.PointsRequest, geocode.Nearest](ctx, c, "/v2/reverse/batch", points, func(chunk []geo.LatLng) any {
		texts := make([]string, len(chunk))
		for i, p := range chunk {
			texts[i] = p.String()
		}
		return struct {
			Points  []string   `json:"points"`
			Within  geo.Meters `json:"within,omitzero"`
			Include []string   `json:"include,omitempty"`
		}{texts, o.Within, flags}
	})
}

// A searchItem is a search in a request.
type searchItem struct {
	Code    string             `json:"code"`
	Max     envelope.RadiusMax `json:"max"`
	Min     float64            `json:"min,omitzero"`
	Limit   int                `json:"limit,omitzero"`
	Include string             `json:"include,omitzero"`
	At      time.Time          `json:"at,omitzero"`
}

func newSearchItem(s *RadiusSearch) searchItem {
	o := &s.Options
	item := searchItem{Code: s.Center, Min: float64(o.Min), Limit: o.Limit, Include: searchFlags(o.Include), At: o.At}
	if o.Auto != 0 {
		item.Max.Auto = autoName(o.Auto)
	} else {
		item.Max.Miles = float64(o.Max)
	}
	return item
}

func codesBody(flags string, at time.Time) func(chunk []string) any {
	return func(chunk []string) any {
		return struct {
			Codes   []string  `json:"codes"`
			Include string    `json:"include,omitzero"`
			At      time.Time `json:"at,omitzero"`
		}{chunk, flags, at}
	}
}

// batch calls a batch route in as many requests as necessary.
func batch[Q, T, I any](ctx context.Context, c *Client, path string, inputs []I, body func(chunk []I) any) (*Batch[T], error) {
	b := &Batch[T]{Items: make([]Item[T], len(inputs))}
	for at := 0; at < len(inputs); at += c.o.BatchSize {
		chunk := inputs[at:min(at+c.o.BatchSize, len(inputs))]
		items, reply, err := part[Q, T](ctx, c, path, body(chunk), len(chunk))
		if reply != nil {
			b.Replies = append(b.Replies, reply)
		}
		if err != nil {
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
func part[Q, T any](ctx context.Context, c *Client, path string, body any, n int) ([]Item[T], *Reply, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, nil, fmt.Errorf("client: POST %s: encoding the request: %w", path, err)
	}
	q := request{path: path, body: data}
	a, err := c.send(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	return decode[Q, T](c, &q, a, n)
}
