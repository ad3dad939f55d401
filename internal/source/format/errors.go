package format

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Sentinels of the package. Every [*Error] matches one of them with errors.Is.
var (
	// ErrColumns means that a table lacks a column, or that a column is
	// ambiguous.
	ErrColumns = errors.New("wrong columns")
	// ErrRagged means that a row has more or fewer fields than its table has
	// columns, or appears in a wrong place.
	ErrRagged = errors.New("ragged row")
	// ErrEncoding means that bytes are not text in the expected encoding.
	ErrEncoding = errors.New("wrong text encoding")
	// ErrTooLong means that a line, record or feature is longer than allowed.
	ErrTooLong = errors.New("too long")
	// ErrSyntax means that bytes are not in the expected format.
	ErrSyntax = errors.New("malformed")
	// ErrTruncated means that a file ends before its content does, or that its
	// checksum is wrong.
	ErrTruncated = errors.New("truncated or damaged")
	// ErrTooLarge means that a member expands beyond the limits.
	ErrTooLarge = errors.New("larger than allowed")
	// ErrMember means that an archive lacks a member or has more than one of
	// that name.
	ErrMember = errors.New("no such member")
	// ErrGeometry means that coordinates or rings do not make a polygon.
	ErrGeometry = errors.New("bad geometry")
	// ErrProjection means that a map projection is not supported.
	ErrProjection = errors.New("unknown projection")
	// ErrValue means that a field holds an impossible value; see [Row.Errorf].
	ErrValue = errors.New("bad value")
	// ErrOther means that a row is about another kind of area than those that are read.
	ErrOther = errors.New("area of another kind")
)

// An Error describes a fault of a file and its place.
type Error struct {
	File   string // path as given; of a zip "path.zip:member"
	Line   int    // line or sheet row, from 1; 0 if it does not apply
	Record int    // record or feature, from 1; 0 if it does not apply
	Column string // name of the column or attribute; "" if it does not apply
	Reason string // the found and the expected value
	Err    error  // a sentinel of this package
}

// Error returns the place and the reason on one line, for example
// `US.zip:US.txt:17: 11 fields, expected 12 (ragged row)`.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		b.WriteByte(':')
		b.WriteString(strconv.Itoa(e.Line))
	}
	b.WriteString(": ")
	if e.Record > 0 {
		fmt.Fprintf(&b, "record %d: ", e.Record)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, "column %q: ", e.Column)
	}
	b.WriteString(e.Reason)
	if e.Err != nil {
		fmt.Fprintf(&b, " (%v)", e.Err)
	}
	return b.String()
}

// Unwrap returns the sentinel.
func (e *Error) Unwrap() error { return e.Err }

// excerpt shortens s for use in a message and makes it printable.
func excerpt(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
