package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"

	"modernc.org/sqlite"
)

// A Connection is one handle of SQLite on the file. Only one goroutine at a
// time may use it.
type Connection struct {
	path  string // for errors
	conn  driver.Conn
	point map[*RowKind]driver.StmtQueryContext // reads one row of a table
}

// Connect opens the DSN through the driver itself: a point read through
// database/sql costs about as much again in locks and conversions.
func connect(path, dsn string) (*Connection, error) {
	conn, err := new(sqlite.Driver).Open(dsn)
	if err != nil {
		return nil, readError(path, "the file", err)
	}
	return &Connection{path: path, conn: conn, point: map[*RowKind]driver.StmtQueryContext{}}, nil
}

var errNoStatements = errors.New("dataset: the SQLite driver lacks statements with a context")

func (c *Connection) close() error {
	var errs []error
	for _, s := range c.point {
		if s, ok := s.(driver.Stmt); ok {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(append(errs, c.conn.Close())...)
}

func (c *Connection) prepare(sql string) (driver.Stmt, error) { return c.conn.Prepare(sql) }

// Row reads one sealed row and returns its payload. A row that is not there is
// damage: callers ask only for rows that the resident tables promise.
func (c *Connection) Row(t *RowKind, id int64) ([]byte, error) {
	stmt := c.point[t]
	if stmt == nil {
		s, err := c.prepare("SELECT data FROM " + t.Name + " WHERE id = ?")
		if err != nil {
			return nil, readError(c.path, t.Name, err)
		}
		var ok bool
		if stmt, ok = s.(driver.StmtQueryContext); !ok {
			return nil, errors.Join(errNoStatements, s.Close())
		}
		c.point[t] = stmt
	}
	// A point read takes microseconds; the caller's context is looked at
	// before it. The driver would Start a goroutine to watch it.
	rows, err := stmt.QueryContext(context.Background(), []driver.NamedValue{{Ordinal: 1, Value: id}})
	if err != nil {
		return nil, readError(c.path, t.Noun(id), err)
	}
	var dest [1]driver.Value
	err = rows.Next(dest[:])
	if closeErr := rows.Close(); err == nil && closeErr != nil {
		err = closeErr
	}
	if errors.Is(err, io.EOF) {
		return nil, damaged(c.path, "%s is missing", t.Noun(id))
	}
	if err != nil {
		return nil, readError(c.path, t.Noun(id), err)
	}
	data, ok := dest[0].([]byte)
	if !ok {
		return nil, damaged(c.path, "%s is not a blob", t.Noun(id))
	}
	payload, err := Unseal(t.Name, id, data)
	if err != nil {
		return nil, damaged(c.path, "%s: %v", t.Noun(id), err)
	}
	return payload, nil
}

// A Scanner returns the values of one row from left to right. A value of another
// type ends the scan with an error.
type Scanner struct {
	values []driver.Value
	at     int
	err    error
}

func (r *Scanner) next() driver.Value {
	v := r.values[r.at]
	r.at++
	return v
}

func (r *Scanner) wrong(v driver.Value, want string) {
	if r.err == nil {
		r.err = fmt.Errorf("value %d of a row is a %T, expected %s", r.at, v, want)
	}
}

func (r *Scanner) text() string { return valueOf[string](r, "text") }

// Int returns the next value, which must be an integer.
func (r *Scanner) Int() int64 { return valueOf[int64](r, "an integer") }

// Blob takes NULL for an empty one.
func (r *Scanner) Blob() []byte {
	if r.values[r.at] == nil {
		r.at++
		return nil
	}
	return valueOf[[]byte](r, "a blob")
}

func valueOf[V any](r *Scanner, what string) V {
	v := r.next()
	value, ok := v.(V)
	if !ok {
		r.wrong(v, what)
	}
	return value
}

// Each runs a query and calls f for every row.
func (c *Connection) each(ctx context.Context, query string, f func(*Scanner) error) error {
	stmt, err := c.prepare(query)
	if err != nil {
		return err
	}
	defer stmt.Close()
	q, ok := stmt.(driver.StmtQueryContext)
	if !ok {
		return errNoStatements
	}
	rows, err := q.QueryContext(ctx, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	r := Scanner{values: make([]driver.Value, len(rows.Columns()))}
	for {
		if err := rows.Next(r.values); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		r.at = 0
		err := f(&r)
		if r.err != nil {
			return r.err
		}
		if err != nil {
			return err
		}
	}
}
