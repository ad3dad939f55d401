package envelope

import (
	"fmt"
	"strings"
)

// The contract's sentences. Every text that a caller can see stands here
// (decisions D13, D14 and D51); a golden test holds them.

// MissingParam says that a required parameter is absent. hint names the
// parameter that was found in its place, or is empty.
func MissingParam(param, hint string) string {
	s := fmt.Sprintf("Parameter '%s' is required.", param)
	if hint != "" {
		s += fmt.Sprintf(" Did you mean '%s' instead of '%s'?", param, hint)
	}
	return s
}

// EmptyParam says that a required parameter has no value.
func EmptyParam(param string) string {
	return fmt.Sprintf("Parameter '%s' must not be empty.", param)
}

// TooLong says that a parameter has more characters than it may.
func TooLong(param string, limit int) string {
	return fmt.Sprintf("Parameter '%s' may have at most %d characters.", param, limit)
}

// InvalidZIP says that the input is not shaped like a ZIP or ZIP+4 Code.
func InvalidZIP(input string) string {
	return fmt.Sprintf("Invalid ZIP code format: '%s'. Expected 5 digits, or ZIP+4 as 12345-6789.", input)
}

// InvalidFSA says that the input is not shaped like a forward sortation area.
func InvalidFSA(input string) string {
	return fmt.Sprintf("Invalid FSA format: '%s'. Expected letter-digit-letter, such as K1A.", input)
}

// InvalidPostal says that the input is not shaped like a Canadian postal code.
func InvalidPostal(input string) string {
	return fmt.Sprintf("Invalid postal code format: '%s'. Expected A1A 1A1, such as K1A 0B1.", input)
}

// InvalidCoordinates says that the input is not a latitude and longitude.
func InvalidCoordinates(input string) string {
	return fmt.Sprintf("Invalid coordinates: '%s'. Expected latitude,longitude in decimal degrees, latitude -90 to 90 and longitude -180 to 180.", input)
}

// ZIPNotFound, FSANotFound and PostalNotFound say that a well-formed code does
// not exist, on a single route.
func ZIPNotFound(zip string) string { return fmt.Sprintf("ZIP code %s not found.", zip) }

// FSANotFound says that a well-formed FSA does not exist.
func FSANotFound(fsa string) string { return fmt.Sprintf("FSA %s not found.", fsa) }

// PostalNotFound says that a well-formed postal code does not exist.
func PostalNotFound(postal string) string { return fmt.Sprintf("Postal code %s not found.", postal) }

// CodeNotFound says on a batch route that a well-formed code does not exist.
func CodeNotFound(code string) string { return fmt.Sprintf("Code %s not found.", code) }

// EndNotFound says that an end of a distance does not exist.
func EndNotFound(input string) string {
	return fmt.Sprintf("Code '%s' not found in any boundary table", input)
}

// NoBoundary says that a coordinate lies inside no boundary.
func NoBoundary(lat, lon string) string {
	return fmt.Sprintf("Coordinates %s,%s are not inside any US or Canadian boundary.", lat, lon)
}

// Internal is all that a caller learns of an unexpected failure.
const Internal = "An internal error occurred. Please try again later."

// Unavailable says that something the answer depends on cannot be reached.
const Unavailable = "The service is temporarily unavailable. Please try again later."

// Normalized is the text of INPUT_NORMALIZED.
func Normalized(in, out string) Notice {
	return Notice{Code: InputNormalized, Class: ClassInput, Message: fmt.Sprintf("Input '%s' was normalized to '%s'.", in, out)}
}

// Fallback is the notice that a postal code's FSA answers in its place.
func Fallback(postal, fsa string) Notice {
	return Notice{Code: FallbackUsed, Class: ClassResult, Message: fmt.Sprintf("Postal code %s not found; returned FSA %s.", postal, fsa)}
}

// UnavailableEnrichments is the notice that known flags could not be served
// for a code and cost nothing.
func UnavailableEnrichments(flags []string) Notice {
	return Notice{Code: EnrichmentUnavailable, Class: ClassEnrichment, Message: "Not available for this code, not charged: " + strings.Join(flags, ", ") + "."}
}

// UnknownEnrichments is the notice that flags nobody knows were ignored.
func UnknownEnrichments(flags []string) Notice {
	return Notice{Code: ValidationUnknownEnrichment, Class: ClassEnrichment, Message: "Unknown enrichment flag(s) ignored: " + strings.Join(flags, ", ") + "."}
}
