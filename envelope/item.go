package envelope

// An Error is what the contract shows of a failure, of a whole request or of
// one item.
type Error struct {
	Code      Code   `json:"code"`
	Message   string `json:"message"`
	Retryable bool   `json:"retryable,omitzero"` // whole requests only
	URL       string `json:"url"`                // next step, from the server's configuration
}

// A Failure is a Go error that knows its contract code and text. The typed
// errors of lookup, radius and address are Failures.
type Failure interface {
	error
	// ContractCode returns the code that the contract gives the failure.
	ContractCode() Code
	// ContractMessage returns the contract's sentence for the failure.
	ContractMessage() string
}

// A Class groups notices.
type Class string

// The classes of notices.
const (
	ClassInput      Class = "input"
	ClassEnrichment Class = "enrichment"
	ClassBilling    Class = "billing"
	ClassResult     Class = "result"
	ClassMatch      Class = "match"
)

// A Notice tells something about a result that is not an error.
type Notice struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Class   Class  `json:"class,omitzero"`
	URL     string `json:"url,omitzero"` // FREE_TIER_LIMIT_CAPPED only
}

// An Input repeats the part of a request that an item answers.
type Input struct {
	Code    string `json:"code,omitzero"`
	From    string `json:"from,omitzero"`
	To      string `json:"to,omitzero"`
	Address string `json:"address,omitzero"`
}

// An Item is the head that every result entry begins with. Result types embed
// it first, so that their own fields follow at the same level.
type Item struct {
	Success bool     `json:"success"`
	Input   *Input   `json:"input,omitzero"` // failed items and items of a batch
	Error   *Error   `json:"error,omitzero"`
	Notices []Notice `json:"notices,omitzero"`
}
