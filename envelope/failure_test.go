package envelope_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
)

// TestOfInput separates failures of inputs from those of the dataset file, also
// in wrapped errors.
func TestOfInput(t *testing.T) {
	cause := errors.New("input/output error")
	for _, tt := range []struct {
		err error
		ok  bool
	}{
		{nil, false},
		{cause, false},
		{&fault.Error{Kind: fault.NotFound, Input: "99999"}, true},
		{&fault.Error{Kind: fault.InvalidCode, Input: "x"}, true},
		{&fault.Error{Kind: fault.InvalidParam, Param: "Max"}, true},
		{&fault.Error{Kind: fault.Ambiguous}, true},
		{&fault.Error{Kind: fault.Unavailable, Lacks: "outlines"}, true},
		{&fault.Error{Kind: fault.Unavailable, Err: cause}, false},
		{&fault.Error{Kind: fault.NotFound, Err: cause}, true},
		{&fault.Error{Kind: fault.Damaged}, false},
		{&fault.Error{Kind: fault.Closed}, false},
		{&envelope.Fault{Code: envelope.AuthMissingKey, Message: "no key"}, true},
	} {
		for _, err := range []error{tt.err, fmt.Errorf("wrapped: %w", tt.err)} {
			f, ok := envelope.OfInput(err)
			if ok != tt.ok || ok == (f == nil) {
				t.Errorf("%v: %v, %v; want %v", err, f, ok, tt.ok)
			}
		}
	}
}
