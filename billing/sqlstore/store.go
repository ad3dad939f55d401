package sqlstore

import (
	"bytes"
	"context"
	"database/sql"
	_ "embed" // the schema
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/postgeo/postgeo/billing"
)

// Options configures [Open].
type Options struct {
	// Pepper is the secret that hashes keys. Required. Accounts with another pepper
	// are refused with billing.ErrPepper.
	Pepper *billing.Pepper

	// Create creates a missing file or missing tables. The file's folder must exist.
	Create bool

	// Now is the clock of grants and holds. Processes that share the accounts need
	// clocks that agree to a few seconds. Nil: time.Now.
	Now func() time.Time

	// Timeout limits the time that a call waits for other processes or the server.
	// 0: 10 s for a file, 5 s for PostgreSQL.
	Timeout time.Duration

	// Retention is the time until Sweep removes the records of finished requests,
	// which can then no longer be refunded. Their credits stay in the balance and
	// the history for good. 0: 35 days.
	Retention time.Duration

	// Strict flushes every commit to a file to the disk. By default settlements
	// return after their commit, which survives a killed process but not always a
	// power failure. It has no effect on PostgreSQL, which always flushes.
	Strict bool

	// Schema is the schema of the tables in PostgreSQL. "": postgeo.
	Schema string
}

const (
	// format is the version of the tables.
	format = 5

	defaultRetention = 35 * 24 * time.Hour
)

//go:embed schema.sql
var schema string

// A dialect is the part of a store that depends on the database.
type dialect struct {
	name      string
	oneWriter bool          // locks the database, not accounts
	timeout   time.Duration // default of Options.Timeout
	lock      string        // suffix of a query that locks an account
	snapshot  string        // begins a transaction that reads one moment
	schema    *strings.Replacer

	open  func(context.Context, *Store) error
	begin func(ctx context.Context, s *Store, c *session, full bool) error

	// Kinds of failures: a rejected statement, a transaction that another one undid,
	// a lost connection, and no connection.
	refused, conflict, broken, away func(error) bool
}

// A Store implements billing.Store.
type Store struct {
	db    *sql.DB
	d     *dialect
	o     Options
	where string // file, or server without the password
	owed  owed

	turn   chan struct{} // use of the writer
	writer *session      // of a dialect with one writer; nil: not yet connected

	mu     sync.Mutex // guards the fields below
	closed bool
	groups map[string]*group // with calls in progress
	owners map[string]string // accounts of holds that this process made
	calls  sync.WaitGroup    // groups and transactions in progress
}

var _ billing.Store = (*Store)(nil)

// ErrClosed is returned by calls after Close.
var ErrClosed = errors.New("billing: the accounts are closed")

// Open opens the accounts at an address: a file, or a PostgreSQL URL. Missing
// settings of a URL come from PostgreSQL's environment variables. Its parameter
// pool_max_conns is the maximum number of connections, by default 16.
func Open(ctx context.Context, address string, o Options) (*Store, error) {
	if o.Pepper == nil {
		return nil, errors.New("billing: the accounts need a pepper")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Retention <= 0 {
		o.Retention = defaultRetention
	}
	open, d := openSQLite, &sqliteDialect
	if IsAddress(address) {
		open, d = openPostgres, &postgresDialect
	}
	if o.Timeout <= 0 {
		o.Timeout = d.timeout
	}
	s, err := open(address, &o)
	if err != nil {
		return nil, err
	}
	s.o.Timeout = max(o.Timeout, d.timeout) // until the tables are there
	err = d.open(ctx, s)
	s.o.Timeout = o.Timeout
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func newStore(db *sql.DB, d *dialect, where string, o *Options) *Store {
	return &Store{
		db: db, d: d, o: *o, where: where, turn: make(chan struct{}, 1),
		groups: map[string]*group{}, owners: map[string]string{},
	}
}

// create creates the tables.
func (s *Store) create(ctx context.Context, c *session) error {
	for text := range strings.SplitSeq(s.d.schema.Replace(schema), ";\n") {
		if text == "" {
			continue
		}
		if _, err := c.Exec(ctx, text); err != nil {
			return err
		}
	}
	fingerprint := s.o.Pepper.Fingerprint()
	_, err := c.Exec(ctx, "INSERT INTO settings (format, revision, pepper) VALUES ($1, 1, $2)", format, fingerprint[:])
	return err
}

// check refuses tables of another version or with another pepper.
func (s *Store) check(ctx context.Context, c *session, version int) error {
	switch {
	case version < format:
		return fmt.Errorf("%s: %s has accounts of an earlier version, which this version cannot read; create new ones", s.d.name, s.where)
	case version > format:
		return fmt.Errorf("%s: %s has accounts in format %d; this version supports format %d", s.d.name, s.where, version, format)
	}
	fingerprint, same := s.o.Pepper.Fingerprint(), false
	err := c.Query(ctx, func(r *Row) error {
		same = bytes.Equal(r.Bytes(), fingerprint[:])
		return nil
	}, "SELECT pepper FROM settings")
	if err == nil && !same {
		err = fmt.Errorf("%s: %s: %w", s.d.name, s.where, billing.ErrPepper)
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
// connections.
func (s *Store) Close() error {
	_, err := s.repay(context.Background())
	if err != nil {
		err = fmt.Errorf("billing: the refunds of requests %v are lost: %w", s.owed.IDs(), err)
	}
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.calls.Wait()
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	if s.writer != nil {
		err = errors.Join(err, s.writer.close())
		s.writer = nil
	}
	return errors.Join(err, s.db.Close())
}

// Ping implements billing.Store.
func (s *Store) Ping(ctx context.Context) error {
	_, err := s.Revision(ctx)
	return err
}

// Revision implements billing.Directory.
func (s *Store) Revision(ctx context.Context) (revision int64, err error) {
	err = s.read(ctx, func(ctx context.Context, c *session) error {
		return c.Query(ctx, func(r *Row) error {
			revision = r.Int64()
			return nil
		}, "SELECT revision FROM settings")
	})
	return revision, err
}

// Probe implements billing.Store. It fails if the database cannot be reached or
// written.
func (s *Store) Probe(ctx context.Context) error {
	return s.change(ctx, func(ctx context.Context, c *session) error {
		now := s.now()
		_, err := c.Exec(ctx, `INSERT INTO holds (id, account, batch, state, held, used, cut, time, expires, lines) VALUES ($1, 0, 0, 1, 0, 0, 0, $2, $3, $4)
			ON CONFLICT (id) DO UPDATE SET time = excluded.time, expires = excluded.expires`,
			probeID, now, now.Add(billing.DefaultTTL), []byte{})
		return err
	})
}

// probeID is the id of the hold that probes overwrite. It sorts before the ids of
// requests.
const probeID = "!probe"
