package file

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
)

// Memory reads what a file keeps in memory.
type Memory struct{ c *Connection }

var errNoCache = errors.New("the cache is missing")

// cache reads a cache.
func (m *Memory) cache(name string) (data []byte, err error) {
	found := false
	err = m.Query("SELECT data FROM cache WHERE name = ?", func(v []driver.Value) error {
		data, found = v[0].([]byte)
		return nil
	}, name)
	if err == nil && !found {
		err = errNoCache
	}
	return data, err
}

// Query calls scan with each row of a query. The list of values is valid until it returns,
// the values stay.
func (m *Memory) Query(sql string, scan func([]driver.Value) error, args ...driver.Value) error {
	if err := m.c.query(sql, args, scan); err != nil {
		return readError(m.c.path, "a section", err)
	}
	return nil
}

// Index returns the data with a name that is not the result of a query, nil if there is
// none.
func (m *Memory) Index(name string) (data []byte, err error) {
	err = m.Query("SELECT data FROM search_index WHERE name = ?", func(v []driver.Value) error {
		data, _ = v[0].([]byte)
		return nil
	}, name)
	return data, err
}

// Rows reads a cache into structs, whose fields are its columns.
func Rows[T any](m *Memory, name string) ([]T, error) {
	t, err := m.Table(name, width(reflect.TypeFor[T]()))
	if err != nil || t.Rows == 0 {
		return nil, err
	}
	return AppendRows[T](nil, t, 0, t.Rows), nil
}

// EncodeRows encodes structs column by column.
func EncodeRows[T any](rows []T) []byte {
	columns := make([][]driver.Value, width(reflect.TypeFor[T]()))
	for k := range columns {
		columns[k] = make([]driver.Value, 0, len(rows))
	}
	var values []driver.Value
	for i := range rows {
		values = Values(values[:0], &rows[i])
		for k, v := range values {
			columns[k] = append(columns[k], v)
		}
	}
	return encodeVectors(columns, len(rows))
}

// DecodeRows decodes structs that [EncodeRows] or a cache has.
func DecodeRows[T any](data []byte) ([]T, error) {
	t, err := DecodeTable[T](data)
	if err != nil || t.Rows == 0 {
		return nil, err
	}
	return AppendRows[T](nil, t, 0, t.Rows), nil
}

// A Table is a cache whose values are read one by one. It takes little more memory than
// its bytes in the file.
type Table struct {
	Rows    int
	columns []vector
}

// Table reads a cache with a number of columns. An empty cache may have none.
func (m *Memory) Table(name string, columns int) (*Table, error) {
	data, err := m.cache(name)
	if err != nil {
		return nil, fmt.Errorf("cache %s: %w", name, err)
	}
	const alike = 1 << 20
	t, err := decodeTable(data, columns, alike)
	if err != nil {
		return nil, fmt.Errorf("cache %s: %w", name, err)
	}
	return t, nil
}

// DecodeTable decodes what [EncodeRows] has made of structs, but not its rows.
func DecodeTable[T any](data []byte) (*Table, error) {
	const alike = 1 << 16
	t, err := decodeTable(data, width(reflect.TypeFor[T]()), alike)
	if err != nil {
		return nil, err
	}
	for i := range t.columns {
		if v := &t.columns[i]; v.form == vectorTexts && !v.packed.below(uint64(len(v.texts)), t.Rows) {
			return nil, ErrRange
		}
	}
	return t, nil
}

// decodeTable decodes a table of at most alike rows, or 64 for each byte. Rows that are alike
// take no bytes.
func decodeTable(data []byte, columns, alike int) (*Table, error) {
	const mostOfByte = 64
	d, text := Decoder{B: data}, string(data)
	t := &Table{Rows: int(d.Max(uint64(max(alike, mostOfByte*len(data)))))}
	found := int(d.Uint())
	switch {
	case d.Err != nil:
		return nil, d.Err
	case t.Rows == 0:
		t.columns = make([]vector, columns)
		return t, nil
	case found != columns:
		return nil, ErrRange
	}
	t.columns = make([]vector, columns)
	for i := range t.columns {
		t.columns[i] = decodeVector(&d, text, t.Rows)
	}
	if err := d.End(); err != nil {
		return nil, err
	}
	return t, nil
}

// After returns the columns behind one.
func (t *Table) After(column int) *Table { return &Table{t.Rows, t.columns[column+1:]} }

// Text returns a value of a column of texts, "" for NULL.
func (t *Table) Text(column, row int) string { return t.columns[column].text(row) }

// Number returns a value of a column of numbers, and whether it is known.
func (t *Table) Number(column, row int) (int64, bool) { return t.columns[column].number(row) }

// Float returns a value of a column of numbers or floats, 0 for NULL.
func (t *Table) Float(column, row int) float64 { return t.columns[column].float(row) }

// Find returns the row of a text in a column of ascending texts, or the row before which
// it would come.
func (t *Table) Find(column int, text string) (row int, ok bool) {
	if t.Rows == 0 {
		return 0, false
	}
	return t.columns[column].find(text, t.Rows)
}

// encodeCaches calls f with the caches of a query.
func (c *Connection) encodeCaches(q Query, f func(name string, data []byte) error) error {
	if q.Each == "" {
		data, err := c.encodeCache(q.SQL)
		if err != nil {
			return fmt.Errorf("cache %s: %w", q.Name, err)
		}
		return f(q.Name, data)
	}
	type part struct {
		name   string
		number driver.Value
	}
	var parts []part
	err := c.query(q.Each, nil, func(v []driver.Value) error {
		name, _ := v[0].(string)
		parts = append(parts, part{q.Name + "." + name, v[1]})
		return nil
	})
	for i := 0; i < len(parts) && err == nil; i++ {
		var data []byte
		if data, err = c.encodeCache(q.SQL, parts[i].number); err != nil {
			return fmt.Errorf("cache %s: %w", parts[i].name, err)
		}
		err = f(parts[i].name, data)
	}
	return err
}

func (c *Connection) encodeCache(sql string, args ...driver.Value) ([]byte, error) {
	var columns [][]driver.Value
	rows := 0
	err := c.query(sql, args, func(values []driver.Value) error {
		if columns == nil {
			columns = make([][]driver.Value, len(values))
		}
		for i, v := range values {
			columns[i] = append(columns[i], v)
		}
		rows++
		return nil
	})
	return encodeVectors(columns, rows), err
}
