package billing

import (
	"bytes"
	"context"
	"crypto/rand"
	"database/sql"
	_ "embed" // the schema
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options configures [Open].
type Options struct {
	// Pepper is the secret that hashes keys, at least 16 bytes. Required. Accounts
	// with another pepper are refused with [ErrPepper].
	Pepper []byte

	// Create creates a missing file or missing tables. The file's folder must exist.
	Create bool

	// Strict flushes every commit to a file to the disk. By default settlements
	// return after their commit, which survives a killed process but not always a
	// power failure. It has no effect on PostgreSQL, which always flushes.
	Strict bool

	// DemoKey is a key that everyone may use for a few places, 16 to 64 printable
	// ASCII characters. "" disables it.
	DemoKey string

	// Limits is the address of a Redis server that counts requests for several
	// processes: redis://user:password@host:6379/0, rediss://… or unix:///path?db=0.
	// While it is unreachable, each process allows its part. "": this process counts.
	Limits string

	// LimitProcesses is the number of processes that share Limits. 0: 1.
	LimitProcesses int

	// Logger logs failures of Limits and released credits. Nil disables logging.
	Logger *slog.Logger

	// Now is the clock of keys, grants and holds. Processes that share the accounts
	// need clocks that agree to a few seconds. Nil: time.Now.
	Now func() time.Time

	// Entropy is the source of ids and keys. Nil: crypto/rand.
	Entropy io.Reader

	// Timeout limits the time that a call waits for other processes or the server.
	// 0: 10 s for a file, 5 s for PostgreSQL.
	Timeout time.Duration

	// Retention is the time until Sweep removes the records of finished requests,
	// which can then no longer be refunded. Their credits stay in the balance and
	// the history for good. 0: 35 days.
	Retention time.Duration

	// Schema is the schema of the tables in PostgreSQL. "": postgeo.
	Schema string
}

const (
	// format is the version of the tables.
	format = 7

	defaultRetention = 35 * 24 * time.Hour
	sweepEvery       = time.Minute
)

//go:embed schema.sql
var schema string

// A dialect is the part of a store that depends on the database. Both databases share all
// other statements: they have numbered parameters ($1), ON CONFLICT and RETURNING, and the
// differences of their SQL are the few texts here. Times are integers in both, so that no
// time type of either is needed.
type dialect struct {
	name      string
	oneWriter bool          // locks the database, not accounts
	timeout   time.Duration // default of Options.Timeout
	lock      string        // suffix of a query that locks an account
	skip      string        // after it: omits accounts that others hold; "" if it never waits for accounts
	in        string        // after a column: that it is among those of list, in $1
	each      string        // after FROM: a row for each text of list, in $1, with the column value
	snapshot  string        // begins a transaction that reads one moment
	schema    *strings.Replacer

	connect func(address string, o *Options) (db *sql.DB, where string, err error)
	open    func(context.Context, *Store) error
	begin   func(ctx context.Context, c *conn, full bool) error
	failure func(error) failure
	list    func(values any) any // the parameter with a list
}

// A Store keeps accounts, keys and credits, in a file or in PostgreSQL. It identifies
// callers by their keys and charges them.
//
// A request reserves its maximum cost, does its work, and settles its actual cost.
// Refund and Cut undo either. A call runs in one transaction, as a whole or not at all, and
// may be repeated with the same id. Every grant equals its remaining, held and settled
// credits, after any schedule and any crash.
type Store struct {
	db     *sql.DB
	d      *dialect
	o      Options
	where  string // file, or server without the password
	pepper *pepper
	gate   *gate
	limits *redisLimiter // nil: this process counts
	owed   owed
	funds  funds
	stop   context.CancelFunc // of sweeps
	pruned atomic.Value       // string: the id at which the last sweep ended

	turn   chan struct{} // of capacity 1; held by the user of the writer
	writer *conn         // of a dialect with one writer; nil: not yet connected

	// The queues of the two writers, see op. They have no buffer: a call that still waits
	// has not begun, and can leave when its context ends.
	ops     chan *op
	held    chan *op       // of accounts that other transactions hold
	writers sync.WaitGroup // of both

	mu     sync.Mutex // guards closed
	closed bool
	calls  sync.WaitGroup // calls, transactions and sweeps in progress
}

// ErrClosed is returned by calls after Close.
var ErrClosed = errors.New("billing: the accounts are closed")

// Open opens the accounts at an address: a file, or a PostgreSQL database
// (postgres://…). Missing settings of a URL come from PostgreSQL's environment
// variables. Its parameter pool_max_conns is the maximum number of connections, by
// default 16. Until [Store.Close] the store sweeps every minute.
func Open(ctx context.Context, address string, o Options) (*Store, error) {
	pepper, err := newPepper(o.Pepper)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Entropy == nil {
		o.Entropy = rand.Reader
	}
	if o.Retention <= 0 {
		o.Retention = defaultRetention
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	d := &sqliteDialect
	if IsURL(address) {
		d = &postgresDialect
	}
	if o.Timeout <= 0 {
		o.Timeout = d.timeout
	}
	s := &Store{d: d, o: o, pepper: pepper, turn: make(chan struct{}, 1), ops: make(chan *op), held: make(chan *op), funds: funds{available: map[string]int{}}}
	if err := s.openGate(ctx); err != nil {
		return nil, err
	}
	if s.db, s.where, err = d.connect(address, &s.o); err != nil {
		return nil, errors.Join(err, s.closeLimits())
	}
	s.writers.Add(2)
	go s.write(s.ops, false)
	go s.write(s.held, true)
	// Creating the tables waits for other processes that create them: a short timeout of
	// requests would fail the start. No other goroutine reads it before Open returns.
	s.o.Timeout = max(o.Timeout, d.timeout)
	err = d.open(ctx, s)
	s.o.Timeout = o.Timeout
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	ctx, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.calls.Add(1)
	go s.sweepEvery(ctx)
	return s, nil
}

// IsURL reports whether the address of accounts is a PostgreSQL URL.
func IsURL(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// openGate opens the gate with its limits.
func (s *Store) openGate(ctx context.Context) (err error) {
	var l limiter = newMemoryLimiter(s.o.Now, limitedKeys, limitedKeys)
	if s.o.Limits != "" {
		if s.limits, err = newRedisLimiter(s.o.Limits, s.o.LimitProcesses, s.limitsChanged); err != nil {
			return err
		}
		if err := s.limits.Ping(ctx); err != nil {
			s.o.Logger.Warn("limits: the server does not respond yet", "error", err.Error())
		}
		l = s.limits
	}
	if s.gate, err = newGate(s, s.pepper, l, s.o.Now, s.o.DemoKey); err != nil {
		return errors.Join(err, s.closeLimits())
	}
	return nil
}

func (s *Store) limitsChanged(err error) {
	if err != nil {
		s.o.Logger.Error("limits: the server is unreachable; each process allows its part", "processes", s.o.LimitProcesses, "error", err.Error())
	} else {
		s.o.Logger.Info("limits: the server is reachable again")
	}
}

func (s *Store) closeLimits() error {
	if s.limits == nil {
		return nil
	}
	return s.limits.Close()
}

// Enter admits a request or returns an [envelope.Fault]. It first checks the flood
// limit of requests without a key and the address block of missing or unknown keys.
// Then it checks the state of key and account, the lists of addresses and origins, and
// the requests per minute. A known key passes even if its address is blocked (decision
// D57): customers behind one proxy share its address.
//
// Above the rate limit the error is a [*RateLimitError] and the pass has the window.
// The pass of a known key has its identity, also with an error, for logs. No error
// contains the key.
func (s *Store) Enter(ctx context.Context, c Credentials) (Pass, error) { return s.gate.enter(ctx, c) }

// AllowAddr takes a permit of the flood limit for a request without a key from
// the address: 60 per minute. It returns a [*RateLimitError] if none is left.
func (s *Store) AllowAddr(ctx context.Context, addr netip.Addr) error {
	w, err := s.gate.allowAddr(ctx, byFlood, addr, floodLimit)
	if err == nil && !w.Allowed {
		err = rateLimited(w, true)
	}
	return err
}

// Limits returns the server of rate limits, or nil if this process counts requests.
func (s *Store) Limits() interface {
	Ping(ctx context.Context) error
} {
	if s.limits == nil {
		return nil
	}
	return s.limits
}

// create creates the tables.
func (s *Store) create(ctx context.Context, c *conn) error {
	for text := range strings.SplitSeq(s.d.schema.Replace(schema), ";\n") {
		if text == "" {
			continue
		}
		if _, err := c.exec(ctx, text); err != nil {
			return err
		}
	}
	fingerprint := s.pepper.fingerprint()
	_, err := c.exec(ctx, "INSERT INTO settings (format, revision, pepper) VALUES ($1, 1, $2)", format, fingerprint[:])
	return err
}

// check refuses tables of another version or with another pepper. With another pepper no
// key would be found, and every caller would be told that its key is invalid.
func (s *Store) check(ctx context.Context, c *conn, version int) error {
	switch {
	case version < format:
		return fmt.Errorf("%s: %s has accounts of an earlier version, which this version cannot read; create new ones", s.d.name, s.where)
	case version > format:
		return fmt.Errorf("%s: %s has accounts in format %d; this version supports format %d", s.d.name, s.where, version, format)
	}
	fingerprint := s.pepper.fingerprint()
	var found []byte
	err := c.queryOne(ctx, []any{&found}, "SELECT pepper FROM settings")
	if err == nil && !bytes.Equal(found, fingerprint[:]) {
		err = fmt.Errorf("%s: %s: %w", s.d.name, s.where, ErrPepper)
	}
	return err
}

// now returns the time with the resolution of the tables.
func (s *Store) now() time.Time { return time.UnixMilli(s.o.Now().UnixMilli()).UTC() }

// enter counts a call that Close waits for.
func (s *Store) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.calls.Add(1)
	return nil
}

// Close retries refunds that failed, waits for the calls in progress and closes the
// connections. Stop the server first.
func (s *Store) Close() error {
	// The order matters. Refunds are calls, so they come before closed. Queues are closed after
	// the last call, because a call on a closed channel would panic. The connection is closed
	// after the writers that use it.
	if s.stop != nil {
		s.stop()
	}
	_, err := s.repay(context.Background())
	if err != nil {
		err = fmt.Errorf("billing: the refunds of requests %v are lost: %w", s.owed.list(), err)
	}
	s.mu.Lock()
	again := s.closed
	s.closed = true
	s.mu.Unlock()
	s.calls.Wait()
	if !again {
		close(s.ops)
		close(s.held)
	}
	s.writers.Wait()
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	if s.writer != nil {
		err = errors.Join(err, s.writer.close())
		s.writer = nil
	}
	return errors.Join(err, s.db.Close(), s.closeLimits())
}

// Ping makes one uncached read.
func (s *Store) Ping(ctx context.Context) error {
	_, err := s.revision(ctx)
	return err
}

// revision implements directory.
func (s *Store) revision(ctx context.Context) (n int64, err error) {
	err = s.read(ctx, func(ctx context.Context, c *conn) error {
		return c.queryOne(ctx, []any{&n}, "SELECT revision FROM settings")
	})
	return n, err
}

// Probe overwrites a settled hold without credits and account, and returns when it is
// on the disk. It shows whether requests can be charged: a read succeeds on a full disk.
// The hold is always the same, so that probes do not grow the tables, and appears in no
// list, balance or history.
func (s *Store) Probe(ctx context.Context) error {
	return s.change(ctx, func(ctx context.Context, c *conn) error {
		now := s.now()
		_, err := c.exec(ctx, `INSERT INTO holds (id, account, batch, state, held, used, cut, time, expires, detail) VALUES ($1, 0, 0, 1, 0, 0, 0, $2, $3, $4)
			ON CONFLICT (id) DO UPDATE SET time = excluded.time, expires = excluded.expires`,
			probeID, now.UnixMilli(), now.Add(DefaultTTL).UnixMilli(), "{}")
		return err
	})
}

// probeID is the id of the hold that probes overwrite. It sorts before the ids of requests,
// which are ULIDs, and is not one.
const probeID = "!probe"
