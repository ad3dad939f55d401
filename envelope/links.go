package envelope

import (
	"github.com/postgeo/postgeo/envelope/fault"
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
// that is not a [Failure] becomes INTERNAL_ERROR without details.
func (l Links) Error(err error) *Error {
	var f Failure
	if !AsFailure(err, &f) {
		return &Error{Code: InternalError, Message: wording.Internal, URL: l.url(linkSite)}
	}
	code := f.ContractCode()
	e := &Error{Code: code, Message: f.ContractMessage(), URL: l.url(linkOf(f))}
	if code.Retryable() {
		e.Retryable = new(true)
		if lacking := fault.As(err); lacking != nil && lacking.Lasting() {
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

// A Fault is a [Failure] that consists of a code and a message.
type Fault struct {
	Code     Code
	Message  string // text for people
	Status   int    // HTTP status; 0 takes the one of Code
	AuthDocs bool   // link to the documentation's section on authentication
}

// Error returns the code and the message.
func (f *Fault) Error() string { return string(f.Code) + ": " + f.Message }

// ContractCode implements [Failure].
func (f *Fault) ContractCode() Code { return f.Code }

// ContractMessage implements [Failure].
func (f *Fault) ContractMessage() string { return f.Message }

func linkOf(f Failure) link {
	if own, ok := f.(*Fault); ok && own.AuthDocs {
		return linkAuthDocs
	}
	return rules[f.ContractCode()].link
}
