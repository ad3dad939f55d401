package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"modernc.org/sqlite/vfs"
)

// A file is an open container: SQLite, the manifest and the tables that rooms
// register. All its methods may be called from any number of goroutines at once.
type file struct {
	path     string
	manifest Manifest
	cold     *pool
	names    nameTable // the texts of resident tables
	tables   *tables
	fresh    func() *file // returns an unopened file with tables of its own

	loaded  atomic.Uint64 // Sections; the state of a section is set before its bit
	loading chan struct{} // holds one element while sections are read
	heads   []column      // the directory of columns, without data
	check   *checker      // nil if the file cannot be read past SQLite
}

// newFile returns a file that is not open. fresh returns another one with the
// same tables, for verification.
func newFile(fresh func() *file) *file {
	f := &file{tables: &tables{}, fresh: fresh, loading: make(chan struct{}, 1)}
	f.tables.add([]boundTable{namesTable.bind(f, nil)}, nil)
	return f
}

// open opens the file at the path and reads the tables of no section. The file
// must not change while it is open.
func (f *file) open(path string) error {
	info, err := os.Stat(path) // before it is opened: opening a pipe waits for a writer
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("dataset: %s does not exist; build it with \"postgeo dataset build -o %s\": %w", path, path, fs.ErrNotExist)
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
	return f.openSource(path, source)
}

// openFS opens the file with the name in the file system, as open does. Its
// files must implement [io.Seeker].
func (f *file) openFS(fsys fs.FS, name string) error {
	source, err := fsys.Open(name)
	if err != nil {
		return fmt.Errorf("dataset: cannot open %s: %w", name, err)
	}
	if r, ok := source.(readable); ok {
		return f.openSource(name, r)
	}
	err = checkFile(name, source)
	if closeErr := source.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	vfsName, registered, err := vfs.New(fsys)
	if err != nil {
		return fmt.Errorf("dataset: cannot register the file system of %s: %w", name, err)
	}
	if err := f.connect(name, vfsDSN(name, vfsName), registered.Close); err != nil {
		return errors.Join(err, registered.Close())
	}
	return nil
}

// openSource reads the dataset from the source only, and closes it on failure.
func (f *file) openSource(path string, source readable) error {
	if err := checkFile(path, source); err != nil {
		return errors.Join(err, source.Close())
	}
	dsn, done, err := hold(source)
	if err != nil {
		return errors.Join(err, source.Close())
	}
	if err := f.connect(path, dsn, done); err != nil {
		return errors.Join(err, done())
	}
	if f.check, err = newChecker(f, source); err != nil {
		return errors.Join(err, f.close())
	}
	return nil
}

// connect opens the first connection and reads what Open needs.
func (f *file) connect(path, dsn string, done func() error) error {
	f.path = path
	c, err := connect(path, dsn)
	if err != nil {
		return err
	}
	if err := f.begin(context.Background(), c); err != nil {
		return errors.Join(err, c.close())
	}
	f.cold = newPool(path, dsn)
	f.cold.done = done
	f.cold.idle = append(f.cold.idle, c)
	return nil
}

// begin reads the manifest, the directory of columns and the tables of no
// section.
func (f *file) begin(ctx context.Context, c *connection) error {
	if err := f.checkSchema(ctx, c); err != nil {
		return err
	}
	var err error
	if f.manifest, err = readManifest(ctx, c); err != nil {
		return readError(f.path, "the manifest", err)
	}
	if f.heads, err = readDirectory(c, f.manifest.rows(columnRows.name)); err != nil {
		return err
	}
	return f.decode(0, f.columns(c))
}

// checkSchema refuses a file whose tables are not exactly those of the format.
func (f *file) checkSchema(ctx context.Context, c *connection) error {
	want := f.tables.schema()
	i := 0
	err := c.each(ctx, "SELECT type, sql FROM sqlite_schema ORDER BY rowid", func(r *scanner) error {
		kind, sql := r.text(), r.text()
		if r.err == nil && (i >= len(want) || kind != "table" || sql != want[i]) {
			return fmt.Errorf("found %s %q, which is not part of the format", kind, sql)
		}
		i++
		return nil
	})
	if err == nil && i < len(want) {
		err = fmt.Errorf("table %s is missing", tableName(want[i]))
	}
	if err != nil {
		return readError(c.path, "the schema", err)
	}
	return nil
}

// close closes the file. It waits for calls that read it; scans end early with
// [ErrClosed]. A second close does nothing.
func (f *file) close() error {
	if err := f.cold.close(); err != nil {
		return fmt.Errorf("dataset: closing %s: %w", f.path, err)
	}
	if f.check != nil {
		return f.check.end()
	}
	return nil
}

// ping reads one row from the file, past every cache of this package, and
// compares it with what open read.
func (f *file) ping(ctx context.Context) error {
	return f.cold.use(ctx, func(c *connection) error {
		digest := ""
		err := c.each(ctx, "SELECT value FROM manifest WHERE key = 'digest'", func(r *scanner) error {
			digest = r.text()
			return nil
		})
		if err != nil {
			return readError(f.path, "the manifest", err)
		}
		if digest != f.manifest.Digest {
			return f.damaged("the manifest's digest is %q, was %q when the file was opened", digest, f.manifest.Digest)
		}
		return nil
	})
}

// row reads the payload of a row. A missing row is damage: callers read only
// rows that the resident tables list.
func (f *file) row(ctx context.Context, table *rowKind, id int64) (payload []byte, err error) {
	err = f.cold.use(ctx, func(c *connection) error {
		payload, err = c.row(table, id)
		return err
	})
	return payload, err
}

// usable returns an error that matches [ErrClosed] after close.
func (f *file) usable() error { return f.cold.usable() }

// damaged returns an error that matches [ErrDamaged] and names the file.
func (f *file) damaged(format string, args ...any) error { return damaged(f.path, format, args...) }

// damagedRow wraps an error of decoding a row. Errors that have a cause of
// their own remain as they are.
func (f *file) damagedRow(table *rowKind, id int64, err error) error {
	return f.damaged("%s: %v", table.noun(id), err)
}

// vfsDSN returns the address of a file of a registered file system.
func vfsDSN(name, vfsName string) string {
	return "file:" + (&url.URL{Path: name}).EscapedPath() + "?mode=ro&immutable=1&vfs=" + vfsName + readPragmas
}

// readPragmas make SQLite check cells before it uses them and run no code of a
// schema. A connection keeps at most 2 MiB of pages: the inner pages of the
// largest table and the leaves of one area.
const readPragmas = "&_pragma=cell_size_check(1)&_pragma=trusted_schema(0)&_pragma=cache_size(-2048)"

// fileURL returns the path as SQLite's file: URL.
func fileURL(abs string) string {
	p := filepath.ToSlash(abs)
	if !strings.HasPrefix(p, "/") { // C:/…
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

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

func checkFile(path string, f fs.File) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("dataset: cannot open %s: %w", path, err)
	}
	if err := checkKind(path, info); err != nil {
		return err
	}
	header, err := readHeader(f)
	if err != nil {
		return fmt.Errorf("dataset: cannot read %s: %w", path, err)
	}
	return checkHeader(path, header, info.Size())
}
