package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options configures a [Client]. The zero value is valid.
type Options struct {
	// Key is the API key. Servers without accounts do not require one.
	Key string

	// HTTPClient sends the requests. It is copied, and the copy does not follow
	// redirects. Nil means a client with a timeout of one minute.
	HTTPClient *http.Client

	// MaxRetries is the maximum number of retries after status 429, 503 and 504 and
	// after failures of the connection.
	// Zero means 2; a negative value disables retries.
	MaxRetries int

	// MaxWait is the maximum delay before a retry. If the server requires a longer
	// one, the error is returned at once. Zero means 60 s, the delay after
	// RATE_LIMIT_MINUTE.
	MaxWait time.Duration

	// BatchSize is the number of items per request of a batch, at most 100. Smaller
	// values reduce the size of responses, as of radius searches. Zero means 100.
	BatchSize int

	// MaxResponse is the maximum size of an uncompressed response in bytes. A search
	// with 10,000 matches has about 5 MB. Zero means 64 MiB.
	MaxResponse int64

	// UserAgent is the header User-Agent. Empty means "postgeo-client/2.0".
	UserAgent string

	// Now returns the current time. Nil means time.Now.
	Now func() time.Time

	// Sleep waits for d or until ctx is done, and then returns the error of ctx. Nil
	// means a timer.
	Sleep func(ctx context.Context, d time.Duration) error

	// Jitter returns a number in [0, 1) that spreads delays without Retry-After. Nil
	// means math/rand/v2.
	Jitter func() float64
}

// The defaults and limits of Options.
const (
	maxBatch           = 100 // items of a request, by the contract
	defaultMaxRetries  = 2
	defaultMaxWait     = time.Minute
	defaultMaxResponse = 64 << 20
	defaultTimeout     = time.Minute
	defaultUserAgent   = "postgeo-client/2.0"
	minRedactedKey     = 8       // shorter texts are not keys
	maxFailure         = 1 << 20 // bytes of a response to a failed request
	firstWait          = 500 * time.Millisecond
	maxDoublings       = 10
	redacted           = "[key]"
	headerKey          = "X-Api-Key"
	headerOnce         = "Idempotency-Key"
	headerRetryAfter   = "Retry-After"
	headerRateLimit    = "X-Ratelimit-Limit"
	headerRateLeft     = "X-Ratelimit-Remaining"
	headerRateResetsAt = "X-Ratelimit-Reset"
)

// A Client calls one server. It is safe for concurrent use.
type Client struct {
	base *url.URL
	http *http.Client
	o    Options // without the key

	// The key is only in closures, so that printing a Client does not reveal it.
	authorize func(h http.Header)
	redact    func(text string) string
}

// New returns a client of the server at baseURL, such as
// "https://postgeo.example.com" or, with a path before /v2,
// "https://example.com/postgeo". It returns an error if the URL is not an HTTP URL or
// has credentials, a query or a fragment. It also returns an error if the key is not
// valid in a header or an option is out of range.
func New(baseURL string, o Options) (*Client, error) {
	base, err := parseBase(baseURL)
	if err != nil {
		return nil, err
	}
	if o.BatchSize < 0 || o.BatchSize > maxBatch {
		return nil, fmt.Errorf("client: BatchSize is %d; give 1 to %d, or 0 for the default", o.BatchSize, maxBatch)
	}
	if o.MaxResponse < 0 || o.MaxWait < 0 {
		return nil, fmt.Errorf("client: MaxResponse is %d and MaxWait %v; give positive ones, or 0 for the defaults", o.MaxResponse, o.MaxWait)
	}
	// Mostly the line break at the end of a file, of which net/http would only report the header,
	// or a space, which it would send.
	for i := range len(o.Key) {
		if c := o.Key[i]; c <= ' ' || c > '~' {
			return nil, fmt.Errorf("client: the key has byte 0x%02x at %d; keys are letters and digits", c, i)
		}
	}
	key := o.Key
	o.Key = ""
	c := &Client{base: base, o: o.withDefaults()}
	c.http = &http.Client{Timeout: defaultTimeout}
	if o.HTTPClient != nil {
		own := *o.HTTPClient // its CheckRedirect is replaced, which must not affect the caller
		c.http = &own
	}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.authorize = func(h http.Header) {
		if key != "" {
			h.Set(headerKey, key)
		}
	}
	c.redact = func(text string) string {
		if len(key) < minRedactedKey {
			return text
		}
		return strings.ReplaceAll(text, key, redacted)
	}
	return c, nil
}

// parseBase returns the scheme, the host and the path of an address. Its errors leave out
// the other parts, which may be a key.
func parseBase(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("client: the server's address is not a valid URL; give one such as https://postgeo.example.com")
	}
	switch {
	case u.User != nil:
		return nil, errors.New("client: the server's address has credentials; give the key in Options.Key")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("client: the server's address has a query or a fragment; give it without")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, fmt.Errorf("client: the server's address has scheme %q and host %q; expected http:// or https:// and a host", u.Scheme, u.Host)
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(u.Path, "/")}, nil
}

func (o Options) withDefaults() Options {
	o.MaxRetries = cmp.Or(o.MaxRetries, defaultMaxRetries)
	o.MaxWait = cmp.Or(o.MaxWait, defaultMaxWait)
	o.BatchSize = cmp.Or(o.BatchSize, maxBatch)
	o.MaxResponse = cmp.Or(o.MaxResponse, defaultMaxResponse)
	o.UserAgent = cmp.Or(o.UserAgent, defaultUserAgent)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// String returns the address of the server, without the key.
func (c *Client) String() string { return "client of " + c.base.String() }
