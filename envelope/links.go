package envelope

import (
	"cmp"
	"errors"
)

// Links are the addresses of the pages that errors point to.
type Links struct {
	Site     string // general site
	Account  string // account page
	Pricing  string // pricing page
	Docs     string // documentation
	AuthDocs string // the documentation's section on authentication
}

// OrOwn returns the links with the pages that a server has itself in place of
// those that are empty.
func (l Links) OrOwn() Links {
	return Links{
		Site:     cmp.Or(l.Site, "/"),
		Account:  cmp.Or(l.Account, "/#account"),
		Pricing:  cmp.Or(l.Pricing, "/pricing.json"),
		Docs:     cmp.Or(l.Docs, "/docs"),
		AuthDocs: cmp.Or(l.AuthDocs, "/docs#authentication"),
	}
}

// URL returns the address of a group of pages.
func (l Links) URL(to Link) string {
	switch to {
	case LinkAccount:
		return l.Account
	case LinkPricing:
		return l.Pricing
	case LinkDocs:
		return l.Docs
	case LinkAuthDocs:
		return l.AuthDocs
	case LinkSite:
		return l.Site
	}
	return l.Site
}

// Error returns what a caller sees of err when the whole request failed. An
// error that is no [Failure] becomes INTERNAL_ERROR and shows nothing of
// itself.
func (l Links) Error(err error) *Error {
	var f Failure
	if !errors.As(err, &f) {
		return &Error{Code: InternalError, Message: Internal, URL: l.URL(InternalError.Link())}
	}
	code := f.ContractCode()
	e := &Error{Code: code, Message: f.ContractMessage(), URL: l.URL(linkOf(f))}
	if code.Retryable() {
		retryable := Retryable(err)
		e.Retryable = &retryable
	}
	return e
}

// Failed returns the item that stands for an input that could not be served.
// Items never say retryable.
func (l Links) Failed(input Input, err error, notices ...Notice) Item {
	e := l.Error(err)
	e.Retryable = nil
	return Item{Input: &input, Error: e, Notices: notices}
}

// A Fault is a [Failure] that is made of nothing but its code and its
// sentence.
type Fault struct {
	Code     Code
	Message  string
	Status   int  // HTTP status; 0 takes the one of Code
	AuthDocs bool // point to the documentation's section on authentication
}

// NewFault returns the failure with the code and the sentence.
func NewFault(code Code, message string) *Fault { return &Fault{Code: code, Message: message} }

// Error returns code and sentence.
func (f *Fault) Error() string { return string(f.Code) + ": " + f.Message }

// ContractCode implements [Failure].
func (f *Fault) ContractCode() Code { return f.Code }

// ContractMessage implements [Failure].
func (f *Fault) ContractMessage() string { return f.Message }

// StatusOf returns the HTTP status of a request that failed with err: the
// status of the failure's code unless a [Fault] names another one, and 500
// for an error that is no [Failure]. A status of 200 says that the failure
// belongs to an item and that the request was processed.
func StatusOf(err error) int {
	var fault *Fault
	if errors.As(err, &fault) && fault.Status != 0 {
		return fault.Status
	}
	var f Failure
	if errors.As(err, &f) {
		return f.ContractCode().Status()
	}
	return InternalError.Status()
}

func linkOf(f Failure) Link {
	if fault, ok := f.(*Fault); ok && fault.AuthDocs {
		return LinkAuthDocs
	}
	return f.ContractCode().Link()
}
