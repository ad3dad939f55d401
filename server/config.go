package server

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"reflect"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// A DB is the library as used by the server. [*postgeo.DB] implements it. To replace
// some of its methods, such as in a test, embed a DB in a struct. Later versions may add
// methods.
type DB interface {
	operation.DB
	AutoRadius(ctx context.Context, center string, rule radius.Auto) (geo.Miles, error)
	Info() dataset.Manifest
	// HasAreas reports whether coordinates can be resolved.
	HasAreas(ctx context.Context) (bool, error)
	// Ping reads without a cache.
	Ping(ctx context.Context) error
}

// A Config configures a [Server]. The zero value is valid. It is open mode, without
// keys and charges.
type Config struct {
	// Links are the pages in errors. Empty links refer to this server.
	Links envelope.Links

	// Accounts requires keys and charges callers. Nil means open mode.
	Accounts Accounts

	// TrustedProxies may set X-Forwarded-For. If empty, the header is ignored.
	TrustedProxies billing.AddrList

	// Locator locates IP addresses for suggestions near a caller. It may be nil.
	Locator suggest.Locator

	// Reload replaces the dataset by the current file; see [Server.Reload]. If nil,
	// the server cannot reload.
	Reload func(ctx context.Context) error

	// Logger logs requests, and errors that are hidden from callers. Records never
	// contain queries, headers, bodies or keys. Nil disables logging.
	Logger *slog.Logger

	// Now returns the current time. Nil means time.Now.
	Now func() time.Time

	// Entropy is the source of random request ids. Nil means crypto/rand.
	Entropy io.Reader

	// RequestTimeout limits the work on one request. A request that takes
	// longer fails with 504 SERVICE_UNAVAILABLE. Zero means 20 s.
	RequestTimeout time.Duration

	// AddressBatchTimeout limits the work on one batch of addresses. Zero means the
	// contract's 120 s.
	AddressBatchTimeout time.Duration

	// HealthTimeout limits a check of the dataset or the ledger. If the check
	// takes longer, they count as unreachable. Zero means 2 s.
	HealthTimeout time.Duration

	// ReadHeaderTimeout limits the time to read a header. It is at most ReadTimeout.
	// Zero means 5 s.
	ReadHeaderTimeout time.Duration

	// ReadTimeout limits the time to read a request and its body. Zero means 15 s.
	ReadTimeout time.Duration

	// WriteTimeout limits the time to send a response. Zero means 45 s.
	WriteTimeout time.Duration

	// MinRate is the minimum speed of a caller that receives a long response, in
	// bytes per second. Slower callers are cut off. Zero means 16 KiB.
	MinRate int

	// IdleTimeout is the maximum idle time of a connection. Zero means 120 s.
	IdleTimeout time.Duration

	// Grace is the time that Run waits for requests in flight when it stops. Zero
	// means 20 s.
	Grace time.Duration

	// MaxWaiting is the maximum number of requests that wait for a processor or
	// memory. A single account can have half of them. Further requests fail with 503
	// SERVICE_UNAVAILABLE. Cheap requests do not wait. Zero means 2048.
	MaxWaiting int

	// Memory is the maximum memory of all responses in bytes. Requests wait for free
	// memory. Several requests of one account can use half of it. Zero means a quarter of the
	// process's memory limit (see [runtime/debug.SetMemoryLimit]), or 256 MiB.
	Memory int64

	// MaxHeaderBytes limits the header of a request, including its first line. Larger
	// headers fail with 431. Zero means 32 KiB.
	MaxHeaderBytes int
}

// The maximum size of a query string.
const maxQueryBytes = 8 << 10

func (c Config) withDefaults() Config {
	c.RequestTimeout = cmp.Or(c.RequestTimeout, 20*time.Second)
	c.AddressBatchTimeout = cmp.Or(c.AddressBatchTimeout, 120*time.Second)
	c.HealthTimeout = cmp.Or(c.HealthTimeout, 2*time.Second)
	c.ReadTimeout = cmp.Or(c.ReadTimeout, 15*time.Second)
	c.ReadHeaderTimeout = cmp.Or(c.ReadHeaderTimeout, min(5*time.Second, c.ReadTimeout))
	c.WriteTimeout = cmp.Or(c.WriteTimeout, 45*time.Second)
	c.IdleTimeout = cmp.Or(c.IdleTimeout, 120*time.Second)
	c.Grace = cmp.Or(c.Grace, 20*time.Second)
	c.MaxWaiting = cmp.Or(c.MaxWaiting, 2048)
	c.MinRate = cmp.Or(c.MinRate, 16<<10)
	c.MaxHeaderBytes = cmp.Or(c.MaxHeaderBytes, 32<<10)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Links = envelope.Links{
		Site:     cmp.Or(c.Links.Site, "/"),
		Account:  cmp.Or(c.Links.Account, "/#account"),
		Pricing:  cmp.Or(c.Links.Pricing, "/pricing.json"),
		Docs:     cmp.Or(c.Links.Docs, "/docs"),
		AuthDocs: cmp.Or(c.Links.AuthDocs, "/docs#authentication"),
	}
	return c
}

// check rejects negative limits and links that are not URLs.
func (c Config) check() error {
	var errs []error
	fields := reflect.ValueOf(c)
	for i := range fields.NumField() {
		if f := fields.Field(i); f.CanInt() && f.Int() < 0 {
			errs = append(errs, fmt.Errorf("server: %s is %v; give a positive value, or 0 for the default", fields.Type().Field(i).Name, f.Interface()))
		}
	}
	for _, link := range []string{c.Links.Site, c.Links.Account, c.Links.Pricing, c.Links.Docs, c.Links.AuthDocs} {
		if _, err := url.Parse(link); err != nil {
			errs = append(errs, fmt.Errorf("server: the address of a page is not a valid URL: %w", err))
		}
	}
	return errors.Join(errs...)
}
