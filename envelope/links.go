package envelope

import (
	"github.com/postgeo/postgeo/internal/wording"
)

// Links are the URLs of the pages of errors.
type Links struct {
	Site     string // general site
	Account  string // account page
	Pricing  string // pricing page
	Docs     string // documentation
	AuthDocs string // the documentation's section on authentication
}

func (l Links) url(to link) string {
	switch to {
	case linkAccount:
		return l.Account
	case linkPricing:
		return l.Pricing
	case linkDocs:
		return l.Docs
	case linkAuthDocs:
		return l.AuthDocs
	case linkSite:
		return l.Site
	}
	return l.Site
}

// Error returns the public error of a whole request that failed with err. An error
// without a [Fault] or [Failure] becomes INTERNAL_ERROR without details.
func (l Links) Error(err error) *Error {
	f := FaultOf(err)
	if f == nil {
		return &Error{Code: InternalError, Message: wording.Internal, URL: l.url(linkSite)}
	}
	to := rules[f.Code].link
	if f.AuthDocs {
		to = linkAuthDocs
	}
	e := &Error{Code: f.Code, Message: f.Message, URL: l.url(to)}
	if f.Code.retryable() {
		e.Retryable = new(true)
		if lacking := AsFailure(err); lacking != nil && lacking.Lasting() {
			*e.Retryable = false // only another dataset resolves it (decision D53)
		}
	}
	return e
}

// Failed returns the item of an input that failed. Items have no retryable.
func (l Links) Failed(input Input, err error, notices ...Notice) Item {
	e := l.Error(err)
	e.Retryable = nil
	return Item{Input: &input, Error: e, Notices: notices}
}

// A Fault is an error with a code and a message of the contract. [FaultOf] returns that
// of an error of the library.
type Fault struct {
	Code     Code
	Message  string // text for people
	Status   int    // HTTP status; 0 takes the one of Code
	AuthDocs bool   // link to the documentation's section on authentication
}

// Error returns the code and the message.
func (f *Fault) Error() string { return string(f.Code) + ": " + f.Message }

func (f *Fault) self() *Fault { return f }
