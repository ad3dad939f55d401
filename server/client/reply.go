package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/postgeo/postgeo/envelope"
)

// A Reply is what the server said about a request.
type Reply struct {
	Status   int           // HTTP status
	Attempts int           // how often the request was sent
	Meta     envelope.Meta // request id, credits, notices; zero where the answer is not the contract's
	Rate     Rate          // zero where the server did not tell
}

// A Rate is what is left of a key's minute.
type Rate struct {
	Limit     int       // requests in a minute
	Remaining int       // of them are left
	Reset     time.Time // when all are left again, to the second
}

func newReply(a *answer) *Reply {
	return &Reply{Status: a.status, Attempts: a.attempts, Rate: parseRate(a.header)}
}

// parseRate reads the rate headers; a server that is missing one of them tells
// none.
func parseRate(h http.Header) Rate {
	limit, err1 := strconv.Atoi(h.Get(headerRateLimit))
	left, err2 := strconv.Atoi(h.Get(headerRateLeft))
	reset, err3 := strconv.ParseInt(h.Get(headerRateResetsAt), 10, 64)
	if err1 != nil || err2 != nil || err3 != nil {
		return Rate{}
	}
	return Rate{Limit: limit, Remaining: left, Reset: time.Unix(reset, 0).UTC()}
}

// An Item is the answer to one input: a value, or the error in its place.
type Item[T any] struct {
	Value *T
	Err   error // nil, or an [*Error] in most cases
}

// decode reads an answer with n results. T is what the route delivers, Q the
// echo of the request.
func decode[Q, T any](c *Client, q *request, a *answer, n int) ([]Item[T], *Reply, error) {
	if a.status != http.StatusOK {
		reply, err := c.refused(a)
		return nil, reply, err
	}
	reply := newReply(a)
	var resp envelope.Response[Q, *T]
	if err := json.Unmarshal(a.body, &resp); err != nil {
		return nil, reply, fmt.Errorf("client: %v: %w: %s", q, ErrAnswer, c.redact(err.Error()))
	}
	reply.Meta = resp.Meta
	if resp.Error != nil {
		return nil, reply, c.newError(a.status, resp.Error, nil)
	}
	if len(resp.Results) != n {
		return nil, reply, fmt.Errorf("client: %v: %w: %d results for %d inputs", q, ErrAnswer, len(resp.Results), n)
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
			return nil, reply, fmt.Errorf("client: %v: %w: result %d is null", q, ErrAnswer, i)
		default:
			items[i].Value = r.Value
		}
	}
	return items, reply, nil
}
