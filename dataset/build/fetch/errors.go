package fetch

import (
	"errors"
	"fmt"
)

// Sentinels of the package. Every [*Error] matches one of them with errors.Is,
// unless the context ended or the disk failed.
var (
	// ErrNotFound says that the server or the mirror does not have the file.
	ErrNotFound = errors.New("not found")
	// ErrOffline says that the cache lacks a file and no server may be asked.
	ErrOffline = errors.New("not in the cache")
	// ErrTooLarge says that a file is larger than Options.MaxSize.
	ErrTooLarge = errors.New("larger than allowed")
	// ErrChecksum says that a file is not the one of the catalogue.
	ErrChecksum = errors.New("wrong checksum")
	// ErrContent says that a server answered with something else than the file,
	// such as a web page.
	ErrContent = errors.New("wrong content")
	// ErrStatus says that a server refused the request.
	ErrStatus = errors.New("refused by the server")
	// ErrTransfer says that a transfer failed as often as it may.
	ErrTransfer = errors.New("transfer failed")
	// ErrUserSupplied says that a file is not published and must be named by
	// the user.
	ErrUserSupplied = errors.New("user-supplied file is missing")
	// ErrOptions says that options or the catalogue's entry cannot be used.
	ErrOptions = errors.New("bad options")
)

// An Error says which file could not be had and why.
type Error struct {
	ID     string // of the source; "" where no source is concerned
	Where  string // address or path
	Reason string // what happened, and what to do where that is known
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
