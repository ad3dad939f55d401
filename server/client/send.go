package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// A request is a request to the server.
type request struct {
	path  string
	query url.Values
	body  []byte // nil for GET
	final bool   // without retries
	key   string // the Idempotency-Key, the same for all attempts
}

func (q *request) method() string {
	if q.body == nil {
		return http.MethodGet
	}
	return http.MethodPost
}

func (q *request) String() string { return q.method() + " " + q.path }

// An answer is the last response to a request.
type answer struct {
	status   int
	header   http.Header
	body     []byte
	attempts int
}

// onceKey is the context key of an Idempotency-Key.
type onceKey struct{}

// WithIdempotencyKey returns a context whose calls are charged once for the key
// within 24 hours. Repeat a call with the same key and arguments if you gave it up,
// such as after a timeout of ctx. Without it, each call has a random key that only its
// own retries share. Use a new key for every call; a batch numbers its requests.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, onceKey{}, key)
}

// idempotencyKey returns the key of request n of a call.
func idempotencyKey(ctx context.Context, n int) string {
	key, ok := ctx.Value(onceKey{}).(string)
	switch {
	case !ok:
		return rand.Text()
	case n > 0:
		return key + "-" + strconv.Itoa(n)
	}
	return key
}

// send sends a request, with retries. It returns an error if there is no response.
//
// Even a request whose response was lost may be repeated, although it may have been
// charged: all attempts have one Idempotency-Key, under which the server charges once.
func (c *Client) send(ctx context.Context, q request) (*answer, error) {
	if q.key == "" && !q.final {
		q.key = idempotencyKey(ctx, 0)
	}
	for attempt := 1; ; attempt++ {
		a, err := c.once(ctx, &q)
		if err != nil {
			err = fmt.Errorf("client: %v: %w", &q, err)
			if q.final || ctx.Err() != nil || errors.Is(err, ErrResponse) || attempt > c.o.MaxRetries {
				return nil, err
			}
			a = &answer{} // the connection failed
		}
		a.attempts = attempt
		if err == nil && (q.final || !a.mayRetry() || attempt > c.o.MaxRetries) {
			return a, nil
		}
		wait := c.wait(a.header, attempt)
		if end, ok := ctx.Deadline(); wait > c.o.MaxWait || ok && end.Sub(c.o.Now()) < wait {
			if err != nil {
				return nil, err
			}
			return a, nil // the response is more useful than the deadline
		}
		if ended := c.o.Sleep(ctx, wait); ended != nil {
			if err != nil {
				return nil, err
			}
			return nil, fmt.Errorf("client: %v: waiting %v after status %d: %w", &q, wait, a.status, ended)
		}
	}
}

// mayRetry reports whether the same request may succeed later, by the status and the
// field retryable.
func (a *answer) mayRetry() bool {
	switch a.status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return false
	}
	var f operation.FailedResponse
	return json.Unmarshal(a.body, &f) != nil || f.Error == nil || f.Error.Retryable == nil || *f.Error.Retryable
}

// wait returns the delay after an attempt. It may exceed Options.MaxWait.
func (c *Client) wait(h http.Header, attempt int) time.Duration {
	if d, ok := parseRetryAfter(h.Get(headerRetryAfter), c.o.Now()); ok {
		return d
	}
	// Doubled for each attempt, and at random in the upper half, so that clients that failed
	// together do not return together.
	full := min(firstWait<<min(attempt-1, maxDoublings), c.o.MaxWait)
	return full/2 + time.Duration(c.o.Jitter()*float64(full/2))
}

// parseRetryAfter parses a number of seconds or a date.
func parseRetryAfter(s string, now time.Time) (time.Duration, bool) {
	s = strings.TrimSpace(s)
	if n, err := strconv.ParseUint(s, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		if n > uint64(math.MaxInt64/time.Second) {
			return math.MaxInt64, true
		}
		return time.Duration(n) * time.Second, true
	}
	t, err := http.ParseTime(s)
	if err != nil {
		return 0, false
	}
	return max(t.Sub(now), 0), true
}

// once sends a request and reads the complete response.
func (c *Client) once(ctx context.Context, q *request) (*answer, error) {
	address := c.base.JoinPath(q.path)
	address.RawQuery = q.query.Encode()
	var body io.Reader
	if q.body != nil {
		body = bytes.NewReader(q.body)
	}
	r, err := http.NewRequestWithContext(ctx, q.method(), address.String(), body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", c.o.UserAgent)
	if q.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if q.key != "" {
		r.Header.Set(headerOnce, q.key)
	}
	c.authorize(r.Header)
	resp, err := c.http.Do(r)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // send adds the method and the path
		}
		return nil, err
	}
	defer resp.Body.Close()
	limit := c.o.MaxResponse
	if resp.StatusCode != http.StatusOK {
		limit = min(limit, maxFailure)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, limit))
	if err == nil && int64(len(data)) == limit { // exactly the limit is allowed
		var more [1]byte
		if n, _ := io.ReadFull(resp.Body, more[:]); n > 0 {
			return nil, fmt.Errorf("%w: status %d with more than %d bytes", ErrResponse, resp.StatusCode, limit)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("reading the response with status %d: %w", resp.StatusCode, err)
	}
	return &answer{status: resp.StatusCode, header: resp.Header, body: data}, nil
}

// A Reply has the status and the metadata of a response.
type Reply struct {
	Status   int           // HTTP status
	Attempts int           // number of times that the request was sent
	Meta     envelope.Meta // request id, credits, notices; zero for responses outside the contract
	Rate     Rate          // zero if the server did not send it
}

// A Rate is the state of a key's rate limit.
type Rate struct {
	Limit     int       // requests per minute
	Remaining int       // remaining requests
	Reset     time.Time // time of the full limit, to the second
}

func newReply(a *answer) *Reply {
	return &Reply{Status: a.status, Attempts: a.attempts, Rate: parseRate(a.header)}
}

// parseRate parses the headers of the rate limit. It returns zero unless all are
// present.
func parseRate(h http.Header) Rate {
	limit, err1 := strconv.Atoi(h.Get(headerRateLimit))
	left, err2 := strconv.Atoi(h.Get(headerRateLeft))
	reset, err3 := strconv.ParseInt(h.Get(headerRateResetsAt), 10, 64)
	if err1 != nil || err2 != nil || err3 != nil {
		return Rate{}
	}
	return Rate{Limit: limit, Remaining: left, Reset: time.Unix(reset, 0).UTC()}
}

// An Item is the value or the error of one input.
type Item[T any] struct {
	Value *T
	Err   error // nil, or an [*Error] in most cases
}

// decode parses a response with n results of type T.
func decode[T any](c *Client, q *request, a *answer, n int) ([]Item[T], *Reply, error) {
	if a.status != http.StatusOK {
		reply, err := c.refused(a)
		return nil, reply, err
	}
	reply := newReply(a)
	var resp envelope.Response[json.RawMessage, *T]
	if err := json.Unmarshal(a.body, &resp); err != nil {
		return nil, reply, fmt.Errorf("client: %v: %w: %s", q, ErrResponse, c.redact(err.Error()))
	}
	reply.Meta = resp.Meta
	if resp.Error != nil {
		return nil, reply, c.newError(a.status, resp.Error, nil)
	}
	if len(resp.Results) != n {
		return nil, reply, fmt.Errorf("client: %v: %w: %d results for %d inputs", q, ErrResponse, len(resp.Results), n)
	}
	items := make([]Item[T], n)
	for i, r := range resp.Results {
		switch {
		case r.Failed != nil:
			input := r.Failed.Input
			if input == nil {
				input = new(envelope.Input)
			}
			items[i].Err = c.newError(a.status, r.Failed.Error, input)
		case r.Value == nil:
			return nil, reply, fmt.Errorf("client: %v: %w: result %d is null", q, ErrResponse, i)
		default:
			items[i].Value = r.Value
		}
	}
	return items, reply, nil
}
