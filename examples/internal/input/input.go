package input

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
)

// Dataset opens the dataset that POSTGEO_DATA names, else the sample.
func Dataset() (*postgeo.DB, error) {
	if path := os.Getenv("POSTGEO_DATA"); path != "" {
		return postgeo.Open(path)
	}
	return postgeo.OpenSample()
}

// A Table is a CSV file that is read row by row.
type Table struct {
	Name   string // of the file, for errors
	Header []string
	rows   *csv.Reader
	line   int
}

// Read reads the header of a table that has to have the columns. A byte order
// mark, as spreadsheets write it, is removed from the first name. Letter case
// and spaces around names are ignored.
func Read(name string, r io.Reader, columns ...string) (*Table, error) {
	// Most tables that don't open are not CSV at all, so the first bytes give better errors
	// than the parser would.
	in := bufio.NewReader(r)
	head, err := in.Peek(3)
	switch {
	case errors.Is(err, io.EOF) && len(head) == 0:
		return nil, fmt.Errorf("%s is empty; expected a row with the columns %s", name, strings.Join(columns, ", "))
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s: %w", name, err)
	case strings.HasPrefix(string(head), "PK"): // a ZIP archive, which .xlsx is
		return nil, fmt.Errorf("%s is a spreadsheet; save it as CSV", name)
	case strings.HasPrefix(string(head), "\xff\xfe"), strings.HasPrefix(string(head), "\xfe\xff"):
		return nil, fmt.Errorf("%s is in UTF-16; save it as CSV in UTF-8", name)
	case string(head) == "\ufeff":
		if _, err := in.Discard(len(head)); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	t := &Table{Name: name, rows: csv.NewReader(in)}
	if t.Header, err = t.rows.Read(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, c := range columns {
		if t.column(c) >= 0 {
			continue
		}
		if len(t.Header) == 1 && strings.ContainsAny(t.Header[0], ";\t") {
			return nil, fmt.Errorf("%s: the cells of the first row are not separated by commas: %q; save it as CSV with commas", name, t.Header[0])
		}
		return nil, fmt.Errorf("%s: the columns are %s, expected one of them to be %s", name, strings.Join(t.Header, ", "), c)
	}
	return t, nil
}

func (t *Table) column(name string) int {
	return slices.IndexFunc(t.Header, func(h string) bool { return strings.EqualFold(strings.TrimSpace(h), name) })
}

// Next returns the next row, io.EOF behind the last one. Every row has as many
// cells as the header.
func (t *Table) Next() ([]string, error) {
	row, err := t.rows.Read()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: %w", t.Name, err)
	}
	t.line, _ = t.rows.FieldPos(0) // not a count of rows: a quoted cell can have several lines
	return row, err
}

// Cell returns the cell of a row in a column passed to [Read].
func (t *Table) Cell(row []string, column string) string {
	return strings.TrimSpace(row[t.column(column)])
}

// Errorf returns an error about the row that was read last.
func (t *Table) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s, line %d: %w", t.Name, t.line, fmt.Errorf(format, args...))
}
