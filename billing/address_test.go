package billing_test

import (
	"testing"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
)

// TestForAddress prices addresses that were matched, not matched, and never
// read.
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
