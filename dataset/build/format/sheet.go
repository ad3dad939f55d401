package format

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// SheetOptions say which table of an Excel file is wanted.
type SheetOptions struct {
	// Sheet is the name of the sheet; "" takes the first.
	Sheet string
	// Columns are the columns that the header row must have. The header is the
	// first row that has them all, among the first hundred; title rows may
	// stand above it.
	Columns []Column
	// Key are columns that no row of the table leaves blank: the table ends
	// before the first row that does, and what follows are footers. Without
	// Key every row that is not empty belongs to the table.
	Key []string
	// Limits bound the expansion. A MaxSize of zero means 256 MiB here.
	Limits Limits
}

// A Sheet reads the rows of a table in an Excel file (.xlsx). Cells give the
// text or number that is stored, not what a number format would show of it.
type Sheet struct {
	archive *Archive
	name    string // of the file and the sheet, for errors
	book    *excelize.File
	rows    *excelize.Rows
	line    int // of the row that was read last
	key     []string
	cols    columns
	ended   int // row of the first footer, 0 before it
}

const mostTitleRows = 100

// OpenSheet opens the Excel file at the path and finds the header row.
func OpenSheet(path string, o SheetOptions) (*Sheet, error) {
	if o.Limits.MaxSize <= 0 {
		o.Limits.MaxSize = 256 << 20
	}
	a, err := OpenArchive(path, o.Limits)
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
	if err := s.checkSize(); err != nil {
		return err
	}
	if err := checkWorkbook(s.archive); err != nil {
		return err
	}
	limit := s.archive.limits.MaxSize
	err := guard(func() (err error) {
		s.book, err = excelize.OpenReader(io.NewSectionReader(s.archive.content, 0, s.archive.size), excelize.Options{
			RawCellValue: true, UnzipSizeLimit: limit, UnzipXMLSizeLimit: limit,
		})
		return err
	})
	if err != nil {
		return s.failed(err)
	}
	names := s.book.GetSheetList()
	switch {
	case len(names) == 0:
		return &Error{File: s.name, Reason: "no workbook in it, expected an Excel file (.xlsx)", Err: ErrSyntax}
	case o.Sheet == "":
		o.Sheet = names[0]
	case !slices.Contains(names, o.Sheet):
		return &Error{File: s.name, Reason: "no sheet " + excerpt(o.Sheet) + " among " + list(names), Err: ErrMember}
	}
	s.name += ":" + o.Sheet
	err = guard(func() (err error) {
		s.rows, err = s.book.Rows(o.Sheet)
		return err
	})
	if err != nil {
		return s.failed(err)
	}
	return s.findHeader(o.Columns)
}

// checkSize refuses a file whose members together are larger than the limit,
// as the library keeps them all in memory.
func (s *Sheet) checkSize() error {
	sum := uint64(0)
	for _, f := range s.archive.zip.File {
		sum += min(f.UncompressedSize64, 1<<48)
	}
	if most := s.archive.limits.MaxSize; sum > uint64(most) {
		return tooLarge(s.name, fmt.Sprintf("%d bytes uncompressed, at most %d allowed", sum, most))
	}
	return nil
}

// failed says that the library gave up on parts that are sound each.
func (s *Sheet) failed(err error) error {
	return &Error{File: s.name, Line: s.line, Reason: "no workbook that can be read, expected an Excel file (.xlsx): " + err.Error(), Err: ErrSyntax}
}

// next returns the cells of the next row that has any text, and its number.
// io.EOF after the last.
func (s *Sheet) next() (cells []string, line int, err error) {
	for {
		more := false
		err := guard(func() (err error) {
			if more = s.rows.Next(); !more {
				return s.rows.Error()
			}
			s.line++
			cells, err = s.rows.Columns()
			return err
		})
		if err != nil {
			return nil, 0, s.failed(err)
		}
		if !more {
			return nil, 0, io.EOF
		}
		for _, c := range cells {
			if strings.TrimSpace(c) != "" {
				return cells, s.line, nil
			}
		}
	}
}

func (s *Sheet) findHeader(want []Column) error {
	for range mostTitleRows {
		cells, row, err := s.next()
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
		cols, err := resolve(s.name, row, header, want)
		if err != nil {
			continue
		}
		s.cols = cols
		for _, k := range s.key {
			if _, ok := cols.index[k]; !ok {
				return &Error{File: s.name, Line: row, Column: k, Reason: "not in the header; found " + list(header), Err: ErrColumns}
			}
		}
		return nil
	}
	names := make([]string, len(want))
	for i, w := range want {
		names[i] = w.Name
	}
	return &Error{File: s.name, Reason: fmt.Sprintf("none of the first %d rows is a header with the columns %s", mostTitleRows, list(names)), Err: ErrColumns}
}

// Rows reads the rows below the header; empty ones are left out. The sequence
// ends with the sheet or after its first error, and can be run once.
func (s *Sheet) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for {
			cells, line, err := s.next()
			if errors.Is(err, io.EOF) {
				return
			}
			row := Row{cols: &s.cols, fields: cells, line: line}
			if err == nil {
				err = s.footer(row)
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
			if s.ended > 0 {
				continue
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// footer notes where the table ends and refuses rows of data after that.
func (s *Sheet) footer(row Row) error {
	for _, k := range s.key {
		if row.Get(k) == "" {
			if s.ended == 0 {
				s.ended = row.line
			}
			return nil
		}
	}
	if s.ended > 0 {
		return &Error{File: s.name, Line: row.line, Reason: fmt.Sprintf("data after row %d, which leaves %s blank and so ends the table", s.ended, list(s.key)), Err: ErrRagged}
	}
	return nil
}

// Close closes the file. It may be called again.
func (s *Sheet) Close() error {
	var err error
	if s.rows != nil {
		err = s.rows.Close()
	}
	if s.book != nil {
		err = errors.Join(err, s.book.Close())
		s.book = nil
	}
	return errors.Join(err, s.archive.Close())
}

// guard runs a function of the library and returns its panic as an error: the
// library trusts the content that it reads.
func guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("content that makes no sense: %v", p)
		}
	}()
	return f()
}
