package server

import (
	"cmp"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/wording"
)

// A query holds the parameters of a query string in order.
type query []parameter

type parameter struct{ name, value string }

// parseQuery parses a query string and appends its parameters to q. Unlike net/url it
// refuses malformed parameters, and semicolons are ordinary characters. A list of pairs
// keeps repeated parameters in order and needs one allocation, or none in call.room;
// url.Values has a map with a slice for each name. With the error, it returns the parameters
// with malformed names and values as given, so that the key of the request is known.
func parseQuery(raw string, q query) (_ query, malformed error) {
	if raw == "" {
		return nil, nil
	}
	if len(raw) > maxQueryBytes {
		return nil, invalidRequest(wording.QueryTooLong(maxQueryBytes))
	}
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		name, value, _ := strings.Cut(part, "=")
		name, err1 := unescape(name)
		value, err2 := unescape(value)
		malformed = cmp.Or(malformed, err1, err2)
		q = append(q, parameter{name, value})
	}
	return q, malformed
}

// unescape returns a name or value, or s itself if it is malformed.
func unescape(s string) (string, error) {
	text := s
	if strings.ContainsAny(s, "%+") {
		var err error
		if text, err = url.QueryUnescape(s); err != nil {
			return s, invalidRequest(wording.QueryMalformed("a percent sign needs two hexadecimal digits after it"))
		}
	}
	if !utf8.ValidString(text) {
		return s, invalidRequest(wording.QueryMalformed("it is not UTF-8"))
	}
	return text, nil
}

// Value returns the value of a parameter and whether it is present. Repeated lists
// are joined; other parameters must not be repeated (decision D66).
func (q query) Value(p *param) (v string, found bool, err error) {
	for i := range q {
		switch {
		case q[i].name != p.Name:
		case !found:
			v, found = q[i].value, true
		case p.List || p.Commas:
			v += "," + q[i].value
		default:
			return "", true, givenTwice(p.Name)
		}
	}
	return v, found, nil
}

func givenTwice(name string) error {
	return &envelope.Fault{Code: envelope.ValidationInvalidParam, Message: wording.InvalidParam(name, "given once")}
}

// Has reports whether there is a parameter with a name.
func (q query) Has(name string) bool {
	_, ok := q.get(name)
	return ok
}

// get returns the first value of a parameter and whether it is present.
func (q query) get(name string) (string, bool) {
	for i := range q {
		if q[i].name == name {
			return q[i].value, true
		}
	}
	return "", false
}

func invalidRequest(message string) error {
	return &envelope.Fault{Code: envelope.ValidationInvalidRequest, Message: message}
}
