package file

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/disk"
)

// A Writer builds a file. One goroutine uses it. Rooms may add their rows in any
// order; the bytes of the file depend only on the rows.
type Writer struct {
	path string
	part string // the file while it is being built
	info os.FileInfo
	db   *Connection
	done bool
	Err  error // of an earlier write, which makes the file unusable

	format *File // loads the parts as Open does
	spool  *spool
}

// Create begins a file next to the path. It takes its name in Finish. Close the
// writer with Finish or Abort.
func Create(path string, format *File) (*Writer, error) {
	part := path + ".part"
	f, err := createFile(part)
	if err != nil {
		return nil, fmt.Errorf("dataset: cannot create %s: %w", part, err)
	}
	_, err = f.Write(firstPage())
	info, statErr := f.Stat()
	if err = errors.Join(err, statErr, f.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("dataset: cannot create %s: %w", part, err), os.Remove(part))
	}
	abs, err := filepath.Abs(part)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("dataset: cannot create %s: %w", part, err), os.Remove(part))
	}
	db, err := connect(format.Engine, part, fileURL(abs)+"?mode=rwc")
	if err != nil {
		return nil, errors.Join(err, os.Remove(part))
	}
	rows, err := createSpool(path + ".rows.part")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("dataset: cannot create %s: %w", path, err), db.close(), os.Remove(part))
	}
	w := &Writer{path: path, part: part, info: info, db: db, spool: rows, format: format}
	statements := []string{
		"PRAGMA journal_mode = OFF", // a build that fails is thrown away
		"PRAGMA synchronous = OFF",  // Finish syncs the file
		"PRAGMA locking_mode = EXCLUSIVE",
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
		fmt.Sprintf("PRAGMA user_version = %d", FormatVersion),
		"BEGIN",
	}
	for _, t := range schema {
		statements = append(statements, t.sql)
	}
	for _, s := range statements {
		if err := w.db.exec(s); err != nil {
			return nil, errors.Join(fmt.Errorf("dataset: cannot write %s: %w", part, err), w.Abort())
		}
	}
	return w, nil
}

// Exec runs a statement, such as one that removes rows of the extended file.
func (w *Writer) Exec(sql string, values ...driver.Value) error {
	if err := w.Usable(); err != nil {
		return err
	}
	if err := w.db.exec(sql, values...); err != nil {
		return fmt.Errorf("dataset: writing %s: %s: %w", w.part, sql, err)
	}
	return nil
}

// Usable returns an error if no more rows may be added.
func (w *Writer) Usable() error {
	if w.done {
		return fmt.Errorf("%w: the writer of %s", ErrClosed, w.path)
	}
	return w.Err
}

// SetOnce takes a copy of a small table, which may be given once.
func SetOnce[T any](w *Writer, name string, table *[]T, rows []T) error {
	if err := w.Usable(); err != nil {
		return err
	}
	if *table != nil {
		return Invalid("the table %s was given twice", name)
	}
	*table = slices.Clone(rows)
	return nil
}

// Insert adds a row to a table. A row that the schema refuses is an error that matches
// [ErrInvalidRow].
func (w *Writer) Insert(table string, values ...driver.Value) error {
	if err := w.Usable(); err != nil {
		return err
	}
	sql := "INSERT INTO " + table + " VALUES (?" + strings.Repeat(",?", len(values)-1) + ")"
	for _, v := range values {
		if text, ok := v.(string); ok && (!utf8.ValidString(text) || strings.IndexByte(text, 0) >= 0) {
			w.Err = Invalid("table %s: the text %q is not UTF-8 without zero bytes", table, text)
			return w.Err
		}
	}
	switch err := w.db.exec(sql, values...); {
	case hasCode(err, codeConstraint):
		w.Err = fmt.Errorf("%w: table %s: %w: %s", ErrInvalidRow, table, err, shown(values[0]))
	case err != nil:
		w.Err = fmt.Errorf("dataset: writing %s: table %s: %w", w.part, table, err)
	}
	return w.Err
}

// Extend copies the tables of a file, which stays open until Finish.
func (w *Writer) Extend(base *File) error {
	if err := w.db.exec("COMMIT"); err != nil { // a file is attached outside of transactions
		return err
	}
	err := base.attached("base", w.db, func() error {
		for _, t := range contents() {
			if derived(t.name) {
				continue
			}
			if err := w.db.exec("INSERT INTO " + t.name + " SELECT * FROM base." + t.name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.db.exec("BEGIN")
}

// attached calls f while a connection has the file attached under a name.
func (f *File) attached(name string, c *Connection, call func() error) error {
	if err := f.pool.usable(); err != nil {
		return err
	}
	file, err := f.pages.opening(func() error { return c.exec("ATTACH ? AS "+name, f.pool.dsn) })
	if err == nil {
		err = file.cause(errors.Join(call(), c.exec("DETACH "+name)))
	}
	if err != nil {
		return readError(f.path, "the tables", err)
	}
	return nil
}

// Finish writes the remaining tables, gives the file its name and closes the
// writer. A reference to a row that no table holds is an error that matches
// [ErrInvalidRow]. After an error the part file is removed, and a previous file
// with the name is unchanged. The writer fills in Format, Tables and Digest of
// the manifest.
func (w *Writer) Finish(m dataset.Manifest, flush ...func() error) error {
	if err := w.Usable(); err != nil {
		return err
	}
	err := w.writeAll(m, flush)
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	return nil
}

func (w *Writer) writeAll(m dataset.Manifest, flush []func() error) error {
	for _, write := range flush {
		if err := write(); err != nil {
			return err
		}
	}
	if err := w.db.check(func(sentence, row string) error { return Invalid("%s: %s", sentence, row) }); err != nil {
		return err
	}
	if err := w.writeCaches(); err != nil {
		return err
	}
	m.Format, m.Tables = FormatVersion, nil
	for _, t := range contents() {
		digest, err := digestTable(context.Background(), w.db, t.name)
		if err != nil {
			return fmt.Errorf("dataset: reading %s: %w", w.part, err)
		}
		m.Tables = append(m.Tables, digest)
	}
	if err := writeManifest(&m, w); err != nil {
		return err
	}
	// Rows that come in order leave a tenth of the pages of their keys empty; VACUUM does not.
	for _, sql := range []string{"COMMIT", "VACUUM"} {
		if err := w.db.exec(sql); err != nil {
			return fmt.Errorf("dataset: writing %s: %w", w.part, err)
		}
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("dataset: writing %s: %w", w.part, err)
	}
	if err := SealPages(w.part, fileID(m.Digest)); err != nil {
		return fmt.Errorf("dataset: writing %s: %w", w.part, err)
	}
	if now, err := os.Stat(w.part); err != nil || !os.SameFile(now, w.info) {
		return fmt.Errorf("dataset: %s was replaced while it was written; build one file at a time", w.part)
	}
	if err := disk.Settle(w.part, w.path); err != nil {
		return fmt.Errorf("dataset: %w", err)
	}
	w.done = true
	return nil
}

// writeCaches writes the results of the queries, and loads them as Open does, so that
// Finish refuses every value that Open would refuse.
func (w *Writer) writeCaches() error {
	for i := range w.format.Parts {
		for _, q := range w.format.Parts[i].Queries {
			if err := w.db.encodeCaches(q, func(name string, data []byte) error { return w.Insert("cache", name, data) }); err != nil {
				return fmt.Errorf("dataset: writing %s: %w", w.part, err)
			}
		}
	}
	if err := w.format.loadAll(w.db); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalidRow, err)
	}
	return nil
}

// Abort removes the part file. It does nothing after Finish or a first Abort.
func (w *Writer) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	err := w.Close()
	if now, statErr := os.Stat(w.part); statErr == nil && os.SameFile(now, w.info) {
		err = errors.Join(err, os.Remove(w.part))
	}
	if err != nil {
		return fmt.Errorf("dataset: removing %s: %w", w.part, err)
	}
	return nil
}

// Close closes SQLite and removes the spool.
func (w *Writer) Close() error {
	var errs []error
	if w.db != nil {
		errs = append(errs, w.db.close())
		w.db = nil
	}
	if w.spool != nil {
		errs = append(errs, w.spool.remove())
		w.spool = nil
	}
	return errors.Join(errs...)
}
