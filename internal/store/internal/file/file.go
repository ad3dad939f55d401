package file

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

	"github.com/postgeo/postgeo/dataset"
)

// A File is an open container: SQLite, the manifest and the tables that rooms
// register. All its methods may be called from any number of goroutines at once.
type File struct {
	Path     string
	Manifest dataset.Manifest
	Cold     *pool
	Names    NameTable // the texts of resident tables
	Tables   *Tables
	fresh    func() *File // returns an unopened file with separate tables

	loaded  atomic.Uint64 // Sections; the state of a section is set before its bit
	loading chan struct{} // holds one element while sections are read
	Heads   []Column      // the directory of columns, without data
	check   *checker      // nil if the file cannot be read past SQLite
}

// NewFile returns a file that is not open. fresh returns another one with the
// same tables, for verification.
func NewFile(fresh func() *File) *File {
	f := &File{Tables: &Tables{}, fresh: fresh, loading: make(chan struct{}, 1)}
	f.Tables.Add([]Bound{namesTable.Bind(f, nil)}, nil)
	return f
}

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
	return f.openSource(path, source)
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
// files must implement [io.Seeker].
func (f *File) OpenFS(fsys fs.FS, name string) error {
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
func (f *File) openSource(path string, source readable) error {
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
		return errors.Join(err, f.Close())
	}
	return nil
}

// connect opens the first connection and reads the parts that Open needs.
func (f *File) connect(path, dsn string, done func() error) error {
	f.Path = path
	c, err := connect(path, dsn)
	if err != nil {
		return err
	}
	if err := f.begin(context.Background(), c); err != nil {
		return errors.Join(err, c.close())
	}
	f.Cold = newPool(path, dsn)
	f.Cold.done = done
	f.Cold.idle = append(f.Cold.idle, c)
	return nil
}

// begin reads the manifest, the directory of columns and the tables of no
// section.
func (f *File) begin(ctx context.Context, c *Connection) error {
	if err := f.checkSchema(ctx, c); err != nil {
		return err
	}
	var err error
	if f.Manifest, err = readManifest(ctx, c); err != nil {
		return readError(f.Path, "the manifest", err)
	}
	if f.Heads, err = readDirectory(c, rowsOf(&f.Manifest, ColumnRows.Name)); err != nil {
		return err
	}
	return f.decode(0, f.columns(c))
}

// checkSchema refuses a file whose tables are not exactly those of the format.
func (f *File) checkSchema(ctx context.Context, c *Connection) error {
	want := f.Tables.schema()
	i := 0
	err := c.each(ctx, "SELECT type, sql FROM sqlite_schema ORDER BY rowid", func(r *Scanner) error {
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

// Close closes the file. It waits for calls that read it; scans end early with
// [ErrClosed]. A second Close does nothing.
func (f *File) Close() error {
	if err := f.Cold.close(); err != nil {
		return fmt.Errorf("dataset: closing %s: %w", f.Path, err)
	}
	if f.check != nil {
		return f.check.end()
	}
	return nil
}

// Ping reads one row from the file, past every cache of this package, and
// compares it with the manifest that Open read.
func (f *File) Ping(ctx context.Context) error {
	return f.Cold.Use(ctx, func(c *Connection) error {
		digest := ""
		err := c.each(ctx, "SELECT value FROM manifest WHERE key = 'digest'", func(r *Scanner) error {
			digest = r.text()
			return nil
		})
		if err != nil {
			return readError(f.Path, "the manifest", err)
		}
		if digest != f.Manifest.Digest {
			return f.Damaged("the manifest's digest is %q, was %q when the file was opened", digest, f.Manifest.Digest)
		}
		return nil
	})
}

// Row reads the payload of a row. A missing row is damage: callers read only
// rows that the resident tables list.
func (f *File) Row(ctx context.Context, table *RowKind, id int64) (payload []byte, err error) {
	err = f.Cold.Use(ctx, func(c *Connection) error {
		payload, err = c.Row(table, id)
		return err
	})
	return payload, err
}

// Usable returns an error that matches [ErrClosed] after Close.
func (f *File) Usable() error { return f.Cold.usable() }

// Damaged returns an error that matches [ErrDamaged] and names the file.
func (f *File) Damaged(format string, args ...any) error { return damaged(f.Path, format, args...) }

// DamagedRow returns the error of a row that cannot be decoded.
func (f *File) DamagedRow(table *RowKind, id int64, err error) error {
	return f.Damaged("%s: %v", table.Noun(id), err)
}

// ReadRow reads and decodes a row.
func ReadRow[T any](ctx context.Context, f *File, table *RowKind, id int64, decode func(payload []byte) (T, error)) (row T, err error) {
	payload, err := f.Row(ctx, table, id)
	if err != nil {
		return row, err
	}
	if row, err = decode(payload); err != nil {
		return *new(T), f.DamagedRow(table, id, err)
	}
	return row, nil
}

// vfsDSN returns the address of a file of a registered file system.
func vfsDSN(name, vfsName string) string {
	return "file:" + (&url.URL{Path: name}).EscapedPath() + "?mode=ro&immutable=1&vfs=" + vfsName + readPragmas
}

// readPragmas make SQLite check cells before it uses them and run no code of a
// schema. A Connection keeps at most 2 MiB of pages: the inner pages of the
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
