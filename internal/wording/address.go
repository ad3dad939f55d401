package wording

import "strconv"

// The messages of address matching. The contract defines codes only.
const (
	// AddressInsufficient reports that an address has no place or no delivery.
	AddressInsufficient = "The address needs a street, box or route, and a ZIP Code or a city and state."
	// AddressAmbiguous reports that several addresses fit as well.
	AddressAmbiguous = "Several addresses fit this input equally well; add detail, such as a directional, a suffix or a ZIP Code."
	// AddressNotFound reports that no address fits.
	AddressNotFound = "No address fits this input."
)

// NoAddressRecords is the message for an address that cannot be matched because
// the dataset lacks the records, e.g. "address records" or "street records of
// ZIP Code 90210".
func NoAddressRecords(address, records string) string {
	return "The address " + strconv.Quote(address) + " cannot be matched: this dataset holds no " + records + "."
}
