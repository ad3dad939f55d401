package address

import (
	"cmp"
	"errors"
	"strconv"

	"github.com/postgeo/postgeo/envelope"
)

// Sentinels that a [*NoMatchError] matches with errors.Is.
var (
	// ErrNoMatch says that an address was not matched, whatever the reason.
	ErrNoMatch = errors.New("address: no match")
	// ErrInsufficient says that it has no place or no delivery.
	ErrInsufficient = errors.New("address: insufficient input")
	// ErrAmbiguous says that several records fit equally well.
	ErrAmbiguous = errors.New("address: ambiguous")
	// ErrNotFound says that no record fits.
	ErrNotFound = errors.New("address: not found")
	// ErrNoRecords means that the dataset lacks the records that an address
	// would be looked for in; its error is a [*NoRecordsError].
	ErrNoRecords = errors.New("address: the dataset lacks the address records")
)

// A NoMatchError says why an address was not matched. It is an
// [envelope.Failure].
type NoMatchError struct {
	Input string // as given
	Code  envelope.Code
}

// Error says what was given and why it has no match.
func (e *NoMatchError) Error() string {
	return "address: " + strconv.Quote(e.Input) + ": " + e.ContractMessage()
}

// Is reports whether target is [ErrNoMatch] or the sentinel of the error's
// code.
func (e *NoMatchError) Is(target error) bool {
	switch target {
	case ErrNoMatch:
		return true
	case ErrInsufficient:
		return e.Code == envelope.InsufficientInput
	case ErrAmbiguous:
		return e.Code == envelope.Ambiguous
	case ErrNotFound:
		return e.Code == envelope.NotFound
	default:
		return false
	}
}

// ContractCode returns INSUFFICIENT_INPUT, AMBIGUOUS or NOT_FOUND.
func (e *NoMatchError) ContractCode() envelope.Code { return e.Code }

// ContractMessage returns the sentence of the code.
func (e *NoMatchError) ContractMessage() string {
	switch e.Code {
	case envelope.InsufficientInput:
		return envelope.AddressInsufficient
	case envelope.Ambiguous:
		return envelope.AddressAmbiguous
	default:
		return envelope.AddressNotFound
	}
}

// A NoRecordsError means that an address could not be looked for, because the
// dataset holds no address records, or none of the kind for the address's ZIP
// Code or city (decisions D33 and D54): whether there is such an address stays
// open. It is an [envelope.Failure] and matches [ErrNoRecords], not
// [ErrNoMatch].
type NoRecordsError struct {
	Input   string // as given
	Records string // the missing records, e.g. "street records of ZIP Code 90210"; "": all
}

// Error returns the contract's sentence and how to get the records.
func (e *NoRecordsError) Error() string {
	return "address: " + e.ContractMessage() + " Build one with 'postgeo dataset build' and the USPS products " +
		"(--usps-zip4, --usps-city-state) or public ranges of house numbers (--address-ranges, --addrfeat)."
}

// Lasting reports that the same request fails until the dataset is replaced.
func (e *NoRecordsError) Lasting() bool { return true }

// Is reports whether target is [ErrNoRecords].
func (e *NoRecordsError) Is(target error) bool { return target == ErrNoRecords }

// ContractCode returns SERVICE_UNAVAILABLE.
func (e *NoRecordsError) ContractCode() envelope.Code { return envelope.ServiceUnavailable }

// ContractMessage returns the contract's sentence, which names the input and
// the missing records.
func (e *NoRecordsError) ContractMessage() string {
	return envelope.NoAddressRecords(e.Input, cmp.Or(e.Records, "address records"))
}
