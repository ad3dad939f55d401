package billing

import (
	"math"
	"slices"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
)

// An Identity is the sender of a request.
type Identity struct {
	Kind    KeyKind
	KeyID   string // "" of the configured demo key
	Account string // "" of demo keys, which are not charged
	Plan    Plan   // "" of demo keys
	Debug   bool   // responses include meta.debug on request
}

// Charged reports whether calls cost the account credits.
func (id *Identity) Charged() bool { return id.Kind == Live }

// FreeSource returns meta.credits.source of calls that are not charged.
func (id *Identity) FreeSource() envelope.CreditSource {
	switch id.Kind {
	case Demo:
		return envelope.SourceDemo
	case Test:
		return envelope.SourceTest
	default:
		return envelope.SourceNone
	}
}

// CheckBatch returns an error unless a live key of a paid plan calls batch routes.
func (id *Identity) CheckBatch() error {
	switch {
	case !id.Plan.Limits().Batch:
		return &envelope.Fault{Code: envelope.AuthBatchRequiresSubscription, Message: wording.BatchNeedsSubscription}
	case id.Kind != Live:
		return &envelope.Fault{Code: envelope.AuthTestKeyRestricted, Message: wording.TestKeyNoBatch}
	}
	return nil
}

// CheckRadius returns an error if a radius, in miles, exceeds the limit of the key
// or plan. An automatic radius is checked after it is resolved.
func (id *Identity) CheckRadius(miles float64, spatial bool) error {
	if id.Kind == Test && miles > TestRadiusMiles {
		return &envelope.Fault{Code: envelope.AuthTestKeyRadiusExceeded, Message: wording.TestKeyRadius(TestRadiusMiles, miles)}
	}
	if id.Plan.Paid() {
		return nil // the plan's limits equal the range of the parameter
	}
	limit, mode := freeCentroidMiles, "centroid"
	if spatial {
		limit, mode = freeSpatialMiles, "spatial"
	}
	if miles > float64(limit) || math.IsNaN(miles) {
		return &envelope.Fault{Code: envelope.AuthFreeTierRadiusExceeded, Message: wording.FreeTierRadius(limit, mode)}
	}
	return nil
}

// CheckCode returns an error for a code or coordinate that the key does not cover.
// Test and demo keys cover the demo codes only.
func (id *Identity) CheckCode(c lookup.Code) error {
	if id.Kind == Live || c.Type() != lookup.Coordinates && slices.Contains(demoCodes[:], c.String()) {
		return nil
	}
	return &envelope.Fault{Code: envelope.AuthTestKeyRestricted, Message: wording.TestKeyCode(c.String())}
}

// CheckLive returns an error for test and demo keys, which cover single codes and
// addresses only.
func (id *Identity) CheckLive() error {
	if id.Kind == Live {
		return nil
	}
	return &envelope.Fault{Code: envelope.AuthTestKeyRestricted, Message: wording.TestKeyRoute}
}

// CheckAddress returns an error for an address that the key does not cover. Test
// and demo keys cover [DemoAddresses] only.
func (id *Identity) CheckAddress(text string) error {
	if id.Kind == Live {
		return nil
	}
	clean := address.Clean(text)
	for _, demo := range demoAddresses {
		if clean == address.Clean(demo) {
			return nil
		}
	}
	return &envelope.Fault{Code: envelope.AuthTestKeyRestricted, Message: wording.TestKeyAddress}
}

// Suggestions returns the maximum number of suggestions per call.
func (id *Identity) Suggestions() int {
	if id.Kind != Live || !id.Plan.Paid() {
		return freeSuggestions
	}
	return id.Plan.Limits().Suggestions
}

// demoCodes are the codes of demo and test keys (decision D31).
var demoCodes = [...]string{
	"90210", "10001", "10118", "32504", "00601", "96950", "33139", "60601", "98101", "30301", "K1A", "K1A 0B1", "M5V",
}

// demoAddresses are the addresses of demo and test keys: one of the sample for
// each kind of record.
var demoAddresses = [...]string{
	"100 E Oak Blvd, New York, NY 10001",
	"101 N Aspen Dr, New York, NY 10118",
	"101 N Aspen Dr Ste 101, New York, NY 10118",
	"PO Box 5, New York, NY 10001",
	"General Delivery, New York, NY 10001",
}

// DemoAddresses returns the addresses that demo and test keys may match. Letter
// case and spaces are ignored.
func DemoAddresses() []string { return append([]string(nil), demoAddresses[:]...) }

// DemoCodes returns the codes that demo and test keys may look up, in canonical
// form.
func DemoCodes() []string { return append([]string(nil), demoCodes[:]...) }
