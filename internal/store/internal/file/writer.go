package file

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/dataset"
)

// A Writer builds a file. One goroutine uses it. Rooms may add their rows in any
// order; the bytes of the file depend only on the rows.
type Writer struct {
	path  string
	part  string // the file while it is being built
	own   os.FileInfo
	db    *Connection
	stmts map[string]driver.Stmt
	done  bool
	Err   error // of an earlier write, which makes the file unusable

	Names  NameWriter
	format *File // decodes the columns as Open does
	tables []Bound
	Flush  []func() error // add the last rows of rooms
	Packed []PackedRows
	Base   *Base  // nil unless the file extends another
	Rows   *spool // rows that wait for Finish
}

// PackedRows are tables that a room writes itself in Finish.
type PackedRows struct {
	Kinds []*RowKind
	Write func() error
	Kept  bool // the rows of an extended file are copied
}

// A Base file is copied into the new one.
type Base struct {
	File    *File
	Renewed func(table string) bool // reports resident tables that are encoded again
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
	own, statErr := f.Stat()
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
	w := &Writer{
		path: path, part: part, own: own, db: db, Rows: rows, format: format,
		stmts: map[string]driver.Stmt{}, Names: NameWriter{IDs: map[string]NameID{}},
	}
	w.Add(namesTable.Bind(nil, w))
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
		if err := w.exec(s); err != nil {
			return nil, errors.Join(fmt.Errorf("dataset: cannot write %s: %w", part, err), w.Abort())
		}
	}
	return w, nil
}

// Add registers a resident table, in the order of those of the file.
func (w *Writer) Add(t Bound) {
	at := len(w.tables)
	if t.section == 0 {
		at = slices.IndexFunc(w.tables, func(t Bound) bool { return t.section != 0 })
	}
	if at < 0 {
		at = len(w.tables)
	}
	w.tables = slices.Insert(w.tables, at, t)
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

// exec runs a statement. It prepares one with values once.
func (w *Writer) exec(sql string, values ...driver.Value) error {
	s, ok := w.stmts[sql]
	if !ok {
		var err error
		if s, err = w.db.prepare(sql); err != nil {
			return err
		}
		if len(values) > 0 {
			w.stmts[sql] = s
		} else {
			defer s.Close()
		}
	}
	e, ok := s.(driver.StmtExecContext)
	if !ok {
		return errNoStatements
	}
	named := make([]driver.NamedValue, len(values))
	for i, v := range values {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	_, err := e.ExecContext(context.Background(), named)
	return err
}

// Insert adds a row to a table. A row that the schema refuses is an error that matches
// [ErrInvalidRow].
func (w *Writer) Insert(table string, values ...driver.Value) error {
	sql := "INSERT INTO " + table + " VALUES (?" + strings.Repeat(",?", len(values)-1) + ")"
	for _, v := range values {
		if text, ok := v.(string); ok && !utf8.ValidString(text) {
			w.Err = Invalid("table %s: the text %q is not UTF-8", table, text)
			return w.Err
		}
	}
	switch err := w.exec(sql, values...); {
	case hasCode(err, codeConstraint):
		w.Err = fmt.Errorf("%w: table %s: %w: %v", ErrInvalidRow, table, err, values)
	case err != nil:
		w.Err = fmt.Errorf("dataset: writing %s: table %s: %w", w.part, table, err)
	}
	return w.Err
}

// Copy copies tables of the extended file.
func (w *Writer) Copy(tables ...string) error {
	return w.Base.File.Cold.Use(context.Background(), func(c *Connection) error {
		for _, t := range tables {
			if err := c.query("SELECT * FROM "+t, nil, func(values []driver.Value) error { return w.Insert(t, values...) }); err != nil {
				return readError(c.path, t, err)
			}
		}
		return nil
	})
}

// Spool keeps a row for Finish.
func (w *Writer) Spool(table *RowKind, id int64, payload []byte) error {
	if err := w.Rows.Add(table, id, 0, payload); err != nil {
		w.Err = err
	}
	return w.Err
}

// InsertRow writes a row to its table.
func (w *Writer) InsertRow(table *RowKind, id int64, payload []byte) error {
	if payload == nil {
		payload = []byte{} // nil is NULL
	}
	return w.Insert(table.Name, id, payload)
}

// Finish writes the remaining tables, gives the file its name and closes the
// writer. A reference to a row that no table holds is an error that matches
// [ErrInvalidRow]. After an error the part file is removed, and a previous file
// with the name is unchanged. The writer fills in Format, Tables and Digest of
// the manifest.
func (w *Writer) Finish(m dataset.Manifest) error {
	if err := w.Usable(); err != nil {
		return err
	}
	err := w.writeAll(m)
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	return nil
}

func (w *Writer) writeAll(m dataset.Manifest) error {
	if err := checkManifest(&m); err != nil {
		return err
	}
	if err := w.writeRows(); err != nil {
		return err
	}
	columns, err := w.columns()
	if err != nil {
		return err
	}
	if err := w.InsertRow(ColumnRows, directoryID, columns.Directory()); err != nil {
		return err
	}
	for i, c := range columns.Heads {
		if err := w.InsertRow(ColumnRows, int64(i+1), c.Data); err != nil {
			return err
		}
	}
	m.Format, m.Tables = FormatVersion, nil
	for _, t := range contents() {
		digest, err := digestTable(w.db, t.name, func([]driver.Value) error { return nil })
		if err != nil {
			return fmt.Errorf("dataset: reading %s: %w", w.part, err)
		}
		m.Tables = append(m.Tables, digest)
	}
	err = w.db.each(context.Background(), `SELECT "table", coalesce(parent, '') FROM pragma_foreign_key_check LIMIT 1`, func(r *Scanner) error {
		return Invalid("a row of the table %s refers to no row of %s", r.text(), r.text())
	})
	if err != nil {
		return err
	}
	m.Built = m.Built.UTC()
	m.Digest = digest(&m)
	if err := writeManifest(&m, w.Insert); err != nil {
		return err
	}
	if err := w.exec("COMMIT"); err != nil {
		return fmt.Errorf("dataset: writing %s: %w", w.part, err)
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("dataset: writing %s: %w", w.part, err)
	}
	if err := SealPages(w.part, fileID(m.Digest)); err != nil {
		return fmt.Errorf("dataset: writing %s: %w", w.part, err)
	}
	if now, err := os.Stat(w.part); err != nil || !os.SameFile(now, w.own) {
		return fmt.Errorf("dataset: %s was replaced while it was written; build one file at a time", w.part)
	}
	if err := os.Rename(w.part, w.path); err != nil {
		return fmt.Errorf("dataset: %w", err)
	}
	w.done = true
	return syncFolder(filepath.Dir(w.path))
}

func (w *Writer) writeRows() error {
	for _, flush := range w.Flush {
		if err := flush(); err != nil {
			return err
		}
	}
	own := map[*RowKind]bool{} // tables that are written below
	for _, p := range w.Packed {
		for _, k := range p.Kinds {
			own[k] = w.Base == nil || !p.Kept
		}
	}
	for _, t := range w.format.Tables.rows {
		if own[t.RowKind] {
			continue
		}
		slices.SortFunc(w.Rows.Entries[t.RowKind], func(a, b Spooled) int { return cmp.Compare(a.Id, b.Id) })
		if w.Base != nil {
			if err := w.copyRows(t.RowKind); err != nil {
				return err
			}
		}
		if err := w.unspool(t.RowKind, math.MaxInt64); err != nil {
			return err
		}
	}
	for _, p := range w.Packed {
		if err := p.Write(); err != nil {
			return err
		}
	}
	return nil
}

// unspool writes the spooled rows of a table with numbers up to the last one.
func (w *Writer) unspool(table *RowKind, last int64) error {
	entries := w.Rows.Entries[table]
	for ; len(entries) > 0 && entries[0].Id <= last; entries = entries[1:] {
		payload, err := w.Rows.Read(entries[0])
		if err == nil {
			err = w.InsertRow(table, entries[0].Id, payload)
		}
		if err != nil {
			return err
		}
	}
	w.Rows.Entries[table] = entries
	return nil
}

// columns encodes the resident tables, and decodes them as Open does, so that
// Finish refuses every value that Open would refuse.
func (w *Writer) columns() (*Columns, error) {
	set := &Columns{}
	if w.Base != nil {
		if err := w.copyColumns(set); err != nil {
			return nil, err
		}
	} else {
		for _, t := range w.tables {
			if err := w.encode(t, set); err != nil {
				return nil, err
			}
		}
	}
	if err := w.format.DecodeAll(&Columns{Heads: set.Heads}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidRow, err)
	}
	return set, nil
}

// encode adds the columns of a table.
func (w *Writer) encode(t Bound, set *Columns) error {
	for _, q := range t.queries {
		c, err := w.db.cache(q)
		if err != nil {
			return fmt.Errorf("dataset: reading %s: cache %s: %w", w.part, q.Name, err)
		}
		set.Add(c)
	}
	if t.encode == nil {
		return nil
	}
	return t.encode(set)
}

// copyRows copies the rows of a table of the extended file, and the spooled rows between
// them.
func (w *Writer) copyRows(table *RowKind) error {
	base := w.Base.File
	return base.Cold.Use(context.Background(), func(c *Connection) error {
		err := c.each(context.Background(), "SELECT id, data FROM "+table.Name+" ORDER BY id", func(r *Scanner) error {
			id, data := r.Int(), r.Blob()
			if r.err != nil {
				return r.err
			}
			if err := w.unspool(table, id); err != nil {
				return err
			}
			return w.InsertRow(table, id, data)
		})
		if err != nil {
			return readError(base.Path, table.Name, err)
		}
		return nil
	})
}

// copyColumns copies the columns of the extended file, and encodes renewed
// tables again.
func (w *Writer) copyColumns(set *Columns) error {
	base := w.Base.File
	return base.Cold.Use(context.Background(), func(c *Connection) error {
		all, decoded := base.columns(c), base.fresh()
		for i, t := range decoded.Tables.Resident {
			before := len(all.taken)
			if err := t.decode(all); all.failed != nil {
				return all.failed
			} else if err != nil {
				return base.Damaged("%v", err)
			}
			if len(t.queries) == 0 && !w.Base.Renewed(t.Name) {
				for _, c := range all.taken[before:] {
					set.Add(c)
				}
			} else if err := w.encode(w.tables[i], set); err != nil {
				return err
			}
		}
		return nil
	})
}

// Abort removes the part file. It does nothing after Finish or a first Abort.
func (w *Writer) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	err := w.Close()
	if now, statErr := os.Stat(w.part); statErr == nil && os.SameFile(now, w.own) {
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
		for _, s := range w.stmts {
			errs = append(errs, s.Close())
		}
		errs = append(errs, w.db.close())
		w.db, w.stmts = nil, nil
	}
	if w.Rows != nil {
		errs = append(errs, w.Rows.remove())
		w.Rows = nil
	}
	return errors.Join(errs...)
}

// syncFolder makes a rename last. Systems that cannot sync a folder are left
// to their own ways.
func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	_ = f.Sync()
	return f.Close()
}
