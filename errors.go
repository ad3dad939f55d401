package postgeo

import (
	"errors"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/store"
)

// An Error is the error of an operation: its kind, the input and what was expected.
type Error = envelope.Failure

// The sentinels that errors match with [errors.Is].
var (
	// ErrNotFound indicates that the input is well-formed and does not exist.
	ErrNotFound = envelope.ErrNotFound
	// ErrInvalidCode indicates that the input does not have the form of a code,
	// a coordinate or an address.
	ErrInvalidCode = envelope.ErrInvalidCode
	// ErrInvalidParam indicates that an argument or an option is out of range.
	ErrInvalidParam = envelope.ErrInvalidParam
	// ErrUnavailable indicates that the dataset lacks the required data, such as
	// a layer, an outline or address records.
	ErrUnavailable = envelope.ErrUnavailable
	// ErrAmbiguous indicates that several records match an address equally well.
	ErrAmbiguous = envelope.ErrAmbiguous
	// ErrDamaged indicates that the dataset file is damaged.
	ErrDamaged = envelope.ErrDamaged
	// ErrNotDataset indicates that a file is not a dataset.
	ErrNotDataset = store.ErrNotDataset
	// ErrVersion indicates that a dataset has an unsupported format version.
	ErrVersion = store.ErrVersion
	// ErrClosed is returned by methods called after [DB.Close].
	ErrClosed = envelope.ErrClosed
)

// errClosed is the error of calls after Close.
var errClosed = &Error{Kind: envelope.KindClosed, Err: store.ErrClosed}

// fail returns err as an [*Error]. Errors of contexts and of the operating system
// are returned unchanged.
func fail(err error) error {
	if err == nil {
		return nil
	}
	if e := envelope.AsFailure(err); e != nil {
		return e
	}
	for _, f := range [...]struct {
		cause error
		kind  envelope.Kind
	}{
		{store.ErrClosed, envelope.KindClosed},
		{store.ErrDamaged, envelope.KindDamaged},
		{store.ErrUnreadable, envelope.KindUnavailable},
	} {
		if errors.Is(err, f.cause) {
			return &Error{Kind: f.kind, Err: err}
		}
	}
	return err
}
