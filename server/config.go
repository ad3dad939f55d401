package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"time"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// A DB is what the server asks of the library. [*postgeo.DB] is one.
type DB interface {
	QuickLookup(ctx context.Context, code string, o lookup.QuickOptions) (*lookup.QuickRecord, error)
	Lookup(ctx context.Context, code string, o lookup.Options) (*lookup.Record, error)
	Radius(ctx context.Context, center string, o radius.Options) (*radius.Result, error)
	AutoRadius(ctx context.Context, center string, rule radius.Auto) (geo.Miles, error)
	Distance(ctx context.Context, from, to string, o radius.DistanceOptions) (*radius.DistanceResult, error)
	MatchAddress(ctx context.Context, text string, o address.Options) (*address.Match, error)
	Suggest(ctx context.Context, query string, o suggest.Options) (*suggest.Result, error)
	Info() dataset.Manifest
	LastACSYear() int   // that flags may name
	LastTractYear() int // that flags of tracts may name
	Store
}

// A Store is something that has to be reachable for the service to be healthy.
type Store interface {
	// Ping makes one read that no cache answers.
	Ping(ctx context.Context) error
}

// A Config says how a server answers. The zero value of every field has a
// meaning, so that Config{} is a server in open mode: nobody is asked for a
// key and nothing is charged.
type Config struct {
	// Links are the pages that errors point to. Empty ones are this server's
	// own, as [envelope.Links.OrOwn] tells.
	Links envelope.Links

	// Accounts ask callers for keys and charge them. Nil is open mode: nobody
	// is asked and nothing is charged.
	Accounts *Accounts

	// Locator tells where IP addresses are, for suggestions near a caller. Nil:
	// nothing is known of any.
	Locator suggest.Locator

	// Reload replaces the dataset by what is now in the place that it came
	// from; see Server.Reload. Nil: it is not replaced.
	Reload func(ctx context.Context) error

	// Logger takes one record for each request and the errors that callers
	// are not shown. Nil: nothing is logged. No record holds a query, a
	// header or a body, and so none holds a key.
	Logger *slog.Logger

	// Store is what /v2/health and /ready depend on, beside the ledger of
	// Accounts and the rate of answers that fail. One that has the methods
	// Probe, VerifyNext and Moved of [postgeo.DB] is watched with them. Nil: the
	// dataset.
	Store Store

	// Now is the clock. Nil: time.Now.
	Now func() time.Time

	// Entropy is where the random part of request ids comes from. Nil:
	// crypto/rand.
	Entropy io.Reader

	// RequestTimeout bounds the work on one request; past it the answer is
	// 504 SERVICE_UNAVAILABLE. 0: 20 s.
	RequestTimeout time.Duration

	// AddressBatchTimeout bounds the work on one batch of addresses, past which
	// it ends as RequestTimeout tells and costs nothing. 0: 120 s, which is the
	// contract's.
	AddressBatchTimeout time.Duration

	// HealthTimeout bounds a check of the dataset or of the ledger; past it the
	// part counts as unreachable. 0: 2 s.
	HealthTimeout time.Duration

	// VerifyRate is how fast Run verifies the file of the dataset in the
	// background, in bytes a second: once, and from the beginning an hour after
	// it began. 0: 4 MiB; negative: not at all.
	VerifyRate int64

	// ReadHeaderTimeout bounds the reading of a request's header; it is at most
	// ReadTimeout. 0: 5 s.
	ReadHeaderTimeout time.Duration

	// ReadTimeout bounds the reading of a request, its body included. 0: 15 s.
	ReadTimeout time.Duration

	// WriteTimeout bounds the sending of an answer. 0: 45 s.
	WriteTimeout time.Duration

	// MinRate is how fast a caller has to take a long answer, in bytes per
	// second; a slower one is cut off. 0: 16 KiB.
	MinRate int

	// IdleTimeout is how long a connection may wait for its next request.
	// 0: 120 s.
	IdleTimeout time.Duration

	// Grace is how long Run waits for requests in flight when it stops. 0: 20 s.
	Grace time.Duration

	// MaxWaiting is how many requests may wait for a processor or for memory;
	// an account may have half of them waiting if it is alone. Further ones get
	// 503 SERVICE_UNAVAILABLE at once. Cheap requests do not wait. 0: 2048.
	MaxWaiting int

	// Memory is how many bytes answers may take while they are made and sent;
	// requests wait when it is used up. An account may have half of it if it is
	// alone. 0: a quarter of the process's memory limit (see
	// [runtime/debug.SetMemoryLimit]), or without one 256 MiB.
	Memory int64

	// MaxHeaderBytes bounds the header of a request, its first line included;
	// past it the answer is 431. 0: 32 KiB. How large bodies may be is the
	// contract's: 256 KiB, and 1 MiB of batches.
	MaxHeaderBytes int
}

// The limits of what a caller may send.
const (
	maxQueryBytes = 8 << 10
)

func (c Config) withDefaults() Config {
	set := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	set(&c.RequestTimeout, 20*time.Second)
	set(&c.AddressBatchTimeout, 120*time.Second)
	set(&c.HealthTimeout, 2*time.Second)
	set(&c.ReadTimeout, 15*time.Second)
	set(&c.ReadHeaderTimeout, min(5*time.Second, c.ReadTimeout))
	set(&c.WriteTimeout, 45*time.Second)
	set(&c.IdleTimeout, 120*time.Second)
	set(&c.Grace, 20*time.Second)
	if c.VerifyRate == 0 {
		c.VerifyRate = 4 << 20
	}
	if c.MaxWaiting == 0 {
		c.MaxWaiting = 2048
	}
	if c.MinRate == 0 {
		c.MinRate = 16 << 10
	}
	if c.MaxHeaderBytes == 0 {
		c.MaxHeaderBytes = 32 << 10
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Links = c.Links.OrOwn()
	return c
}

type namedLink struct {
	name string
	addr string
}

func (c Config) links() []namedLink {
	return []namedLink{
		{"site", c.Links.Site},
		{"account", c.Links.Account},
		{"pricing", c.Links.Pricing},
		{"documentation", c.Links.Docs},
		{"authentication documentation", c.Links.AuthDocs},
	}
}

// check says what in the configuration cannot be meant.
func (c Config) check() error {
	var errs []error
	for _, d := range []struct {
		name string
		v    time.Duration
	}{
		{"RequestTimeout", c.RequestTimeout},
		{"AddressBatchTimeout", c.AddressBatchTimeout},
		{"HealthTimeout", c.HealthTimeout},
		{"ReadHeaderTimeout", c.ReadHeaderTimeout},
		{"ReadTimeout", c.ReadTimeout},
		{"WriteTimeout", c.WriteTimeout},
		{"IdleTimeout", c.IdleTimeout},
		{"Grace", c.Grace},
	} {
		if d.v < 0 {
			errs = append(errs, fmt.Errorf("server: %s is %v; give a positive duration, or 0 for the default", d.name, d.v))
		}
	}
	if c.Accounts != nil && (c.Accounts.Gate == nil || c.Accounts.Ledger == nil) {
		errs = append(errs, errors.New("server: Accounts without Gate or Ledger; give both, or no Accounts for open mode"))
	}
	for _, n := range []struct {
		name string
		v    int64
	}{
		{"MaxWaiting", int64(c.MaxWaiting)},
		{"MinRate", int64(c.MinRate)},
		{"Memory", c.Memory},
		{"MaxHeaderBytes", int64(c.MaxHeaderBytes)},
	} {
		if n.v < 0 {
			errs = append(errs, fmt.Errorf("server: %s is %d; give a positive number, or 0 for the default", n.name, n.v))
		}
	}
	for _, link := range c.links() {
		if _, err := url.Parse(link.addr); err != nil {
			errs = append(errs, fmt.Errorf("server: the address of the %s page is no URL: %w", link.name, err))
		}
	}
	return errors.Join(errs...)
}
