package billing

import (
	"context"
	"net/netip"
)

// An Access identifies callers by keys and charges them.
type Access struct {
	Gate   Entrance
	Ledger Spender

	// DemoKey is the shared demo key, as in the gate's options. The playground
	// offers it unless it is empty.
	DemoKey string

	// Limits is the server of rate limits, which the metrics report. Nil means
	// that this process counts requests.
	Limits Pinger

	// TrustedProxies may set X-Forwarded-For. If empty, the header is ignored.
	TrustedProxies AddrList
}

// An Entrance decides who may call. [*Gate] is one.
type Entrance interface {
	// Enter admits a request or returns an envelope.Failure.
	Enter(ctx context.Context, c Credentials) (Pass, error)

	// AllowAddr takes a permit of the minute for a request without a key.
	AllowAddr(ctx context.Context, addr netip.Addr) (Window, error)
}

// A Spender reserves, spends and returns credits by the id of a request. It is a
// part of [Ledger].
type Spender interface {
	Reserve(ctx context.Context, h Hold) (Receipt, error)
	Settle(ctx context.Context, id string, used int) (Receipt, error)
	Refund(ctx context.Context, id string) (Receipt, error)
	Cut(ctx context.Context, id string) (Receipt, error)
	Pinger
}

// A Pinger is a store that may be unreachable.
type Pinger interface {
	// Ping reads without a cache.
	Ping(ctx context.Context) error
}
