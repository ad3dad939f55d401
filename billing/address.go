package billing

import "github.com/postgeo/postgeo/address"

// ForAddress prices a matched address: 1, the coordinates if they were asked
// for, and what was delivered.
func ForAddress(coordinates bool, m *address.Match) Cost {
	return QuoteAddress(AddressMatch{Coordinates: coordinates, Flags: m.Delivered()})
}

// ForAddressError prices an address that was read and not matched: 1, and the
// coordinates if they were asked for. Everything else costs nothing.
func ForAddressError(coordinates bool, err error) Cost {
	if !address.Unmatched(err) {
		return Cost{}
	}
	return QuoteAddress(AddressMatch{Coordinates: coordinates})
}
