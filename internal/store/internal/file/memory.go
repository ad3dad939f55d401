package file

import (
	"database/sql/driver"
	"fmt"
	"reflect"
)

// Blob returns the data with a name in a table, the caches or the search indexes.
func (c *Connection) Blob(table, name string) (data []byte, err error) {
	found := false
	err = c.Query("SELECT data FROM "+table+" WHERE name = ?", func(v []driver.Value) error {
		data, found = v[0].([]byte)
		return nil
	}, name)
	if err == nil && !found {
		err = fmt.Errorf("%s is missing in the table %s", name, table)
	}
	return data, err
}

// Rows reads a cache into structs, whose fields are its columns.
func Rows[T any](c *Connection, name string) ([]T, error) { return allRows[T](Cached[T](c, name)) }

// Cached reads a cache whose columns are the fields of a struct. An empty cache may have none.
func Cached[T any](c *Connection, name string) (t *Table, err error) {
	// Rows that are all alike take no bits, so their number alone could claim any memory. Caches
	// have up to a million rows: the full postal codes of a country in one place, say.
	const alike = 1 << 20
	data, err := c.Blob("cache", name)
	if err == nil {
		t, err = decodeTable(data, layoutOf(reflect.TypeFor[T]()), alike)
	}
	if err != nil {
		return nil, fmt.Errorf("cache %s: %w", name, err)
	}
	return t, nil
}

// EncodeCaches calls f with the caches of the tables that a connection reads.
func (f *File) EncodeCaches(c *Connection, each func(name string, data []byte) error) error {
	for i := range f.Parts {
		for _, q := range f.Parts[i].Queries {
			if err := c.encodeCaches(q, each); err != nil {
				return err
			}
		}
	}
	return nil
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
	err := c.Query(q.Each, func(v []driver.Value) error {
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
	var columns []builder
	rows := 0
	err := c.Query(sql, func(values []driver.Value) error {
		if columns == nil {
			columns = make([]builder, len(values))
		}
		for i, v := range values {
			columns[i].value(v)
		}
		rows++
		return nil
	}, args...)
	var e encoder
	e.uint(uint64(rows))
	e.uint(uint64(len(columns)))
	for i := range columns {
		columns[i].encode(&e)
	}
	return e.b, err
}
