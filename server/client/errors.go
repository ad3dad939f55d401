package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
)

// Sentinels that errors of this package match with errors.Is.
var (
	// ErrKey says that the key is missing, unknown, inactive, or not allowed
	// to ask what was asked.
	ErrKey = errors.New("client: key refused")
	// ErrCredits says that a request can cost more credits than there are.
	ErrCredits = errors.New("client: not enough credits")
	// ErrRateLimited says that too many requests were sent in a minute.
	ErrRateLimited = errors.New("client: too many requests")
	// ErrUnavailable means that the server cannot answer: at the moment, or,
	// if Error.Retryable is false, until it has another dataset.
	ErrUnavailable = errors.New("client: server unavailable")
	// ErrAnswer says that the server's answer is not what the contract says
	// it is, or longer than [Options].MaxAnswer.
	ErrAnswer = errors.New("client: unexpected answer")
)

// An Error is what the server refused: a whole request, or one item under
// status 200. It is an [envelope.Failure].
type Error struct {
	Status  int           // HTTP status of the answer
	Code    envelope.Code // the contract's code; of an answer that is not the contract's the one nearest to its status
	Message string        // the contract's sentence
	URL     string        // page with the next step; "" where there is none

	// Retryable is set if the same request may succeed later; false in items.
	Retryable bool

	Input *envelope.Input // what the item answers; nil for a whole request
}

// Error says what the server said.
func (e *Error) Error() string {
	if e.Input != nil {
		return fmt.Sprintf("client: %s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("client: status %d, %s: %s", e.Status, e.Code, e.Message)
}

// ContractCode implements [envelope.Failure].
func (e *Error) ContractCode() envelope.Code { return e.Code }

// ContractMessage implements [envelope.Failure].
func (e *Error) ContractMessage() string { return e.Message }

// Is reports whether target is the sentinel of the contract code.
func (e *Error) Is(target error) bool {
	s := sentinel(e.Code)
	return s != nil && s == target
}

// sentinel returns what errors with the code match, or nil.
func sentinel(code envelope.Code) error {
	switch code {
	case envelope.NotFoundZIP, envelope.NotFoundFSA, envelope.NotFoundPostal, envelope.NotFoundFrom,
		envelope.NotFoundTo, envelope.NotFoundCoordsNoBoundary, envelope.NotFound:
		return fault.ErrNotFound
	case envelope.Ambiguous:
		return fault.ErrAmbiguous
	case envelope.ValidationInvalidZIP, envelope.ValidationInvalidFSA, envelope.ValidationInvalidPostal,
		envelope.ValidationInvalidCoordinates, envelope.ValidationInputTooLong, envelope.InsufficientInput:
		return fault.ErrInvalidCode
	case envelope.ValidationInvalidParam:
		return fault.ErrInvalidParam
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

// refused returns the error and the reply of an answer to a request that
// failed as a whole.
func (c *Client) refused(a *answer) (*Reply, error) {
	reply := newReply(a)
	var f envelope.FailedResponse
	if err := json.Unmarshal(a.body, &f); err != nil || f.Error == nil || f.Error.Code == "" {
		return reply, &Error{
			Status: a.status, Code: nearestCode(a.status),
			Message: fmt.Sprintf("The answer with HTTP status %d is no contract error.", a.status),
		}
	}
	reply.Meta = f.Meta
	return reply, c.newError(a.status, f.Error, nil)
}

// newError returns the error that the server described. What it says could
// repeat the key.
func (c *Client) newError(status int, e *envelope.Error, input *envelope.Input) *Error {
	return &Error{
		Status: status, Code: envelope.Code(c.redact(string(e.Code))), Message: c.redact(e.Message),
		URL: c.redact(e.URL), Retryable: e.Retryable != nil && *e.Retryable, Input: input,
	}
}

// nearestCode returns the code for a status that came without one, from a
// proxy for example.
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
