package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/postgeo/postgeo/internal/envelope"
)

// A Reply has the status and the metadata of a response.
type Reply struct {
	Status   int  // HTTP status
	Attempts int  // number of times that the request was sent
	Meta     Meta // request id, credits, notices; zero for responses outside the contract
	Rate     Rate // zero if the server did not send it
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

// decode parses a response with n results of type T and the request field Q.
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
