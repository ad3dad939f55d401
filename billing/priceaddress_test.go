package billing_test

import (
	"errors"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
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

// TestCheckAddress checks the addresses of each kind of key.
func TestCheckAddress(t *testing.T) {
	live := &billing.Identity{Kind: billing.Live}
	if err := live.CheckAddress("1 Any St, Anywhere, MN 55001"); err != nil {
		t.Errorf("a live key: %v", err)
	}
	for _, kind := range []billing.KeyKind{billing.Test, billing.Demo} {
		id := &billing.Identity{Kind: kind}
		for _, text := range billing.DemoAddresses() {
			if err := id.CheckAddress("  " + text + " "); err != nil {
				t.Errorf("%v, %q: %v", kind, text, err)
			}
		}
		var failure envelope.Failure
		if err := id.CheckAddress("1 Any St, Anywhere, MN 55001"); !envelope.AsFailure(err, &failure) || failure.ContractCode() != envelope.AuthTestKeyRestricted {
			t.Errorf("%v, another address: %v", kind, err)
		}
	}
}
