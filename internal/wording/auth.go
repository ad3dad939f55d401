package wording

import (
	"fmt"
	"strconv"
)

// InactiveKey reports that a key was deactivated or has expired.
const InactiveKey = "This API key is inactive or has expired. Create or rotate a key on the account page."

// InactiveAccount reports that the account of a key is suspended.
const InactiveAccount = "This account is suspended."

// AddressNotAllowed reports that a key may not be used from the caller's address.
const AddressNotAllowed = "This API key may not be used from this IP address."

// OriginNotAllowed reports that a key may not be used from the caller's page.
const OriginNotAllowed = "This API key may not be used from this origin."

// AddressBlocked reports that too many invalid keys came from the caller's address.
const AddressBlocked = "Too many invalid authentication attempts from this IP address. Try again in 15 minutes."

// BatchNeedsSubscription reports that batch routes are for paid plans.
const BatchNeedsSubscription = "Batch routes require a paid subscription."

// TestKeyNoBatch reports that batch routes are for live keys.
const TestKeyNoBatch = "Test and demo keys cannot call batch routes."

// TestKeyRoute reports that a route is for live keys.
const TestKeyRoute = "Test and demo keys cannot call this route."

// TestKeyCode reports that a code is not among those of test and demo keys.
func TestKeyCode(code string) string {
	return fmt.Sprintf("Test and demo keys are limited to the demo codes; '%s' is not one of them.", code)
}

// TestKeyAddress reports that an address is not among those of test and demo keys.
const TestKeyAddress = "Test and demo keys are limited to the demo addresses; this is not one of them."

// TestKeyRadius reports that a radius, in miles, is larger than test keys have.
func TestKeyRadius(limit int, miles float64) string {
	return fmt.Sprintf("Test keys are limited to a radius of %d miles; this search has %s.", limit, strconv.FormatFloat(miles, 'f', -1, 64))
}

// RateLimited reports that a key has used up its permits of a minute.
func RateLimited(limit int) string {
	return fmt.Sprintf("Rate limit of %d requests per minute exceeded. Try again in 60 seconds.", limit)
}

// FloodLimited reports that too many requests without a key came from an address.
const FloodLimited = "Too many requests without an API key. Try again in 60 seconds."
