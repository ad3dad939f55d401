package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/server/internal/metrics"
)

// Accounts identifies callers by keys and charges them: it reserves, spends and returns
// credits by the id of a request. [*billing.Store] implements it.
type Accounts interface {
	// Enter admits a request or returns an [envelope.Fault].
	Enter(ctx context.Context, c billing.Credentials) (billing.Pass, error)

	// AllowAddr takes a permit of the minute for a request without a key. It returns a
	// *billing.RateLimitError if none is left.
	AllowAddr(ctx context.Context, addr netip.Addr) error

	Reserve(ctx context.Context, h billing.Hold) (billing.Receipt, error)
	Settle(ctx context.Context, h billing.Hold, used int) (billing.Receipt, error)
	Refund(ctx context.Context, h billing.Hold) (billing.Receipt, error)
	Cut(ctx context.Context, h billing.Hold) (billing.Receipt, error)

	// Ping reads without a cache, and Probe writes.
	Ping(ctx context.Context) error
	Probe(ctx context.Context) error

	// Limits returns the server of rate limits, which the metrics report. Nil means that
	// this process counts requests.
	Limits() interface {
		Ping(ctx context.Context) error
	}
}

// authenticate checks the key and, for batches, the plan. It sets the headers of
// the rate limit.
//
// The decision is that of Accounts. Only HTTP's part is here: the places of a key, the
// address that counts behind proxies, and the headers. The plan is checked before the body
// is read, so that a batch that is refused in any case costs nothing to parse.
func (c *call) authenticate(rt *route) error {
	accounts := c.s.cfg.Accounts
	if accounts == nil || rt.Keyless {
		return nil
	}
	ctx := c.deadline()
	trusted := c.s.trustedProxies()
	c.checkProxy(trusted)
	cred, err := c.credentials(trusted)
	if err != nil {
		return err
	}
	pass, err := accounts.Enter(ctx, cred)
	c.sender = &pass.Identity
	if pass.Window.Limit > 0 {
		c.setRateHeaders(&pass.Window)
	}
	if err != nil {
		var limited *billing.RateLimitError
		if errors.As(err, &limited) {
			c.s.metrics.Refusals.WithLabelValues(refusedAs(limited, &pass.Identity)).Inc()
		}
		return timedOut(ctx, err)
	}
	c.caller = &pass.Identity
	if rt.Batch {
		return checkBatch(c.caller)
	}
	return nil
}

// credentials returns the credentials of the request. A key in the header takes
// precedence over one in the query (decision D6), which must not be repeated. A malformed
// query does not matter here: authentication comes before the parameters.
func (c *call) credentials(trusted billing.AddrList) (cred billing.Credentials, err error) {
	for _, v := range c.r.Header["X-Api-Key"] {
		if cred.Key = strings.TrimSpace(v); cred.Key != "" {
			break
		}
	}
	if cred.Key == "" {
		q, malformed := c.query() // a malformed key is unknown to the gate
		v, _, err := q.Value(&paramKey)
		if err == nil && q == nil {
			err = malformed // the query is too long to find a key in it
		}
		if err != nil {
			return cred, err
		}
		cred.Key = strings.TrimSpace(v)
	}
	if cred.Key == "" {
		scheme, _, _ := strings.Cut(strings.TrimSpace(c.r.Header.Get("Authorization")), " ")
		cred.Bearer = strings.EqualFold(scheme, "Bearer")
	}
	if origin := c.r.Header["Origin"]; len(origin) > 0 {
		cred.Origin = origin[0]
	}
	cred.Addr = clientAddr(c.r, trusted)
	return cred, nil
}

var paramKey = param{Name: "key"}

// proxyWarnings is the time between two warnings of checkProxy.
const proxyWarnings = time.Minute

// checkProxy logs a warning if a peer that is not a trusted proxy sent
// X-Forwarded-For. All callers behind an undeclared proxy count as one address.
func (c *call) checkProxy(trusted billing.AddrList) {
	if len(c.r.Header["X-Forwarded-For"]) == 0 {
		return
	}
	peer, err := netip.ParseAddrPort(c.r.RemoteAddr)
	if err == nil && trusted.Contains(peer.Addr()) {
		return
	}
	// The swap lets one of several requests write the warning; a clock that was set back
	// writes it again.
	now, last := c.s.cfg.Now().UnixNano(), c.s.proxyWarned.Load()
	if last != 0 && now >= last && now-last < int64(proxyWarnings) || !c.s.proxyWarned.CompareAndSwap(last, now) {
		return
	}
	c.s.cfg.Logger.LogAttrs(context.Background(), slog.LevelWarn,
		"X-Forwarded-For ignored: the peer is not a trusted proxy, so its callers count as one address; add your proxy to --trusted-proxies",
		slog.String("request_id", c.id), slog.String("peer", peer.Addr().Unmap().String()))
}

// payAgain takes another permit of the rate limit for a large body that was refused, since
// reading it costs more than other requests that are free.
func (c *call) payAgain() {
	accounts := c.s.cfg.Accounts
	if accounts == nil {
		return
	}
	if cred, err := c.credentials(c.s.trustedProxies()); err == nil {
		if pass, _ := accounts.Enter(c.deadline(), cred); pass.Window.Limit > 0 { // without a permit left the next request is refused
			c.setRateHeaders(&pass.Window)
		}
	}
}

// limitKeyless applies the rate limit of requests without a key. Open mode has no
// limit.
func (c *call) limitKeyless() error {
	accounts := c.s.cfg.Accounts
	if accounts == nil {
		return nil
	}
	ctx := c.deadline()
	err := accounts.AllowAddr(ctx, clientAddr(c.r, c.s.trustedProxies()))
	if limited := (*billing.RateLimitError)(nil); errors.As(err, &limited) {
		c.s.metrics.Refusals.WithLabelValues(refusedAs(limited, nil)).Inc()
	}
	return timedOut(ctx, err)
}

// clientAddr returns the address of the caller, or the zero Addr if it is unknown.
func clientAddr(r *http.Request, trusted billing.AddrList) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return forwardedAddr(peer.Addr(), r.Header["X-Forwarded-For"], trusted)
}

var headerMinute = []string{"minute"}

func (c *call) setRateHeaders(w *billing.Window) {
	// The keys are in net/http's canonical form. Set would canonicalize each of them, and
	// allocate a slice for it.
	h := c.w.Header()
	values := &[3]string{strconv.Itoa(w.Limit), strconv.Itoa(w.Remaining), strconv.FormatInt(w.Reset.Unix(), 10)} // one allocation
	h["X-Ratelimit-Limit"] = values[0:1:1]
	h["X-Ratelimit-Remaining"] = values[1:2:2]
	h["X-Ratelimit-Reset"] = values[2:3:3]
	h["X-Ratelimit-Window"] = headerMinute
}

// refusedAs returns the name of the exceeded limit in the metrics.
func refusedAs(err *billing.RateLimitError, id *billing.Identity) string {
	switch {
	case err.Flood:
		return metrics.LimitFlood
	case id.Kind == billing.Demo:
		return metrics.LimitDemo
	}
	return metrics.LimitKey
}
