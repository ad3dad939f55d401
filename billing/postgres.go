package billing

import (
	"context"
	"database/sql"
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

// Several servers share a PostgreSQL database. A transaction locks the rows of its
// accounts in the order of their ids, so that two transactions never wait for each other,
// and keeps them until COMMIT. Grants, holds and usage of an account are only written under
// its lock, and need none of their own. READ COMMITTED suffices, since they are read after the
// account is locked.
//
// FOR NO KEY UPDATE is the weakest lock that excludes itself. FOR UPDATE is for rows that are
// deleted or get another key, which accounts never are.
//
// Grants and holds are updated once or more often, and fillfactor leaves room on their pages
// for new versions of rows. A version on the same page needs no entry in the indexes (a
// heap-only tuple) if no indexed column changes; see schema.sql. The collation "C" sorts ids
// by bytes, as SQLite and the ULIDs of requests do.

// postgresDialect locks the rows of accounts.
var postgresDialect = dialect{
	name: "postgres", timeout: 5 * time.Second, lock: " FOR NO KEY UPDATE", skip: " SKIP LOCKED",
	snapshot: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
	schema: strings.NewReplacer("SERIAL", "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "INTEGER", "bigint", "TEXT", `text COLLATE "C"`, "BLOB", "bytea",
		"UNIQUE (account, source, reference),\n  CHECK (amount = remaining + held + settled)\n)",
		"UNIQUE (account, source, reference),\n  CHECK (amount = remaining + held + settled)\n) WITH (fillfactor = 50)", "KEYED", "WITH (fillfactor = 70)"),
	begin: func(ctx context.Context, c *conn, _ bool) error {
		_, err := c.exec(ctx, "BEGIN")
		return err
	},
	connect: connectPostgres, open: initPostgres, failure: postgresFailure,
	in: " = ANY($1)", each: "unnest($1::text[]) AS ids (value)",
	list: func(values any) any { return values },
}

// maxConns is the parameter of an address that limits the connections.
const maxConns = "pool_max_conns"

func connectPostgres(address string, o *Options) (*sql.DB, string, error) {
	if o.Schema == "" {
		o.Schema = defaultSchema
	}
	c, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, "", fmt.Errorf("postgres: accounts: %w", err) // without the password
	}
	conns := defaultMaxConns
	if text, given := c.RuntimeParams[maxConns]; given {
		if conns, err = strconv.Atoi(text); err != nil || conns < 1 {
			return nil, "", fmt.Errorf("postgres: accounts: %s is not a positive number", maxConns)
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
	return db, fmt.Sprintf("%s/%s, schema %s", c.Host, c.Database, o.Schema), nil
}

// initPostgres checks the format of the tables, or creates them.
func initPostgres(ctx context.Context, s *Store) error {
	return s.change(ctx, func(ctx context.Context, c *conn) error {
		var commit, column, space string
		if err := c.queryOne(ctx, []any{&commit}, "SHOW synchronous_commit"); err != nil {
			return err
		}
		if commit == "off" { // COMMIT would return before it is on the disk, also of refunds
			return fmt.Errorf("postgres: %s: synchronous_commit is off, so that a crash would lose credits that were settled; switch it on for this user or database", s.where)
		}
		// Processes that start at the same time create the tables one after the other.
		if _, err := c.exec(ctx, "SELECT pg_advisory_xact_lock($1::int, hashtext($2))", lockClass, s.o.Schema); err != nil {
			return err
		}
		if err := c.queryOne(ctx, []any{&column},
			"SELECT column_name::text FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'settings' ORDER BY column_name = 'format' DESC LIMIT 1", s.o.Schema); err != nil {
			return err
		}
		switch {
		case column != "":
			version := 0
			if column == "format" {
				if err := c.queryOne(ctx, []any{&version}, "SELECT format FROM settings"); err != nil {
					return err
				}
			}
			return s.check(ctx, c, version)
		case !s.o.Create:
			return fmt.Errorf("postgres: no accounts in %s: %w; create an account first", s.where, fs.ErrNotExist)
		}
		// IF NOT EXISTS requires the privilege to create schemas.
		if err := c.queryOne(ctx, []any{&space}, "SELECT nspname::text FROM pg_catalog.pg_namespace WHERE nspname = $1", s.o.Schema); err != nil {
			return err
		}
		if space == "" {
			if _, err := c.exec(ctx, "CREATE SCHEMA "+pgx.Identifier{s.o.Schema}.Sanitize()); err != nil {
				return err
			}
		}
		return s.create(ctx, c)
	})
}

// postgresFailure returns the kind of an error. An error without a code of the server is
// the loss of an open connection, unless none was open. The codes are of the appendix
// "PostgreSQL Error Codes"; class 08 are connection exceptions.
func postgresFailure(err error) failure {
	var pg *pgconn.PgError
	var connecting *pgconn.ConnectError
	switch {
	case errors.As(err, &connecting):
		return away
	case errors.As(err, &pg):
		switch pg.Code {
		case "40001", "40P01", "23505": // a serialization failure, a deadlock, the same id entered twice
			return conflicting
		case "57P01", "57P02": // shutdown, crash
			return lost
		}
		if strings.HasPrefix(pg.Code, "08") {
			return lost
		}
		return refused
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return otherFailure
	}
	return lost
}
