package client

import (
	"context"
	"net/url"
	"strings"

	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/envelope"
)

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
