package envelope_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/envelope"
)

// The sentences about keys and limits.
func TestAuthTexts(t *testing.T) {
	texts := []struct{ name, text string }{
		{"InactiveKey", envelope.InactiveKey},
		{"InactiveAccount", envelope.InactiveAccount},
		{"AddressNotAllowed", envelope.AddressNotAllowed},
		{"OriginNotAllowed", envelope.OriginNotAllowed},
		{"AddressBlocked", envelope.AddressBlocked},
		{"BatchNeedsSubscription", envelope.BatchNeedsSubscription},
		{"TestKeyNoBatch", envelope.TestKeyNoBatch},
		{"TestKeyCode", envelope.TestKeyCode("90211")},
		{"TestKeyAddress", envelope.TestKeyAddress},
		{"TestKeyRadius", envelope.TestKeyRadius(10, 12.5)},
		{"RateLimited", envelope.RateLimited(60)},
		{"FloodLimited", envelope.FloodLimited},
	}
	var b strings.Builder
	for _, x := range texts {
		fmt.Fprintf(&b, "%s: %s\n", x.name, x.text)
	}
	golden(t, "texts_auth.golden", b.String())
}
