package file

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/postgeo/postgeo/dataset"
)

// A File is an open container: SQLite, the manifest and the parts that rooms
// register. All its methods may be called from any number of goroutines at once.
type File struct {
	Engine   Engine
	path     string
	manifest dataset.Manifest
	pool     *pool
	Parts    []Part

	// loaded are Sections. The data of a section is set before its bit, so that whoever sees
	// the bit may read the data without a lock.
	loaded  atomic.Uint64
	loading chan struct{} // holds one element while sections are read; a lock that a context can leave
	pages   *pages
	abs     string // the absolute path; "" for a file of an fs.FS
}

// An Engine is SQLite. Package sqlite has it, so that programs that open no file do not
// link it.
type Engine interface {
	driver.Driver
	// Register gives a name to files that SQLite reads, until the closer is closed.
	Register(files fs.FS) (name string, registered io.Closer, err error)
}

// NewFile returns a file that is not open.
func NewFile(engine Engine) *File {
	return &File{Engine: engine, loading: make(chan struct{}, 1)}
}

// Path returns the path or name that the file was opened with.
func (f *File) Path() string { return f.path }

// Manifest returns the description of the file. Its slices must not be
// changed.
func (f *File) Manifest() dataset.Manifest { return f.manifest }

// Open opens the file at the path and reads the tables of no section. The file
// must not change while it is open.
func (f *File) Open(path string) error {
	info, err := os.Stat(path) // before it is opened: opening a pipe waits for a writer
	if errors.Is(err, fs.ErrNotExist) {
		return missing(path)
	}
	if err != nil {
		return fmt.Errorf("dataset: cannot open %s: %w", path, err)
	}
	if err := checkKind(path, info); err != nil {
		return err
	}
	source, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("dataset: cannot open %s: %w", path, err)
	}
	if f.abs, err = filepath.Abs(path); err != nil {
		return errors.Join(err, source.Close())
	}
	return f.open(path, source)
}

// A missing is the path of a file that does not exist. It matches fs.ErrNotExist.
type missing string

// Error names the file and the command that builds it.
func (m missing) Error() string {
	return fmt.Sprintf("dataset: %s does not exist; build it with \"postgeo dataset build -o %[1]s\"", string(m))
}

// Is reports whether the target is fs.ErrNotExist.
func (m missing) Is(target error) bool { return target == fs.ErrNotExist }

// OpenFS opens the file with the name in the file system, as Open does. Its
// files must implement [io.ReaderAt].
func (f *File) OpenFS(fsys fs.FS, name string) error {
	source, err := fsys.Open(name)
	if err != nil {
		return fmt.Errorf("dataset: cannot open %s: %w", name, err)
	}
	r, ok := source.(readable)
	if !ok {
		return errors.Join(fmt.Errorf("dataset: cannot read %s at any place: %w", name, errors.ErrUnsupported), source.Close())
	}
	return f.open(name, r)
}

// open reads the parts of the dataset that Open needs from the source, and closes it
// on failure.
func (f *File) open(path string, source readable) (err error) {
	f.path = path
	if f.pages, err = openPages(f.Engine, path, source); err != nil {
		return errors.Join(err, source.Close())
	}
	dsn, done, err := f.pages.register()
	if err != nil {
		return errors.Join(err, source.Close())
	}
	c, err := f.pages.connect(dsn)
	if err != nil {
		return errors.Join(err, done())
	}
	if err := f.begin(c); err != nil {
		return errors.Join(err, c.Close(), done())
	}
	f.pool = newPool(f.pages, dsn, done, c)
	return nil
}

// begin reads the manifest and the parts of no section. The schema is compared first: all
// queries rely on its columns.
func (f *File) begin(c *Connection) error {
	if err := f.checkSchema(c); err != nil {
		return err
	}
	var err error
	if f.manifest, err = readManifest(c); err != nil {
		return readError(f.path, "the manifest", err)
	}
	return f.decode(0, c)
}

// checkSchema refuses a file whose tables are not exactly those of the format, letter by letter.
// A trigger, a view or an index of another maker could run code or change answers.
func (f *File) checkSchema(c *Connection) error {
	i := 0
	err := c.Query("SELECT type, coalesce(sql, '') FROM sqlite_schema WHERE name NOT LIKE 'sqlite_autoindex%' ORDER BY rowid", func(v []driver.Value) error {
		if i >= len(Schema) || v[0] != "table" || v[1] != Schema[i].SQL {
			return fmt.Errorf("found %v %q, which is not part of the format", v[0], v[1])
		}
		i++
		return nil
	})
	if err == nil && i < len(Schema) {
		err = fmt.Errorf("table %s is missing", Schema[i].Name)
	}
	if err != nil {
		return readError(c.path, "the schema", err)
	}
	return nil
}

// Close closes the file. It waits for calls that read it; scans end early with
// [ErrClosed]. A second Close does nothing. After Close every method that
// returns an error returns one that matches ErrClosed. The others keep
// returning data from memory.
func (f *File) Close() error {
	if err := f.pool.close(); err != nil {
		return fmt.Errorf("dataset: closing %s: %w", f.path, err)
	}
	return nil
}

// Ping reads the first page of the file, past every cache, and compares it and the
// size of the file with those at Open. A page that a read found damaged is read too.
// So Ping reports damage that was met until it is repaired.
func (f *File) Ping(ctx context.Context) error {
	return f.pool.Use(ctx, func(*Connection) error { return f.pages.ping() })
}

// Query calls scan with each row of a query. The query is prepared once for each connection.
func (f *File) Query(ctx context.Context, noun, sql string, scan func([]driver.Value) error, args ...driver.Value) error {
	return f.pool.Use(ctx, func(c *Connection) error {
		err := decoding(func() error { return c.Query(sql, scan, args...) })
		if err != nil {
			return readError(c.path, noun, err)
		}
		return nil
	})
}

// Attached calls a function while a connection, usually that of another file, has the file
// attached under a name. One statement can then compare or copy tables of both.
func (f *File) Attached(name string, c *Connection, call func() error) error {
	if err := f.pool.usable(); err != nil {
		return err
	}
	err := c.Exec("ATTACH ? AS "+name, f.pool.dsn)
	if err == nil {
		err = errors.Join(call(), c.Exec("DETACH "+name))
	}
	if err != nil {
		return readError(f.path, "the tables", f.pages.cause(err))
	}
	return nil
}

// Connect opens a connection that is used for nothing else.
func (f *File) Connect() (*Connection, error) {
	if err := f.pool.usable(); err != nil {
		return nil, err
	}
	return f.pages.connect(f.pool.dsn)
}

// Usable returns an error that matches [ErrClosed] after Close.
func (f *File) Usable() error { return f.pool.usable() }

// Damaged returns an error that matches [ErrDamaged] and names the file.
func (f *File) Damaged(format string, args ...any) error { return damaged(f.path, format, args...) }

// ReadRow reads and decodes the data of a row. A missing row is damage: callers read only
// rows that the resident tables list.
func ReadRow[T any](ctx context.Context, f *File, table string, id int64, decode func(data []byte) (T, error)) (row T, err error) {
	found := false
	err = f.Query(ctx, table, "SELECT data FROM "+table+" WHERE id = ?", func(v []driver.Value) (err error) {
		var data []byte
		if data, found = v[0].([]byte); found {
			row, err = decode(data)
		}
		if err != nil {
			err = fmt.Errorf("row %d: %w", id, err)
		}
		return err
	}, id)
	if err == nil && !found {
		err = f.Damaged("row %d of the table %s is missing", id, table)
	}
	if err != nil {
		return *new(T), err
	}
	return row, nil
}

// readPragmas make SQLite check cells before it uses them and run no code of a
// schema (SQLite, "Defense Against The Dark Arts"). A Connection keeps at most 2 MiB of pages:
// the inner pages of the largest table and the leaves of one area. That is 64 MiB for all
// connections. Sorting needs memory, as the file system has no other files.
const readPragmas = "&_pragma=cell_size_check(1)&_pragma=trusted_schema(0)&_pragma=cache_size(-2048)&_pragma=temp_store(2)"

// checkKind refuses everything but regular files.
func checkKind(path string, info fs.FileInfo) error {
	if info.IsDir() {
		return fmt.Errorf("%w: %s is a folder; give the file itself", ErrNotDataset, path)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a regular file (%s)", ErrNotDataset, path, info.Mode())
	}
	return nil
}
