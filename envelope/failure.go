package envelope

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
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

// A Kind groups failures by cause.
type Kind string

// The kinds of failures.
const (
	KindNotFound     Kind = "not found"
	KindInvalidCode  Kind = "invalid code"
	KindInvalidParam Kind = "invalid parameter"
	KindUnavailable  Kind = "not in the dataset"
	KindAmbiguous    Kind = "ambiguous"
	KindDamaged      Kind = "damaged file"
	KindClosed       Kind = "closed"
)

var sentinels = map[Kind]error{
	KindNotFound: ErrNotFound, KindInvalidCode: ErrInvalidCode, KindInvalidParam: ErrInvalidParam, KindUnavailable: ErrUnavailable,
	KindAmbiguous: ErrAmbiguous, KindDamaged: ErrDamaged, KindClosed: ErrClosed,
}

// A Reason refines a kind.
type Reason uint8

// The reasons; most failures have none.
const (
	ReasonEmpty      Reason = iota + 1 // the input has no characters
	ReasonTooShort                     // the input has too few characters
	ReasonTooLong                      // the input has too many characters
	ReasonPointless                    // the code exists without a location
	ReasonIncomplete                   // the address lacks a place or a delivery
)

// A Thing is the type of an input in words. The zero Thing is [ThingCode].
type Thing string

// The types of input.
const (
	ThingCode        Thing = ""         // of a form that cannot be determined
	ThingZIP         Thing = "ZIP code" // or ZIP+4
	ThingFSA         Thing = "FSA"
	ThingPostal      Thing = "postal code"
	ThingCoordinates Thing = "coordinates"
	ThingAddress     Thing = "address"
	ThingArea        Thing = "area"    // of a layer or of the American Community Survey
	ThingLayer       Thing = "layer"   // kind of area
	ThingOutline     Thing = "outline" // of a code
	ThingQuery       Thing = "query"   // text of a suggestion
)

// A Failure is the error of every operation of the library: its kind, the input, and the
// argument or option with its range. It matches the sentinel of its kind with
// [errors.Is]. Package postgeo exports the type and the sentinels as its own.
type Failure struct {
	Op     string // operation, such as "radius"
	Kind   Kind
	Reason Reason
	Thing  Thing  // type of Input
	Param  string // argument or option at fault, such as "center" or "max"; "" for the only argument
	Input  string // as given; a code that was read is in canonical form
	Range  string // accepted values of Param, such as "above 0 and at most 500 miles"
	Layer  string // layer of an input of [ThingArea], such as "county"
	Chars  int    // minimum or maximum length of Input, with [ReasonTooShort] and [ReasonTooLong]
	Lacks  string // data missing from the dataset, such as "layer county"
	Detail string // replaces the message that the fields above result in
	Err    error  // cause
}

// AsFailure returns the first Failure in the chain of err, or nil.
func AsFailure(err error) *Failure {
	var e *Failure
	errors.As(err, &e)
	return e
}

// In returns err with the operation and the argument it failed in. An error
// without a [Failure] in its chain is returned unchanged.
func In(op, param string, err error) error {
	e := AsFailure(err)
	if e == nil {
		return err
	}
	in := *e // a copy: others may hold the error
	in.Op, in.Param = op, param
	return &in
}

// Wrap adds a prefix to the message of err, such as "area 10001".
func Wrap(prefix string, err error) error {
	e := AsFailure(err)
	if e == nil {
		return fmt.Errorf("%s: %w", prefix, err)
	}
	in := *e
	in.Detail = prefix + ": " + e.text()
	return &in
}

// Is reports whether target is the sentinel of the kind.
func (e *Failure) Is(target error) bool {
	sentinel := sentinels[e.Kind]
	return sentinel != nil && target == sentinel
}

// Lasting reports whether the same call fails until the dataset is replaced. With a cause,
// such as a read that failed, the data may be there the next time.
func (e *Failure) Lasting() bool { return e.Kind == KindUnavailable && e.Err == nil }

// Unwrap returns the cause, or nil.
func (e *Failure) Unwrap() error { return e.Err }

// Error returns the operation, the input and the accepted values.
func (e *Failure) Error() string {
	if e.Op == "" {
		return "postgeo: " + e.text()
	}
	return "postgeo: " + e.Op + ": " + e.text()
}

// text returns the message without the operation.
func (e *Failure) text() string {
	switch {
	case e.Detail != "":
		return e.Detail
	case e.Reason == ReasonEmpty:
		return e.noun() + " is empty"
	case e.Reason == ReasonTooShort:
		return e.noun() + " has fewer than " + strconv.Itoa(e.Chars) + " characters"
	case e.Reason == ReasonTooLong:
		return e.noun() + " has more than " + strconv.Itoa(e.Chars) + " characters"
	case e.Kind == KindInvalidParam && e.Input == "":
		return e.Param + " is not set; expected " + e.Range
	case e.Kind == KindInvalidParam:
		return e.Param + " is " + value(e.Input) + "; expected " + e.Range
	case e.Kind == KindInvalidCode && e.Reason == ReasonIncomplete:
		return e.noun() + " " + quote(e.Input) + " lacks a place or a delivery"
	case e.Kind == KindInvalidCode && e.Range != "":
		return "invalid " + e.noun() + " " + quote(e.Input) + "; expected " + e.Range
	case e.Kind == KindNotFound && e.Reason == ReasonPointless:
		return e.noun() + " " + quote(e.Input) + " has no location"
	case e.Kind == KindNotFound:
		return e.noun() + " " + quote(e.Input) + " not found"
	case e.Kind == KindAmbiguous && e.Reason == ReasonIncomplete:
		return e.noun() + " " + quote(e.Input) + " may be in any city; add the city and state, or the ZIP Code or postal code"
	case e.Kind == KindAmbiguous:
		return "several records match " + e.noun() + " " + quote(e.Input)
	case e.Lacks != "":
		return "the dataset has no " + e.Lacks
	case e.Err != nil:
		return strings.TrimPrefix(e.Err.Error(), "postgeo: ")
	default:
		return string(e.Kind)
	}
}

// noun returns the type of the input, after the argument if it is named.
func (e *Failure) noun() string {
	noun := cmp.Or(string(e.Thing), "code")
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

// quote quotes the beginning of an input that may be long, up to a whole character.
func quote(s string) string {
	const limit = 200
	if len(s) > limit {
		end := limit
		for end > limit-utf8.UTFMax && !utf8.RuneStart(s[end]) {
			end--
		}
		return strconv.Quote(s[:end]) + "…"
	}
	return strconv.Quote(s)
}
