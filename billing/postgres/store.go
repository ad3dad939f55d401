package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/store"
)

// Options configures [Open].
type Options struct {
	// Pepper is the secret that hashes keys. Required. Tables with another pepper
	// are refused with billing.ErrPepper.
	Pepper *billing.Pepper

	// Create creates missing tables.
	Create bool

	// Schema is the schema of the tables. "": postgeo.
	Schema string

	// Now is the clock of grants and holds. Processes that share the tables
	// need clocks that agree to a few seconds. Nil: time.Now.
	Now func() time.Time

	// Timeout limits the time that a call waits for PostgreSQL. 0: 5 s.
	Timeout time.Duration

	// Retention is the time until Sweep removes the records of finished requests,
	// which can then no longer be refunded. Their credits stay in the balance and
	// the history for good. 0: 35 days.
	Retention time.Duration
}

const (
	defaultSchema    = "postgeo"
	defaultTimeout   = 5 * time.Second
	defaultRetention = 35 * 24 * time.Hour
	defaultMaxConns  = 16
)

// An engine implements store.Engine in PostgreSQL.
type engine struct {
	o     Options
	pool  *pgxpool.Pool
	where string // the server and database, without the password

	mu     sync.Mutex // guards the fields below
	closed bool
	groups map[string]*group // accounts with calls in progress, by public id
	owners map[string]string // accounts of holds that this process made
	calls  sync.WaitGroup    // groups and transactions in progress
}

// ErrClosed is returned by calls after Close.
var ErrClosed = errors.New("postgres: the accounts are closed")

// IsAddress reports whether the address of accounts is a PostgreSQL URL.
func IsAddress(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// Open opens the accounts in a database. The address is a URL
// (postgres://user@host:5432/database) or a list of settings (host=… user=…).
// Missing settings come from PostgreSQL's environment variables. The parameter
// pool_max_conns is the maximum number of connections, by default 16.
func Open(ctx context.Context, address string, o Options) (billing.Store, error) {
	if o.Pepper == nil {
		return nil, errors.New("postgres: the accounts need a pepper")
	}
	o.Schema = cmp.Or(o.Schema, defaultSchema)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Retention <= 0 {
		o.Retention = defaultRetention
	}
	config, err := poolConfig(address, &o)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	c := config.ConnConfig
	e := &engine{
		o: o, pool: pool, where: fmt.Sprintf("%s/%s, schema %s", c.Host, c.Database, o.Schema),
		groups: map[string]*group{}, owners: map[string]string{},
	}
	if err := e.initialize(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return store.New(e, o.Now, "date_trunc('day', hour, 'UTC')"), nil
}

func poolConfig(address string, o *Options) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("postgres: accounts: %w", err) // without the password
	}
	if !strings.Contains(address, "pool_max_conns") {
		config.MaxConns = defaultMaxConns
	}
	config.PingTimeout = o.Timeout
	c := config.ConnConfig
	if c.ConnectTimeout == 0 || c.ConnectTimeout > o.Timeout {
		c.ConnectTimeout = o.Timeout
	}
	params := map[string]string{
		"search_path": pgx.Identifier{o.Schema}.Sanitize(),
		// A process that stops during a transaction, or loses its network, does
		// not keep an account locked.
		"idle_in_transaction_session_timeout": fmt.Sprint(2 * o.Timeout.Milliseconds()),
		"lock_timeout":                        fmt.Sprint(o.Timeout.Milliseconds()),
		"application_name":                    "postgeo",
	}
	for name, value := range params {
		if _, given := c.RuntimeParams[name]; !given || name == "search_path" {
			c.RuntimeParams[name] = value
		}
	}
	return config, nil
}

// Close waits for the calls in progress and closes the connections.
func (e *engine) Close() error {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.calls.Wait()
	e.pool.Close()
	return nil
}

// enter counts a call that Close waits for.
func (e *engine) enter() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return ErrClosed
	}
	e.calls.Add(1)
	return nil
}
