// Package notice builds the notices of the contract.
package notice

import (
	"fmt"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/wording"
)

// Normalized is the text of INPUT_NORMALIZED.
func Normalized(in, out string) envelope.Notice {
	return envelope.Notice{Code: envelope.InputNormalized, Class: envelope.ClassInput, Message: "Input '" + in + "' was normalized to '" + out + "'."}
}

// Fallback is the notice that a postal code's FSA replaces it. The province is named
// if the dataset has none of its postal codes (decision D71).
func Fallback(postal, fsa, province string) envelope.Notice {
	end := "."
	if province != "" {
		end = ": postal codes of " + province + " are not in this dataset"
	}
	return envelope.Notice{Code: envelope.FallbackUsed, Class: envelope.ClassResult, Message: "Postal code " + postal + " not found; returned FSA " + fsa + end}
}

// Ended is the notice that a county ended and its successors replace it. The report is
// that of a dataset.FormerCounty.
func Ended(report string) envelope.Notice {
	return envelope.Notice{Code: envelope.FallbackUsed, Class: envelope.ClassResult, Message: report + "."}
}

// Repeated is the notice that a request was charged before under its Idempotency-Key
// (decision D76).
func Repeated() envelope.Notice {
	return envelope.Notice{Code: envelope.IdempotentReplay, Class: envelope.ClassResult, Message: "This request was charged before under its Idempotency-Key; it is not charged again."}
}

// UnavailableEnrichments is the notice that known flags could not be served
// for a code and cost nothing.
func UnavailableEnrichments(flags []string) envelope.Notice {
	return envelope.Notice{Code: envelope.EnrichmentUnavailable, Class: envelope.ClassEnrichment, Message: "Not available for this code, not charged: " + strings.Join(flags, ", ") + "."}
}

// UnknownEnrichments is the notice that unknown flags were ignored.
func UnknownEnrichments(flags []string) envelope.Notice {
	return envelope.Notice{Code: envelope.ValidationUnknownEnrichment, Class: envelope.ClassEnrichment, Message: "Unknown enrichment flag(s) ignored: " + strings.Join(flags, ", ") + "."}
}

// Points is the notice that coordinates, in decimal degrees, took part in a
// search as they are.
func Points(lat, lon string) envelope.Notice {
	return envelope.Notice{Code: envelope.CoordinatesUsed, Class: envelope.ClassInput, Message: "Coordinates " + lat + "," + lon + " used as the search point."}
}

// Resolved is the notice that coordinates led to a code of the type.
func Resolved(codeType, code string) envelope.Notice {
	return envelope.Notice{Code: envelope.ReverseGeocode, Class: envelope.ClassResult, Message: "Coordinates resolved to " + codeType + " " + code + "."}
}

// Duplicates is the notice that n items of a batch repeat others.
func Duplicates(n int) envelope.Notice {
	return envelope.Notice{Code: envelope.BatchDuplicatesDetected, Class: envelope.ClassBilling, Message: fmt.Sprintf("%d duplicate item(s); each is processed and billed.", n)}
}

// CommuteFallback is the notice that a radius was resolved from density
// because commuting times are unknown.
func CommuteFallback() envelope.Notice {
	return envelope.Notice{Code: envelope.AutoCommuteFallback, Class: envelope.ClassResult, Message: "No commute data for this center; density radius used."}
}

// DensityDefault is the notice that an automatic radius was resolved without
// population near its center.
func DensityDefault() envelope.Notice {
	return envelope.Notice{Code: envelope.AutoDensityDefault, Class: envelope.ClassResult, Message: "No population near the center; a default density was used."}
}

// NotLoaded is the notice that the dataset lacks data that a result may depend on,
// e.g. "postal codes of Quebec" that a search touches.
func NotLoaded(missing string) envelope.Notice {
	return envelope.Notice{Code: envelope.DataNotLoaded, Class: envelope.ClassResult, Message: wording.NotLoaded(missing)}
}

// Capped is the notice that shown of total results are listed.
func Capped(shown, total int) envelope.Notice {
	return envelope.Notice{Code: envelope.ResultsCapped, Class: envelope.ClassResult, Message: fmt.Sprintf("Showing %d of %d results.", shown, total)}
}

// SuggestCapped is the notice that a free key gets at most 15 suggestions.
// It is the only notice with a URL.
func SuggestCapped(pricingURL string) envelope.Notice {
	return envelope.Notice{Code: envelope.FreeTierLimitCapped, Class: envelope.ClassBilling, Message: "Free keys return at most 15 suggestions.", URL: pricingURL}
}

var addressTexts = map[envelope.Code]string{
	envelope.Matched:              "The address was found by its own parts.",
	envelope.PartialMatch:         "The match is a default record, or parts of the street line were left out.",
	envelope.ZIPCorrected:         "The ZIP Code was corrected.",
	envelope.CityCorrected:        "The city was replaced by the mailing name of the ZIP Code.",
	envelope.StateCorrected:       "The state was corrected.",
	envelope.StreetCorrected:      "A directional, name or suffix of the street was corrected.",
	envelope.SecondaryNeeded:      "The building has units; add the unit.",
	envelope.SecondaryNotVerified: "The unit is in no range of the building.",
	envelope.InputNotUsed:         "Parts of the input were not used.",
}

// Address returns the notice of address matching with the code.
func Address(code envelope.Code) envelope.Notice {
	return envelope.Notice{Code: code, Message: addressTexts[code], Class: envelope.ClassMatch}
}

// AddressUnmatched reports that the enrichments were not run because there is no
// match.
func AddressUnmatched() envelope.Notice {
	return envelope.Notice{
		Code: envelope.EnrichmentUnavailable, Message: "The address was not matched; enrichments were not run and are not charged.",
		Class: envelope.ClassEnrichment,
	}
}
