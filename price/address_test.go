package price_test

import (
	"errors"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/price"
)

// TestForAddress prices addresses that were matched, not matched, and never
// read.
func TestForAddress(t *testing.T) {
	none := &fault.Error{Kind: fault.Ambiguous, Thing: fault.Address, Input: "x"}
	tests := []struct {
		name string
		got  price.Cost
		want int
	}{
		{"matched", price.ForAddress(false, &address.Match{}), 1},
		{"matched with coordinates", price.ForAddress(true, &address.Match{}), 2},
		{"not matched", price.ForAddressError(false, none), 1},
		{"not matched with coordinates", price.ForAddressError(true, none), 2},
		{"too short", price.ForAddressError(true, &fault.Error{Kind: fault.InvalidCode, Reason: fault.TooShort, Thing: fault.Address}), 0},
		{"incomplete", price.ForAddressError(false, &fault.Error{Kind: fault.InvalidCode, Reason: fault.Incomplete, Thing: fault.Address}), 1},
		{"without records", price.ForAddressError(true, &fault.Error{Kind: fault.Unavailable, Thing: fault.Address}), 0},
		{"defect", price.ForAddressError(true, errors.New("disk")), 0},
	}
	for _, tt := range tests {
		if got := tt.got.Used; got != tt.want {
			t.Errorf("%s costs %d, want %d", tt.name, got, tt.want)
		}
	}
}
