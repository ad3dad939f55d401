package postgres

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/billing"
)

// Migrations run in the order of their names, which begin with their numbers.
// Released migrations never change.
//
//go:embed migrations/*.sql
var migrations embed.FS

// lockClass is the first half of the advisory lock for creating tables; the second
// is a hash of the schema's name.
const lockClass = 0x70676163 // "pgac"

// initialize checks the tables, and creates or upgrades them.
func (e *engine) initialize(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(e.o.Timeout, defaultTimeout))
	defer cancel()
	conn, err := e.pool.Acquire(ctx)
	if err != nil {
		return e.outcome(ctx, failed(err))
	}
	defer conn.Release()
	if err := e.checkDurable(ctx, conn.Conn()); err != nil {
		return err
	}
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return err
	}
	version, err := e.version(ctx, conn.Conn())
	if err == nil && version < len(files) {
		err = e.migrate(ctx, conn.Conn(), files)
		version = len(files)
	}
	if err != nil {
		return e.outcome(ctx, err)
	}
	if version > len(files) {
		return fmt.Errorf("postgres: %s has accounts in format %d; this version supports format %d", e.where, version, len(files))
	}
	var pepper []byte
	if err := conn.QueryRow(ctx, "SELECT pepper FROM settings").Scan(&pepper); err != nil {
		return e.outcome(ctx, failed(err))
	}
	if fingerprint := e.o.Pepper.Fingerprint(); !bytes.Equal(pepper, fingerprint[:]) {
		return fmt.Errorf("postgres: %s: %w", e.where, billing.ErrPepper)
	}
	return nil
}

// checkDurable rejects a server that may lose commits.
func (e *engine) checkDurable(ctx context.Context, conn *pgx.Conn) error {
	var commit string
	if err := conn.QueryRow(ctx, "SHOW synchronous_commit").Scan(&commit); err != nil {
		return e.outcome(ctx, failed(err))
	}
	if commit == "off" {
		return fmt.Errorf("postgres: %s: synchronous_commit is off, so that a crash would lose credits that were settled; switch it on for this user or database", e.where)
	}
	return nil
}

// version returns the format of the tables, or 0 without tables.
func (e *engine) version(ctx context.Context, conn *pgx.Conn) (version int, err error) {
	var there bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = $1 AND tablename = 'migrations')", e.o.Schema).Scan(&there)
	if err == nil && there {
		err = conn.QueryRow(ctx, "SELECT coalesce(max(version), 0) FROM migrations").Scan(&version)
	}
	return version, failed(err)
}

// migrate runs the missing migrations, all or none.
func (e *engine) migrate(ctx context.Context, conn *pgx.Conn, files []string) error {
	tx, err := conn.Begin(ctx)
	if err != nil {
		return failed(err)
	}
	err = e.migrateIn(ctx, tx, files)
	if err != nil {
		return errors.Join(err, tx.Rollback(ctx))
	}
	return failed(tx.Commit(ctx))
}

func (e *engine) migrateIn(ctx context.Context, tx pgx.Tx, files []string) error {
	if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1, hashtext($2))", int32(lockClass), e.o.Schema); err != nil {
		return failed(err)
	}
	// Another process may have been first.
	version, err := e.version(ctx, tx.Conn())
	if err != nil {
		return err
	}
	if version == 0 {
		if !e.o.Create {
			return fmt.Errorf("postgres: no accounts in %s: %w; create an account first", e.where, fs.ErrNotExist)
		}
		if err := e.createSchema(ctx, tx); err != nil {
			return err
		}
	}
	for i := version; i < len(files); i++ {
		text, err := migrations.ReadFile(files[i])
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, string(text), pgx.QueryExecModeSimpleProtocol); err != nil {
			return fmt.Errorf("postgres: %s: %w", files[i], failed(err))
		}
		if _, err := tx.Exec(ctx, "INSERT INTO migrations (version, name) VALUES ($1, $2)", i+1, files[i]); err != nil {
			return failed(err)
		}
	}
	if version > 0 {
		return nil
	}
	fingerprint := e.o.Pepper.Fingerprint()
	_, err = tx.Exec(ctx, "INSERT INTO settings (revision, pepper) VALUES (1, $1)", fingerprint[:])
	return failed(err)
}

func (e *engine) createSchema(ctx context.Context, tx pgx.Tx) error {
	var there bool
	if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = $1)", e.o.Schema).Scan(&there); err != nil {
		return failed(err)
	}
	if !there { // IF NOT EXISTS requires the privilege to create schemas
		if _, err := tx.Exec(ctx, "CREATE SCHEMA "+pgx.Identifier{e.o.Schema}.Sanitize()); err != nil {
			return failed(err)
		}
	}
	_, err := tx.Exec(ctx, "CREATE TABLE migrations (version integer PRIMARY KEY, name text NOT NULL, applied timestamptz NOT NULL DEFAULT now())")
	return failed(err)
}
