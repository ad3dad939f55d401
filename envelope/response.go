package envelope

import (
	"encoding/json"
	"fmt"
)

// A Response is the answer of every route except health: Q is the echo of the
// request, R what the route delivers.
type Response[Q, R any] struct {
	Success bool        `json:"success"` // the request was processed, even if items failed
	Request Q           `json:"request"`
	Results []Result[R] `json:"results,omitzero"` // nil on whole-request errors
	Error   *Error      `json:"error,omitzero"`   // whole-request errors only
	Meta    Meta        `json:"meta"`
}

// A FailedResponse is the answer to a request that failed as a whole.
type FailedResponse = Response[PathRequest, Item]

// A Result is one entry of results: a delivered value, or the failed item that
// stands in its place.
type Result[R any] struct {
	Value  R
	Failed *Item // not nil: this is the entry, and Value is not written
}

// Delivered returns the results that hold the one value v.
func Delivered[R any](v R) []Result[R] { return []Result[R]{{Value: v}} }

// Undelivered returns the results that hold the one failed item.
func Undelivered[R any](item Item) []Result[R] { return []Result[R]{{Failed: &item}} }

// MarshalJSON writes the value or the failed item.
func (r Result[R]) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON reads what MarshalJSON writes: an item with an error is a
// failed one, everything else a value.
func (r *Result[R]) UnmarshalJSON(data []byte) error {
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

// AppendJSON implements [Appender].
func (r Result[R]) AppendJSON(dst []byte) ([]byte, error) { return r.AppendPieces(dst, nil) }

// AppendPieces implements [Piecewise].
func (r Result[R]) AppendPieces(dst []byte, flush Flush) ([]byte, error) {
	if r.Failed != nil {
		dst, err := AppendItem(append(dst, '{'), r.Failed)
		return append(dst, '}'), err
	}
	return AppendPieces(dst, r.Value, flush)
}

// AppendHead appends the beginning of a response, up to the value of request.
// Results may follow in the form that [Response] writes them, and in the end
// [AppendTail].
func AppendHead(dst []byte, success bool, request any) ([]byte, error) {
	dst = append(dst, `{"success":`...)
	dst = appendBool(dst, success)
	dst = append(dst, `,"request":`...)
	return Append(dst, request)
}

// AppendTail appends what ends a response.
func AppendTail(dst []byte, m *Meta) ([]byte, error) {
	dst, err := m.AppendJSON(append(dst, `,"meta":`...))
	return append(dst, '}'), err
}

// AppendJSON implements [Appender].
func (r *Response[Q, R]) AppendJSON(dst []byte) ([]byte, error) { return r.AppendPieces(dst, nil) }

// AppendPieces implements [Piecewise].
func (r *Response[Q, R]) AppendPieces(dst []byte, flush Flush) ([]byte, error) {
	dst, err := AppendHead(dst, r.Success, &r.Request)
	if err != nil {
		return dst, err
	}
	if r.Results != nil {
		dst = append(dst, `,"results":[`...)
		for i := range r.Results {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = r.Results[i].AppendPieces(dst, flush); err != nil {
				return dst, err
			}
		}
		dst = append(dst, ']')
	}
	if r.Error != nil {
		dst = append(dst, `,"error":`...)
		dst = r.Error.append(dst)
	}
	return AppendTail(dst, &r.Meta)
}

func appendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}
