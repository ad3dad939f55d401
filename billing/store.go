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

	// History returns the grants, spending and refunds of an account since a
	// time, newest first. Spending is added up by day and source, refunds of
	// cut answers by day and kind.
	History(ctx context.Context, account string, since time.Time) ([]Entry, error)

	// Refunds returns the days since a time on which answers of an account
	// were cut off, newest first. An empty account returns those of all,
	// ordered by day, then by the accounts' age.
	Refunds(ctx context.Context, account string, since time.Time) ([]RefundDay, error)

	// Audit checks the books: that every credit ever granted remains, is
	// held, is settled or has expired, and that holds agree with the sums of
	// spending and refunds.
	Audit(ctx context.Context) error

	// Ping makes one read that no cache answers.
	Ping(ctx context.Context) error

	// Probe writes a settled hold of no credits that belongs to no account,
	// always the same one, and returns when it is on the disk. It shows whether
	// requests can be charged, and appears in no list, balance or history.
	Probe(ctx context.Context) error

	io.Closer
}

// An Entry is a line of an account's history.
type Entry struct {
	Time      time.Time // of a grant; else the day's 00:00 UTC
	Kind      EntryKind
	Source    Source // 0 for refunds
	Credits   int
	Requests  int       // how many requests; 0 for a grant
	Reference string    // of a grant
	Expires   time.Time // of a grant; zero: never
}

// An EntryKind is the kind of an entry of a history. Stores keep its number.
type EntryKind uint8

// The kinds of entries. What was refunded is not in Spent, what was kept is.
const (
	Granted       EntryKind = iota + 1
	Spent                   // settled and not refunded
	CutRefunded             // single requests that [Ledger].Cut refunded
	CutKept                 // single requests that stay charged although they were cut
	BatchRefunded           // batches that [Ledger].Cut refunded
)

var entryKindNames = [...]string{
	Granted: "granted", Spent: "spent", CutRefunded: "cut_refunded", CutKept: "cut_kept", BatchRefunded: "batch_refunded",
}

// String returns the name of the kind, e.g. "spent" or "cut_kept".
func (k EntryKind) String() string {
	if k == 0 || int(k) >= len(entryKindNames) {
		return "none"
	}
	return entryKindNames[k]
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
