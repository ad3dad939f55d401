package envelope

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

var addressNotices = map[Code]string{
	Matched:              "The address was found by its own parts.",
	PartialMatch:         "The match is a default record, or parts of the street line were left out.",
	ZIPCorrected:         "The ZIP Code was corrected.",
	CityCorrected:        "The city was replaced by the mailing name of the ZIP Code.",
	StateCorrected:       "The state was corrected.",
	StreetCorrected:      "A directional, name or suffix of the street was corrected.",
	SecondaryNeeded:      "The building has units; add the unit.",
	SecondaryNotVerified: "The unit is in no range of the building.",
	InputNotUsed:         "Parts of the input were not used.",
}

// NoAddressRecords is the message for an address that cannot be matched because
// the dataset lacks the records, e.g. "address records" or "street records of
// ZIP Code 90210".
func NoAddressRecords(address, records string) string {
	return "The address " + strconv.Quote(address) + " cannot be matched: this dataset holds no " + records + "."
}

// AddressNotice returns the notice of address matching with the code.
func AddressNotice(code Code) Notice {
	return Notice{Code: code, Message: addressNotices[code], Class: ClassMatch}
}

// AddressUnmatched reports that the enrichments were not run because there is no
// match.
func AddressUnmatched() Notice {
	return Notice{
		Code: EnrichmentUnavailable, Message: "The address was not matched; enrichments were not run and are not charged.",
		Class: ClassEnrichment,
	}
}
