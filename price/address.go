package price

import "github.com/postgeo/postgeo/internal/address"

// ForAddress prices a matched address: 1, plus requested coordinates, plus the
// delivered enrichments.
func ForAddress(coordinates bool, m *address.Match) Cost {
	return QuoteAddress(AddressMatch{Coordinates: coordinates, Flags: m.Delivered()})
}

// ForAddressError prices an address that was parsed but not matched: 1, plus
// requested coordinates. Other errors are free.
func ForAddressError(coordinates bool, err error) Cost {
	if !address.Unmatched(err) {
		return Cost{}
	}
	return QuoteAddress(AddressMatch{Coordinates: coordinates})
}
