package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	defaultSchema   = "postgeo"
	defaultMaxConns = 16

	// lockClass is the first half of the advisory lock for creating tables; the
	// second is a hash of the schema's name.
	lockClass = applicationID
)

// postgresDialect locks the rows of accounts.
var postgresDialect = dialect{
	name: "postgres", timeout: 5 * time.Second, lock: " FOR NO KEY UPDATE",
	snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
	schema: strings.NewReplacer("SERIAL", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "INTEGER", "bigint", "TEXT", `text COLLATE "C"`, "BLOB", "bytea",
		"UNIQUE (account, source, reference),\n  CHECK (amount = remaining + held + settled)\n)",
		"UNIQUE (account, source, reference),\n  CHECK (amount = remaining + held + settled)\n) WITH (fillfactor = 50)", "KEYED", "WITH (fillfactor = 70)"),
	begin: func(ctx context.Context, _ *Store, c *session, _ bool) error {
		_, err := c.Exec(ctx, "BEGIN")
		return err
	},
	open: initPostgres, refused: isRefused, conflict: isConflict, broken: isBroken, away: isAway,
}

// IsAddress reports whether the address of accounts is a PostgreSQL URL.
func IsAddress(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// maxConns is the parameter of an address that limits the connections.
const maxConns = "pool_max_conns"

func openPostgres(address string, o *Options) (*Store, error) {
	if o.Schema == "" {
		o.Schema = defaultSchema
	}
	c, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("postgres: accounts: %w", err) // without the password
	}
	conns := defaultMaxConns
	if text, given := c.RuntimeParams[maxConns]; given {
		if conns, err = strconv.Atoi(text); err != nil || conns < 1 {
			return nil, fmt.Errorf("postgres: accounts: %s is not a positive number", maxConns)
		}
		delete(c.RuntimeParams, maxConns)
	}
	if c.ConnectTimeout == 0 || c.ConnectTimeout > o.Timeout {
		c.ConnectTimeout = o.Timeout
	}
	for name, value := range map[string]string{
		"search_path": pgx.Identifier{o.Schema}.Sanitize(),
		// A process that stops during a transaction, or loses its network, does
		// not keep an account locked.
		"idle_in_transaction_session_timeout": fmt.Sprint(2 * o.Timeout.Milliseconds()),
		"lock_timeout":                        fmt.Sprint(o.Timeout.Milliseconds()),
		"application_name":                    "postgeo",
	} {
		if _, given := c.RuntimeParams[name]; !given || name == "search_path" {
			c.RuntimeParams[name] = value
		}
	}
	db := stdlib.OpenDB(*c)
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return newStore(db, &postgresDialect, fmt.Sprintf("%s/%s, schema %s", c.Host, c.Database, o.Schema), o), nil
}

// initPostgres checks the format of the tables, or creates them.
func initPostgres(ctx context.Context, s *Store) error {
	return s.change(ctx, func(ctx context.Context, c *session) error {
		text := func(query string, args ...any) (v string, err error) {
			err = c.Query(ctx, func(r *Row) error { v = r.Text(); return nil }, query, args...)
			return v, err
		}
		commit, err := text("SHOW synchronous_commit")
		if err != nil {
			return err
		}
		if commit == "off" {
			return fmt.Errorf("postgres: %s: synchronous_commit is off, so that a crash would lose credits that were settled; switch it on for this user or database", s.where)
		}
		// Processes that start at the same time create the tables one after the other.
		if _, err := c.Exec(ctx, "SELECT pg_advisory_xact_lock($1::int, hashtext($2))", lockClass, s.o.Schema); err != nil {
			return err
		}
		const column = "SELECT column_name::text FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'settings' ORDER BY column_name = 'format' DESC LIMIT 1"
		switch found, err := text(column, s.o.Schema); {
		case err != nil:
			return err
		case found == "format":
			version := 0
			if err := c.Query(ctx, func(r *Row) error { version = r.Int(); return nil }, "SELECT format FROM settings"); err != nil {
				return err
			}
			return s.check(ctx, c, version)
		case found != "":
			return s.check(ctx, c, 0)
		case !s.o.Create:
			return fmt.Errorf("postgres: no accounts in %s: %w; create an account first", s.where, fs.ErrNotExist)
		}
		// IF NOT EXISTS requires the privilege to create schemas.
		switch there, err := text("SELECT nspname::text FROM pg_catalog.pg_namespace WHERE nspname = $1", s.o.Schema); {
		case err != nil:
			return err
		case there == "":
			if _, err := c.Exec(ctx, "CREATE SCHEMA "+pgx.Identifier{s.o.Schema}.Sanitize()); err != nil {
				return err
			}
		}
		return s.create(ctx, c)
	})
}

// isRefused reports whether PostgreSQL rejected the statement.
func isRefused(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && !isBroken(err)
}

// isConflict reports whether PostgreSQL undid a transaction because of another
// one: a serialization failure, a deadlock, or the same id entered twice.
func isConflict(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01" || pg.Code == "23505")
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
