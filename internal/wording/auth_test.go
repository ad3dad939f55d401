package wording_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/wording"
)

// The messages about keys and limits.
func TestAuthTexts(t *testing.T) {
	texts := []struct{ name, text string }{
		{"InactiveKey", wording.InactiveKey},
		{"InactiveAccount", wording.InactiveAccount},
		{"AddressNotAllowed", wording.AddressNotAllowed},
		{"OriginNotAllowed", wording.OriginNotAllowed},
		{"AddressBlocked", wording.AddressBlocked},
		{"BatchNeedsSubscription", wording.BatchNeedsSubscription},
		{"TestKeyNoBatch", wording.TestKeyNoBatch},
		{"TestKeyRoute", wording.TestKeyRoute},
		{"TestKeyCode", wording.TestKeyCode("90211")},
		{"TestKeyAddress", wording.TestKeyAddress},
		{"TestKeyRadius", wording.TestKeyRadius(10, 12.5)},
		{"RateLimited", wording.RateLimited(60)},
		{"FloodLimited", wording.FloodLimited},
	}
	var b strings.Builder
	for _, x := range texts {
		fmt.Fprintf(&b, "%s: %s\n", x.name, x.text)
	}
	golden(t, "texts_auth.golden", b.String())
}
