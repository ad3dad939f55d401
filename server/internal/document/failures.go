package document

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// A failures lists the codes of failed requests with a status.
type failures struct {
	status  int
	meaning string
	codes   []envelope.Code
}

// meanings describes the statuses of failed requests.
var meanings = map[int]string{
	http.StatusBadRequest:            "The request is not valid.",
	http.StatusUnauthorized:          "The key is missing or unknown.",
	http.StatusPaymentRequired:       "The request may cost more credits than the account has.",
	http.StatusForbidden:             "The key does not permit the request.",
	http.StatusRequestEntityTooLarge: "The body is too large.",
	http.StatusUnsupportedMediaType:  "The body is compressed.",
	http.StatusUnprocessableEntity:   "The Idempotency-Key was used for another request.",
	http.StatusTooManyRequests:       "Too many requests in a minute.",
	http.StatusInternalServerError:   "An internal error of the server.",
	http.StatusServiceUnavailable:    "A dependency of the server is down, or the server is busy; the same request may succeed later. If retryable is false, the dataset lacks the required data and there is no Retry-After.",
	http.StatusGatewayTimeout:        "The work took too long; the same request may succeed later.",
}

// failuresOf returns the possible failures of a method, sorted by status. They follow from
// the checks that a request passes: those of every route, of the body, of the key, and of
// the route's parameters. Tests compare them with the responses of misused routes.
func failuresOf(rt *Route, method string) []failures {
	byStatus := map[int][]envelope.Code{}
	add := func(status int, codes ...envelope.Code) {
		for _, c := range codes {
			if !slices.Contains(byStatus[status], c) {
				byStatus[status] = append(byStatus[status], c)
			}
		}
	}
	own := func(codes ...envelope.Code) {
		for _, c := range codes {
			add(c.Status(), c)
		}
	}
	add(http.StatusServiceUnavailable, envelope.ServiceUnavailable)
	if !rt.Plain() {
		own(envelope.ValidationInvalidRequest, envelope.InternalError)
		add(http.StatusGatewayTimeout, envelope.ServiceUnavailable)
	}
	if method == http.MethodPost {
		add(http.StatusRequestEntityTooLarge, envelope.ValidationInvalidRequest)
		add(http.StatusUnsupportedMediaType, envelope.ValidationInvalidRequest)
	}
	if !rt.Keyless {
		own(envelope.AuthMissingKey, envelope.AuthInvalidKey, envelope.CreditInsufficient,
			envelope.AuthInactiveKey, envelope.AuthInactiveAccount, envelope.AuthIPRestricted, envelope.AuthOriginRestricted,
			envelope.AuthIPBlocked, envelope.RateLimitMinute)
		own(envelope.ValidationInvalidParam)
		add(http.StatusUnprocessableEntity, envelope.BadRequest)
		own(rt.Refusals...)
	}
	for _, p := range rt.Params {
		own(paramFailures(p)...)
	}
	if rt.Batch {
		own(envelope.AuthBatchRequiresSubscription, envelope.AuthTestKeyRestricted, envelope.ValidationBatchTooLarge)
	}
	out := make([]failures, 0, len(byStatus))
	for status, codes := range byStatus {
		out = append(out, failures{status: status, meaning: meanings[status], codes: codes})
	}
	slices.SortFunc(out, func(a, b failures) int { return cmp.Compare(a.status, b.status) })
	return out
}

// paramFailures returns the failures of invalid values of a parameter.
func paramFailures(p *operation.Param) []envelope.Code {
	codes := []envelope.Code{envelope.ValidationInvalidParam}
	if p.Required {
		codes = append(codes, envelope.ValidationMissingParam)
	}
	if p.Chars > 0 || p.List && p.Entry == nil && p.Fields == nil {
		codes = append(codes, envelope.ValidationInputTooLong)
	}
	return append(codes, p.Codes...)
}

// itemFailuresOf returns the possible failures of an entry of results.
func itemFailuresOf(rt *Route) []envelope.Code {
	codes := slices.Clone(rt.Failures)
	if rt.Items == nil {
		return codes
	}
	codes = append(codes, envelope.InternalError, envelope.ServiceUnavailable, envelope.ValidationMissingParam)
	fields := rt.Items.Fields
	if entry := rt.Items.Entry; entry != nil {
		fields = append(fields, entry)
	}
	for _, p := range fields {
		for _, c := range paramFailures(p) {
			if !slices.Contains(codes, c) {
				codes = append(codes, c)
			}
		}
	}
	return codes
}
