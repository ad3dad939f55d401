package billing

import (
	"context"
	"io"
	"time"

	"github.com/postgeo/postgeo/envelope"
)

// A Holder is a key and whose it is.
type Holder struct {
	Key     Key
	Account Account
}

// A Directory finds keys for authentication. Implementations are safe for
// concurrent use.
type Directory interface {
	// FindKey returns the key with the hash, or [ErrKeyNotFound]. The holder
	// is shared and must not be changed.
	FindKey(ctx context.Context, hash KeyHash) (*Holder, error)

	// Revision returns a number that grows whenever an account or key
	// changes, whichever process changed it.
	Revision(ctx context.Context) (int64, error)
}

// A Store is a home of accounts, keys and credits. Implementations are safe
// for concurrent use, also by several processes.
type Store interface {
	Ledger
	Directory

	// CreateAccount enters an account.
	CreateAccount(ctx context.Context, a Account) error

	// Account returns an account, or [ErrAccountNotFound].
	Account(ctx context.Context, id string) (Account, error)

	// Accounts returns all accounts, oldest first.
	Accounts(ctx context.Context) ([]Account, error)

	// UpdateAccount lets change alter an account in one transaction and
	// returns what it became. An error of change leaves it as it was.
	UpdateAccount(ctx context.Context, id string, change func(*Account) error) (Account, error)

	// CreateKey enters a key. It fails with [ErrKeyLimit] when the account
	// has as many active keys at the time now as its plan allows.
	CreateKey(ctx context.Context, k Key, hash KeyHash, now time.Time) error

	// ReplaceKey enters a key in the place of an active one, which stays
	// valid until the time until. It fails with [ErrKeyUnusable] when the old
	// key is not active at the time now.
	ReplaceKey(ctx context.Context, oldID string, until time.Time, k Key, hash KeyHash, now time.Time) error

	// Key returns a key, or [ErrKeyNotFound].
	Key(ctx context.Context, id string) (Key, error)

	// Keys returns the keys of an account, oldest first, inactive ones
	// included.
	Keys(ctx context.Context, account string) ([]Key, error)

	// UpdateKey lets change alter a key in one transaction.
	UpdateKey(ctx context.Context, id string, change func(*Key) error) (Key, error)

	// History returns what an account was granted and what it spent since a
	// time, newest first, spending added up by day and source.
	History(ctx context.Context, account string, since time.Time) ([]Entry, error)

	// Audit checks the books: that every credit ever granted remains, is
	// held, is settled or has expired, and that holds and days agree.
	Audit(ctx context.Context) error

	// Ping makes one read that no cache answers.
	Ping(ctx context.Context) error

	io.Closer
}

// An Entry is a line of an account's history.
type Entry struct {
	Time      time.Time // of spending the day's 00:00 UTC
	Kind      EntryKind
	Source    Source
	Credits   int
	Requests  int       // of spending: how many requests
	Reference string    // of a grant
	Expires   time.Time // of a grant; zero: never
}

// An EntryKind says what an entry of a history is.
type EntryKind uint8

// The kinds of entries.
const (
	Granted EntryKind = iota + 1
	Spent
)

// String returns "granted" or "spent".
func (k EntryKind) String() string {
	switch k {
	case Granted:
		return "granted"
	case Spent:
		return "spent"
	}
	return "none"
}

// An UnavailableError says why a store or limiter cannot be used now. It
// matches [ErrUnavailable] and is an [envelope.Failure] that callers may
// retry.
type UnavailableError struct {
	Err     error
	InDoubt bool // the call may have been done all the same; matches [ErrInDoubt]
}

// Error says why.
func (e *UnavailableError) Error() string { return ErrUnavailable.Error() + ": " + e.Err.Error() }

// Unwrap returns the causes.
func (e *UnavailableError) Unwrap() []error {
	if e.InDoubt {
		return []error{ErrUnavailable, ErrInDoubt, e.Err}
	}
	return []error{ErrUnavailable, e.Err}
}

// ContractCode implements [envelope.Failure].
func (e *UnavailableError) ContractCode() envelope.Code { return envelope.ServiceUnavailable }

// ContractMessage implements [envelope.Failure].
func (e *UnavailableError) ContractMessage() string { return envelope.Unavailable }
