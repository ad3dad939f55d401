package envelope

import "errors"

// An Error is the public part of a failure, of a whole request or of one item.
type Error struct {
	Code      Code   `json:"code"`               // one of the contract's error codes
	Message   string `json:"message"`            // a message for people
	Retryable *bool  `json:"retryable,omitzero"` // whole requests only; nil except for statuses 429, 503 and 504
	URL       string `json:"url"`                // next step, from the server's configuration
}

// A Failure is a Go error with a contract code and message. [AsFailure] finds
// that of an error of the library.
type Failure interface {
	error
	// ContractCode returns the contract's code.
	ContractCode() Code
	// ContractMessage returns the contract's message.
	ContractMessage() string
}

// Retryable reports whether the same request may succeed later: its code is
// retryable and the failure does not last. A failure that only another dataset
// resolves has a method Lasting that returns true (decision D53).
func Retryable(err error) bool {
	var f Failure
	var l interface{ Lasting() bool }
	return AsFailure(err, &f) && f.ContractCode().Retryable() && !(errors.As(err, &l) && l.Lasting())
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

// A Notice describes a property of a result that is not an error.
type Notice struct {
	Code    Code   `json:"code"`           // one of the contract's notice codes
	Message string `json:"message"`        // a message for people
	Class   Class  `json:"class,omitzero"` // the subject of the notice
	URL     string `json:"url,omitzero"`   // page with details; with FREE_TIER_LIMIT_CAPPED only
}

// An Input repeats the input of an item, as given.
type Input struct {
	Index   *int       `json:"index,omitzero"`   // position in a batch of radius searches, from 0
	Code    string     `json:"code,omitzero"`    // code or coordinate, as given
	Max     *RadiusMax `json:"max,omitzero"`     // radius as given; batch of radius searches only
	From    string     `json:"from,omitzero"`    // start of a distance, as given
	To      string     `json:"to,omitzero"`      // end of a distance, as given
	Address string     `json:"address,omitzero"` // address, as given
}

// An Item is the head of every entry of results. Result types embed it first, so
// that their fields follow at the same level.
type Item struct {
	Success bool     `json:"success"`        // false for an item that failed
	Input   *Input   `json:"input,omitzero"` // failed items and items of a batch
	Error   *Error   `json:"error,omitzero"`
	Notices []Notice `json:"notices,omitempty"` // notices of this item
}

// SetInput adds the input to an item of a batch.
func (item *Item) SetInput(in Input) { item.Input = &in }
