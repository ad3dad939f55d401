package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
)

// Sentinels of the dataset. An error with one of these causes matches it with
// errors.Is. It names the file, the faulty value and the expected one.
var (
	// ErrClosed is the error of a use after Close.
	ErrClosed = errors.New("dataset: closed")
	// ErrDamaged is the error of a file that contradicts its own checksums or
	// index.
	ErrDamaged = errors.New("dataset: damaged file")
	// ErrUnreadable is matched by errors of the machine that keep a file from
	// being read: a failing disk, a missing permission, too little memory.
	ErrUnreadable = errors.New("dataset: the file cannot be read")
	// ErrNotDataset is the error of a file that is not a postgeo dataset.
	ErrNotDataset = errors.New("dataset: not a postgeo dataset")
	// ErrNotFound is the error of a detail whose code the dataset does not have.
	ErrNotFound = errors.New("dataset: no such code")
	// ErrVersion is the error of a format version that this release cannot read.
	ErrVersion = errors.New("dataset: unsupported format version")
	// ErrInvalidRow is the error of a Writer for a row that no dataset can hold.
	// It names the row and the value.
	ErrInvalidRow = errors.New("dataset: invalid row")
)

func damaged(path, format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s; build or copy the file again", ErrDamaged, path, fmt.Sprintf(format, args...))
}

// decoding calls f, which decodes a part of a file. Checksums find every accident. A part
// that was made to deceive may name rows that do not exist: then f panics, which is an error.
// Checking each reference instead would cost a comparison in every reader, and one would be
// forgotten. Other panics are mistakes of the program and go on.
func decoding(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case runtime.Error:
			err = r
		default:
			panic(r)
		}
	}()
	return f()
}

// readError wraps an error of reading the named part of a file. Errors of the
// machine (no memory, no access, a failing or full disk, an interrupt) and of the
// caller's context keep their meaning. Any other error means that the file is
// damaged.
func readError(path, what string, err error) error {
	switch {
	case errors.Is(err, ErrDamaged), errors.Is(err, ErrUnreadable), errors.Is(err, ErrClosed):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded), hasCode(err, codeInterrupt):
		return fmt.Errorf("dataset: %s: reading %s: %w", path, what, err)
	case isMachine(err):
		return unreadable(path, what, err)
	}
	return fmt.Errorf("%w: %s: reading %s: %w; build or copy the file again", ErrDamaged, path, what, err)
}

// unreadable wraps an error of the machine. A file that was closed is ErrClosed.
func unreadable(path, what string, err error) error {
	if errors.Is(err, fs.ErrClosed) {
		return fmt.Errorf("%w: %s", ErrClosed, path)
	}
	return fmt.Errorf("%w: %s: reading %s: %w", ErrUnreadable, path, what, err)
}

// Primary result codes of SQLite.
const (
	codePermission = 3
	codeBusy       = 5
	codeMemory     = 7
	codeInterrupt  = 9
	codeIO         = 10
	codeFull       = 13
	codeCannotOpen = 14
	codeConstraint = 19
	codeAuth       = 23
)

func isMachine(err error) bool {
	return hasCode(err, codeIO, codeMemory, codeFull, codeCannotOpen, codePermission, codeAuth, codeBusy)
}

// hasCode reports whether SQLite failed with one of the primary codes.
func hasCode(err error, codes ...int) bool {
	var e interface {
		error
		Code() int
	}
	return errors.As(err, &e) && slices.Contains(codes, e.Code()&0xff)
}

// IsConstraint reports whether SQLite refused a row.
func IsConstraint(err error) bool { return hasCode(err, codeConstraint) }

// Invalid returns an error that matches [ErrInvalidRow].
func Invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalidRow, fmt.Sprintf(format, args...))
}

// InvalidRow wraps an error so that it matches [ErrInvalidRow].
func InvalidRow(what string, err error) error {
	return fmt.Errorf("%w: %s: %w", ErrInvalidRow, what, err)
}
