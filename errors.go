package postgeo

import (
	"errors"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/store"
)

// An Error is the error of an operation: its kind, the input and what was expected.
type Error = fault.Error

// The sentinels that errors match with [errors.Is].
var (
	// ErrNotFound indicates that the input is well-formed and does not exist.
	ErrNotFound = fault.ErrNotFound
	// ErrInvalidCode indicates that the input does not have the form of a code,
	// a coordinate or an address.
	ErrInvalidCode = fault.ErrInvalidCode
	// ErrInvalidParam indicates that an argument or an option is out of range.
	ErrInvalidParam = fault.ErrInvalidParam
	// ErrUnavailable indicates that the dataset lacks the required data, such as
	// a layer, an outline or address records.
	ErrUnavailable = fault.ErrUnavailable
	// ErrAmbiguous indicates that several records match an address equally well.
	ErrAmbiguous = fault.ErrAmbiguous
	// ErrDamaged indicates that the dataset file is damaged.
	ErrDamaged = fault.ErrDamaged
	// ErrNotDataset indicates that a file is not a dataset.
	ErrNotDataset = store.ErrNotDataset
	// ErrVersion indicates that a dataset has an unsupported format version.
	ErrVersion = store.ErrVersion
	// ErrClosed is returned by methods called after [DB.Close].
	ErrClosed = fault.ErrClosed
)

// errClosed is the error of calls after Close.
var errClosed = &Error{Kind: fault.Closed, Err: store.ErrClosed}

// fail returns err as an [*Error]. Errors of contexts and of the operating system
// are returned unchanged.
func fail(err error) error {
	if err == nil {
		return nil
	}
	if e := fault.As(err); e != nil {
		return e
	}
	for _, f := range [...]struct {
		cause error
		kind  fault.Kind
	}{
		{store.ErrClosed, fault.Closed},
		{store.ErrDamaged, fault.Damaged},
		{store.ErrUnreadable, fault.Unavailable},
	} {
		if errors.Is(err, f.cause) {
			return &Error{Kind: f.kind, Err: err}
		}
	}
	return err
}

// Contract returns the code and the message of the HTTP contract for an error about
// the input, such as NOT_FOUND_ZIP. Other errors, of the file or the context, have no
// code: ok is false.
func Contract(err error) (code, message string, ok bool) {
	var f envelope.Failure
	if !envelope.AsFailure(err, &f) {
		return "", "", false
	}
	return string(f.ContractCode()), f.ContractMessage(), true
}
