package format

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/xlsx"
)

// Sheet reads the rows of a table in the first sheet of the Excel file (.xlsx) at the path.
// Cells have the numbers as shown, with leading zeros; empty rows are left out.
//
// The header is the first row that has all the columns, among the first hundred; title rows
// may precede it. No row of the table leaves the columns of the key blank: it ends before
// the first row that does, and what follows are footers. Rows of data after the end are an
// error. The sequence ends with the sheet or after its first error.
func Sheet(path string, want []Column, key ...string) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		name := path
		failed := func(err error) {
			cause := ErrSyntax
			if errors.Is(err, io.ErrUnexpectedEOF) {
				cause = ErrTruncated
			}
			yield(Row{}, &Error{File: name, Reason: err.Error(), Err: cause})
		}
		file, err := os.Open(path)
		if err != nil {
			yield(Row{}, err)
			return
		}
		defer file.Close()
		info, err := file.Stat()
		if err != nil {
			yield(Row{}, err)
			return
		}
		book, err := xlsx.Open(file, info.Size())
		if err != nil {
			failed(err)
			return
		}
		sheet, err := book.Sheet("")
		if err != nil {
			failed(err)
			return
		}
		defer sheet.Close()
		name += ":" + sheet.Name

		const mostTitles = 100
		var cols *columns
		for titles, ended := 0, 0; ; {
			cells, err := sheet.Next()
			switch {
			case err != nil && !errors.Is(err, io.EOF):
				failed(err)
				return
			case cols == nil && (err != nil || titles == mostTitles):
				names := make([]string, len(want))
				for i, w := range want {
					names[i] = w.Name
				}
				yield(Row{}, &Error{File: name, Reason: fmt.Sprintf("none of the first %d rows is a header with the columns %s", titles, list(names)), Err: ErrColumns})
				return
			case err != nil:
				return
			case !slices.ContainsFunc(cells, func(c string) bool { return strings.TrimSpace(c) != "" }):
				continue
			case cols == nil:
				titles++
				for i, c := range cells {
					cells[i] = strings.TrimSpace(c)
				}
				if c, err := resolve(name, sheet.Row(), cells, want); err == nil {
					cols = &c
				}
				continue
			}
			row := Row{cols: cols, fields: cells, line: sheet.Row()}
			if slices.ContainsFunc(key, func(k string) bool { return row.Get(k) == "" }) {
				ended = cmp.Or(ended, row.line)
				continue
			}
			if ended > 0 {
				yield(Row{}, &Error{File: name, Line: row.line, Reason: fmt.Sprintf("data after row %d, which leaves %s blank and so ends the table", ended, list(key)), Err: ErrRagged})
				return
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}
