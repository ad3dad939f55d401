package envelope

import (
	"cmp"
	"errors"
	"strings"

	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/wording"
)

// AsFailure sets target to the first failure in the chain of err: a [Failure], or
// a [*fault.Error] with its code and message. It returns false if there is none.
func AsFailure(err error, target *Failure) bool {
	if errors.As(err, target) {
		return true
	}
	e := fault.As(err)
	if e != nil {
		*target = (*failure)(e)
	}
	return e != nil
}

// OfInput returns the first failure in the chain of err that is about the input.
// It returns false if the dataset file failed.
func OfInput(err error) (f Failure, ok bool) {
	if e := fault.As(err); e != nil && (e.Kind == fault.Damaged || e.Kind == fault.Closed || e.Kind == fault.Unavailable && e.Err != nil) {
		return nil, false
	}
	ok = AsFailure(err, &f)
	return f, ok
}

// A failure translates an error of the library.
type failure fault.Error

// Error implements error.
func (e *failure) Error() string { return (*fault.Error)(e).Error() }

func (e *failure) Unwrap() error { return (*fault.Error)(e) }

// parameters are the names that the HTTP API has for arguments, if they are not
// those of the library.
var parameters = map[string]string{"": "code", "center": "code", "query": "q"}

func (e *failure) parameter() string {
	return cmp.Or(parameters[e.Param], e.Param)
}

// ContractCode returns the code of the HTTP API. Failures of operations that it
// does not have take the nearest code.
func (e *failure) ContractCode() Code {
	code, _ := e.contract()
	return code
}

func (e *failure) ContractMessage() string {
	_, message := e.contract()
	return message
}

func (e *failure) contract() (Code, string) {
	switch e.Kind {
	case fault.NotFound:
		code, message := e.missing()
		if e.Param == "center" {
			message = wording.CenterNotFound(e.Input)
		}
		return code, message
	case fault.InvalidCode:
		return e.malformed()
	case fault.InvalidParam:
		if e.Reason == fault.TooLong {
			return ValidationInputTooLong, e.outOfRange()
		}
		return ValidationInvalidParam, e.outOfRange()
	case fault.Ambiguous:
		return Ambiguous, wording.AddressAmbiguous
	case fault.Unavailable:
		if e.Thing == fault.Layer {
			return BadRequest, e.unavailable()
		}
		return ServiceUnavailable, e.unavailable()
	case fault.Damaged, fault.Closed:
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
	case fault.ZIP, fault.Code:
		return NotFoundZIP, wording.ZIPNotFound(e.Input)
	case fault.FSA:
		return NotFoundFSA, wording.FSANotFound(e.Input)
	case fault.Postal:
		return NotFoundPostal, wording.PostalNotFound(e.Input)
	case fault.Coordinates:
		lat, lon, _ := strings.Cut(e.Input, ",")
		return NotFoundCoordsNoBoundary, wording.NoBoundary(lat, lon)
	case fault.Address:
		return NotFound, wording.AddressNotFound
	default:
		return NotFound, e.own()
	}
}

// malformed returns the code and the message for an input of the wrong form.
func (e *failure) malformed() (Code, string) {
	switch e.Reason {
	case fault.Empty:
		return ValidationInvalidParam, wording.EmptyParam(e.parameter())
	case fault.TooShort:
		return ValidationInputTooShort, wording.TooShort(e.parameter(), e.Chars)
	case fault.TooLong:
		return ValidationInputTooLong, wording.TooLong(e.parameter(), e.Chars)
	case fault.Incomplete:
		return InsufficientInput, wording.AddressInsufficient
	default:
	}
	switch e.Thing {
	case fault.FSA:
		return ValidationInvalidFSA, wording.InvalidFSA(e.Input)
	case fault.Postal:
		return ValidationInvalidPostal, wording.InvalidPostal(e.Input)
	case fault.Coordinates:
		return ValidationInvalidCoordinates, wording.InvalidCoordinates(e.Input)
	case fault.Area:
		return ValidationInvalidParam, e.own()
	default:
		return ValidationInvalidZIP, wording.InvalidZIP(e.Input)
	}
}

func (e *failure) outOfRange() string {
	switch {
	case e.Reason == fault.Empty:
		return wording.EmptyParam(e.parameter())
	case e.Reason == fault.TooLong:
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
	case fault.Coordinates:
		lat, lon, _ := strings.Cut(e.Input, ",")
		return wording.NoBoundaries(lat, lon)
	case fault.Address:
		return wording.NoAddressRecords(e.Input, e.Lacks)
	case fault.Outline:
		return wording.NoOutline(e.Input)
	case fault.Postal:
		return wording.NotLoaded(e.Lacks)
	default:
		return e.own()
	}
}

// own returns the message of the library, for operations that the HTTP API does
// not have.
func (e *failure) own() string {
	bare := fault.Error(*e)
	bare.Op = ""
	text := strings.TrimPrefix(bare.Error(), "postgeo: ")
	text = strings.ToUpper(text[:1]) + text[1:]
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
