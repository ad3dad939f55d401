package fault

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The sentinel of each kind of error.
var (
	// ErrNotFound indicates that the input is well-formed and does not exist.
	ErrNotFound = errors.New("not found")
	// ErrInvalidCode indicates that the input does not have the form of a code,
	// a coordinate or an address.
	ErrInvalidCode = errors.New("invalid code")
	// ErrInvalidParam indicates that an argument or an option is out of range.
	ErrInvalidParam = errors.New("invalid parameter")
	// ErrUnavailable indicates that the dataset lacks the required data.
	ErrUnavailable = errors.New("not in the dataset")
	// ErrAmbiguous indicates that several records match equally well.
	ErrAmbiguous = errors.New("ambiguous")
	// ErrDamaged indicates that the dataset file is damaged.
	ErrDamaged = errors.New("dataset: damaged file")
	// ErrClosed indicates that the dataset is closed.
	ErrClosed = errors.New("dataset: closed")
)

// A Kind groups errors by cause.
type Kind uint8

// The kinds of errors.
const (
	NotFound Kind = iota + 1
	InvalidCode
	InvalidParam
	Unavailable
	Ambiguous
	Damaged
	Closed
)

var sentinels = [...]error{nil, ErrNotFound, ErrInvalidCode, ErrInvalidParam, ErrUnavailable, ErrAmbiguous, ErrDamaged, ErrClosed}

// String returns the kind in words, such as "not found".
func (k Kind) String() string {
	if k == 0 || int(k) >= len(sentinels) {
		return "Kind(" + strconv.Itoa(int(k)) + ")"
	}
	return strings.TrimPrefix(sentinels[k].Error(), "dataset: ")
}

// A Reason refines a kind.
type Reason uint8

// The reasons; most errors have none.
const (
	Empty      Reason = iota + 1 // the input has no characters
	TooShort                     // the input has too few characters
	TooLong                      // the input has too many characters
	Pointless                    // the code exists without a location
	Incomplete                   // the address lacks a place or a delivery
)

// A Thing is the type of an input.
type Thing uint8

// The types of input.
const (
	Code Thing = iota // of a form that cannot be determined
	ZIP               // ZIP or ZIP+4
	FSA
	Postal
	Coordinates
	Address
	Area    // of a layer or of the American Community Survey
	Layer   // kind of area
	Outline // of a code
	Query   // text of a suggestion
)

var nouns = [...]string{"code", "ZIP code", "FSA", "postal code", "coordinates", "address", "area", "layer", "outline", "query"}

// String returns the type in words, such as "ZIP code".
func (t Thing) String() string { return nouns[min(int(t), len(nouns)-1)] }

// An Error is the error of an operation.
type Error struct {
	Op     string // operation, such as "radius"
	Kind   Kind
	Reason Reason
	Thing  Thing  // type of Input
	Param  string // argument or option at fault, such as "center" or "max"; "" for the only argument
	Input  string // as given; a code that was read is in canonical form
	Range  string // accepted values of Param, such as "above 0 and at most 500 miles"
	Layer  string // layer of an Area, such as "county"
	Chars  int    // minimum or maximum length of Input, with TooShort and TooLong
	Lacks  string // data missing from the dataset, such as "layer county"
	Detail string // replaces the message that the fields above result in
	Err    error  // cause
}

// As returns the first Error in the chain of err, or nil.
func As(err error) *Error {
	var e *Error
	errors.As(err, &e)
	return e
}

// In returns err with the operation and the argument it failed in. An error
// without an [Error] in its chain is returned unchanged.
func In(op, param string, err error) error {
	e := As(err)
	if e == nil {
		return err
	}
	in := *e
	in.Op, in.Param = op, param
	return &in
}

// Wrap adds a prefix to the message of err, such as "area 10001".
func Wrap(prefix string, err error) error {
	e := As(err)
	if e == nil {
		return fmt.Errorf("%s: %w", prefix, err)
	}
	in := *e
	in.Detail = prefix + ": " + e.text()
	return &in
}

// Is reports whether target is the sentinel of the kind.
func (e *Error) Is(target error) bool {
	return int(e.Kind) < len(sentinels) && target == sentinels[e.Kind]
}

// Lasting reports whether the same call fails until the dataset is replaced.
func (e *Error) Lasting() bool { return e.Kind == Unavailable && e.Err == nil }

// Unwrap returns the cause, or nil.
func (e *Error) Unwrap() error { return e.Err }

// Error returns the operation, the input and the accepted values.
func (e *Error) Error() string {
	if e.Op == "" {
		return "postgeo: " + e.text()
	}
	return "postgeo: " + e.Op + ": " + e.text()
}

// text returns the message without the operation.
func (e *Error) text() string {
	switch {
	case e.Detail != "":
		return e.Detail
	case e.Reason == Empty:
		return e.noun() + " is empty"
	case e.Reason == TooShort:
		return e.noun() + " has fewer than " + strconv.Itoa(e.Chars) + " characters"
	case e.Reason == TooLong:
		return e.noun() + " has more than " + strconv.Itoa(e.Chars) + " characters"
	case e.Kind == InvalidParam && e.Input == "":
		return e.Param + " is not set; expected " + e.Range
	case e.Kind == InvalidParam:
		return e.Param + " is " + value(e.Input) + "; expected " + e.Range
	case e.Kind == InvalidCode && e.Reason == Incomplete:
		return e.noun() + " " + quote(e.Input) + " lacks a place or a delivery"
	case e.Kind == InvalidCode && e.Range != "":
		return "invalid " + e.noun() + " " + quote(e.Input) + "; expected " + e.Range
	case e.Kind == NotFound && e.Reason == Pointless:
		return e.noun() + " " + quote(e.Input) + " has no location"
	case e.Kind == NotFound:
		return e.noun() + " " + quote(e.Input) + " not found"
	case e.Kind == Ambiguous:
		return "several records match " + e.noun() + " " + quote(e.Input)
	case e.Lacks != "":
		return "the dataset has no " + e.Lacks
	case e.Err != nil:
		return strings.TrimPrefix(e.Err.Error(), "postgeo: ")
	default:
		return e.Kind.String()
	}
}

// noun returns the type of the input, after the argument if it is named.
func (e *Error) noun() string {
	noun := e.Thing.String()
	if e.Param != "" && e.Param != noun {
		return e.Param + " " + noun
	}
	return noun
}

// value returns a number as it is and other text in quotation marks.
func value(s string) string {
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return quote(s)
}

// quote quotes the beginning of an input that may be long.
func quote(s string) string {
	const limit = 200
	if len(s) > limit {
		return strconv.Quote(s[:limit]) + "…"
	}
	return strconv.Quote(s)
}
