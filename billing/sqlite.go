package billing

import (
	"context"
	"database/sql"
	"encoding/json"
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

// A file is written by one connection of a process (Store.turn) and read by others. The
// write-ahead log lets readers see the last commit without waiting for the writer, which
// needs shared memory between processes: hence a local disk.
//
// Commits use synchronous(NORMAL), which writes the log without flushing it. The operating
// system has it then, so a killed process loses nothing; a power failure loses the end of
// the log, whose credits return to their accounts. SQLite documents that the file stays
// consistent ("PRAGMA synchronous"). The first commit of each second is flushed with all
// before it, so that at most the commits of a second are lost. Every refund, grant and change
// of an account is flushed, too: nobody may pay for credits that were returned.
//
// SQLite's lock is not fair. A writer that commits without pauses would take it again
// before a waiting process looks, so that "postgeo account" could not write beside a busy
// server. The writer therefore pauses for 2 of every 22 ms of continuous work.

// sqliteDialect has one writer at a time, and SQLite's own lock of the file
// between processes. Lists are JSON, because SQLite has no arrays.
var sqliteDialect = dialect{
	name: "sqlite", oneWriter: true, timeout: 10 * time.Second, snapshot: "BEGIN", connect: connectSQLite,
	schema: strings.NewReplacer("SERIAL", "INTEGER PRIMARY KEY", "\n);", "\n) STRICT;", "KEYED", "STRICT, WITHOUT ROWID"),
	begin:  beginImmediate, open: initSQLite, failure: sqliteFailure,
	in: " IN (SELECT value FROM json_each($1))", each: "json_each($1)",
	list: func(values any) any {
		text, err := json.Marshal(values)
		if err != nil {
			panic(err) // numbers and texts have JSON
		}
		return string(text)
	},
}

func connectSQLite(path string, o *Options) (*sql.DB, string, error) {
	if err := prepareFile(path, o.Create); err != nil {
		return nil, "", err
	}
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()}
	u.RawQuery = "_pragma=busy_timeout(1000)&_pragma=journal_mode(WAL)&_pragma=foreign_keys(1)&_pragma=wal_autocheckpoint(4000)&_pragma=" + synchronous(o.Strict)
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		err = fmt.Errorf("sqlite: open %s: %w", path, err)
	}
	return db, path, err
}

// prepareFile creates a missing file, accessible to its owner only. SQLite would make it
// as readable as the umask allows, and gives its log the permissions of the file.
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

func synchronous(full bool) string {
	if full {
		return "synchronous(FULL)"
	}
	return "synchronous(NORMAL)"
}

// beginImmediate takes the lock of the file. With full, and every second, the commit
// waits for the disk.
func beginImmediate(ctx context.Context, c *conn, full bool) error {
	now := time.Now()
	if full = full || c.s.o.Strict || now.Sub(c.synced) >= syncEvery; full {
		c.synced = now
	}
	if full != c.full {
		if _, err := c.exec(ctx, "PRAGMA "+synchronous(full)); err != nil {
			return err
		}
		c.full = full
	}
	switch {
	case now.Sub(c.ended) > yieldTime: // others had time enough
		c.busySince = now
	case now.Sub(c.busySince) > yieldAfter:
		time.Sleep(yieldTime)
		c.busySince = time.Now()
	}
	// IMMEDIATE takes the write lock now. A plain BEGIN takes it at the first UPDATE, and SQLite
	// refuses that for good if another process has written since the first SELECT.
	for {
		_, err := c.exec(ctx, "BEGIN IMMEDIATE")
		var e *sqlite.Error
		if err == nil || ctx.Err() != nil || !errors.As(err, &e) || e.Code()&0xff != sqlite3.SQLITE_BUSY {
			return err
		}
		c.broken = nil
		time.Sleep(retryEvery)
	}
}

// takeBooks returns the books that the last transaction left, if nobody has written to the
// file since. That saves two of seven statements of a transaction: the accounts and their
// grants. They are not kept again if the transaction fails, and calls of [Store.change],
// such as the sweep every minute, drop them. Books of a later time (the clock was set back)
// are dropped too: they may lack grants that have not expired yet.
func (c *conn) takeBooks(now time.Time) map[string]*book {
	books := c.books
	c.books = nil
	if books != nil && !now.Before(c.booksAt) {
		if version, ok := c.fileVersion(); ok && version == c.version {
			return books
		}
	}
	return map[string]*book{}
}

// keepBooks keeps the books for the next transaction. Only the one writer of a file can find
// out whether others have written.
func (d *round) keepBooks() {
	if !d.c.s.d.oneWriter {
		return
	}
	if len(d.kept) >= maxKnown {
		clear(d.kept) // they are read again
	}
	for id, b := range d.books {
		b.changes = nil // would keep the round in memory
		d.kept[id] = b
	}
	d.c.books, d.c.booksAt = d.kept, d.now
}

// sealBooks notes the version of the file after a commit.
func (c *conn) sealBooks() {
	if c.books != nil {
		var ok bool
		if c.version, ok = c.fileVersion(); !ok {
			c.books = nil
		}
	}
}

// fileVersion returns a number that changes with every commit of this connection, and when a
// transaction begins after a commit of another one. It is SQLITE_FCNTL_DATA_VERSION; the
// pragma data_version does not change with commits of its own connection, and costs a
// statement.
func (c *conn) fileVersion() (version uint32, ok bool) {
	err := c.Raw(func(driver any) (err error) {
		version, err = driver.(sqlite.FileControl).FileControlDataVersion("main")
		return err
	})
	return version, err == nil
}

// sqliteFailure returns conflicting if a hold was entered twice, and refused if a failed
// commit certainly changed nothing.
func sqliteFailure(err error) failure {
	e := new(sqlite.Error)
	switch {
	case !errors.As(err, &e), e.Code()&0xff == sqlite3.SQLITE_IOERR: // a COMMIT may be in the log or not
		return otherFailure
	case e.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY:
		return conflicting
	}
	return refused
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
	return s.change(ctx, func(ctx context.Context, c *conn) error {
		var app, version, tables int
		if err := c.queryOne(ctx, []any{&app, &version, &tables},
			"SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id, pragma_user_version"); err != nil {
			return err
		}
		switch {
		case app == 0 && version == 0 && tables == 0:
			if !s.o.Create { // a server must not create accounts: a wrong path would look like no customers
				return fmt.Errorf("sqlite: %s is empty; create an account first", s.where)
			}
			for _, pragma := range []string{fmt.Sprintf("PRAGMA application_id = %d", applicationID), fmt.Sprintf("PRAGMA user_version = %d", format)} {
				if _, err := c.exec(ctx, pragma); err != nil {
					return err
				}
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
	// VACUUM INTO accepts an empty file, so that it can be created first: for its owner
	// only, and never over an existing one.
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("sqlite: backup: %w", err)
	}
	err = f.Close()
	if err == nil {
		err = s.read(ctx, func(ctx context.Context, c *conn) error {
			_, err := c.exec(ctx, "VACUUM INTO $1", path)
			return err
		})
	}
	if err == nil { // SQLite documents that VACUUM INTO does not call fsync
		if f, err = os.OpenFile(path, os.O_RDWR, 0); err == nil {
			err = errors.Join(f.Sync(), f.Close())
		}
	}
	if err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}
