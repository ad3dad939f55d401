package fetch

import (
	"errors"
	"fmt"
)

// Sentinels of the package. Every [*Error] matches one of them with errors.Is,
// unless the context ended or the disk failed.
var (
	// ErrNotFound means that the server or the mirror does not have the file.
	ErrNotFound = errors.New("not found")
	// ErrOffline means that the cache lacks a file and servers are not used.
	ErrOffline = errors.New("not in the cache")
	// ErrTooLarge means that a file is larger than Options.MaxSize.
	ErrTooLarge = errors.New("larger than allowed")
	// ErrChecksum means that a file is not the one of the catalog.
	ErrChecksum = errors.New("wrong checksum")
	// ErrContent means that a server sent something other than the file, such
	// as a web page.
	ErrContent = errors.New("wrong content")
	// ErrStatus means that a server refused the request.
	ErrStatus = errors.New("refused by the server")
	// ErrTransfer means that a transfer failed in every retry.
	ErrTransfer = errors.New("transfer failed")
	// ErrUserSupplied means that a file is not published and must be named by
	// the user.
	ErrUserSupplied = errors.New("user-supplied file is missing")
	// ErrOptions means that options or the catalog's entry cannot be used.
	ErrOptions = errors.New("bad options")
)

// An Error identifies the file that failed and the reason.
type Error struct {
	ID     string // of the source; "" without a source
	Where  string // address or path
	Reason string // what happened, and the remedy if known
	Err    error  // a sentinel of this package, or the cause
}

// Error returns all of it on one line.
func (e *Error) Error() string {
	s := "fetch: "
	if e.ID != "" {
		s += e.ID + ": "
	}
	if e.Where != "" {
		s += e.Where + ": "
	}
	return s + e.Reason
}

// Unwrap returns the sentinel or cause.
func (e *Error) Unwrap() error { return e.Err }

func fault(s Source, where string, cause error, format string, args ...any) error {
	return &Error{ID: s.ID, Where: where, Reason: fmt.Sprintf(format, args...), Err: cause}
}
