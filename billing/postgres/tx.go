package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/store"
)

// A dbError is an error of PostgreSQL or of the connection, not of the call.
type dbError struct{ err error }

func (e *dbError) Error() string { return "postgres: " + e.err.Error() }
func (e *dbError) Unwrap() error { return e.err }

func failed(err error) error {
	var known *dbError
	if err == nil || errors.As(err, &known) {
		return err
	}
	return &dbError{err}
}

// outcome converts errors of PostgreSQL to those of billing.Store. The store's
// deadline is not the caller's and is hidden.
func (e *engine) outcome(ctx context.Context, err error) error {
	var db *dbError
	if !errors.As(err, &db) {
		return err
	}
	if ctx.Err() != nil {
		err = fmt.Errorf("postgres: %s did not respond in time: %v", e.where, db.err) //nolint:errorlint // see above
	}
	return &billing.UnavailableError{Err: err}
}

// Read implements store.Engine.
func (e *engine) Read(ctx context.Context, f func(context.Context, store.Queries) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := e.enter(); err != nil {
		return err
	}
	defer e.calls.Done()
	own, cancel := context.WithTimeout(ctx, e.o.Timeout)
	defer cancel()
	err := f(own, queries{e.pool})
	for attempt := 0; isBroken(err) && attempt < maxBroken && own.Err() == nil; attempt++ {
		err = f(own, queries{e.pool})
	}
	if ctx.Err() != nil && err != nil {
		return ctx.Err()
	}
	return e.outcome(own, err)
}

// Maximum numbers of retries after a conflict and after a lost connection.
const (
	maxConflicts = 20
	maxBroken    = 4
)

// A tx is a connection that runs one transaction.
type tx struct {
	queries
	conn *pgx.Conn

	// committing is set before COMMIT is sent: a later error may follow a commit.
	committing bool
}

// transact runs f, which begins and commits a transaction, until it succeeds or
// fails for good. It continues when a caller leaves, so that callers always learn
// the result. f may run more than once.
func (e *engine) transact(f func(context.Context, *tx) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), e.o.Timeout)
	defer cancel()
	doubt := false // whether an earlier attempt may have been committed
	broken := 0
	for attempt := 0; ; attempt++ {
		committing, err := e.try(ctx, f)
		if err == nil {
			return nil
		}
		doubt = doubt || committing && !isRefused(err)
		switch {
		case isConflict(err):
			if attempt >= maxConflicts {
				return e.doubtful(ctx, err, doubt)
			}
		case isBroken(err):
			if broken++; broken > maxBroken && !doubt {
				return e.doubtful(ctx, err, doubt)
			}
		case isAway(err) && doubt: // the next attempt resolves the doubt
		default:
			return e.doubtful(ctx, err, doubt)
		}
		pause := time.Duration(1+rand.IntN(2<<min(attempt, 6))) * time.Millisecond
		select {
		case <-ctx.Done():
			return e.doubtful(ctx, err, doubt)
		case <-time.After(pause):
		}
	}
}

// doubtful is outcome for a transaction that may have been committed.
func (e *engine) doubtful(ctx context.Context, err error, doubt bool) error {
	err = e.outcome(ctx, err)
	var away *billing.UnavailableError
	if doubt && errors.As(err, &away) {
		away.InDoubt = true
	}
	return err
}

// isRefused reports whether PostgreSQL rejected the statement.
func isRefused(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && !isBroken(err)
}

// rollbackTimeout limits the time of a rollback. A slower connection is closed,
// which rolls back as well.
const rollbackTimeout = time.Second

func (e *engine) try(ctx context.Context, f func(context.Context, *tx) error) (committing bool, err error) {
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return false, failed(err)
	}
	defer conn.Release() // closes a connection that is still in a transaction
	t := tx{queries: queries{conn.Conn()}, conn: conn.Conn()}
	err = f(ctx, &t)
	if err != nil && !t.conn.IsClosed() && t.conn.PgConn().TxStatus() != 'I' {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), rollbackTimeout)
		defer cancel()
		_, _ = t.Exec(ctx, "ROLLBACK") // if it fails, Release closes the connection
	}
	return t.committing, err
}

// isConflict reports whether PostgreSQL undid a transaction because of another
// one: a serialization failure, a deadlock, or the same id entered twice.
func isConflict(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) {
		return false
	}
	switch pg.Code {
	case "40001", "40P01", "23505":
		return true
	}
	return false
}

// isBroken reports whether an open connection was lost.
func isBroken(err error) bool {
	var db *dbError
	var pg *pgconn.PgError
	switch {
	case !errors.As(err, &db), isAway(err):
		return false
	case errors.As(err, &pg):
		return pg.Code == "57P01" || pg.Code == "57P02" || pg.Code[:2] == "08" // shutdown, crash, lost connection
	}
	return !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled)
}

// isAway reports whether no connection could be made.
func isAway(err error) bool {
	var c *pgconn.ConnectError
	return errors.As(err, &c)
}
