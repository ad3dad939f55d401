package envelope

import (
	"cmp"
	"errors"

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

// OrOwn returns the links, with those of own for empty ones.
func (l Links) OrOwn() Links {
	return Links{
		Site:     cmp.Or(l.Site, "/"),
		Account:  cmp.Or(l.Account, "/#account"),
		Pricing:  cmp.Or(l.Pricing, "/pricing.json"),
		Docs:     cmp.Or(l.Docs, "/docs"),
		AuthDocs: cmp.Or(l.AuthDocs, "/docs#authentication"),
	}
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
		retryable := Retryable(err)
		e.Retryable = &retryable
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
	Message  string
	Status   int  // HTTP status; 0 takes the one of Code
	AuthDocs bool // link to the documentation's section on authentication
}

// NewFault returns a failure with the code and the message.
func NewFault(code Code, message string) *Fault { return &Fault{Code: code, Message: message} }

// Error returns the code and the message.
func (f *Fault) Error() string { return string(f.Code) + ": " + f.Message }

// ContractCode implements [Failure].
func (f *Fault) ContractCode() Code { return f.Code }

// ContractMessage implements [Failure].
func (f *Fault) ContractMessage() string { return f.Message }

// StatusOf returns the HTTP status of a request that failed with err: that of its
// code, unless a [Fault] overrides it. Errors that are not a [Failure] have 500.
// Codes of items have 200.
func StatusOf(err error) int {
	var fault *Fault
	if errors.As(err, &fault) && fault.Status != 0 {
		return fault.Status
	}
	var f Failure
	if AsFailure(err, &f) {
		return f.ContractCode().Status()
	}
	return InternalError.Status()
}

func linkOf(f Failure) link {
	if fault, ok := f.(*Fault); ok && fault.AuthDocs {
		return linkAuthDocs
	}
	return rules[f.ContractCode()].link
}
