package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// A conn is one handle of SQLite with its prepared statements. It goes through
// the driver itself: database/sql costs as much again for statements that take
// microseconds. Only one goroutine at a time may use it.
type conn struct {
	path  string
	c     driver.Conn
	stmts map[string]driver.Stmt
	args  []driver.NamedValue
	row   []driver.Value
}

func dial(path, dsn string) (*conn, error) {
	c, err := new(sqlite.Driver).Open(dsn)
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, err)
	}
	return &conn{path: path, c: c, stmts: map[string]driver.Stmt{}}, nil
}

func (c *conn) close() error {
	var errs []error
	for _, s := range c.stmts {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, c.c.Close())...)
}

func (c *conn) stmt(sql string) (driver.Stmt, error) {
	if s, ok := c.stmts[sql]; ok {
		return s, nil
	}
	s, err := c.c.Prepare(sql)
	if err != nil {
		return nil, err
	}
	c.stmts[sql] = s
	return s, nil
}

func (c *conn) bind(args []driver.Value) []driver.NamedValue {
	c.args = c.args[:0]
	for i, a := range args {
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return c.args
}

var errDriver = errors.New("the SQLite driver lacks statements with a context")

// exec runs a statement. The context is not handed on: the driver would start
// a goroutine to watch it.
func (c *conn) exec(sql string, args ...driver.Value) error {
	s, err := c.stmt(sql)
	if err != nil {
		return c.failed(err)
	}
	x, ok := s.(driver.StmtExecContext)
	if !ok {
		return c.failed(errDriver)
	}
	_, err = x.ExecContext(context.Background(), c.bind(args))
	return c.failed(err)
}

// script runs statements that end with semicolons at ends of lines.
func (c *conn) script(text string) error {
	for sql := range strings.SplitSeq(text, ";\n") {
		if strings.TrimSpace(sql) == "" {
			continue
		}
		if err := c.exec(sql); err != nil {
			return err
		}
	}
	return nil
}

// insert runs a statement and returns the id of the new row.
func (c *conn) insert(sql string, args ...driver.Value) (int64, error) {
	s, err := c.stmt(sql)
	if err != nil {
		return 0, c.failed(err)
	}
	x, ok := s.(driver.StmtExecContext)
	if !ok {
		return 0, c.failed(errDriver)
	}
	res, err := x.ExecContext(context.Background(), c.bind(args))
	if err != nil {
		return 0, c.failed(err)
	}
	id, err := res.LastInsertId()
	return id, c.failed(err)
}

// query calls f for every row. f must not use the connection.
func (c *conn) query(f func(*row) error, sql string, args ...driver.Value) error {
	s, err := c.stmt(sql)
	if err != nil {
		return c.failed(err)
	}
	q, ok := s.(driver.StmtQueryContext)
	if !ok {
		return c.failed(errDriver)
	}
	rows, err := q.QueryContext(context.Background(), c.bind(args))
	if err != nil {
		return c.failed(err)
	}
	defer rows.Close()
	n := len(rows.Columns())
	if cap(c.row) < n {
		c.row = make([]driver.Value, n)
	}
	r := row{values: c.row[:n]}
	for {
		if err := rows.Next(r.values); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return c.failed(err)
		}
		r.at = 0
		if err := f(&r); err != nil {
			return err
		}
		if r.err != nil {
			return c.failed(r.err)
		}
	}
}

// failed names the file in an error.
func (c *conn) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqlite: %s: %w", c.path, err)
}

// isBusy reports whether another process has the file's lock.
func isBusy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

// A row hands out the values of one row from left to right.
type row struct {
	values []driver.Value
	at     int
	err    error
}

func scan[T any](r *row) T {
	v := r.values[r.at]
	r.at++
	t, ok := v.(T)
	if !ok && v != nil && r.err == nil {
		r.err = fmt.Errorf("column %d of a row is a %T, expected a %T", r.at, v, t)
	}
	return t
}

func (r *row) text() string { return scan[string](r) }
func (r *row) int() int64   { return scan[int64](r) }
func (r *row) blob() []byte { return scan[[]byte](r) }
func (r *row) bool() bool   { return scan[int64](r) != 0 }

// time reads milliseconds of the Unix clock; NULL is the zero time.
func (r *row) time() time.Time {
	if r.values[r.at] == nil {
		r.at++
		return time.Time{}
	}
	return time.UnixMilli(r.int()).UTC()
}

// millis is what time reads.
func millis(t time.Time) driver.Value {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
