package wording

import "fmt"

// The contract's messages. This file and its neighbors have every message of an
// error or notice (decisions D13, D14 and D51); a golden test checks them.

// MissingParam reports that a required parameter is absent. hint names the
// parameter that was found in its place, or is empty.
func MissingParam(param, hint string) string {
	s := fmt.Sprintf("Parameter '%s' is required.", param)
	if hint != "" {
		s += fmt.Sprintf(" Did you mean '%s' instead of '%s'?", param, hint)
	}
	return s
}

// EmptyParam reports that a required parameter has no value.
func EmptyParam(param string) string {
	return fmt.Sprintf("Parameter '%s' must not be empty.", param)
}

// InvalidParam reports the valid values of a parameter, such as a range.
func InvalidParam(param, expected string) string {
	return fmt.Sprintf("Parameter '%s' must be %s.", param, expected)
}

// TooLong reports that a parameter has more characters than it may.
func TooLong(param string, limit int) string {
	return fmt.Sprintf("Parameter '%s' may have at most %d characters.", param, limit)
}

// InvalidZIP reports that the input is not shaped like a ZIP or ZIP+4 Code.
func InvalidZIP(input string) string {
	return fmt.Sprintf("Invalid ZIP code format: '%s'. Expected 5 digits, or ZIP+4 as 12345-6789.", input)
}

// InvalidFSA reports that the input is not shaped like a forward sortation area.
func InvalidFSA(input string) string {
	return fmt.Sprintf("Invalid FSA format: '%s'. Expected letter-digit-letter, such as K1A.", input)
}

// InvalidPostal reports that the input is not shaped like a Canadian postal code.
func InvalidPostal(input string) string {
	return fmt.Sprintf("Invalid postal code format: '%s'. Expected A1A 1A1, such as K1A 0B1.", input)
}

// InvalidCoordinates reports that the input is not a latitude and longitude.
func InvalidCoordinates(input string) string {
	return fmt.Sprintf("Invalid coordinates: '%s'. Expected latitude,longitude in decimal degrees, latitude -90 to 90 and longitude -180 to 180.", input)
}

// ZIPNotFound reports on a single route that a well-formed ZIP or ZIP+4 Code does
// not exist.
func ZIPNotFound(zip string) string { return fmt.Sprintf("ZIP code %s not found.", zip) }

// FSANotFound reports on a single route that a well-formed forward sortation area
// does not exist.
func FSANotFound(fsa string) string { return fmt.Sprintf("FSA %s not found.", fsa) }

// PostalNotFound reports on a single route that a well-formed Canadian postal code
// does not exist.
func PostalNotFound(postal string) string { return fmt.Sprintf("Postal code %s not found.", postal) }

// CodeNotFound reports on a batch route that a well-formed code does not exist.
func CodeNotFound(code string) string { return fmt.Sprintf("Code %s not found.", code) }

// NotLoaded reports that the dataset lacks data, e.g. "postal codes of Quebec".
func NotLoaded(missing string) string { return "Not in this dataset: " + missing + "." }

// NoOutline reports that a code has no outline.
func NoOutline(code string) string { return fmt.Sprintf("Code %s has no outline.", code) }

// EndNotFound reports that an end of a distance does not exist.
func EndNotFound(input string) string {
	return fmt.Sprintf("Code '%s' not found in any boundary table", input)
}

// NoBoundary reports that a coordinate lies inside no boundary.
func NoBoundary(lat, lon string) string {
	return fmt.Sprintf("Coordinates %s,%s are not inside any US or Canadian boundary.", lat, lon)
}

// NoBoundaries reports that a coordinate cannot be resolved because the dataset
// holds no boundaries at all.
func NoBoundaries(lat, lon string) string {
	return fmt.Sprintf("Coordinates %s,%s cannot be resolved: this dataset holds no boundaries.", lat, lon)
}

// Internal is the message of every unexpected failure.
const Internal = "An internal error occurred. Please try again later."

// Unavailable reports that a dependency of the response cannot be reached.
const Unavailable = "The service is temporarily unavailable. Please try again later."

// MissingKey reports that no API key was sent.
const MissingKey = "API key required. Send it in the X-Api-Key header or the key query parameter."

// BearerKey reports that the API key came in the wrong header.
const BearerKey = "Authorization: Bearer is not accepted. Send the key in the X-Api-Key header."

// InvalidKey reports that the API key does not exist.
const InvalidKey = "Invalid API key."

// InvalidKeyFormat reports that the API key is too short to be one.
const InvalidKeyFormat = "Invalid API key format."

// InsufficientCredits reports that a request costs more than there is.
func InsufficientCredits(cost, available int) string {
	return fmt.Sprintf("This request costs %d credits; %d available.", cost, available)
}

// InsufficientBatchCredits is InsufficientCredits for a batch, whose cost is
// unknown until its items are done.
func InsufficientBatchCredits(cost, available int) string {
	return fmt.Sprintf("This request costs approximately %d credits; %d available.", cost, available)
}

// FreeTierRadius reports that a radius needs a paid plan.
func FreeTierRadius(miles int, mode string) string {
	return fmt.Sprintf("The free tier is limited to %d miles in %s mode.", miles, mode)
}

// CenterNotFound reports that the center of a radius search does not exist.
func CenterNotFound(code string) string { return fmt.Sprintf("Center code '%s' not found.", code) }

// InvalidMode reports that a radius search has no such mode.
func InvalidMode(mode string) string {
	return fmt.Sprintf("Invalid mode: '%s'. Valid values: centroid, spatial", mode)
}

// SpatialBatch reports that a batch cannot search by areas.
const SpatialBatch = "Spatial mode is not available in batches. Send each spatial search to /v2/radius."

// PathWithoutVersion reports that a path does not begin with the version.
const PathWithoutVersion = "The path has no version prefix. All routes begin with /v2/."

// PathUnknownVersion reports that the path begins with a version that is not served.
func PathUnknownVersion(version string) string {
	return fmt.Sprintf("Unknown version '%s'. Use /v2/.", version)
}

// PathUnknown reports that the version has no such route.
const PathUnknown = "No such route. Paths are exact: a trailing slash makes a different path."

// MethodNotAllowed reports that a route is not served with the method.
func MethodNotAllowed(method, allowed string) string {
	return fmt.Sprintf("Method %s is not served here. Use %s.", method, allowed)
}

// BodyTooLarge reports that a request body has more bytes than it may.
func BodyTooLarge(limit int) string {
	return fmt.Sprintf("The request body may have at most %d bytes.", limit)
}

// BodyEncoded reports that a request body came compressed.
func BodyEncoded(encoding string) string {
	return fmt.Sprintf("The request body has content encoding '%s'. Send it uncompressed.", encoding)
}

// BodyMalformed describes an error in a request body.
func BodyMalformed(reason string) string {
	return fmt.Sprintf("The request body is not valid JSON: %s.", reason)
}

// BodyNotObject reports that a request body is JSON of another kind.
const BodyNotObject = "The request body must be a JSON object."

// WrongType reports that a field of a request body has the wrong type.
func WrongType(param, expected string) string {
	return fmt.Sprintf("Field '%s' must be %s.", param, expected)
}

// TooManyFlags reports that a list of flags has more entries than it may.
func TooManyFlags(param string, limit int) string {
	return fmt.Sprintf("Parameter '%s' may have at most %d entries.", param, limit)
}

// BatchTooLarge reports that a list of items has more entries than a batch may.
func BatchTooLarge(param string, limit int) string {
	return fmt.Sprintf("Field '%s' may have at most %d items. Divide it into several requests.", param, limit)
}

// QueryMalformed describes an error in the query of a request.
func QueryMalformed(reason string) string {
	return fmt.Sprintf("The query string is malformed: %s.", reason)
}

// TimedOut reports that a response took too long.
const TimedOut = "The request took too long. Please try again later."

// HeaderTooLarge means that the header of a request exceeds the limit in KiB.
func HeaderTooLarge(kib int) string {
	return fmt.Sprintf("The header of the request is larger than %d KiB.", kib)
}

// RequestUnreadable means that a request is not valid HTTP.
func RequestUnreadable(reason string) string {
	return fmt.Sprintf("The request is not valid HTTP: %s.", reason)
}

// KeyReused means that an Idempotency-Key was sent before with another request.
const KeyReused = "The Idempotency-Key was used for another request. Choose a new key for every request, and repeat it only when you send the same request again."

// TwoLengths means that a request gives its length twice.
const TwoLengths = "The request has both Content-Length and Transfer-Encoding."

// Busy reports that the server already works as many requests as it may.
const Busy = "The service is busy. Please try again in a moment."

// QueryTooLong reports that a query has more bytes than it may.
func QueryTooLong(limit int) string {
	return fmt.Sprintf("The query string may have at most %d bytes.", limit)
}

// BodyUnread reports that a request body did not arrive whole.
const BodyUnread = "The request body could not be read to its end."

// TooShort reports that a parameter has fewer characters than it must have after
// cleanup.
func TooShort(param string, limit int) string {
	return fmt.Sprintf("Parameter '%s' must have at least %d characters.", param, limit)
}
