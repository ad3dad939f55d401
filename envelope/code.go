package envelope

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

// Notice codes describe a result and are never errors.
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
	DataNotLoaded               Code = "DATA_NOT_LOADED"
	AutoDensityDefault          Code = "AUTO_DENSITY_DEFAULT"
	IdempotentReplay            Code = "IDEMPOTENT_REPLAY"
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

// A link is a group of next-step pages that errors point to.
type link uint8

// The groups of next-step pages.
const (
	linkSite     link = iota // the service's general site
	linkAccount              // the account page
	linkPricing              // the pricing page
	linkDocs                 // the documentation
	linkAuthDocs             // the documentation's section on authentication
)

// A rule defines an error code. It has the status of a whole-request error (200 for codes
// of items), the page of its url, and whether a retry may succeed.
type rule struct {
	status    int
	link      link
	retryable bool
}

// rules are the table of the contract's section Errors, with its groups of next-step urls.
// Only 429, 503 and 504 are retryable.
var rules = map[Code]rule{
	AuthMissingKey:                {401, linkAccount, false},
	AuthInvalidKey:                {401, linkAccount, false},
	AuthInactiveKey:               {403, linkAccount, false},
	AuthInactiveAccount:           {403, linkAccount, false},
	AuthIPRestricted:              {403, linkAccount, false},
	AuthOriginRestricted:          {403, linkAccount, false},
	AuthIPBlocked:                 {403, linkSite, false},
	AuthBatchRequiresSubscription: {403, linkPricing, false},
	AuthFreeTierRadiusExceeded:    {403, linkPricing, false},
	AuthTestKeyRestricted:         {403, linkAccount, false},
	AuthTestKeyRadiusExceeded:     {403, linkAccount, false},
	CreditInsufficient:            {402, linkAccount, false},
	RateLimitMinute:               {429, linkPricing, true},
	ValidationMissingParam:        {400, linkDocs, false},
	ValidationInvalidParam:        {400, linkDocs, false},
	ValidationInvalidZIP:          {400, linkDocs, false},
	ValidationInvalidFSA:          {400, linkDocs, false},
	ValidationInvalidPostal:       {400, linkDocs, false},
	ValidationInvalidCoordinates:  {400, linkDocs, false},
	ValidationInvalidRequest:      {400, linkDocs, false},
	ValidationBatchTooLarge:       {400, linkDocs, false},
	ValidationInputTooLong:        {400, linkDocs, false},
	ValidationInputTooShort:       {400, linkDocs, false},
	SpatialModeDisabledBatch:      {400, linkDocs, false},
	MissingVersion:                {400, linkDocs, false},
	UnknownVersion:                {400, linkDocs, false},
	BadRequest:                    {400, linkDocs, false},
	InternalError:                 {500, linkSite, false},
	ServiceUnavailable:            {503, linkSite, true},
	NotFoundZIP:                   {200, linkSite, false},
	NotFoundFSA:                   {200, linkSite, false},
	NotFoundPostal:                {200, linkSite, false},
	NotFoundFrom:                  {200, linkSite, false},
	NotFoundTo:                    {200, linkSite, false},
	NotFoundCoordsNoBoundary:      {200, linkDocs, false},
	InsufficientInput:             {200, linkSite, false},
	Ambiguous:                     {200, linkSite, false},
	NotFound:                      {200, linkSite, false},
}

// Status returns the HTTP status of a whole-request error with the code. It
// returns 200 for codes of items, and 500 for codes that are not error codes.
func (c Code) Status() int {
	if r, ok := rules[c]; ok {
		return r.status
	}
	return 500
}

// retryable reports whether a retry may succeed, unless the dataset lacks the data. The
// contract defines this for statuses 429, 503 and 504.
func (c Code) retryable() bool { return rules[c].retryable }
