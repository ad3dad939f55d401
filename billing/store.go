package billing

import (
	"cmp"
	"context"
	"io"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/enum"
	"github.com/postgeo/postgeo/internal/wording"
)

// A Holder is a key and its account.
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

	// Revision returns a number that increases with every change of an account or
	// key, by any process.
	Revision(ctx context.Context) (int64, error)
}

// A Store stores accounts, keys and credits. Implementations are safe for
// concurrent use, also by several processes.
type Store interface {
	Ledger
	Directory

	// CreateAccount enters an account.
	CreateAccount(ctx context.Context, a Account) error

	// Account returns an account, or [ErrAccountNotFound].
	Account(ctx context.Context, id string) (Account, error)

	// Accounts returns all accounts, oldest first.
	Accounts(ctx context.Context) ([]Account, error)

	// UpdateAccount calls change in a transaction and returns the changed account.
	// An error of change cancels it. change may be called again.
	UpdateAccount(ctx context.Context, id string, change func(*Account) error) (Account, error)

	// CreateKey enters a key. It fails with [ErrKeyLimit] if the plan allows no
	// more active keys at the time now.
	CreateKey(ctx context.Context, k Key, hash KeyHash, now time.Time) error

	// ReplaceKey replaces an active key, which stays valid until the time until.
	// It fails with [ErrKeyUnusable] if the old key is not active at the time now.
	ReplaceKey(ctx context.Context, oldID string, until time.Time, k Key, hash KeyHash, now time.Time) error

	// Key returns a key, or [ErrKeyNotFound].
	Key(ctx context.Context, id string) (Key, error)

	// Keys returns all keys of an account, oldest first.
	Keys(ctx context.Context, account string) ([]Key, error)

	// UpdateKey calls change in a transaction and returns the changed key.
	UpdateKey(ctx context.Context, id string, change func(*Key) error) (Key, error)

	// History returns the grants, spending and refunds of an account since a time,
	// newest first. Spending is added up by day and source, refunds of cut
	// responses by day and kind.
	History(ctx context.Context, account string, since time.Time) ([]Entry, error)

	// Refunds returns the days since a time with cut responses of an account,
	// newest first. With an empty account it returns those of all accounts, oldest
	// account first on each day.
	Refunds(ctx context.Context, account string, since time.Time) ([]RefundDay, error)

	// Audit checks that every grant equals its remaining, held, settled and
	// expired credits, and that holds agree with the sums of spending and refunds.
	Audit(ctx context.Context) error

	// Ping makes one uncached read.
	Ping(ctx context.Context) error

	// Probe overwrites a settled hold without credits and account, and returns
	// when it is on the disk. It shows whether requests can be charged. It appears
	// in no list, balance or history.
	Probe(ctx context.Context) error

	io.Closer
}

// An Entry is a line of an account's history.
type Entry struct {
	Time      time.Time // of a grant; else the day's 00:00 UTC
	Kind      EntryKind
	Source    Source // 0 for refunds
	Credits   int
	Requests  int       // number of requests; 0 for a grant
	Reference string    // of a grant
	Expires   time.Time // of a grant; zero: never
}

// An EntryKind is the kind of an entry of a history. Stores save its number.
type EntryKind uint8

// The kinds of entries. Spent excludes refunded credits and includes kept ones.
const (
	Granted       EntryKind = iota + 1
	Spent                   // settled and not refunded
	CutRefunded             // single requests that [Ledger].Cut refunded
	CutKept                 // single requests that stay charged after a cut
	BatchRefunded           // batches that [Ledger].Cut refunded
)

var entryKindNames = enum.Names[EntryKind]{
	Granted: "granted", Spent: "spent", CutRefunded: "cut_refunded", CutKept: "cut_kept", BatchRefunded: "batch_refunded",
}

// String returns the name of the kind, e.g. "spent" or "cut_kept".
func (k EntryKind) String() string { return cmp.Or(entryKindNames.Of(k), "none") }

// An UnavailableError is the reason why a store or limiter cannot be used now. It
// matches [ErrUnavailable] and is an [envelope.Failure] that callers may retry.
type UnavailableError struct {
	Err     error
	InDoubt bool // the call may have succeeded; matches [ErrInDoubt]
}

// Error returns the reason.
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
func (e *UnavailableError) ContractMessage() string { return wording.Unavailable }
