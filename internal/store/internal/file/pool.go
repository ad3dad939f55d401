package file

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"sync"
)

// maxConnections is how many connections read at once; further readers wait.
// A point read takes microseconds, so that this many keep a disk busy.
const maxConnections = 32

// A pool hands out connections to the file. They are opened when they are
// first needed and kept until the pool is closed.
type pool struct {
	pages *pages
	dsn   string
	slots chan struct{} // holds one element for each Connection in use, and all after close
	stop  chan struct{} // closed by close
	done  func() error  // closes the file

	mu   sync.Mutex    // guards idle, and the closing of stop
	idle []*Connection // the last used is used first: it has warm pages
}

func newPool(pages *pages, dsn string, done func() error, first *Connection) *pool {
	return &pool{
		pages: pages, dsn: dsn, done: done, slots: make(chan struct{}, maxConnections), stop: make(chan struct{}), idle: []*Connection{first},
	}
}

func (p *pool) closedError() error { return fmt.Errorf("%w: %s", ErrClosed, p.pages.path) }

func (p *pool) usable() error {
	select {
	case <-p.stop:
		return p.closedError()
	default:
		return nil
	}
}

// Use calls f with a Connection, which is f's until it returns.
func (p *pool) Use(ctx context.Context, f func(*Connection) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case p.slots <- struct{}{}:
	case <-p.stop:
		return p.closedError()
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-p.slots }()
	if err := p.usable(); err != nil { // select takes any case that is ready, so a slot after close too
		return err
	}
	c := p.swap(nil)
	if c == nil {
		var err error
		if c, err = p.pages.connect(p.dsn); err != nil {
			return err
		}
	}
	err := f(c)
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrUnreadable) {
		_ = c.Close() // it only read, and may keep the damaged page in memory
	} else {
		p.swap(c)
	}
	return err
}

// swap puts a connection among the idle ones, or takes one from them, nil if there is none.
func (p *pool) swap(c *Connection) *Connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c != nil {
		p.idle = append(p.idle, c)
		return nil
	}
	if n := len(p.idle); n > 0 {
		c, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	return c
}

// scan calls f as Use does, with a context that ends when the pool is closed: a verification
// takes seconds, and Close would wait for it.
func (p *pool) scan(ctx context.Context, f func(context.Context, *Connection) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() {
		select {
		case <-p.stop:
			cancel(p.closedError())
		case <-ctx.Done():
		}
	}()
	err := p.Use(ctx, func(c *Connection) error { return f(ctx, c) })
	if err != nil && errors.Is(context.Cause(ctx), ErrClosed) {
		return context.Cause(ctx)
	}
	return err
}

// close waits for the readers and closes all connections. A second close does
// nothing. It waits by taking all slots, and keeps them: no reader can start after it.
func (p *pool) close() error {
	p.mu.Lock()
	if p.usable() != nil {
		p.mu.Unlock()
		return nil
	}
	close(p.stop)
	p.mu.Unlock()
	for range maxConnections {
		p.slots <- struct{}{}
	}
	var errs []error
	for _, c := range p.idle {
		errs = append(errs, c.Close())
	}
	return errors.Join(append(errs, p.done())...)
}

// A Connection is one handle of SQLite on the file. Only one goroutine at a
// time may use it.
type Connection struct {
	path  string // for errors
	pages *pages // nil while a file is written
	conn  driver.Conn
	stmts map[string]statement // by their SQL
}

type statement interface {
	driver.Stmt
	driver.StmtQueryContext
	driver.StmtExecContext
}

// Connect opens a DSN through the driver itself: a point read through
// database/sql costs about as much again in locks and conversions.
func Connect(engine Engine, path, dsn string) (*Connection, error) {
	conn, err := engine.Open(dsn)
	if err != nil {
		return nil, readError(path, "the file", err)
	}
	return &Connection{path: path, conn: conn, stmts: map[string]statement{}}, nil
}

// Close closes the connection.
func (c *Connection) Close() error {
	var errs []error
	for _, s := range c.stmts {
		errs = append(errs, s.Close())
	}
	return errors.Join(append(errs, c.conn.Close())...)
}

// prepare prepares a statement once.
func (c *Connection) prepare(sql string) (statement, error) {
	if s := c.stmts[sql]; s != nil {
		return s, nil
	}
	p, err := c.conn.Prepare(sql)
	if err != nil {
		return nil, c.pages.cause(err)
	}
	s, ok := p.(statement)
	if !ok {
		return nil, errors.Join(errors.New("dataset: the SQLite driver lacks statements with a context"), p.Close())
	}
	c.stmts[sql] = s
	return s, nil
}

func named(into []driver.NamedValue, values []driver.Value) []driver.NamedValue {
	for i, v := range values {
		into = append(into, driver.NamedValue{Ordinal: i + 1, Value: v})
	}
	return into
}

// Exec runs a statement.
func (c *Connection) Exec(sql string, values ...driver.Value) error {
	stmt, err := c.prepare(sql)
	if err == nil {
		_, err = stmt.ExecContext(context.Background(), named(nil, values))
	}
	return c.pages.cause(err)
}

// Query calls scan with each row of a query. The list of values is valid until it returns,
// the values stay.
func (c *Connection) Query(sql string, scan func([]driver.Value) error, args ...driver.Value) error {
	stmt, err := c.prepare(sql)
	if err != nil {
		return err
	}
	var room [4]driver.NamedValue
	// A point read takes microseconds; the caller's context is looked at before it. The
	// driver would start a goroutine to watch it.
	rows, err := stmt.QueryContext(context.Background(), named(room[:0], args))
	if err != nil {
		return c.pages.cause(err)
	}
	var few [1]driver.Value // most point reads have one column, the data of a row
	values := few[:]
	if n := len(rows.Columns()); n > 1 {
		values = make([]driver.Value, n)
	}
	for err == nil {
		if err = rows.Next(values); err == nil {
			err = scan(values)
		}
	}
	if closeErr := rows.Close(); errors.Is(err, io.EOF) {
		err = closeErr
	}
	return c.pages.cause(err)
}
