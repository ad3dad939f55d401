package envelope

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/encode"
)

// A Response is the response of every route except health. Q is the echo of the
// request, R the result.
type Response[Q, R any] struct {
	Success bool        `json:"success"` // the request was processed, even if items failed
	Request Q           `json:"request"`
	Results []Result[R] `json:"results,omitzero"` // nil on whole-request errors
	Error   *Error      `json:"error,omitzero"`   // whole-request errors only
	Meta    Meta        `json:"meta"`
}

// A Result is one entry of results: a value, or a failed item.
type Result[R any] struct {
	Value  R
	Failed *Item // if not nil, it replaces Value
}

// MarshalJSON writes the value or the failed item.
func (r Result[R]) MarshalJSON() ([]byte, error) { return r.appendPieces(nil, nil) }

// UnmarshalJSON reads the output of MarshalJSON. Items with an error are failed
// items.
func (r *Result[R]) UnmarshalJSON(data []byte) error {
	// Twice, since only the item shows which of the two the entry is.
	var item Item
	if err := json.Unmarshal(data, &item); err != nil {
		return fmt.Errorf("envelope: reading an item: %w", err)
	}
	*r = Result[R]{}
	if item.Error != nil {
		r.Failed = &item
		return nil
	}
	if err := json.Unmarshal(data, &r.Value); err != nil {
		return fmt.Errorf("envelope: reading a result: %w", err)
	}
	return nil
}

// appendPieces appends the JSON of the result and passes it to flush piece by piece, if
// the value is long. It returns the rest.
func (r Result[R]) appendPieces(dst []byte, flush func([]byte) ([]byte, error)) ([]byte, error) {
	if r.Failed != nil {
		return encode.Append(dst, r.Failed)
	}
	return encode.AppendPieces(dst, r.Value, flush)
}

// AppendPieces appends the JSON of the response and passes it to flush piece by piece,
// if a result is long. It returns the rest. It is written by hand for the pieces: no encoder
// of a struct could stop in the middle of a member. The members are those of the tags.
func (r *Response[Q, R]) AppendPieces(dst []byte, flush func([]byte) ([]byte, error)) ([]byte, error) {
	dst = strconv.AppendBool(append(dst, `{"success":`...), r.Success)
	var request any = &r.Request
	if q, open := request.(*any); open { // of the server: a pointer, which has a compiled encoder
		request = *q
	}
	dst, err := encode.Append(append(dst, `,"request":`...), request)
	if err != nil {
		return dst, err
	}
	if r.Results != nil {
		dst = append(dst, `,"results":[`...)
		for i := range r.Results {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = r.Results[i].appendPieces(dst, flush); err != nil {
				return dst, err
			}
		}
		dst = append(dst, ']')
	}
	if r.Error != nil {
		if dst, err = encode.Append(append(dst, `,"error":`...), r.Error); err != nil {
			return dst, err
		}
	}
	dst, err = encode.Append(append(dst, `,"meta":`...), &r.Meta)
	return append(dst, '}'), err
}

// An Error is the public part of a failure, of a whole request or of one item.
type Error struct {
	Code      Code   `json:"code"`               // one of the contract's error codes
	Message   string `json:"message"`            // a message for people
	Retryable *bool  `json:"retryable,omitzero"` // whole requests only; nil except for statuses 429, 503 and 504
	URL       string `json:"url"`                // next step, from the server's configuration
}

// A Class groups notices.
type Class string

// The classes of notices.
const (
	ClassInput      Class = "input"
	ClassEnrichment Class = "enrichment"
	ClassBilling    Class = "billing"
	ClassResult     Class = "result"
	ClassMatch      Class = "match"
)

// A Notice describes a property of a result that is not an error.
type Notice struct {
	Code    Code   `json:"code"`           // one of the contract's notice codes
	Message string `json:"message"`        // a message for people
	Class   Class  `json:"class,omitzero"` // the subject of the notice
	URL     string `json:"url,omitzero"`   // page with details; with FREE_TIER_LIMIT_CAPPED only
}

// An Input repeats the input of an item, as given.
type Input struct {
	Index   *int       `json:"index,omitzero"`   // position in a batch of radius searches, from 0
	Code    string     `json:"code,omitzero"`    // code or coordinate, as given
	Max     *RadiusMax `json:"max,omitzero"`     // radius as given; batch of radius searches only
	From    string     `json:"from,omitzero"`    // start of a distance, as given
	To      string     `json:"to,omitzero"`      // end of a distance, as given
	Address string     `json:"address,omitzero"` // address, as given
}

// An Item is the head of every entry of results. Result types embed it first, so
// that their fields follow at the same level.
type Item struct {
	Success bool     `json:"success"`        // false for an item that failed
	Input   *Input   `json:"input,omitzero"` // failed items and items of a batch
	Error   *Error   `json:"error,omitzero"`
	Notices []Notice `json:"notices,omitempty"` // notices of this item
}

// SetInput adds the input to an item of a batch.
func (item *Item) SetInput(in Input) { item.Input = &in }

// Flags are the normalized enrichment flags of a request. Nil is written as the
// empty list.
type Flags []string

// ParseFlags parses the values of the parameter include. Each value may have
// several flags, separated by commas. Flags are trimmed and put into lower case,
// with underscores for hyphens. Empty and repeated flags are dropped.
func ParseFlags(values ...string) Flags {
	var out Flags
	seen := map[string]bool{}
	for _, v := range values {
		for f := range strings.SplitSeq(v, ",") {
			f = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(f)), "-", "_")
			if f == "" || seen[f] {
				continue
			}
			seen[f] = true
			out = append(out, f)
		}
	}
	return out
}

// MarshalJSON writes a list, never null.
func (f Flags) MarshalJSON() ([]byte, error) { return f.AppendJSON(nil) }

// AppendJSON appends the JSON of the flags to dst.
func (f Flags) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(dst, '[')
	for i, s := range f {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = encode.AppendString(dst, s)
	}
	return append(dst, ']'), nil
}

// A RadiusMax is the requested outer limit of a radius search: a number of miles
// or the name of an automatic rule.
type RadiusMax struct {
	Miles float64 // above 0; ignored when Auto is set
	Auto  string  // "auto", "auto-commute" or ""
}

// MarshalJSON writes the number, or the name as a string.
func (m RadiusMax) MarshalJSON() ([]byte, error) {
	if m.Auto != "" {
		return encode.AppendString(nil, m.Auto), nil
	}
	return encode.Marshal(m.Miles)
}

// UnmarshalJSON reads the output of MarshalJSON.
func (m *RadiusMax) UnmarshalJSON(data []byte) error {
	*m = RadiusMax{}
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &m.Auto)
	}
	return json.Unmarshal(data, &m.Miles)
}
