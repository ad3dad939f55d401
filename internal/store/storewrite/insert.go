package storewrite

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// keys are the keys of the rows of small tables, whose identifiers are positions from 1.
type keys struct{ states, counties, cbsas, divisions []string }

// setKeys adds the keys of the rows of a table.
func setKeys[T any](into *[]string, rows []T, key func(*T) string) {
	for i := range rows {
		*into = append(*into, key(&rows[i]))
	}
}

// column returns the column of a value that has another form in the file: an identifier, in
// whose place the file has the key of the row, or a number with a name.
func (w *Writer) column(v any) (column driver.Value, other bool, err error) {
	switch x := v.(type) {
	case store.StateID:
		column, err = keyOf("state", w.keys.states, int(x))
	case store.CountyID:
		column, err = keyOf("county", w.keys.counties, int(x))
	case store.CBSAID:
		column, err = keyOf("cbsa", w.keys.cbsas, int(x))
	case store.DivisionID:
		column, err = keyOf("division", w.keys.divisions, int(x))
	case store.Class:
		column = x.Letter()
	case store.Tri:
		if x != store.Unknown {
			column = int64(x - store.No)
		}
	case store.Country, store.EntityKind, store.Code, postcode.ZIP, postcode.FSA, postcode.PostalCode:
		column = fmt.Sprint(x)
	default:
		return nil, false, nil
	}
	return column, true, err
}

// keyOf returns the key of a row, nil for 0.
func keyOf(table string, keys []string, id int) (driver.Value, error) {
	switch {
	case id == 0:
		return nil, nil
	case id > len(keys):
		return nil, file.Invalid("a row refers to %s %d, which does not exist", table, id)
	default:
		return keys[id-1], nil
	}
}

// insert adds a row to a table. Its columns are those of the parts: values, and pointers to
// structs. A row that the schema refuses is an error that matches [store.ErrInvalidRow].
func (w *Writer) insert(table string, parts ...any) error {
	if err := w.usable(); err != nil {
		return err
	}
	w.err = w.tryInsert(table, parts)
	return w.err
}

func (w *Writer) tryInsert(table string, parts []any) error {
	values, err := w.columns(parts)
	if err != nil {
		return fmt.Errorf("table %s: %w", table, err)
	}
	for _, v := range values {
		if s, ok := v.(string); ok && (!utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0) {
			return file.Invalid("table %s: the text %q is not UTF-8 without zero bytes", table, s)
		}
	}
	sql := "INSERT INTO " + table + " VALUES (?" + strings.Repeat(",?", len(values)-1) + ")"
	switch err := w.db.Exec(sql, values...); {
	case file.IsConstraint(err):
		return fmt.Errorf("%w: table %s: %w: %v", store.ErrInvalidRow, table, err, values[0])
	case err != nil:
		return fmt.Errorf("dataset: writing %s: table %s: %w", w.part, table, err)
	}
	return nil
}

// insertAll adds the rows of a table whose identifiers are positions from 1.
func insertAll[T any](w *Writer, table string, rows []T) error {
	for i := range rows {
		if err := w.insert(table, i+1, &rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// insertList adds the rows of a list of a code.
func insertList[T any](w *Writer, table string, code any, list []T) error {
	for i := range list {
		if err := w.insert(table, code, i, &list[i]); err != nil {
			return err
		}
	}
	return w.usable()
}

// clear removes the rows of the extended file.
func (w *Writer) clear(tables ...string) error {
	for _, table := range tables {
		if err := w.db.Exec("DELETE FROM " + table); err != nil {
			return fmt.Errorf("dataset: writing %s: table %s: %w", w.part, table, err)
		}
	}
	return nil
}

// afterwards adds writes of rows that refer to others.
func (w *Writer) afterwards(write func() error) error {
	w.later = append(w.later, write)
	return w.usable()
}
