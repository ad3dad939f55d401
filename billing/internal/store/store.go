package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
)

// Queries runs statements in a database.
type Queries interface {
	// Query calls f for every row. f must not run statements.
	Query(ctx context.Context, f func(*Row) error, sql string, args ...any) error

	// Exec runs a statement and returns the number of rows that it changed.
	Exec(ctx context.Context, sql string, args ...any) (int64, error)
}

// A Tx is a transaction that may write.
type Tx interface {
	Queries

	// Lock locks an account until the transaction ends. Changes of the returned
	// book's Account must be written to the table as well.
	Lock(ctx context.Context, account string) (*book.Book, error)
}

// A CallKind is the kind of a call on credits.
type CallKind uint8

// The kinds of calls.
const (
	Reserve CallKind = iota
	Settle
	Refund
	Cut
	Balance // needs all grants with held credits
)

// A Call identifies the account or the hold of a call on credits.
type Call struct {
	Kind    CallKind
	Account string // public id of Reserve and Balance; others are for the account of the hold
	Hold    string // id; "" for Balance
}

// A Turn gives a call exclusive access to the books that it may change.
type Turn interface {
	// Now returns the time of the call.
	Now() time.Time

	// Account returns the book of an account, with all due grants entered.
	Account(id string) (*book.Book, error)

	// Hold returns a hold and the book of its account. The hold is nil if none
	// has the id.
	Hold(id string) (*book.Book, *book.Hold, error)

	// Keep adds a new hold.
	Keep(h *book.Hold)

	// Settled makes a new settlement durable before its call returns.
	Settled(h *book.Hold) error

	// Past returns the last hours of an account that are written.
	Past(b *book.Book) (*book.Past, error)
}

// An Engine runs the transactions of a database.
type Engine interface {
	// Read runs f with queries that see everything committed. It may run f
	// again after a lost connection.
	Read(ctx context.Context, f func(context.Context, Queries) error) error

	// Change runs f in a transaction, which is durable if Change returns nil. It
	// may run f again. With announce it increments the revision.
	Change(ctx context.Context, announce bool, f func(context.Context, Tx) error) error

	// Do runs f on the books of a call. It may run f again.
	Do(ctx context.Context, c Call, f func(Turn) error) error

	// Flush makes settlements that were returned visible to Read.
	Flush(ctx context.Context) error

	// Release gives back up to [SweepStep] holds past their time. It returns
	// the number of holds found and of those released.
	Release(ctx context.Context) (found, released int, err error)

	// Prune removes up to [SweepStep] outdated records and reports whether
	// there may be more.
	Prune(ctx context.Context) (more bool, err error)

	// AddUp moves up to [SweepStep] hours of old days into the first hour of
	// their day and reports whether there may be more.
	AddUp(ctx context.Context) (more bool, err error)

	// Audit implements billing.Store, after Flush.
	Audit(ctx context.Context) error

	// Probe implements billing.Store.
	Probe(ctx context.Context) error

	io.Closer
}

// A Store implements billing.Store over an engine.
type Store struct {
	engine Engine
	now    func() time.Time
	day    string // SQL expression for the first hour of a day in usage, as a time
	owed   Owed
}

// New returns a store. The SQL expression day is the start of the day of the
// column usage.hour, as a time.
func New(engine Engine, now func() time.Time, day string) *Store {
	return &Store{engine: engine, now: now, day: day}
}

var _ billing.Store = (*Store)(nil)

// Close retries refunds that failed and closes the engine.
func (s *Store) Close() error {
	_, err := s.repay(context.Background())
	if err != nil {
		err = fmt.Errorf("billing: the refunds of requests %v are lost: %w", s.owed.IDs(), err)
	}
	return errors.Join(err, s.engine.Close())
}

// Probe implements billing.Store.
func (s *Store) Probe(ctx context.Context) error { return s.engine.Probe(ctx) }

// Ping implements billing.Store.
func (s *Store) Ping(ctx context.Context) error {
	_, err := s.Revision(ctx)
	return err
}

// Revision implements billing.Directory.
func (s *Store) Revision(ctx context.Context) (revision int64, err error) {
	err = s.engine.Read(ctx, func(ctx context.Context, q Queries) error {
		return q.Query(ctx, func(r *Row) error {
			revision = r.Int64()
			return nil
		}, "SELECT revision FROM settings")
	})
	return revision, err
}

// Audit implements billing.Store.
func (s *Store) Audit(ctx context.Context) error {
	if err := s.engine.Flush(ctx); err != nil {
		return err
	}
	return s.engine.Audit(ctx)
}

// repay retries the refunds that failed and returns their number.
func (s *Store) repay(ctx context.Context) (n int, err error) {
	err = s.owed.Repay(func(id string, kind CallKind) error {
		if _, err := s.undo(ctx, id, kind); err != nil && !errors.Is(err, billing.ErrHoldNotFound) {
			return err
		}
		n++
		return nil
	})
	return n, err
}

// SweepStep is the number of holds, records or hours that one transaction of a
// sweep handles.
const SweepStep = 500

// Sweep implements billing.Ledger. It retries refunds that failed, removes the
// records of requests past the retention, and adds up the hours of old days.
func (s *Store) Sweep(ctx context.Context) (released int, err error) {
	if released, err = s.repay(ctx); err != nil {
		return released, err
	}
	for found := SweepStep; found == SweepStep; {
		var n int
		found, n, err = s.engine.Release(ctx)
		released += n
		if err != nil {
			return released, err
		}
	}
	for _, step := range []func(context.Context) (bool, error){s.engine.Prune, s.engine.AddUp} {
		for more := true; more; {
			if more, err = step(ctx); err != nil {
				return released, err
			}
		}
	}
	return released, nil
}
