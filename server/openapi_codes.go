package server

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/postgeo/postgeo/envelope"
)

// A failures is what requests fail with under one status.
type failures struct {
	status  int
	meaning string
	codes   []envelope.Code
}

// meanings are the statuses of failed requests.
var meanings = map[int]string{
	http.StatusBadRequest:            "The request is not understood.",
	http.StatusUnauthorized:          "No key, or one that nobody has.",
	http.StatusPaymentRequired:       "The request can cost more than the account has.",
	http.StatusForbidden:             "The key may not do this.",
	http.StatusRequestEntityTooLarge: "The body is too large.",
	http.StatusUnsupportedMediaType:  "The body is compressed.",
	http.StatusTooManyRequests:       "Too many requests in a minute.",
	http.StatusInternalServerError:   "A defect of the server.",
	http.StatusServiceUnavailable:    "A dependency of the server is down, or the server is busy; the same request may succeed later. With retryable false the dataset lacks what the request needs, and there is no Retry-After.",
	http.StatusGatewayTimeout:        "The work took too long; the same request may succeed later.",
}

// failuresOf returns what a method of a route can fail with, by status. It
// follows from what the route declares.
func failuresOf(rt *route, method string) []failures {
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
	if rt.about.echo != nil {
		own(envelope.ValidationInvalidRequest, envelope.InternalError)
		add(http.StatusGatewayTimeout, envelope.ServiceUnavailable)
	}
	if method == http.MethodPost {
		add(http.StatusRequestEntityTooLarge, envelope.ValidationInvalidRequest)
		add(http.StatusUnsupportedMediaType, envelope.ValidationInvalidRequest)
	}
	if !rt.keyless {
		own(envelope.AuthMissingKey, envelope.AuthInvalidKey, envelope.CreditInsufficient,
			envelope.AuthInactiveKey, envelope.AuthInactiveAccount, envelope.AuthIPRestricted, envelope.AuthOriginRestricted,
			envelope.AuthIPBlocked, envelope.RateLimitMinute)
		own(rt.about.refusals...)
	}
	for _, p := range rt.params {
		own(paramFailures(p)...)
	}
	if rt.batch {
		own(envelope.AuthBatchRequiresSubscription, envelope.AuthTestKeyRestricted, envelope.ValidationBatchTooLarge)
	}
	out := make([]failures, 0, len(byStatus))
	for status, codes := range byStatus {
		out = append(out, failures{status: status, meaning: meanings[status], codes: codes})
	}
	slices.SortFunc(out, func(a, b failures) int { return cmp.Compare(a.status, b.status) })
	return out
}

// paramFailures are what a wrong value of a parameter of a request fails with.
func paramFailures(p *param) []envelope.Code {
	codes := []envelope.Code{envelope.ValidationInvalidParam}
	if p.required {
		codes = append(codes, envelope.ValidationMissingParam)
	}
	if p.chars > 0 || p.list && p.entry == nil && p.fields == nil {
		codes = append(codes, envelope.ValidationInputTooLong)
	}
	return append(codes, p.codes...)
}

// itemFailuresOf returns what an item of a route's results can fail with.
func itemFailuresOf(rt *route) []envelope.Code {
	codes := slices.Clone(rt.about.failures)
	if rt.about.items == nil {
		return codes
	}
	codes = append(codes, envelope.InternalError, envelope.ServiceUnavailable, envelope.ValidationMissingParam)
	fields := rt.about.items.fields
	if entry := rt.about.items.entry; entry != nil {
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
