package format

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/xlsx"
)

// A sheet reads the rows of a table in the first sheet of an Excel file (.xlsx). Cells
// have the numbers as shown, with leading zeros.
type sheet struct {
	*xlsx.Sheet
	name   string // of the file and the sheet, for errors
	key    []string
	header *header
	ended  int // row that ended the table
}

// newSheet finds the header: the first row that has all columns, among the first hundred.
// Title rows may precede it.
func newSheet(a *archive, o *Options) (*sheet, error) {
	const mostTitles = 100
	s := &sheet{name: a.Name(), key: o.Key}
	book, err := xlsx.Open(a, a.size)
	if err != nil {
		return nil, s.failed(err)
	}
	if s.Sheet, err = book.Sheet(""); err != nil {
		return nil, s.failed(err)
	}
	s.name += ":" + s.Name
	// Each row is tried as the header: only one that has all columns is.
	for range mostTitles {
		row, err := s.filled()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, errors.Join(err, s.Close())
		}
		for i, c := range row.Values {
			row.Values[i] = strings.TrimSpace(c)
		}
		if s.header, err = o.newHeader(s.name, row.Number, row.Values); err == nil {
			return s, nil
		}
	}
	err = &Error{File: s.name, Reason: fmt.Sprintf("none of the first %d rows is a header with the columns %s", mostTitles, list(o.Columns)), Err: ErrColumns}
	return nil, errors.Join(err, s.Close())
}

// failed returns an error of the Excel file as one of this package.
func (s *sheet) failed(err error) error {
	cause := ErrSyntax
	if errors.Is(err, io.ErrUnexpectedEOF) {
		cause = ErrTruncated
	}
	return &Error{File: s.name, Reason: err.Error(), Err: cause}
}

// filled returns the next row that has any text.
func (s *sheet) filled() (xlsx.Row, error) {
	for {
		row, err := s.Next()
		if err != nil && !errors.Is(err, io.EOF) {
			return row, s.failed(err)
		}
		if err != nil || slices.ContainsFunc(row.Values, func(c string) bool { return strings.TrimSpace(c) != "" }) {
			return row, err
		}
	}
}

// next leaves out empty rows. Rows of data after the end of the table are an error:
// footnotes have text in their first cell only, so that a full row behind a gap is data
// which would be lost.
func (s *sheet) next() (Row, error) {
	for {
		from, err := s.filled()
		if err != nil {
			return Row{}, err
		}
		row := Row{header: s.header, fields: from.Values, Number: from.Number}
		if slices.ContainsFunc(s.key, func(k string) bool { return row.Get(k) == "" }) {
			s.ended = cmp.Or(s.ended, row.Number)
			continue
		}
		if s.ended > 0 {
			return Row{}, &Error{File: s.name, Line: row.Number, Reason: fmt.Sprintf("data after row %d, which leaves %s blank and so ends the table", s.ended, list(s.key)), Err: ErrRagged}
		}
		return row, nil
	}
}
