package envelope

import "net/http"

// A Code is one of the contract's error and notice codes.
type Code string

// Error codes of whole requests.
const (
	AuthMissingKey                Code = "AUTH_MISSING_KEY"
	AuthInvalidKey                Code = "AUTH_INVALID_KEY"
	AuthInactiveKey               Code = "AUTH_INACTIVE_KEY"
	AuthInactiveAccount           Code = "AUTH_INACTIVE_ACCOUNT"
	AuthIPRestricted              Code = "AUTH_IP_RESTRICTED"
	AuthOriginRestricted          Code = "AUTH_ORIGIN_RESTRICTED"
	AuthIPBlocked                 Code = "AUTH_IP_BLOCKED"
	AuthBatchRequiresSubscription Code = "AUTH_BATCH_REQUIRES_SUBSCRIPTION"
	AuthFreeTierRadiusExceeded    Code = "AUTH_FREE_TIER_RADIUS_EXCEEDED"
	AuthTestKeyRestricted         Code = "AUTH_TEST_KEY_RESTRICTED"
	AuthTestKeyRadiusExceeded     Code = "AUTH_TEST_KEY_RADIUS_EXCEEDED"
	CreditInsufficient            Code = "CREDIT_INSUFFICIENT"
	RateLimitMinute               Code = "RATE_LIMIT_MINUTE"
	ValidationMissingParam        Code = "VALIDATION_MISSING_PARAM"
	ValidationInvalidParam        Code = "VALIDATION_INVALID_PARAM"
	ValidationInvalidZIP          Code = "VALIDATION_INVALID_ZIP"
	ValidationInvalidFSA          Code = "VALIDATION_INVALID_FSA"
	ValidationInvalidPostal       Code = "VALIDATION_INVALID_POSTAL"
	ValidationInvalidCoordinates  Code = "VALIDATION_INVALID_COORDINATES"
	ValidationInvalidRequest      Code = "VALIDATION_INVALID_REQUEST"
	ValidationBatchTooLarge       Code = "VALIDATION_BATCH_TOO_LARGE"
	ValidationInputTooLong        Code = "VALIDATION_INPUT_TOO_LONG"
	ValidationInputTooShort       Code = "VALIDATION_INPUT_TOO_SHORT"
	SpatialModeDisabledBatch      Code = "SPATIAL_MODE_DISABLED_BATCH"
	MissingVersion                Code = "MISSING_VERSION"
	UnknownVersion                Code = "UNKNOWN_VERSION"
	BadRequest                    Code = "BAD_REQUEST"
	InternalError                 Code = "INTERNAL_ERROR"
	ServiceUnavailable            Code = "SERVICE_UNAVAILABLE"
)

// Error codes that appear only inside items of a response with status 200.
const (
	NotFoundZIP              Code = "NOT_FOUND_ZIP"
	NotFoundFSA              Code = "NOT_FOUND_FSA"
	NotFoundPostal           Code = "NOT_FOUND_POSTAL"
	NotFoundFrom             Code = "NOT_FOUND_FROM"
	NotFoundTo               Code = "NOT_FOUND_TO"
	NotFoundCoordsNoBoundary Code = "NOT_FOUND_COORDS_NO_BOUNDARY"
	InsufficientInput        Code = "INSUFFICIENT_INPUT"
	Ambiguous                Code = "AMBIGUOUS"
	NotFound                 Code = "NOT_FOUND"
)

// Notice codes: information beside a result, never an error.
const (
	InputNormalized             Code = "INPUT_NORMALIZED"
	FallbackUsed                Code = "FALLBACK_USED"
	EnrichmentUnavailable       Code = "ENRICHMENT_UNAVAILABLE"
	CoordinatesUsed             Code = "COORDINATES_USED"
	ReverseGeocode              Code = "REVERSE_GEOCODE"
	BatchDuplicatesDetected     Code = "BATCH_DUPLICATES_DETECTED"
	ValidationUnknownEnrichment Code = "VALIDATION_UNKNOWN_ENRICHMENT"
	AutoCommuteFallback         Code = "AUTO_COMMUTE_FALLBACK"
	ResultsCapped               Code = "RESULTS_CAPPED"
	FreeTierLimitCapped         Code = "FREE_TIER_LIMIT_CAPPED"
)

// Notice codes of address matching, all of class match.
const (
	Matched              Code = "MATCHED"
	PartialMatch         Code = "PARTIAL_MATCH"
	ZIPCorrected         Code = "ZIP_CORRECTED"
	CityCorrected        Code = "CITY_CORRECTED"
	StateCorrected       Code = "STATE_CORRECTED"
	StreetCorrected      Code = "STREET_CORRECTED"
	SecondaryNeeded      Code = "SECONDARY_NEEDED"
	SecondaryNotVerified Code = "SECONDARY_NOT_VERIFIED"
	InputNotUsed         Code = "INPUT_NOT_USED"
)

// A Link is a group of next-step pages that errors point to.
type Link uint8

// The groups of next-step pages.
const (
	LinkSite     Link = iota // the service's general site
	LinkAccount              // the account page
	LinkPricing              // the pricing page
	LinkDocs                 // the documentation
	LinkAuthDocs             // the documentation's section on authentication
)

// A rule is what the contract says of an error code: the status of a
// whole-request error (200 for codes of items), the page it points to, and
// whether the same request may succeed later.
type rule struct {
	status    int
	link      Link
	retryable bool
}

var rules = map[Code]rule{
	AuthMissingKey:                {http.StatusUnauthorized, LinkAccount, false},
	AuthInvalidKey:                {http.StatusUnauthorized, LinkAccount, false},
	AuthInactiveKey:               {http.StatusForbidden, LinkAccount, false},
	AuthInactiveAccount:           {http.StatusForbidden, LinkAccount, false},
	AuthIPRestricted:              {http.StatusForbidden, LinkAccount, false},
	AuthOriginRestricted:          {http.StatusForbidden, LinkAccount, false},
	AuthIPBlocked:                 {http.StatusForbidden, LinkSite, false},
	AuthBatchRequiresSubscription: {http.StatusForbidden, LinkPricing, false},
	AuthFreeTierRadiusExceeded:    {http.StatusForbidden, LinkPricing, false},
	AuthTestKeyRestricted:         {http.StatusForbidden, LinkAccount, false},
	AuthTestKeyRadiusExceeded:     {http.StatusForbidden, LinkAccount, false},
	CreditInsufficient:            {http.StatusPaymentRequired, LinkAccount, false},
	RateLimitMinute:               {http.StatusTooManyRequests, LinkPricing, true},
	ValidationMissingParam:        {http.StatusBadRequest, LinkDocs, false},
	ValidationInvalidParam:        {http.StatusBadRequest, LinkDocs, false},
	ValidationInvalidZIP:          {http.StatusBadRequest, LinkDocs, false},
	ValidationInvalidFSA:          {http.StatusBadRequest, LinkDocs, false},
	ValidationInvalidPostal:       {http.StatusBadRequest, LinkDocs, false},
	ValidationInvalidCoordinates:  {http.StatusBadRequest, LinkDocs, false},
	ValidationInvalidRequest:      {http.StatusBadRequest, LinkDocs, false},
	ValidationBatchTooLarge:       {http.StatusBadRequest, LinkDocs, false},
	ValidationInputTooLong:        {http.StatusBadRequest, LinkDocs, false},
	ValidationInputTooShort:       {http.StatusBadRequest, LinkDocs, false},
	SpatialModeDisabledBatch:      {http.StatusBadRequest, LinkDocs, false},
	MissingVersion:                {http.StatusBadRequest, LinkDocs, false},
	UnknownVersion:                {http.StatusBadRequest, LinkDocs, false},
	BadRequest:                    {http.StatusBadRequest, LinkDocs, false},
	InternalError:                 {http.StatusInternalServerError, LinkSite, false},
	ServiceUnavailable:            {http.StatusServiceUnavailable, LinkSite, true},
	NotFoundZIP:                   {http.StatusOK, LinkSite, false},
	NotFoundFSA:                   {http.StatusOK, LinkSite, false},
	NotFoundPostal:                {http.StatusOK, LinkSite, false},
	NotFoundFrom:                  {http.StatusOK, LinkSite, false},
	NotFoundTo:                    {http.StatusOK, LinkSite, false},
	NotFoundCoordsNoBoundary:      {http.StatusOK, LinkDocs, false},
	InsufficientInput:             {http.StatusOK, LinkSite, false},
	Ambiguous:                     {http.StatusOK, LinkSite, false},
	NotFound:                      {http.StatusOK, LinkSite, false},
}

// Status returns the HTTP status of a whole-request error with the code, and
// 200 for codes that appear only inside items. A code that is no error code
// counts as an internal error: 500.
func (c Code) Status() int {
	if r, ok := rules[c]; ok {
		return r.status
	}
	return http.StatusInternalServerError
}

// Link returns the group of pages that an error with the code points to.
func (c Code) Link() Link { return rules[c].link }

// Retryable reports whether the same request may succeed later. The contract
// marks statuses 429, 503 and 504 so.
func (c Code) Retryable() bool { return rules[c].retryable }
