package radius

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// ErrInvalidParam is matched by every [*ParamError].
var ErrInvalidParam = errors.New("radius: invalid parameter")

// A ParamError says that an option of a search is malformed or out of range.
// It matches [ErrInvalidParam] and is an [envelope.Failure].
type ParamError struct {
	Param    string // "max", "min", "mode", "limit" or "count"
	Given    string // as text
	Expected string // the allowed range; "" for the mode
}

// Error says what was given and what is allowed.
func (e *ParamError) Error() string {
	return fmt.Sprintf("radius: %s %s: %s", e.Param, quote(e.Given), e.ContractMessage())
}

// Is reports whether target is [ErrInvalidParam].
func (e *ParamError) Is(target error) bool { return target == ErrInvalidParam }

// ContractCode returns VALIDATION_INVALID_PARAM.
func (e *ParamError) ContractCode() envelope.Code { return envelope.ValidationInvalidParam }

// ContractMessage returns the contract's sentence.
func (e *ParamError) ContractMessage() string {
	if e.Param == "mode" {
		return envelope.InvalidMode(e.Given)
	}
	return envelope.InvalidParam(e.Param, e.Expected)
}

// quote quotes the beginning of a text that may be long.
func quote(s string) string {
	const limit = 100
	if len(s) > limit {
		return strconv.Quote(s[:limit]) + "…"
	}
	return strconv.Quote(s)
}

// A CenterError says that the center of a search is a well-formed code that
// does not exist, or one without a point. It matches [lookup.ErrNotFound] and
// is an [envelope.Failure].
type CenterError struct {
	Code      lookup.Code
	Pointless bool // the code exists, and the dataset knows no point of it
}

// Error names the code.
func (e *CenterError) Error() string {
	if e.Pointless {
		return fmt.Sprintf("radius: center code %q has no known point", e.Code)
	}
	return fmt.Sprintf("radius: center code %q not found", e.Code)
}

// Is reports whether target is [lookup.ErrNotFound].
func (e *CenterError) Is(target error) bool { return target == lookup.ErrNotFound }

// ContractCode returns NOT_FOUND_ZIP, NOT_FOUND_FSA or NOT_FOUND_POSTAL.
func (e *CenterError) ContractCode() envelope.Code {
	return (&lookup.NotFoundError{Code: e.Code}).ContractCode()
}

// ContractMessage returns the contract's sentence.
func (e *CenterError) ContractMessage() string { return envelope.CenterNotFound(e.Code.String()) }
