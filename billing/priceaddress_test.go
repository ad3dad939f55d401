package billing_test

import (
	"errors"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope/fault"
)

// TestForAddress prices addresses that were matched, not matched, and never
// read.
func TestForAddress(t *testing.T) {
	none := &fault.Error{Kind: fault.Ambiguous, Thing: fault.Address, Input: "x"}
	tests := []struct {
		name string
		got  billing.Cost
		want int
	}{
		{"matched", billing.ForAddress(false, &address.Match{}), 1},
		{"matched with coordinates", billing.ForAddress(true, &address.Match{}), 2},
		{"not matched", billing.ForAddressError(false, none), 1},
		{"not matched with coordinates", billing.ForAddressError(true, none), 2},
		{"too short", billing.ForAddressError(true, &fault.Error{Kind: fault.InvalidCode, Reason: fault.TooShort, Thing: fault.Address}), 0},
		{"incomplete", billing.ForAddressError(false, &fault.Error{Kind: fault.InvalidCode, Reason: fault.Incomplete, Thing: fault.Address}), 1},
		{"without records", billing.ForAddressError(true, &fault.Error{Kind: fault.Unavailable, Thing: fault.Address}), 0},
		{"defect", billing.ForAddressError(true, errors.New("disk")), 0},
	}
	for _, tt := range tests {
		if got := tt.got.Used; got != tt.want {
			t.Errorf("%s costs %d, want %d", tt.name, got, tt.want)
		}
	}
}
