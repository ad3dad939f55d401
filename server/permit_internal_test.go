package server

import (
	"math"
	"testing"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server/internal/document"
)

func TestIdentity(t *testing.T) {
	type check struct {
		miles   float64
		spatial bool
	}
	tests := []struct {
		name        string
		id          billing.Identity
		charged     bool
		batch       envelope.Code
		suggestions int
		radius      map[check]envelope.Code
		codes       map[string]envelope.Code
	}{
		{
			"live free",
			billing.Identity{Kind: billing.Live, Plan: billing.Free},
			true, envelope.AuthBatchRequiresSubscription, 15,
			map[check]envelope.Code{{100, false}: "", {100.1, false}: envelope.AuthFreeTierRadiusExceeded, {50, true}: "", {50.1, true}: envelope.AuthFreeTierRadiusExceeded, {math.NaN(), false}: envelope.AuthFreeTierRadiusExceeded},
			map[string]envelope.Code{"73301": "", "34.1,-118.4": ""},
		},
		{
			"live restricted",
			billing.Identity{Kind: billing.Live, Plan: billing.Restricted},
			true, envelope.AuthBatchRequiresSubscription, 15,
			map[check]envelope.Code{{101, false}: envelope.AuthFreeTierRadiusExceeded},
			nil,
		},
		{
			"live developer",
			billing.Identity{Kind: billing.Live, Plan: billing.Developer},
			true, "", 500,
			map[check]envelope.Code{{500, false}: "", {250, true}: ""},
			map[string]envelope.Code{"73301": ""},
		},
		{
			"test business",
			billing.Identity{Kind: billing.Test, Plan: billing.Business},
			false, envelope.AuthTestKeyRestricted, 15,
			map[check]envelope.Code{{10, false}: "", {10.1, false}: envelope.AuthTestKeyRadiusExceeded, {11, true}: envelope.AuthTestKeyRadiusExceeded},
			map[string]envelope.Code{"90210": "", "k1a0b1": "", "M5V": "", "90211": envelope.AuthTestKeyRestricted, "90210-1234": envelope.AuthTestKeyRestricted, "34.1,-118.4": envelope.AuthTestKeyRestricted},
		},
		{
			"test free",
			billing.Identity{Kind: billing.Test, Plan: billing.Free},
			false, envelope.AuthBatchRequiresSubscription, 15,
			map[check]envelope.Code{{101, false}: envelope.AuthTestKeyRadiusExceeded},
			nil,
		},
		{
			"demo",
			billing.Identity{Kind: billing.Demo},
			false, envelope.AuthBatchRequiresSubscription, 15,
			map[check]envelope.Code{{50, true}: "", {51, true}: envelope.AuthFreeTierRadiusExceeded},
			map[string]envelope.Code{"00601": "", "73301": envelope.AuthTestKeyRestricted},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			expect := func(what string, err error, want envelope.Code) {
				t.Helper()
				var f envelope.Failure
				if envelope.AsFailure(err, &f) {
					if f.ContractCode() != want {
						t.Errorf("%s: %v; want %q", what, err, want)
					}
				} else if err != nil || want != "" {
					t.Errorf("%s: %v; want %q", what, err, want)
				}
			}
			if got := charged(&tt.id); got != tt.charged {
				t.Errorf("charged %v", got)
			}
			if got := maxSuggestions(&tt.id); got != tt.suggestions {
				t.Errorf("%d suggestions; want %d", got, tt.suggestions)
			}
			expect("batch", checkBatch(&tt.id), tt.batch)
			for c, want := range tt.radius {
				expect("radius", checkRadius(&tt.id, c.miles, c.spatial), want)
			}
			for code, want := range tt.codes {
				c, err := lookup.ParseCode(code)
				if err != nil {
					t.Fatal(err)
				}
				expect(code, checkCode(&tt.id, c), want)
			}
		})
	}
	for _, code := range document.DemoCodes {
		if c, err := lookup.ParseCode(code); err != nil || c.String() != code {
			t.Errorf("demo code %q is not canonical: %v, %v", code, c, err)
		}
	}
}

// TestCheckAddress checks the addresses of each kind of key.
func TestCheckAddress(t *testing.T) {
	live := &billing.Identity{Kind: billing.Live}
	if err := checkAddress(live, "1 Any St, Anywhere, MN 55001"); err != nil {
		t.Errorf("a live key: %v", err)
	}
	for _, kind := range []billing.KeyKind{billing.Test, billing.Demo} {
		id := &billing.Identity{Kind: kind}
		for _, text := range document.DemoAddresses {
			if err := checkAddress(id, "  "+text+" "); err != nil {
				t.Errorf("%v, %q: %v", kind, text, err)
			}
		}
		var failure envelope.Failure
		if err := checkAddress(id, "1 Any St, Anywhere, MN 55001"); !envelope.AsFailure(err, &failure) || failure.ContractCode() != envelope.AuthTestKeyRestricted {
			t.Errorf("%v, another address: %v", kind, err)
		}
	}
}
