package fault

import (
	"cmp"
	"errors"
	"strings"

	"github.com/postgeo/postgeo/envelope"
)

// parameters are the names that the HTTP API has for arguments, if they are not
// those of the library in lower case.
var parameters = map[string]string{"": "code", "center": "code", "query": "q"}

func (e *Error) parameter() string {
	return cmp.Or(parameters[e.Param], strings.ToLower(e.Param))
}

// ContractCode returns the code of the HTTP API. Failures of operations that it
// does not have take the nearest code.
func (e *Error) ContractCode() envelope.Code {
	switch e.Kind {
	case NotFound:
		return e.missing()
	case InvalidCode:
		return e.malformed()
	case InvalidParam:
		if e.Reason == TooLong {
			return envelope.ValidationInputTooLong
		}
		return envelope.ValidationInvalidParam
	case Ambiguous:
		return envelope.Ambiguous
	case Unavailable:
		if e.Thing == Layer {
			return envelope.BadRequest
		}
		return envelope.ServiceUnavailable
	case Damaged, Closed:
		return envelope.ServiceUnavailable
	default:
		return envelope.InternalError
	}
}

// missing returns the code for something that does not exist.
func (e *Error) missing() envelope.Code {
	switch e.Param {
	case "from":
		return envelope.NotFoundFrom
	case "to":
		return envelope.NotFoundTo
	}
	switch e.Thing {
	case ZIP, Code:
		return envelope.NotFoundZIP
	case FSA:
		return envelope.NotFoundFSA
	case Postal:
		return envelope.NotFoundPostal
	case Coordinates:
		return envelope.NotFoundCoordsNoBoundary
	default:
		return envelope.NotFound
	}
}

// malformed returns the code for an input of the wrong form.
func (e *Error) malformed() envelope.Code {
	switch e.Reason {
	case Empty:
		return envelope.ValidationInvalidParam
	case TooShort:
		return envelope.ValidationInputTooShort
	case TooLong:
		return envelope.ValidationInputTooLong
	case Incomplete:
		return envelope.InsufficientInput
	default:
	}
	switch e.Thing {
	case FSA:
		return envelope.ValidationInvalidFSA
	case Postal:
		return envelope.ValidationInvalidPostal
	case Coordinates:
		return envelope.ValidationInvalidCoordinates
	case Area:
		return envelope.ValidationInvalidParam
	default:
		return envelope.ValidationInvalidZIP
	}
}

// ContractMessage returns the sentence of the HTTP API.
func (e *Error) ContractMessage() string {
	switch e.Kind {
	case NotFound:
		return e.missed()
	case InvalidCode:
		return e.refused()
	case InvalidParam:
		return e.outOfRange()
	case Ambiguous:
		return envelope.AddressAmbiguous
	case Unavailable:
		return e.unavailable()
	case Damaged, Closed:
		return envelope.Unavailable
	default:
		return envelope.Internal
	}
}

// BatchMessage returns the sentence that batch routes have instead.
func (e *Error) BatchMessage() string {
	if e.Kind == NotFound && e.Param == "" && e.Thing <= Postal {
		return envelope.CodeNotFound(e.Input)
	}
	return e.ContractMessage()
}

// Lasting reports whether the same request fails until the dataset is replaced.
func (e *Error) Lasting() bool { return e.Kind == Unavailable && e.Err == nil }

// OfInput returns the first [envelope.Failure] in the chain of err that is about
// the input. It returns false if the dataset file failed.
func OfInput(err error) (envelope.Failure, bool) {
	if e := As(err); e != nil && (e.Kind == Damaged || e.Kind == Closed || e.Kind == Unavailable && e.Err != nil) {
		return nil, false
	}
	var f envelope.Failure
	ok := errors.As(err, &f)
	return f, ok
}

func (e *Error) missed() string {
	switch e.Param {
	case "from", "to":
		return envelope.EndNotFound(e.Input)
	case "center":
		return envelope.CenterNotFound(e.Input)
	}
	switch e.Thing {
	case ZIP, Code:
		return envelope.ZIPNotFound(e.Input)
	case FSA:
		return envelope.FSANotFound(e.Input)
	case Postal:
		return envelope.PostalNotFound(e.Input)
	case Coordinates:
		lat, lon, _ := strings.Cut(e.Input, ",")
		return envelope.NoBoundary(lat, lon)
	case Address:
		return envelope.AddressNotFound
	default:
		return e.sentence()
	}
}

func (e *Error) refused() string {
	switch e.Reason {
	case Empty:
		return envelope.EmptyParam(e.parameter())
	case TooShort:
		return envelope.TooShort(e.parameter(), e.Chars)
	case TooLong:
		return envelope.TooLong(e.parameter(), e.Chars)
	case Incomplete:
		return envelope.AddressInsufficient
	default:
	}
	switch e.Thing {
	case FSA:
		return envelope.InvalidFSA(e.Input)
	case Postal:
		return envelope.InvalidPostal(e.Input)
	case Coordinates:
		return envelope.InvalidCoordinates(e.Input)
	case Area:
		return e.sentence()
	default:
		return envelope.InvalidZIP(e.Input)
	}
}

func (e *Error) outOfRange() string {
	switch {
	case e.Reason == Empty:
		return envelope.EmptyParam(e.parameter())
	case e.Reason == TooLong:
		return envelope.TooLong(e.parameter(), e.Chars)
	case e.Detail != "" && e.Range == "":
		return e.sentence()
	case e.Op == "radius" && e.Param == "Mode":
		return envelope.InvalidMode(e.Input)
	case e.Op == "radius" && e.Param == "Max":
		return envelope.InvalidParam("max", e.Range+", or auto or auto-commute")
	default:
		return envelope.InvalidParam(e.parameter(), strings.ReplaceAll(e.Range, "Max", "max"))
	}
}

func (e *Error) unavailable() string {
	switch e.Thing {
	case Coordinates:
		lat, lon, _ := strings.Cut(e.Input, ",")
		return envelope.NoBoundaries(lat, lon)
	case Address:
		return envelope.NoAddressRecords(e.Input, e.Lacks)
	case Outline:
		return envelope.NoOutline(e.Input)
	default:
		return e.sentence()
	}
}

// sentence returns the message as a sentence, for operations that the HTTP API
// does not have.
func (e *Error) sentence() string {
	text := e.text()
	text = strings.ToUpper(text[:1]) + text[1:]
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}
