package storewrite

import (
	"database/sql/driver"
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// column returns the column of a value that has another form in the file: an identifier, in
// whose place the file has the key of the row, or a number with a name. So every SQL tool reads
// state = 'CA' and not a number that another file may give to another state.
func (w *Writer) column(v any) (column driver.Value, other bool, err error) {
	switch x := v.(type) {
	case store.StateID:
		column, err = w.keyOf("state", int(x))
	case store.CountyID:
		column, err = w.keyOf("county", int(x))
	case store.CBSAID:
		column, err = w.keyOf("cbsa", int(x))
	case store.DivisionID:
		column, err = w.keyOf("division", int(x))
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

// keyOf returns the key of a row of a table with keys, nil for 0.
func (w *Writer) keyOf(table string, id int) (driver.Value, error) {
	switch {
	case id == 0:
		return nil, nil
	case id > len(w.keys[table]):
		return nil, file.Invalid("a row refers to %s %d, which does not exist", table, id)
	default:
		return w.keys[table][id-1], nil
	}
}

// insert adds a row to a table. Its columns are those of the parts: values, and pointers to
// structs. A row that the schema refuses is an error that matches [store.ErrInvalidRow].
func (w *Writer) insert(table string, parts ...any) error {
	if err := w.usable(); err != nil {
		return err
	}
	values, err := w.columns(parts)
	if err != nil {
		return fmt.Errorf("table %s: %w", table, err)
	}
	// SQLite takes any bytes as a text, and its functions end a text at a zero byte.
	for _, v := range values {
		if s, ok := v.(string); ok && (!utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0) {
			return file.Invalid("table %s: the text %q is not UTF-8 without zero bytes", table, s)
		}
	}
	err = w.db.Exec("INSERT INTO "+table+" VALUES (?"+strings.Repeat(",?", len(values)-1)+")", values...)
	if file.IsConstraint(err) {
		return fmt.Errorf("%w: table %s: %w: %v", store.ErrInvalidRow, table, err, values[0])
	}
	if keys, ok := w.keys[table]; ok {
		w.keys[table] = append(keys, values[1])
	}
	return w.failed(err)
}

// columns returns the columns of parts.
func (w *Writer) columns(parts []any) (into []driver.Value, err error) {
	for _, p := range parts {
		switch p := p.(type) {
		case nil, string, int64, float64, []byte:
			into = append(into, p)
		default:
			if into, err = file.AppendColumns(into, reflect.Indirect(reflect.ValueOf(p)), w.column); err != nil {
				return nil, err
			}
		}
	}
	return into, nil
}

// insertAll adds the rows of a table whose identifiers are positions from 1.
func insertAll[T any](w *Writer, table string, rows []T) error {
	for i := range rows {
		if err := w.insert(table, i+1, &rows[i]); err != nil {
			return err
		}
	}
	return w.usable()
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

// clear removes the rows of a table. A condition with values may follow its name.
func (w *Writer) clear(table string, values ...driver.Value) error {
	err := w.usable()
	if err == nil {
		err = w.db.Exec("DELETE FROM "+table, values...)
	}
	return w.failed(err)
}

// failed returns an error of the file.
func (w *Writer) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("dataset: writing %s: %w", w.part, err)
}
