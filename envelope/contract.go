package envelope

import (
	"cmp"
	"errors"
	"strings"

	"github.com/postgeo/postgeo/internal/wording"
)

// Errors have two types. A Failure is the library's: the given and the expected values, in
// the words of Go (argument "center", option Max). A Fault is the contract's: a code and
// a verbatim message (decision D51). This file translates one into the other, so that
// errors of the library carry no texts and codes of HTTP.

// FaultOf returns the first [Fault] in the chain of err, also one that another type embeds,
// or that of a [Failure]. It is nil for other errors.
func FaultOf(err error) *Fault {
	var f interface{ self() *Fault } // *Fault, and types that embed a Fault such as client.Error
	if errors.As(err, &f) {
		return f.self()
	}
	if e := AsFailure(err); e != nil {
		code, message := (*failure)(e).contract()
		return &Fault{Code: code, Message: message}
	}
	return nil
}

// OfInput is [FaultOf] for errors about the input: it is nil if the dataset file failed.
func OfInput(err error) *Fault {
	if e := AsFailure(err); e != nil && (e.Kind == KindDamaged || e.Kind == KindClosed || e.Kind == KindUnavailable && e.Err != nil) {
		return nil
	}
	return FaultOf(err)
}

// A failure translates an error of the library.
type failure Failure

// parameters are the names that the HTTP API has for arguments, if they are not
// those of the library.
var parameters = map[string]string{"": "code", "center": "code", "query": "q"}

func (e *failure) parameter() string {
	return cmp.Or(parameters[e.Param], e.Param)
}

// contract returns the code and the message of the HTTP API. Failures of operations that
// it does not have take the nearest code.
func (e *failure) contract() (Code, string) {
	switch e.Kind {
	case KindNotFound:
		code, message := e.missing()
		if e.Param == "center" {
			message = wording.CenterNotFound(e.Input)
		}
		return code, message
	case KindInvalidCode:
		return e.malformed()
	case KindInvalidParam:
		if e.Reason == ReasonTooLong {
			return ValidationInputTooLong, e.outOfRange()
		}
		return ValidationInvalidParam, e.outOfRange()
	case KindAmbiguous:
		switch {
		case e.Reason == ReasonIncomplete && e.Detail != "":
			return Ambiguous, e.own()
		case e.Reason == ReasonIncomplete:
			return Ambiguous, wording.AddressAnywhere
		}
		return Ambiguous, wording.AddressAmbiguous
	case KindUnavailable:
		if e.Thing == ThingLayer {
			return BadRequest, e.unavailable()
		}
		return ServiceUnavailable, e.unavailable()
	case KindDamaged, KindClosed: // without details, which are for the operator
		return ServiceUnavailable, wording.Unavailable
	default:
		return InternalError, wording.Internal
	}
}

// missing returns the code and the message for an input without a result.
func (e *failure) missing() (Code, string) {
	switch e.Param {
	case "from":
		return NotFoundFrom, wording.EndNotFound(e.Input)
	case "to":
		return NotFoundTo, wording.EndNotFound(e.Input)
	}
	switch e.Thing {
	case ThingZIP, ThingCode:
		return NotFoundZIP, wording.ZIPNotFound(e.Input)
	case ThingFSA:
		return NotFoundFSA, wording.FSANotFound(e.Input)
	case ThingPostal:
		return NotFoundPostal, wording.PostalNotFound(e.Input)
	case ThingCoordinates:
		lat, lon, _ := strings.Cut(e.Input, ",")
		return NotFoundCoordsNoBoundary, wording.NoBoundary(lat, lon)
	case ThingAddress:
		return NotFound, wording.AddressNotFound
	default:
		return NotFound, e.own()
	}
}

// malformed returns the code and the message for an input of the wrong form.
func (e *failure) malformed() (Code, string) {
	switch e.Reason {
	case ReasonEmpty:
		return ValidationInvalidParam, wording.EmptyParam(e.parameter())
	case ReasonTooShort:
		return ValidationInputTooShort, wording.TooShort(e.parameter(), e.Chars)
	case ReasonTooLong:
		return ValidationInputTooLong, wording.TooLong(e.parameter(), e.Chars)
	case ReasonIncomplete:
		return InsufficientInput, wording.AddressInsufficient
	default:
	}
	switch e.Thing {
	case ThingFSA:
		return ValidationInvalidFSA, wording.InvalidFSA(e.Input)
	case ThingPostal:
		return ValidationInvalidPostal, wording.InvalidPostal(e.Input)
	case ThingCoordinates:
		return ValidationInvalidCoordinates, wording.InvalidCoordinates(e.Input)
	case ThingArea:
		return ValidationInvalidParam, e.own()
	default:
		return ValidationInvalidZIP, wording.InvalidZIP(e.Input)
	}
}

func (e *failure) outOfRange() string {
	switch {
	case e.Reason == ReasonEmpty:
		return wording.EmptyParam(e.parameter())
	case e.Reason == ReasonTooLong:
		return wording.TooLong(e.parameter(), e.Chars)
	case e.Detail != "" && e.Range == "":
		return e.own()
	case e.Op == "radius" && e.Param == "mode":
		return wording.InvalidMode(e.Input)
	case e.Op == "radius" && e.Param == "max":
		return wording.InvalidParam("max", e.Range+", or auto or auto-commute")
	default:
		return wording.InvalidParam(e.parameter(), e.Range)
	}
}

func (e *failure) unavailable() string {
	switch e.Thing {
	case ThingCoordinates:
		lat, lon, _ := strings.Cut(e.Input, ",")
		return wording.NoBoundaries(lat, lon)
	case ThingAddress:
		if e.Detail != "" {
			return e.own()
		}
		return wording.NoAddressRecords(e.Input, e.Lacks)
	case ThingOutline:
		return wording.NoOutline(e.Input)
	case ThingPostal:
		return wording.NotLoaded(e.Lacks)
	default:
		return e.own()
	}
}

// own returns the message of the library, for operations that the HTTP API does
// not have.
func (e *failure) own() string {
	bare := Failure(*e)
	bare.Op = ""
	text := strings.TrimPrefix(bare.Error(), "postgeo: ")
	text = strings.ToUpper(text[:1]) + text[1:]
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
