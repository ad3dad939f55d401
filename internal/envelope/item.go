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

// AppendItem appends the members of an item without braces. Result types with a
// custom encoder begin with it.
func AppendItem(dst []byte, item *Item) ([]byte, error) {
	dst = append(dst, `"success":`...)
	dst = appendBool(dst, item.Success)
	if item.Input != nil {
		dst = append(dst, `,"input":`...)
		var err error
		if dst, err = Append(dst, item.Input); err != nil {
			return dst, err
		}
	}
	if item.Error != nil {
		dst = append(dst, `,"error":`...)
		dst = item.Error.append(dst)
	}
	if len(item.Notices) > 0 {
		dst = append(dst, `,"notices":`...)
		dst = appendNotices(dst, item.Notices)
	}
	return dst, nil
}

// appendNotices appends the list of notices.
func appendNotices(dst []byte, notices []Notice) []byte {
	dst = append(dst, '[')
	for i := range notices {
		n := &notices[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"code":`...)
		dst = AppendString(dst, string(n.Code))
		dst = append(dst, `,"message":`...)
		dst = AppendString(dst, n.Message)
		if n.Class != "" {
			dst = append(dst, `,"class":`...)
			dst = AppendString(dst, string(n.Class))
		}
		if n.URL != "" {
			dst = append(dst, `,"url":`...)
			dst = AppendString(dst, n.URL)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func (e *Error) append(dst []byte) []byte {
	dst = append(dst, `{"code":`...)
	dst = AppendString(dst, string(e.Code))
	dst = append(dst, `,"message":`...)
	dst = AppendString(dst, e.Message)
	if e.Retryable != nil {
		dst = appendBool(append(dst, `,"retryable":`...), *e.Retryable)
	}
	dst = append(dst, `,"url":`...)
	dst = AppendString(dst, e.URL)
	return append(dst, '}')
}
