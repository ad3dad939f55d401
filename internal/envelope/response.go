package envelope

import (
	"encoding/json"
	"fmt"
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

// A FailedResponse is the response to a request that failed as a whole.
type FailedResponse = Response[PathRequest, Item]

// A Result is one entry of results: a value, or a failed item.
type Result[R any] struct {
	Value  R
	Failed *Item // if not nil, it replaces Value
}

// Delivered returns results with one value.
func Delivered[R any](v R) []Result[R] { return []Result[R]{{Value: v}} }

// Undelivered returns results with one failed item.
func Undelivered[R any](item Item) []Result[R] { return []Result[R]{{Failed: &item}} }

// MarshalJSON writes the value or the failed item.
func (r Result[R]) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON reads the output of MarshalJSON. Items with an error are failed
// items.
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
		return Append(dst, r.Failed)
	}
	return AppendPieces(dst, r.Value, flush)
}

// AppendHead appends the beginning of a response, up to the value of request.
// Results may follow as [Response] writes them, then [AppendTail].
func AppendHead(dst []byte, success bool, request any) ([]byte, error) {
	dst = append(dst, `{"success":`...)
	dst = appendBool(dst, success)
	dst = append(dst, `,"request":`...)
	return Append(dst, request)
}

// AppendTail appends the end of a response.
func AppendTail(dst []byte, m *Meta) ([]byte, error) {
	dst, err := Append(append(dst, `,"meta":`...), m)
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
		if dst, err = Append(append(dst, `,"error":`...), r.Error); err != nil {
			return dst, err
		}
	}
	return AppendTail(dst, &r.Meta)
}

func appendBool(dst []byte, v bool) []byte {
	if v {
		return append(dst, "true"...)
	}
	return append(dst, "false"...)
}
