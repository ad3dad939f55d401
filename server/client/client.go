package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Options configure a [Client]. The zero value of every field has a meaning.
type Options struct {
	// Key is the API key, which travels in the header X-Api-Key. "": none is
	// sent, as servers without accounts need none.
	Key string

	// HTTPClient sends the requests. It is copied, and the copy follows no
	// redirects. Nil: a client of its own with a timeout of a minute for each
	// request.
	HTTPClient *http.Client

	// MaxRetries is how often a request is sent again after the statuses 429,
	// 503 and 504. 0: twice; negative: never.
	MaxRetries int

	// MaxWait is the longest wait before a request is sent again. Where the
	// server asks for a longer one its refusal is returned at once. 0: 60 s,
	// what servers ask for after RATE_LIMIT_MINUTE.
	MaxWait time.Duration

	// BatchSize is how many items of a batch go into one request, at most 100.
	// Less makes answers smaller, which counts for radius searches. 0: 100.
	BatchSize int

	// MaxAnswer is the most bytes of an uncompressed answer that are read.
	// A search with 10,000 matches takes some 5 MB. 0: 64 MiB.
	MaxAnswer int64

	// UserAgent is the header User-Agent. "": "postgeo-client/2.0".
	UserAgent string

	// Now is the clock that the dates of Retry-After and the deadlines of
	// contexts are held against. Nil: time.Now.
	Now func() time.Time

	// Sleep waits, or returns the context's error when that ends before. Nil:
	// a timer.
	Sleep func(ctx context.Context, d time.Duration) error

	// Jitter returns a number in [0, 1) that spreads the waits which no
	// Retry-After names. Nil: math/rand/v2.
	Jitter func() float64
}

// The defaults and limits of Options.
const (
	maxBatch           = 100 // items of a request, by the contract
	defaultMaxRetries  = 2
	defaultMaxWait     = time.Minute
	defaultMaxAnswer   = 64 << 20
	defaultTimeout     = time.Minute
	defaultUserAgent   = "postgeo-client/2.0"
	minRedactedKey     = 8       // shorter texts are no keys, and in many words
	maxFailure         = 1 << 20 // bytes of an answer to a failed request
	firstWait          = 500 * time.Millisecond
	maxDoublings       = 10
	redacted           = "[key]"
	headerKey          = "X-Api-Key"
	headerRetryAfter   = "Retry-After"
	headerRateLimit    = "X-Ratelimit-Limit"
	headerRateLeft     = "X-Ratelimit-Remaining"
	headerRateResetsAt = "X-Ratelimit-Reset"
)

// A Client asks one server. It is safe for concurrent use.
type Client struct {
	base *url.URL
	http *http.Client
	o    Options // without the key

	// The key is in closures only, so that no way of printing a Client shows
	// it.
	authorize func(h http.Header)
	redact    func(text string) string
}

// New returns a client of the server at the address, such as
// "https://postgeo.example.com". The path of the address, if any, is put before
// /v2. New refuses an address that is no HTTP one or that has credentials, a
// query or a fragment, a key that no header can hold, and sizes out of range.
func New(baseURL string, o Options) (*Client, error) {
	base, err := parseBase(baseURL)
	if err != nil {
		return nil, err
	}
	if o.BatchSize < 0 || o.BatchSize > maxBatch {
		return nil, fmt.Errorf("client: BatchSize is %d; give 1 to %d, or 0 for the default", o.BatchSize, maxBatch)
	}
	if o.MaxAnswer < 0 || o.MaxWait < 0 {
		return nil, fmt.Errorf("client: MaxAnswer is %d and MaxWait %v; give positive ones, or 0 for the defaults", o.MaxAnswer, o.MaxWait)
	}
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
		own := *o.HTTPClient
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

func parseBase(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("client: the server's address is no URL; give one such as https://postgeo.example.com")
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
	if o.MaxRetries == 0 {
		o.MaxRetries = defaultMaxRetries
	}
	if o.MaxWait == 0 {
		o.MaxWait = defaultMaxWait
	}
	if o.BatchSize == 0 {
		o.BatchSize = maxBatch
	}
	if o.MaxAnswer == 0 {
		o.MaxAnswer = defaultMaxAnswer
	}
	if o.UserAgent == "" {
		o.UserAgent = defaultUserAgent
	}
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

// String names the server, not the key.
func (c *Client) String() string { return "client of " + c.base.String() }
