package wording

import "strconv"

// The messages of address matching. The contract defines codes only.
const (
	// AddressInsufficient reports that an address has no place or no delivery.
	AddressInsufficient = "The address needs a street, box or route, and a ZIP Code or a city and state."
	// AddressAmbiguous reports that several addresses fit as well.
	AddressAmbiguous = "Several addresses fit this input equally well; add detail, such as a directional, a suffix or a ZIP Code."
	// AddressAnywhere reports that an address has no city and no code.
	AddressAnywhere = "The address has no city and no ZIP Code or postal code. Add the city and state, or the code, after the street: 350 5th Ave, New York, NY 10118."
	// AddressNotFound reports that no address fits.
	AddressNotFound = "No address fits this input."
	// CityAmbiguous and CityNotFound are those of a column of cities.
	CityAmbiguous = "Several cities have this name. Add the state or province, or the county."
	CityNotFound  = "The dataset has no city of this name in this state or province."
)

// NoAddressRecords is the message for an address that cannot be matched because
// the dataset lacks the records, e.g. "address records" or "street records of
// ZIP Code 90210".
func NoAddressRecords(address, records string) string {
	return "The address " + strconv.Quote(address) + " cannot be matched: this dataset holds no " + records + "."
}
