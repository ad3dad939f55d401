package envelope_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/postgeo/postgeo/envelope"
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
		{&envelope.Failure{Kind: envelope.KindNotFound, Input: "99999"}, true},
		{&envelope.Failure{Kind: envelope.KindInvalidCode, Input: "x"}, true},
		{&envelope.Failure{Kind: envelope.KindInvalidParam, Param: "Max"}, true},
		{&envelope.Failure{Kind: envelope.KindAmbiguous}, true},
		{&envelope.Failure{Kind: envelope.KindUnavailable, Lacks: "outlines"}, true},
		{&envelope.Failure{Kind: envelope.KindUnavailable, Err: cause}, false},
		{&envelope.Failure{Kind: envelope.KindNotFound, Err: cause}, true},
		{&envelope.Failure{Kind: envelope.KindDamaged}, false},
		{&envelope.Failure{Kind: envelope.KindClosed}, false},
		{&envelope.Fault{Code: envelope.AuthMissingKey, Message: "no key"}, true},
	} {
		for _, err := range []error{tt.err, fmt.Errorf("wrapped: %w", tt.err)} {
			if f := envelope.OfInput(err); (f != nil) != tt.ok {
				t.Errorf("%v: %v; want %v", err, f, tt.ok)
			}
		}
	}
}
