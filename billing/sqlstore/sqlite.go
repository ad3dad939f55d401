package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

const (
	applicationID = 0x70676163 // "pgac"
	retryEvery    = time.Millisecond

	// After yieldAfter of continuous writing the writer leaves the file to other
	// processes for yieldTime. They try the lock every retryEvery.
	yieldAfter = 20 * time.Millisecond
	yieldTime  = 2 * time.Millisecond

	// syncEvery is the time after which a commit waits for the disk, with all
	// before it.
	syncEvery = time.Second
)

// sqliteDialect has one writer at a time, and SQLite's own lock of the file
// between processes.
var sqliteDialect = dialect{
	name: "sqlite", oneWriter: true, timeout: 10 * time.Second, snapshot: "BEGIN",
	schema: strings.NewReplacer("SERIAL", "INTEGER PRIMARY KEY", "\n);", "\n) STRICT;", "KEYED", "STRICT, WITHOUT ROWID"),
	begin:  beginImmediate, open: initSQLite, refused: isRefusedBySQLite,
	conflict: never, broken: never, away: never,
}

func never(error) bool { return false }

func openSQLite(path string, o *Options) (*Store, error) {
	if err := prepareFile(path, o.Create); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn(path, o.Strict))
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", path, err)
	}
	return newStore(db, &sqliteDialect, path, o), nil
}

// prepareFile creates a missing file, accessible to its owner only.
func prepareFile(path string, create bool) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("sqlite: %s is not a regular file", path)
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("sqlite: accounts: %w", err)
	case !create:
		return fmt.Errorf("sqlite: no accounts in %s: %w; create an account first", path, fs.ErrNotExist)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("sqlite: accounts: %w", err)
	}
	return f.Close()
}

func dsn(path string, strict bool) string {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()}
	u.RawQuery = "_pragma=busy_timeout(1000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)&_pragma=wal_autocheckpoint(4000)&_pragma=" + synchronous(strict)
	return u.String()
}

func synchronous(full bool) string {
	if full {
		return "synchronous(FULL)"
	}
	return "synchronous(NORMAL)"
}

// beginImmediate takes the lock of the file. With full, and every second, the commit
// waits for the disk.
func beginImmediate(ctx context.Context, s *Store, c *session, full bool) error {
	now := time.Now()
	if full = full || s.o.Strict || now.Sub(c.synced) >= syncEvery; full {
		c.synced = now
	}
	if full != c.full {
		if _, err := c.Exec(ctx, "PRAGMA "+synchronous(full)); err != nil {
			return err
		}
		c.full = full
	}
	switch {
	case now.Sub(c.ended) > yieldTime:
		c.busySince = now
	case now.Sub(c.busySince) > yieldAfter:
		time.Sleep(yieldTime)
		c.busySince = time.Now()
	}
	for {
		_, err := c.Exec(ctx, "BEGIN IMMEDIATE")
		var e *sqlite.Error
		if err == nil || ctx.Err() != nil || !errors.As(err, &e) || e.Code()&0xff != sqlite3.SQLITE_BUSY {
			return err
		}
		c.broken = nil
		time.Sleep(retryEvery)
	}
}

// isRefusedBySQLite reports whether a failed commit certainly changed nothing.
func isRefusedBySQLite(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff != sqlite3.SQLITE_IOERR
}

// initSQLite checks the file's format, or creates the tables of an empty file.
func initSQLite(ctx context.Context, s *Store) error {
	var mode string
	if err := s.db.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return fmt.Errorf("sqlite: %s: %w", s.where, err)
	}
	if mode != "wal" {
		return fmt.Errorf("sqlite: %s: journal mode %s; expected wal: put the file on a local disk", s.where, mode)
	}
	return s.change(ctx, func(ctx context.Context, c *session) error {
		var app, version, tables int
		for pragma, to := range map[string]*int{
			"PRAGMA application_id": &app, "PRAGMA user_version": &version, "SELECT count(*) FROM sqlite_schema": &tables,
		} {
			if err := c.Query(ctx, func(r *Row) error { *to = r.Int(); return nil }, pragma); err != nil {
				return err
			}
		}
		switch {
		case app == 0 && version == 0 && tables == 0:
			if !s.o.Create {
				return fmt.Errorf("sqlite: %s is empty; create an account first", s.where)
			}
			if _, err := c.Exec(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
				return err
			}
			if _, err := c.Exec(ctx, fmt.Sprintf("PRAGMA user_version = %d", format)); err != nil {
				return err
			}
			return s.create(ctx, c)
		case app != applicationID:
			return fmt.Errorf("sqlite: %s is not a postgeo accounts file", s.where)
		}
		return s.check(ctx, c, version)
	})
}

// Backup writes a copy of the accounts to a new file. The store stays in use.
// PostgreSQL has its own programs for backups.
func (s *Store) Backup(ctx context.Context, path string) error {
	if !s.d.oneWriter {
		return errors.New("postgres: make a backup with pg_dump")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // for its owner only
	if err != nil {
		return fmt.Errorf("sqlite: backup: %w", err)
	}
	err = f.Close()
	if err == nil {
		err = s.read(ctx, func(ctx context.Context, c *session) error {
			_, err := c.Exec(ctx, "VACUUM INTO $1", path)
			return err
		})
	}
	if err == nil {
		if f, err = os.OpenFile(path, os.O_RDWR, 0); err == nil {
			err = errors.Join(f.Sync(), f.Close())
		}
	}
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
