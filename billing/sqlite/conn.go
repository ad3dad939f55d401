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

	"github.com/postgeo/postgeo/billing/internal/store"
)

// A conn is a connection to SQLite with its prepared statements. It calls the
// driver directly: database/sql doubles the cost of statements that take
// microseconds. Only one goroutine at a time may use it.
type conn struct {
	path  string
	c     driver.Conn
	stmts map[string]driver.Stmt
	args  []driver.NamedValue
	next  []driver.Value
	row   store.Row
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

func (c *conn) bind(args []any) []driver.NamedValue {
	c.args = c.args[:0]
	for i, a := range args {
		c.args = append(c.args, driver.NamedValue{Ordinal: i + 1, Value: value(a)})
	}
	return c.args
}

// value returns the column value of an argument: booleans are 0 or 1, times are
// milliseconds of the Unix clock.
func value(a any) driver.Value {
	switch a := a.(type) {
	case int:
		return int64(a)
	case bool:
		if a {
			return int64(1)
		}
		return int64(0)
	case time.Time:
		return a.UnixMilli()
	case store.Optional:
		return nullable(time.Time(a))
	case store.Expiry:
		return nullable(time.Time(a))
	case store.Hour:
		return time.Time(a).Unix() / 3600
	}
	return a
}

func nullable(t time.Time) driver.Value {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

var errDriver = errors.New("the SQLite driver lacks statements with a context")

// exec runs a statement. The driver does not get the caller's context, because
// it would start a goroutine for it.
func (c *conn) exec(sql string, args ...any) error {
	_, err := c.result(sql, args)
	return err
}

func (c *conn) result(sql string, args []any) (driver.Result, error) {
	s, err := c.stmt(sql)
	if err != nil {
		return nil, c.failed(err)
	}
	x, ok := s.(driver.StmtExecContext)
	if !ok {
		return nil, c.failed(errDriver)
	}
	res, err := x.ExecContext(context.Background(), c.bind(args))
	return res, c.failed(err)
}

// script runs statements, each of which ends with a semicolon and a line feed.
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

// query calls f for every row. f must not use the connection.
func (c *conn) query(f func(*store.Row) error, sql string, args ...any) error {
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
	if cap(c.next) < n {
		c.next, c.row.Values = make([]driver.Value, n), make([]any, n)
	}
	next, r := c.next[:n], &c.row
	r.Values, r.Err = r.Values[:n], nil
	for {
		if err := rows.Next(next); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return c.failed(err)
		}
		for i, v := range next {
			r.Values[i] = v
		}
		r.Reset()
		if err := f(r); err != nil {
			return err
		}
		if r.Err != nil {
			return c.failed(r.Err)
		}
	}
}

// Query implements store.Queries.
func (c *conn) Query(_ context.Context, f func(*store.Row) error, sql string, args ...any) error {
	return c.query(f, sql, args...)
}

// Exec implements store.Queries.
func (c *conn) Exec(_ context.Context, sql string, args ...any) (int64, error) {
	res, err := c.result(sql, args)
	if err != nil {
		return 0, err
	}
	n, err := res.RowsAffected()
	return n, c.failed(err)
}

func (c *conn) failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("sqlite: %s: %w", c.path, err)
}

// isBusy reports whether another process holds the file's lock.
func isBusy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}
