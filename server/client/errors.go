package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// Sentinels that errors of this package match with errors.Is.
var (
	// ErrKey means that the key is missing, unknown or inactive, or does not permit
	// the request.
	ErrKey = errors.New("client: key refused")
	// ErrCredits means that a request may cost more credits than the account has.
	ErrCredits = errors.New("client: not enough credits")
	// ErrRateLimited means that too many requests were sent in a minute.
	ErrRateLimited = errors.New("client: too many requests")
	// ErrUnavailable means that the server is temporarily unavailable or, if
	// Error.Retryable is false, that its dataset lacks the data.
	ErrUnavailable = errors.New("client: server unavailable")
	// ErrResponse means that the response violates the contract or exceeds
	// [Options].MaxResponse.
	ErrResponse = errors.New("client: unexpected response")
)

// An Error is the failure of a request, or of an item if Status is 200. It is an
// [envelope.Fault].
type Error struct {
	envelope.Fault        // with the HTTP status; the code is the nearest one to that of another response
	URL            string // page with the next step, if any

	// Retryable is set if the same request may succeed later; false in items.
	Retryable bool

	Input *envelope.Input // input of the item; nil for a whole request
}

// Error returns the code and the message.
func (e *Error) Error() string {
	if e.Input != nil {
		return fmt.Sprintf("client: %s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("client: status %d, %s: %s", e.Status, e.Code, e.Message)
}

// Is reports whether target is the sentinel of the contract code.
func (e *Error) Is(target error) bool {
	s := sentinel(e.Code)
	return s != nil && s == target
}

// sentinel returns the sentinel of a code, or nil.
func sentinel(code envelope.Code) error {
	switch code {
	case envelope.NotFoundZIP, envelope.NotFoundFSA, envelope.NotFoundPostal, envelope.NotFoundFrom,
		envelope.NotFoundTo, envelope.NotFoundCoordsNoBoundary, envelope.NotFound:
		return envelope.ErrNotFound
	case envelope.Ambiguous:
		return envelope.ErrAmbiguous
	case envelope.ValidationInvalidZIP, envelope.ValidationInvalidFSA, envelope.ValidationInvalidPostal,
		envelope.ValidationInvalidCoordinates, envelope.ValidationInputTooLong, envelope.InsufficientInput:
		return envelope.ErrInvalidCode
	case envelope.ValidationInvalidParam:
		return envelope.ErrInvalidParam
	case envelope.CreditInsufficient:
		return ErrCredits
	case envelope.RateLimitMinute:
		return ErrRateLimited
	case envelope.ServiceUnavailable:
		return ErrUnavailable
	default:
		if strings.HasPrefix(string(code), "AUTH_") {
			return ErrKey
		}
		return nil
	}
}

// refused returns the reply and the error of a request that failed as a whole.
func (c *Client) refused(a *answer) (*Reply, error) {
	reply := newReply(a)
	var f operation.FailedResponse
	if err := json.Unmarshal(a.body, &f); err != nil || f.Error == nil || f.Error.Code == "" {
		return reply, &Error{
			Fault: envelope.Fault{
				Status: a.status, Code: nearestCode(a.status),
				Message: fmt.Sprintf("The response with HTTP status %d is not a contract error.", a.status),
			},
		}
	}
	reply.Meta = f.Meta
	return reply, c.newError(a.status, f.Error, nil)
}

// newError returns an Error. It redacts the key: errors end up in logs, and a server or proxy
// other than ours may repeat it.
func (c *Client) newError(status int, e *envelope.Error, input *envelope.Input) *Error {
	return &Error{
		Fault: envelope.Fault{Status: status, Code: envelope.Code(c.redact(string(e.Code))), Message: c.redact(e.Message)},
		URL:   c.redact(e.URL), Retryable: e.Retryable != nil && *e.Retryable, Input: input,
	}
}

// nearestCode returns the code for a status without a code, as from a proxy.
func nearestCode(status int) envelope.Code {
	switch {
	case status == http.StatusTooManyRequests:
		return envelope.RateLimitMinute
	case status == http.StatusServiceUnavailable, status == http.StatusGatewayTimeout:
		return envelope.ServiceUnavailable
	case status >= 400 && status < 500:
		return envelope.BadRequest
	default:
		return envelope.InternalError
	}
}
