package foreign

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Rows are rows of a database, such as those of database/sql.
type Rows interface {
	Columns() ([]string, error)
	Next() bool
	Scan(targets ...any) error
	Err() error
}

// Print writes the names of the columns and the rows as a table, or as CSV.
func Print(rows Rows, csvs bool, out io.Writer) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0) // columns are two spaces apart
	write, end, null := func(cells []string) error {
		_, err := fmt.Fprintln(table, strings.Join(cells, "\t"))
		return err
	}, table.Flush, "NULL"
	if csvs {
		w := csv.NewWriter(out)
		write, null = w.Write, ""
		end = func() error {
			w.Flush()
			return w.Error()
		}
	}
	cells, err := rows.Columns()
	if err != nil {
		return err
	}
	if err := write(cells); err != nil {
		return err
	}
	values, targets := make([]any, len(cells)), make([]any, len(cells))
	for i := range values {
		targets[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		for i, v := range values {
			cells[i] = cell(v, null)
		}
		if err := write(cells); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), end())
}

// cell returns a value as text. Objects and lists are JSON.
func cell(v any, null string) string {
	switch v := v.(type) {
	case nil:
		return null
	case []byte:
		return string(v)
	case map[string]any, []any:
		if object, err := json.Marshal(v); err == nil {
			return string(object)
		}
	}
	return fmt.Sprint(v)
}
