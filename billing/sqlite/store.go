package sqlite

import (
	"context"
	_ "embed" // the schema
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/store"
)

// Options configures [Open].
type Options struct {
	// Pepper is the secret that hashes keys. Required. A file with another pepper
	// is refused with billing.ErrPepper.
	Pepper *billing.Pepper

	// Create creates a missing file. Its folder must exist.
	Create bool

	// Now is the clock. Nil: time.Now.
	Now func() time.Time

	// Busy is the maximum time that a call waits for another process. 0: 10 s.
	Busy time.Duration

	// Round is the time between commits, during which calls are decided in memory
	// and other processes cannot write. 0: 5 ms.
	Round time.Duration

	// Strict delays the result of a settlement until it is on the disk. By default
	// it returns when the journal has it, which survives a killed process. The
	// disk has it after Round and a flush: a failing machine may return the
	// credits of the last moments to their accounts.
	Strict bool

	// Retention is the time until Sweep removes the records of finished requests,
	// which can then no longer be refunded. Their credits stay in the balance and
	// the history for good. 0: 35 days.
	Retention time.Duration
}

const (
	applicationID    = 0x70676163 // "pgac"
	schemaVersion    = 3
	defaultBusy      = 10 * time.Second
	defaultRound     = 5 * time.Millisecond
	defaultRetention = 35 * 24 * time.Hour
)

//go:embed schema.sql
var schema string

//go:embed schema2.sql
var schema2 string

//go:embed schema3.sql
var schema3 string

// upgrades has the migrations from format 1 on.
var upgrades = [schemaVersion - 1]string{schema2, schema3}

// An engine implements store.Engine on a file.
type engine struct {
	o    Options
	path string
	w    *writer

	mu     sync.Mutex // guards the fields below
	reader *conn      // nil: closed
}

// ErrClosed is returned by calls after Close.
var ErrClosed = errors.New("sqlite: the accounts are closed")

// Open opens the accounts in a file.
func Open(ctx context.Context, path string, o Options) (billing.Store, error) {
	if o.Pepper == nil {
		return nil, errors.New("sqlite: the accounts need a pepper")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Busy <= 0 {
		o.Busy = defaultBusy
	}
	if o.Round <= 0 {
		o.Round = defaultRound
	}
	if o.Retention <= 0 {
		o.Retention = defaultRetention
	}
	if err := prepareFile(path, o.Create); err != nil {
		return nil, err
	}
	w, err := dial(path, dsn(path))
	if err != nil {
		return nil, err
	}
	if err := initialize(ctx, w, &o); err != nil {
		return nil, errors.Join(err, w.close())
	}
	// From here on begin waits for other processes. SQLite's waits get so long
	// that a busy server would lock out the command line.
	if err := w.exec("PRAGMA busy_timeout = 0"); err != nil {
		return nil, errors.Join(err, w.close())
	}
	r, err := dial(path, dsn(path))
	if err != nil {
		return nil, errors.Join(err, w.close())
	}
	j, err := openJournal(path)
	if err != nil {
		return nil, errors.Join(err, w.close(), r.close())
	}
	e := &engine{o: o, path: path, reader: r}
	e.w = newWriter(w, j, &e.o)
	return store.New(e, o.Now, "hour / 24 * 86400000"), nil
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

func dsn(path string) string {
	u := url.URL{Scheme: "file", Opaque: (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath()}
	u.RawQuery = "_pragma=busy_timeout(1000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=foreign_keys(1)&_pragma=wal_autocheckpoint(4000)"
	return u.String()
}

// initialize creates the tables of an empty file or checks existing ones.
func initialize(ctx context.Context, c *conn, o *Options) error {
	if err := checkDurable(c); err != nil {
		return err
	}
	if err := begin(ctx, c, o.Busy); err != nil {
		return err
	}
	if err := initializeLocked(c, o); err != nil {
		return errors.Join(err, c.exec("ROLLBACK"))
	}
	return c.exec("COMMIT")
}

// checkDurable rejects a file whose commits cannot be flushed.
func checkDurable(c *conn) error {
	var mode string
	var flush int64
	if err := errors.Join(
		c.query(func(r *store.Row) error { mode = r.Text(); return nil }, "PRAGMA journal_mode"),
		c.query(func(r *store.Row) error { flush = r.Int64(); return nil }, "PRAGMA synchronous"),
	); err != nil {
		return err
	}
	if mode != "wal" || flush < 1 {
		return fmt.Errorf("sqlite: %s: journal mode %s, synchronous %d; expected wal and 1: put the file on a local disk", c.path, mode, flush)
	}
	return nil
}

func initializeLocked(c *conn, o *Options) error {
	var app, version, tables int64
	read := func(to *int64) func(*store.Row) error {
		return func(r *store.Row) error { *to = r.Int64(); return nil }
	}
	if err := errors.Join(
		c.query(read(&app), "PRAGMA application_id"),
		c.query(read(&version), "PRAGMA user_version"),
		c.query(read(&tables), "SELECT count(*) FROM sqlite_schema"),
	); err != nil {
		return err
	}
	fingerprint := o.Pepper.Fingerprint()
	if app == 0 && version == 0 && tables == 0 {
		if !o.Create {
			return fmt.Errorf("sqlite: %s is empty; create an account first", c.path)
		}
		return errors.Join(
			c.script(schema),
			c.exec(fmt.Sprintf("PRAGMA application_id = %d", applicationID)),
			c.exec("INSERT INTO settings (revision, pepper) VALUES (1, ?)", fingerprint[:]),
			migrate(c, 1),
		)
	}
	if app != applicationID {
		return fmt.Errorf("sqlite: %s is not a postgeo accounts file", c.path)
	}
	if version > schemaVersion {
		return fmt.Errorf("sqlite: %s has accounts in format %d; this version supports format %d", c.path, version, schemaVersion)
	}
	same := false
	err := c.query(func(r *store.Row) error {
		same = string(r.Bytes()) == string(fingerprint[:])
		return nil
	}, "SELECT pepper FROM settings")
	if err == nil && !same {
		return fmt.Errorf("sqlite: %s: %w", c.path, billing.ErrPepper)
	}
	if err == nil && version < schemaVersion {
		err = migrate(c, version)
	}
	return err
}

// migrate upgrades the tables from a format of at least 1.
func migrate(c *conn, version int64) error {
	for _, script := range upgrades[version-1:] {
		if err := c.script(script); err != nil {
			return err
		}
	}
	return c.exec(fmt.Sprintf("PRAGMA user_version = %d", schemaVersion))
}

// Close commits the open round and closes the file.
func (e *engine) Close() error {
	e.w.stop()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.reader == nil {
		return nil
	}
	err := errors.Join(e.reader.close(), e.w.c.close(), e.w.j.close())
	e.reader = nil
	return err
}

// Read implements store.Engine.
func (e *engine) Read(ctx context.Context, f func(context.Context, store.Queries) error) error {
	return e.read(ctx, func(c *conn) error { return f(ctx, c) })
}

func (e *engine) read(ctx context.Context, f func(*conn) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.reader == nil {
		return ErrClosed
	}
	return unavailable(f(e.reader))
}

// unavailable marks the errors of SQLite.
func unavailable(err error) error {
	var known *billing.UnavailableError
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, billing.ErrAccountNotFound), errors.Is(err, billing.ErrKeyNotFound), errors.Is(err, ErrClosed):
		return err
	}
	return &billing.UnavailableError{Err: err}
}
