package billing

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// A conn is a connection in use. One goroutine at a time uses it. PostgreSQL's
// connections come from the pool of database/sql for each transaction. The writer of a file
// keeps one for good, with prepared statements: other connections only read.
type conn struct {
	*sql.Conn
	s *Store

	// broken is the first error of a statement of the open transaction. It is kept because
	// PostgreSQL refuses all later statements with an error that hides the cause, and
	// because a failed statement must not be committed by a caller that ignores it.
	broken error

	// Of the one writer of a file.
	prepared         map[string]*sql.Stmt // nil: the driver keeps prepared statements
	full             bool                 // commits wait for the disk
	synced           time.Time            // the last one that did
	ended, busySince time.Time            // the last commit, and the first without a pause

	// The books of the last transactions, by account. They are those of the tables if the
	// file still has this version, because no other process has written then.
	books   map[string]*book
	version uint32
	booksAt time.Time // the time of the last of these transactions
}

// A dbError is an error of the database or of the connection, not of the call.
type dbError struct {
	s   *Store
	err error
}

func (e *dbError) Error() string { return e.s.d.name + ": " + e.s.where + ": " + e.err.Error() }
func (e *dbError) Unwrap() error { return e.err }

// failed notes and returns an error of the database. Errors of scan functions do not pass
// through it: they are errors of the caller.
func (c *conn) failed(err error) error {
	if err == nil {
		return nil
	}
	if known := new(dbError); !errors.As(err, &known) {
		err = &dbError{c.s, err}
	}
	if c.broken == nil {
		c.broken = err
	}
	return err
}

func (c *conn) prepare(text string) (*sql.Stmt, error) {
	if st, ok := c.prepared[text]; ok {
		return st, nil
	}
	st, err := c.PrepareContext(context.Background(), text)
	if err == nil {
		c.prepared[text] = st
	}
	return st, err
}

// query calls scan for every row. scan must not use the connection.
func (c *conn) query(ctx context.Context, scan func(*sql.Rows) error, text string, args ...any) error {
	var rows *sql.Rows
	var err error
	if c.prepared == nil {
		rows, err = c.QueryContext(ctx, text, args...)
	} else if st, failed := c.prepare(text); failed != nil { //nolint:sqlclosecheck // the connection keeps its statements and closes them
		err = failed
	} else {
		rows, err = st.QueryContext(context.Background(), args...) // the driver starts a goroutine for other contexts
	}
	if err != nil {
		return c.failed(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return c.failed(rows.Err())
}

// queryOne reads the first row. Without one the values stay as they are.
func (c *conn) queryOne(ctx context.Context, values []any, text string, args ...any) error {
	return c.query(ctx, func(r *sql.Rows) error { return r.Scan(values...) }, text, args...)
}

// exec runs a statement and returns the number of rows that it changed.
func (c *conn) exec(ctx context.Context, text string, args ...any) (int64, error) {
	var res sql.Result
	var err error
	if c.prepared == nil {
		res, err = c.ExecContext(ctx, text, args...)
	} else if st, failed := c.prepare(text); failed != nil { //nolint:sqlclosecheck // see query
		err = failed
	} else {
		res, err = st.ExecContext(context.Background(), args...)
	}
	if err != nil {
		return 0, c.failed(err)
	}
	n, err := res.RowsAffected()
	return n, c.failed(err)
}

// A stamp scans a time in milliseconds. NULL and the end of grants that never expire are
// the zero time.
type stamp time.Time

// Scan implements [sql.Scanner].
func (t *stamp) Scan(v any) error {
	*t = stamp{}
	if ms, ok := v.(int64); ok && ms != math.MaxInt64 {
		*t = stamp(time.UnixMilli(ms).UTC())
	} else if v != nil && !ok {
		return fmt.Errorf("time of the type %T", v)
	}
	return nil
}

// millis returns the column of a time. The zero time is NULL.
func millis(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMilli()
}

// bit returns the column of a Boolean.
func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// close closes the connection, or gives it back.
func (c *conn) close() error {
	var errs []error
	for _, st := range c.prepared {
		errs = append(errs, st.Close())
	}
	return errors.Join(append(errs, c.Close())...)
}

// discard closes the connection for good: with ErrBadConn from Raw, database/sql does not
// return it to the pool. A connection in an unknown state would carry an open transaction,
// and its locks, into the next use.
func (c *conn) discard() {
	_ = c.Raw(func(any) error { return driver.ErrBadConn })
}

// connect returns a connection, which close gives back.
func (s *Store) connect(ctx context.Context) (*conn, error) {
	c := &conn{s: s}
	var err error
	if c.Conn, err = s.db.Conn(ctx); err != nil {
		return nil, c.failed(err)
	}
	return c, nil
}

// acquire returns a connection for a transaction, which release gives back.
func (s *Store) acquire(ctx context.Context) (*conn, error) {
	if !s.d.oneWriter {
		return s.connect(ctx)
	}
	select {
	case s.turn <- struct{}{}: // a mutex that can be waited for with a deadline
	case <-ctx.Done():
		return nil, &dbError{s, ctx.Err()}
	}
	if s.writer == nil {
		c, err := s.connect(ctx)
		if err == nil {
			// SQLite's own waits get so long (up to 100 ms between attempts) that a busy
			// server would lock out the command line. beginImmediate waits instead.
			_, err = c.exec(ctx, "PRAGMA busy_timeout = 0")
		}
		if err != nil {
			if c != nil {
				c.discard()
			}
			<-s.turn
			return nil, err
		}
		c.prepared, c.full = map[string]*sql.Stmt{}, s.o.Strict
		s.writer = c
	}
	s.writer.broken = nil
	return s.writer, nil
}

func (s *Store) release(c *conn) {
	if s.d.oneWriter {
		<-s.turn
		return
	}
	_ = c.close()
}

// rollbackTimeout limits the time of a rollback. A slower connection is closed,
// which rolls back as well.
const rollbackTimeout = time.Second

// try runs f in a transaction. With full the commit waits for the disk. committing
// reports whether COMMIT was sent, so that an error may follow a commit.
func (s *Store) try(ctx context.Context, full bool, f func(context.Context, *conn) error) (committing bool, err error) {
	c, err := s.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer s.release(c)
	if err = s.d.begin(ctx, c, full); err != nil {
		if !s.d.oneWriter {
			c.discard()
		}
		return false, err
	}
	if err = f(ctx, c); err == nil {
		err = c.broken // COMMIT of a broken transaction succeeds in PostgreSQL, as a rollback
	}
	if err == nil {
		committing = true
		_, err = c.exec(ctx, "COMMIT")
		c.ended = time.Now()
	}
	if err == nil {
		c.sealBooks()
		return true, nil
	}
	c.books = nil // f may have changed them
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
	defer cancel()
	if _, undone := c.exec(ctx, "ROLLBACK"); undone != nil && !s.d.oneWriter { // SQLite may have rolled back itself
		c.discard()
	}
	return committing, err
}

// A failure is the kind of an error of the database. It decides whether transact tries
// again:
type failure int

const (
	otherFailure failure = iota // e.g. the deadline, a disk error: not tried again
	refused                     // the statement was rejected: would be again
	conflicting                 // another transaction undid this one: tried again
	lost                        // the connection was lost: tried again on another one
	away                        // no connection could be made: fails at once, unless in doubt
)

// failureOf returns the kind of an error.
func (s *Store) failureOf(err error) failure {
	if known := new(dbError); !errors.As(err, &known) {
		return otherFailure
	}
	return s.d.failure(err)
}

// Maximum numbers of retries after a conflict and after a lost connection.
const (
	maxConflicts = 20
	maxLost      = 4
)

// transact runs f in a transaction until it succeeds or fails for good. It
// continues when a caller leaves, so that callers always learn the result. f may
// run more than once.
//
// If the connection is lost after COMMIT was sent, nobody knows whether the transaction
// was committed. It is tried again all the same, up to the timeout: every call on credits
// finds its hold by its id, and returns the receipt of the attempt that was committed. Only
// if that fails too does the error match [ErrInDoubt].
func (s *Store) transact(full bool, f func(context.Context, *conn) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.o.Timeout)
	defer cancel()
	doubt := false // whether an earlier attempt may have been committed
	for attempt, losses := 0, 0; ; attempt++ {
		committing, err := s.try(ctx, full, f)
		if err == nil {
			return nil
		}
		kind := s.failureOf(err)
		doubt = doubt || committing && kind != refused && kind != conflicting
		again := kind == away && doubt // the next attempt resolves the doubt
		switch kind {
		case conflicting:
			again = attempt < maxConflicts
		case lost:
			losses++
			again = losses <= maxLost || doubt
		case otherFailure, refused, away:
		}
		if !again {
			return s.outcome(ctx, err, doubt)
		}
		// At random, so that two processes that undid each other do not meet again: up to
		// 2 ms at first, 128 ms in the end.
		pause := time.Duration(1+rand.IntN(2<<min(attempt, 6))) * time.Millisecond
		select {
		case <-ctx.Done():
			return s.outcome(ctx, err, doubt)
		case <-time.After(pause):
		}
	}
}

// outcome makes errors of the database match [ErrUnavailable]. The store's deadline is
// not the caller's and is hidden.
func (s *Store) outcome(ctx context.Context, err error, doubt bool) error {
	var db *dbError
	if !errors.As(err, &db) {
		return err
	}
	if ctx.Err() != nil {
		// %v: a caller that finds DeadlineExceeded would take it for its own.
		err = fmt.Errorf("%s: %s did not respond in time: %v", s.d.name, s.where, db.err) //nolint:errorlint // see above
	}
	return &unavailableError{err: err, doubt: doubt}
}

// change runs f in a transaction, which is on the disk if change returns nil.
func (s *Store) change(ctx context.Context, f func(context.Context, *conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.calls.Done()
	return s.transact(true, func(ctx context.Context, c *conn) error {
		c.books = nil // f may change accounts and grants
		return f(ctx, c)
	})
}

// announced is change for accounts and keys: it increments the revision, so that the
// gates of all processes forget their keys within a second.
func (s *Store) announced(ctx context.Context, f func(context.Context, *conn) error) error {
	return s.change(ctx, func(ctx context.Context, c *conn) error {
		if err := f(ctx, c); err != nil {
			return err
		}
		_, err := c.exec(ctx, "UPDATE settings SET revision = revision + 1")
		return err
	})
}

// read runs f with statements that see everything committed. It may run f again
// after a lost connection.
func (s *Store) read(ctx context.Context, f func(context.Context, *conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.calls.Done()
	own, cancel := context.WithTimeout(ctx, s.o.Timeout)
	defer cancel()
	once := func() error {
		c, err := s.connect(own)
		if err != nil {
			return err
		}
		defer c.close() //nolint:errcheck // gives it back
		return f(own, c)
	}
	err := once()
	for attempt := 0; s.failureOf(err) == lost && attempt < maxLost && own.Err() == nil; attempt++ {
		err = once()
	}
	if ctx.Err() != nil && err != nil {
		return ctx.Err()
	}
	return s.outcome(own, err, false)
}
