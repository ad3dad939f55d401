package lookup

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/postgeo/postgeo/envelope"
)

// Sentinels that the typed errors of this package match with errors.Is.
var (
	// ErrInvalidCode says that the input is not shaped like a code.
	ErrInvalidCode = errors.New("lookup: invalid code")
	// ErrNotFound says that a well-formed code does not exist in the dataset.
	ErrNotFound = errors.New("lookup: not found")
	// ErrNoOutline means that a code exists and the dataset has no outline of
	// it, as of PO Box ZIPs.
	ErrNoOutline = errors.New("lookup: no outline")
)

// A ParseError says that an input is not a code. It matches [ErrInvalidCode]
// and is an [envelope.Failure].
type ParseError struct {
	Input string // as given
	Param string // name of the parameter that held it; "" means "code"

	code  envelope.Code
	cause error // of coordinates
}

// Error says what was given and what was expected.
func (e *ParseError) Error() string {
	return fmt.Sprintf("lookup: invalid code %s: %s", quote(e.Input), e.ContractMessage())
}

// Is reports whether target is [ErrInvalidCode].
func (e *ParseError) Is(target error) bool { return target == ErrInvalidCode }

// Unwrap returns the error of the coordinates' parser, or nil.
func (e *ParseError) Unwrap() error { return e.cause }

// ContractCode returns the VALIDATION_ code that decisions D2 to D4 give.
func (e *ParseError) ContractCode() envelope.Code { return e.code }

// ContractMessage returns the contract's sentence.
func (e *ParseError) ContractMessage() string {
	param := e.Param
	if param == "" {
		param = "code"
	}
	switch e.code {
	case envelope.ValidationInputTooLong:
		return envelope.TooLong(param, MaxCodeLength)
	case envelope.ValidationInvalidParam:
		return envelope.EmptyParam(param)
	case envelope.ValidationInvalidCoordinates:
		return envelope.InvalidCoordinates(e.Input)
	case envelope.ValidationInvalidFSA:
		return envelope.InvalidFSA(e.Input)
	case envelope.ValidationInvalidPostal:
		return envelope.InvalidPostal(e.Input)
	default:
		return envelope.InvalidZIP(e.Input)
	}
}

// quote quotes the beginning of an input that may be long.
func quote(s string) string {
	const limit = 4 * MaxCodeLength
	if len(s) > limit {
		return strconv.Quote(s[:limit]) + "…"
	}
	return strconv.Quote(s)
}

// A NotFoundError says that a well-formed code does not exist in the dataset.
// It matches [ErrNotFound] and is an [envelope.Failure].
type NotFoundError struct {
	Code Code
	// Unavailable says of coordinates that the dataset holds no areas at all,
	// so that nothing is denied (decision D33).
	Unavailable bool
}

// Error names the code.
func (e *NotFoundError) Error() string {
	if e.Unavailable {
		return "lookup: area around coordinates " + strconv.Quote(e.Code.String()) + " not found; the dataset holds no areas"
	}
	return "lookup: " + kind(e.Code.Type()) + " " + strconv.Quote(e.Code.String()) + " not found"
}

func kind(t CodeType) string {
	switch t {
	case ZIP, ZIP4:
		return "ZIP code"
	case FSA:
		return "FSA"
	case Postal:
		return "postal code"
	case Coordinates:
		return "area around coordinates"
	default:
		return "code"
	}
}

// Is reports whether target is [ErrNotFound].
func (e *NotFoundError) Is(target error) bool { return target == ErrNotFound }

// Lasting reports whether the same request fails until the dataset is replaced.
func (e *NotFoundError) Lasting() bool { return e.Unavailable }

// ContractCode returns the NOT_FOUND_ code of the kind of code, or
// SERVICE_UNAVAILABLE if the dataset holds no areas.
func (e *NotFoundError) ContractCode() envelope.Code {
	if e.Unavailable {
		return envelope.ServiceUnavailable
	}
	switch e.Code.Type() {
	case FSA:
		return envelope.NotFoundFSA
	case Postal:
		return envelope.NotFoundPostal
	case Coordinates:
		return envelope.NotFoundCoordsNoBoundary
	default:
		return envelope.NotFoundZIP
	}
}

// ContractMessage returns the sentence of the single routes.
func (e *NotFoundError) ContractMessage() string {
	switch e.Code.Type() {
	case FSA:
		return envelope.FSANotFound(e.Code.String())
	case Postal:
		return envelope.PostalNotFound(e.Code.String())
	case Coordinates:
		lat, lon := e.Code.LatLng().Strings()
		if e.Unavailable {
			return envelope.NoBoundaries(lat, lon)
		}
		return envelope.NoBoundary(lat, lon)
	default:
		return envelope.ZIPNotFound(e.Code.String())
	}
}

// BatchMessage returns the sentence of the batch routes.
func (e *NotFoundError) BatchMessage() string {
	if e.Code.Type() == Coordinates {
		return e.ContractMessage()
	}
	return envelope.CodeNotFound(e.Code.String())
}

// A NoOutlineError is returned for a question about the outline of a code that
// exists and has none. It matches [ErrNoOutline] and is an [envelope.Failure].
type NoOutlineError struct {
	Code Code
}

// Error names the code.
func (e *NoOutlineError) Error() string {
	return "lookup: " + kind(e.Code.Type()) + " " + strconv.Quote(e.Code.String()) + " has no outline"
}

// Is reports whether target is [ErrNoOutline].
func (e *NoOutlineError) Is(target error) bool { return target == ErrNoOutline }

// Lasting reports that the same request fails until the dataset is replaced.
func (e *NoOutlineError) Lasting() bool { return true }

// ContractCode returns SERVICE_UNAVAILABLE: the code is not denied (decision
// D33).
func (e *NoOutlineError) ContractCode() envelope.Code { return envelope.ServiceUnavailable }

// ContractMessage returns a sentence of the interface.
func (e *NoOutlineError) ContractMessage() string { return envelope.NoOutline(e.Code.String()) }
