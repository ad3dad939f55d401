package billing_test

import (
	"errors"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
)

// TestForAddress prices addresses that were matched, not matched, and never
// read.
func TestForAddress(t *testing.T) {
	none := &envelope.Failure{Kind: envelope.KindAmbiguous, Thing: envelope.ThingAddress, Input: "x"}
	tests := []struct {
		name string
		got  billing.Cost
		want int
	}{
		{"matched", billing.ForAddress(false, &address.Match{}), 1},
		{"matched with coordinates", billing.ForAddress(true, &address.Match{}), 2},
		{"not matched", billing.ForAddressError(false, none), 1},
		{"not matched with coordinates", billing.ForAddressError(true, none), 2},
		{"too short", billing.ForAddressError(true, &envelope.Failure{Kind: envelope.KindInvalidCode, Reason: envelope.ReasonTooShort, Thing: envelope.ThingAddress}), 0},
		{"incomplete", billing.ForAddressError(false, &envelope.Failure{Kind: envelope.KindInvalidCode, Reason: envelope.ReasonIncomplete, Thing: envelope.ThingAddress}), 1},
		{"without records", billing.ForAddressError(true, &envelope.Failure{Kind: envelope.KindUnavailable, Thing: envelope.ThingAddress}), 0},
		{"defect", billing.ForAddressError(true, errors.New("disk")), 0},
	}
	for _, tt := range tests {
		if got := tt.got.Used; got != tt.want {
			t.Errorf("%s costs %d, want %d", tt.name, got, tt.want)
		}
	}
}
