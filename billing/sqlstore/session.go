package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// A session is a connection, or the pool for single statements.
type session struct {
	s    *Store
	conn interface {
		QueryContext(context.Context, string, ...any) (*sql.Rows, error)
		ExecContext(context.Context, string, ...any) (sql.Result, error)
	}
	broken     error // of a statement of the open transaction
	committing bool  // COMMIT was sent: a later error may follow a commit
	row        Row

	// Of the one writer of a file.
	prepared         map[string]*sql.Stmt // nil: the driver keeps prepared statements
	full             bool                 // commits wait for the disk
	synced           time.Time            // the last one that did
	ended, busySince time.Time            // the last commit, and the first without a pause
}

// A dbError is an error of the database or of the connection, not of the call.
type dbError struct {
	s   *Store
	err error
}

func (e *dbError) Error() string { return e.s.d.name + ": " + e.s.where + ": " + e.err.Error() }
func (e *dbError) Unwrap() error { return e.err }

func (c *session) failed(err error) error {
	var known *dbError
	if err != nil && !errors.As(err, &known) {
		err = &dbError{c.s, err}
	}
	if err != nil && c.broken == nil {
		c.broken = err
	}
	return err
}

func (c *session) prepare(text string) (*sql.Stmt, error) {
	if st, ok := c.prepared[text]; ok {
		return st, nil
	}
	conn, ok := c.conn.(*sql.Conn)
	if !ok {
		return nil, errors.New("no connection")
	}
	st, err := conn.PrepareContext(context.Background(), text)
	if err == nil {
		c.prepared[text] = st
	}
	return st, err
}

// Query calls f for every row. f must not use the session.
func (c *session) Query(ctx context.Context, f func(*Row) error, text string, args ...any) error {
	rows, err := c.rows(ctx, text, values(args))
	if err != nil {
		return c.failed(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return c.failed(err)
	}
	r := &c.row
	if c.prepared == nil { // the pool, which several calls use
		r = new(Row)
	}
	r.resize(len(columns))
	for rows.Next() {
		if err := rows.Scan(r.to...); err != nil {
			return c.failed(err)
		}
		r.at = 0
		if err := f(r); err != nil {
			return err
		}
		if r.err != nil {
			return c.failed(r.err)
		}
	}
	return c.failed(rows.Err())
}

func (c *session) rows(ctx context.Context, text string, args []any) (*sql.Rows, error) {
	if c.prepared == nil {
		return c.conn.QueryContext(ctx, text, args...)
	}
	st, err := c.prepare(text) //nolint:sqlclosecheck // the session keeps its statements and closes them
	if err != nil {
		return nil, err
	}
	return st.QueryContext(context.Background(), args...) // the driver starts a goroutine for other contexts
}

// Exec runs a statement and returns the number of rows that it changed.
func (c *session) Exec(ctx context.Context, text string, args ...any) (int64, error) {
	res, err := c.exec(ctx, text, values(args))
	if err != nil {
		return 0, c.failed(err)
	}
	n, err := res.RowsAffected()
	return n, c.failed(err)
}

func (c *session) exec(ctx context.Context, text string, args []any) (sql.Result, error) {
	if c.prepared == nil {
		return c.conn.ExecContext(ctx, text, args...)
	}
	st, err := c.prepare(text) //nolint:sqlclosecheck // the session keeps its statements and closes them
	if err != nil {
		return nil, err
	}
	return st.ExecContext(context.Background(), args...)
}

// values translates arguments to their columns.
func values(args []any) []any {
	for i, a := range args {
		switch a := a.(type) {
		case bool:
			args[i] = int64(0)
			if a {
				args[i] = int64(1)
			}
		case time.Time:
			args[i] = a.UnixMilli()
		case optional:
			if t := time.Time(a); t.IsZero() {
				args[i] = nil
			} else {
				args[i] = t.UnixMilli()
			}
		case expiry:
			if t := time.Time(a); t.IsZero() {
				args[i] = int64(never64)
			} else {
				args[i] = t.UnixMilli()
			}
		case hour:
			args[i] = time.Time(a).Unix() / 3600
		}
	}
	return args
}

// never64 is the time when grants expire that never do.
const never64 = math.MaxInt64

// close closes the session's connection.
func (c *session) close() error {
	var errs []error
	for _, st := range c.prepared {
		errs = append(errs, st.Close())
	}
	if conn, ok := c.conn.(*sql.Conn); ok {
		errs = append(errs, conn.Close())
	}
	return errors.Join(errs...)
}

// acquire returns a session for a transaction, which release gives back.
func (s *Store) acquire(ctx context.Context) (*session, error) {
	if !s.d.oneWriter {
		c := &session{s: s}
		conn, err := s.db.Conn(ctx)
		if err != nil {
			return nil, c.failed(err)
		}
		c.conn = conn
		return c, nil
	}
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, &dbError{s, ctx.Err()}
	}
	if s.writer == nil {
		c := &session{s: s, prepared: map[string]*sql.Stmt{}}
		conn, err := s.db.Conn(ctx)
		if err == nil {
			// SQLite's own waits get so long that a busy server would lock out
			// the command line.
			c.conn = conn
			_, err = conn.ExecContext(ctx, "PRAGMA busy_timeout = 0")
		}
		if err != nil {
			<-s.turn
			return nil, c.failed(err)
		}
		s.writer, c.full = c, s.o.Strict
	}
	s.writer.broken, s.writer.committing = nil, false
	return s.writer, nil
}

func (s *Store) release(c *session) {
	if s.d.oneWriter {
		<-s.turn
		return
	}
	_ = c.close() // gives the connection back
}

// rollbackTimeout limits the time of a rollback. A slower connection is closed,
// which rolls back as well.
const rollbackTimeout = time.Second

// try runs f in a transaction. With full the commit waits for the disk.
func (s *Store) try(ctx context.Context, full bool, f func(context.Context, *session) error) (committing bool, err error) {
	c, err := s.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer s.release(c)
	if err = s.d.begin(ctx, s, c, full); err != nil {
		if !s.d.oneWriter {
			c.discard()
		}
		return false, err
	}
	if err = f(ctx, c); err == nil {
		err = c.broken
	}
	if err == nil {
		c.committing = true
		_, err = c.Exec(ctx, "COMMIT")
		c.ended = time.Now()
	}
	if err == nil {
		return true, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
	defer cancel()
	if _, undone := c.Exec(ctx, "ROLLBACK"); undone != nil && !s.d.oneWriter { // SQLite may have rolled back itself
		c.discard()
	}
	return c.committing, err
}

// discard closes the connection, not only the session.
func (c *session) discard() {
	if conn, ok := c.conn.(*sql.Conn); ok {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// Maximum numbers of retries after a conflict and after a lost connection.
const (
	maxConflicts = 20
	maxBroken    = 4
)

// transact runs f in a transaction until it succeeds or fails for good. It
// continues when a caller leaves, so that callers always learn the result. f may
// run more than once.
func (s *Store) transact(full bool, f func(context.Context, *session) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.o.Timeout)
	defer cancel()
	doubt := false // whether an earlier attempt may have been committed
	broken := 0
	for attempt := 0; ; attempt++ {
		committing, err := s.try(ctx, full, f)
		if err == nil {
			return nil
		}
		doubt = doubt || committing && !s.d.refused(err)
		switch {
		case s.d.conflict(err):
			if attempt >= maxConflicts {
				return s.outcome(ctx, err, doubt)
			}
		case s.d.broken(err):
			if broken++; broken > maxBroken && !doubt {
				return s.outcome(ctx, err, doubt)
			}
		case s.d.away(err) && doubt: // the next attempt resolves the doubt
		default:
			return s.outcome(ctx, err, doubt)
		}
		pause := time.Duration(1+rand.IntN(2<<min(attempt, 6))) * time.Millisecond
		select {
		case <-ctx.Done():
			return s.outcome(ctx, err, doubt)
		case <-time.After(pause):
		}
	}
}

// outcome converts errors of the database to those of billing.Store. The store's
// deadline is not the caller's and is hidden.
func (s *Store) outcome(ctx context.Context, err error, doubt bool) error {
	var db *dbError
	if !errors.As(err, &db) {
		return err
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("%s: %s did not respond in time: %v", s.d.name, s.where, db.err) //nolint:errorlint // see above
	}
	return &billing.UnavailableError{Err: err, InDoubt: doubt}
}

// change runs f in a transaction, which is on the disk if change returns nil.
func (s *Store) change(ctx context.Context, f func(context.Context, *session) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.calls.Done()
	return s.transact(true, f)
}

// announced is change for accounts and keys: it increments the revision.
func (s *Store) announced(ctx context.Context, f func(context.Context, *session) error) error {
	return s.change(ctx, func(ctx context.Context, c *session) error {
		if err := f(ctx, c); err != nil {
			return err
		}
		_, err := c.Exec(ctx, "UPDATE settings SET revision = revision + 1")
		return err
	})
}

// read runs f with statements that see everything committed. It may run f again
// after a lost connection.
func (s *Store) read(ctx context.Context, f func(context.Context, *session) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.calls.Done()
	own, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	err := f(own, &session{s: s, conn: s.db})
	for attempt := 0; s.d.broken(err) && attempt < maxBroken && own.Err() == nil; attempt++ {
		err = f(own, &session{s: s, conn: s.db})
	}
	if ctx.Err() != nil && err != nil {
		return ctx.Err()
	}
	return s.outcome(own, err, false)
}
