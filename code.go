package postgeo

import (
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
	"github.com/postgeo/postgeo/radius"
)

// ParseCode reads a code or "latitude,longitude". Letter case, dashes and spaces may
// vary. The code need not exist. Errors match [ErrInvalidCode].
func ParseCode(s string) (Code, error) { return lookup.ParseCode(s) }

// ParseInclude reads the names of enrichments, such as "census" or
// "acs_social_2019", and returns those that it does not recognize.
func ParseInclude(names []string) (inc Include, unknown []string) {
	return lookup.ParseInclude(names)
}

// ParseRadiusInclude is [ParseInclude] for radius searches.
func ParseRadiusInclude(names []string) (inc RadiusInclude, unknown []string) {
	return radius.ParseInclude(names)
}

// ParseAddressInclude is [ParseInclude] for address matches.
func ParseAddressInclude(names []string) (inc AddressInclude, unknown []string) {
	return address.ParseInclude(names)
}

// ParseSuggestTypes reads the names of types, such as "zip" or "county".
func ParseSuggestTypes(names []string) (SuggestTypes, error) { return suggest.ParseTypes(names) }
