package server

import (
	"math"
	"slices"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/server/internal/document"
)

// charged reports whether calls cost the account credits.
func charged(id *billing.Identity) bool { return id.Kind == billing.Live }

// freeSource returns meta.credits.source of calls that are not charged.
func freeSource(id *billing.Identity) envelope.CreditSource {
	switch id.Kind {
	case billing.Demo:
		return envelope.SourceDemo
	case billing.Test:
		return envelope.SourceTest
	default:
		return envelope.SourceNone
	}
}

// checkBatch returns an error unless a live key of a paid plan calls batch routes.
func checkBatch(id *billing.Identity) error {
	switch {
	case !id.Plan.Limits().Batch:
		return &envelope.Fault{Code: envelope.AuthBatchRequiresSubscription, Message: wording.BatchNeedsSubscription}
	case id.Kind != billing.Live:
		return &envelope.Fault{Code: envelope.AuthTestKeyRestricted, Message: wording.TestKeyNoBatch}
	}
	return nil
}

// checkRadius returns an error if a radius, in miles, exceeds the limit of the key
// or plan. An automatic radius is checked after it is resolved.
func checkRadius(id *billing.Identity, miles float64, spatial bool) error {
	if id.Kind == billing.Test && miles > document.TestRadiusMiles {
		return &envelope.Fault{Code: envelope.AuthTestKeyRadiusExceeded, Message: wording.TestKeyRadius(document.TestRadiusMiles, miles)}
	}
	if id.Plan.Paid() {
		return nil // the plan's limits equal the range of the parameter
	}
	limits := billing.Free.Limits()
	limit, mode := limits.CentroidMiles, "centroid"
	if spatial {
		limit, mode = limits.SpatialMiles, "spatial"
	}
	if miles > float64(limit) || math.IsNaN(miles) {
		return &envelope.Fault{Code: envelope.AuthFreeTierRadiusExceeded, Message: wording.FreeTierRadius(limit, mode)}
	}
	return nil
}

// checkCode returns an error for a code or coordinate that the key does not cover.
// Test and demo keys cover the demo codes only.
func checkCode(id *billing.Identity, c lookup.Code) error {
	if id.Kind == billing.Live || c.Type() != lookup.Coordinates && slices.Contains(document.DemoCodes, c.String()) {
		return nil
	}
	return &envelope.Fault{Code: envelope.AuthTestKeyRestricted, Message: wording.TestKeyCode(c.String())}
}

// checkLive returns an error for test and demo keys, which cover single codes and
// addresses only.
func checkLive(id *billing.Identity) error {
	if id.Kind == billing.Live {
		return nil
	}
	return &envelope.Fault{Code: envelope.AuthTestKeyRestricted, Message: wording.TestKeyRoute}
}

// checkAddress returns an error for an address that the key does not cover. Test
// and demo keys cover the demo addresses only.
func checkAddress(id *billing.Identity, text string) error {
	if id.Kind == billing.Live {
		return nil
	}
	clean := address.Clean(text)
	for _, demo := range document.DemoAddresses {
		if clean == address.Clean(demo) {
			return nil
		}
	}
	return &envelope.Fault{Code: envelope.AuthTestKeyRestricted, Message: wording.TestKeyAddress}
}

// maxSuggestions returns the maximum number of suggestions per call.
func maxSuggestions(id *billing.Identity) int {
	if id.Kind != billing.Live || !id.Plan.Paid() {
		return billing.Free.Limits().Suggestions
	}
	return id.Plan.Limits().Suggestions
}
