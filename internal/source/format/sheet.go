package format

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/xlsx"
)

// SheetOptions selects a table of the first sheet of an Excel file.
type SheetOptions struct {
	// Columns are the columns that the header row must have. The header is the
	// first row that has them all, among the first hundred; title rows may
	// precede it.
	Columns []Column
	// Key are some of the columns that no row of the table leaves blank: the table ends
	// before the first row that does, and what follows are footers. Without
	// Key every row that is not empty belongs to the table.
	Key []string
	// MaxSize is the most bytes of a part of the file. Zero means 256 MiB.
	MaxSize int64
}

// A Sheet reads the rows of a table in an Excel file (.xlsx). Cells have the
// numbers as shown, with leading zeros.
type Sheet struct {
	archive *Archive
	name    string // of the file and the sheet, for errors
	cells   *xlsx.Sheet
	key     []string
	cols    columns
}

const (
	mostTitleRows = 100
	mostRowBytes  = 16 << 20
)

// OpenSheet opens the Excel file at the path and finds the header row.
func OpenSheet(path string, o SheetOptions) (*Sheet, error) {
	a, err := OpenArchive(path, cmp.Or(o.MaxSize, 256<<20))
	if err != nil {
		return nil, err
	}
	s := &Sheet{archive: a, name: path, key: o.Key}
	if err := s.open(o); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Sheet) open(o SheetOptions) error {
	book, err := xlsx.Open(func(part string) (io.ReadCloser, error) {
		in, err := s.archive.Open(part)
		if errors.Is(err, ErrMember) {
			err = fs.ErrNotExist
		}
		return in, err
	})
	if err != nil {
		return s.failed(err)
	}
	s.cells, err = book.Sheet("", mostRowBytes)
	if err != nil {
		return s.failed(err)
	}
	s.name += ":" + s.cells.Name
	return s.findHeader(o.Columns)
}

// failed returns an error of the Excel file as one of this package.
func (s *Sheet) failed(err error) error {
	var e *xlsx.Error
	if !errors.As(err, &e) {
		return err
	}
	name := s.archive.path
	if e.Part != "" {
		name += ":" + e.Part
	}
	cause := map[error]error{xlsx.ErrSyntax: ErrSyntax, xlsx.ErrTruncated: ErrTruncated, xlsx.ErrTooLong: ErrTooLong}[e.Err]
	return &Error{File: name, Line: e.Row, Reason: e.Reason, Err: cause}
}

// next returns the cells of the next row that has any text. The error is io.EOF
// after the last.
func (s *Sheet) next() ([]string, error) {
	for {
		row, err := s.cells.Next()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, s.failed(err)
		}
		if err != nil || slices.ContainsFunc(row, func(c string) bool { return strings.TrimSpace(c) != "" }) {
			return row, err
		}
	}
}

func (s *Sheet) findHeader(want []Column) error {
	for range mostTitleRows {
		cells, err := s.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		header := make([]string, len(cells))
		for i, c := range cells {
			header[i] = strings.TrimSpace(c)
		}
		if s.cols, err = resolve(s.name, s.cells.Row(), header, want); err == nil {
			return nil
		}
	}
	names := make([]string, len(want))
	for i, w := range want {
		names[i] = w.Name
	}
	return &Error{File: s.name, Reason: fmt.Sprintf("none of the first %d rows is a header with the columns %s", mostTitleRows, list(names)), Err: ErrColumns}
}

// Rows reads the rows below the header; empty ones are left out. The sequence
// ends with the sheet or after its first error, and can be run once. Rows of data after
// the end of the table are an error.
func (s *Sheet) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for ended := 0; ; {
			cells, err := s.next()
			if errors.Is(err, io.EOF) {
				return
			}
			row := Row{cols: &s.cols, fields: cells, line: s.cells.Row()}
			if err == nil && slices.ContainsFunc(s.key, func(k string) bool { return row.Get(k) == "" }) {
				ended = cmp.Or(ended, row.line)
				continue
			}
			if err == nil && ended > 0 {
				err = &Error{File: s.name, Line: row.line, Reason: fmt.Sprintf("data after row %d, which leaves %s blank and so ends the table", ended, list(s.key)), Err: ErrRagged}
			}
			if err != nil {
				row = Row{}
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// Close closes the file. It may be called again.
func (s *Sheet) Close() error {
	var err error
	if s.cells != nil {
		err = s.cells.Close()
		s.cells = nil
	}
	return errors.Join(err, s.archive.Close())
}
