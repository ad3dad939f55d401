package dataset

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// A writer builds a file. One goroutine uses it. Rooms may add their rows in any
// order; the bytes of the file depend only on the rows.
type writer struct {
	path  string
	part  string // the file while it is being built
	own   os.FileInfo
	db    *connection
	stmts map[string]driver.Stmt
	done  bool
	err   error // of an earlier write, after which the file is of no use

	names  nameWriter
	format *file // decodes the columns as open does
	tables []boundTable
	flush  []func() error // add the last rows of rooms
	packed []packedRows
	base   *extended // nil unless the file extends another
	spool  *spool    // rows that wait for finish
	hashes map[*rowKind]*tableHash
}

// packedRows are tables that a room writes itself in finish.
type packedRows struct {
	kinds []*rowKind
	write func() error
	kept  bool // the rows of an extended file are copied
}

// An extended file is copied into the new one.
type extended struct {
	file    *file
	renewed func(table string) bool // reports resident tables that are encoded again
	// replace returns the payload that takes the place of a row's; nil keeps the row.
	replace func(table *rowKind, id int64) ([]byte, error)
}

// create begins a file beside the path. It takes its name in finish. Close the
// writer with finish or abort.
func create(path string, format *file) (*writer, error) {
	part := path + ".part"
	f, err := createFile(part)
	if err != nil {
		return nil, fmt.Errorf("dataset: cannot create %s: %w", part, err)
	}
	own, err := f.Stat()
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, errors.Join(fmt.Errorf("dataset: cannot create %s: %w", part, err), os.Remove(part))
	}
	abs, err := filepath.Abs(part)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("dataset: cannot create %s: %w", part, err), os.Remove(part))
	}
	db, err := connect(part, fileURL(abs)+"?mode=rwc")
	if err != nil {
		return nil, errors.Join(err, os.Remove(part))
	}
	rows, err := createSpool(path + ".rows.part")
	if err != nil {
		return nil, errors.Join(fmt.Errorf("dataset: cannot create %s: %w", path, err), db.close(), os.Remove(part))
	}
	w := &writer{
		path: path, part: part, own: own, db: db, spool: rows, format: format,
		stmts: map[string]driver.Stmt{}, names: nameWriter{ids: map[string]nameID{}}, hashes: map[*rowKind]*tableHash{},
	}
	for _, k := range format.tables.kinds() {
		w.hashes[k] = newTableHash()
	}
	w.add(namesTable.bind(nil, w))
	statements := append([]string{
		fmt.Sprintf("PRAGMA page_size = %d", pageSize),
		"PRAGMA encoding = 'UTF-8'",
		"PRAGMA auto_vacuum = NONE",
		"PRAGMA journal_mode = OFF", // a build that fails is thrown away
		"PRAGMA synchronous = OFF",  // Finish syncs the file
		"PRAGMA locking_mode = EXCLUSIVE",
		fmt.Sprintf("PRAGMA application_id = %d", applicationID),
		fmt.Sprintf("PRAGMA user_version = %d", formatVersion),
		"BEGIN",
	}, format.tables.schema()...)
	for _, s := range statements {
		if err := w.exec(s); err != nil {
			return nil, errors.Join(fmt.Errorf("dataset: cannot write %s: %w", part, err), w.abort())
		}
	}
	return w, nil
}

// add registers a resident table, in the order of those of the file.
func (w *writer) add(t boundTable) {
	at := len(w.tables)
	if t.section == 0 {
		at = slices.IndexFunc(w.tables, func(t boundTable) bool { return t.section != 0 })
	}
	if at < 0 {
		at = len(w.tables)
	}
	w.tables = slices.Insert(w.tables, at, t)
}

// open reports whether rows may still be added.
func (w *writer) open() error {
	if w.done {
		return fmt.Errorf("%w: the writer of %s", ErrClosed, w.path)
	}
	return w.err
}

// setOnce takes a copy of a small table, which may be given once.
func setOnce[T any](w *writer, name string, table *[]T, rows []T) error {
	if err := w.open(); err != nil {
		return err
	}
	if *table != nil {
		return invalid("the table %s was given twice", name)
	}
	*table = slices.Clone(rows)
	return nil
}

// exec runs a statement, which is prepared once.
func (w *writer) exec(sql string, values ...driver.Value) error {
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

func (w *writer) insert(table string, values ...driver.Value) error {
	sql := "INSERT INTO " + table + " VALUES (?"
	for range values[1:] {
		sql += ",?"
	}
	if err := w.exec(sql+")", values...); err != nil {
		w.err = fmt.Errorf("dataset: writing %s: table %s: %w", w.part, table, err)
	}
	return w.err
}

// spoolRow puts a row aside for Finish.
func (w *writer) spoolRow(table *rowKind, id int64, payload []byte) error {
	if err := w.spool.add(table, id, 0, payload); err != nil {
		w.err = err
	}
	return w.err
}

func (w *writer) insertRow(table *rowKind, id int64, payload []byte) error {
	data := seal(table.name, id, payload)
	w.hashes[table].row(id, data)
	return w.insert(table.name, id, data)
}

// Finish writes what is left, gives the file its name and closes the writer.
// A reference to a row that no table holds is an error that matches
// [ErrInvalidRow]. After an error the part file is gone and the file that had
// the name before, if any, is untouched. Format, Tables and Digest of the
// manifest are filled in by the writer.
func (w *writer) finish(m Manifest) error {
	if err := w.open(); err != nil {
		return err
	}
	err := w.writeAll(m)
	if err != nil {
		return errors.Join(err, w.abort())
	}
	return nil
}

func (w *writer) writeAll(m Manifest) error {
	if err := m.check(); err != nil {
		return err
	}
	if err := w.rows(); err != nil {
		return err
	}
	columns, err := w.columns()
	if err != nil {
		return err
	}
	if err := w.insertRow(columnRows, directoryID, columns.directory()); err != nil {
		return err
	}
	for i, c := range columns.heads {
		if err := w.insertRow(columnRows, int64(i+1), c.data); err != nil {
			return err
		}
	}
	m.Format, m.Tables = formatVersion, nil
	for _, k := range w.format.tables.kinds() {
		m.Tables = append(m.Tables, w.hashes[k].table(k.name))
	}
	m.Built = m.Built.UTC()
	m.Digest = m.digest()
	if err := m.write(w.insert); err != nil {
		return err
	}
	if err := w.exec("COMMIT"); err != nil {
		return fmt.Errorf("dataset: writing %s: %w", w.part, err)
	}
	if err := w.close(); err != nil {
		return fmt.Errorf("dataset: writing %s: %w", w.part, err)
	}
	if err := syncFile(w.part); err != nil {
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

// rows writes the tables of rows.
func (w *writer) rows() error {
	for _, flush := range w.flush {
		if err := flush(); err != nil {
			return err
		}
	}
	own := map[*rowKind]bool{} // tables that are written below
	for _, p := range w.packed {
		for _, k := range p.kinds {
			own[k] = w.base == nil || !p.kept
		}
	}
	if w.base != nil {
		if err := w.copyRows(own); err != nil {
			return err
		}
	}
	for _, t := range w.format.tables.rows {
		entries := w.spool.entries[t.rowKind]
		if own[t.rowKind] {
			continue
		}
		slices.SortFunc(entries, func(a, b spooled) int { return cmp.Compare(a.id, b.id) })
		for _, e := range entries {
			payload, err := w.spool.read(e)
			if err == nil {
				err = w.insertRow(t.rowKind, e.id, payload)
			}
			if err != nil {
				return err
			}
		}
	}
	for _, p := range w.packed {
		if err := p.write(); err != nil {
			return err
		}
	}
	return nil
}

// columns encodes the resident tables, and decodes them as open does: a value
// that open refuses is refused here.
func (w *writer) columns() (*columnSet, error) {
	set := &columnSet{}
	if w.base != nil {
		if err := w.copyColumns(set); err != nil {
			return nil, err
		}
	} else {
		for _, t := range w.tables {
			if err := t.encode(set); err != nil {
				return nil, err
			}
		}
	}
	if err := w.format.decodeAll(&columnSet{heads: set.heads}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidRow, err)
	}
	return set, nil
}

// copyRows copies the rows of the extended file, with replacements, except
// those of tables that rooms write anew.
func (w *writer) copyRows(own map[*rowKind]bool) error {
	base := w.base.file
	return base.cold.use(context.Background(), func(c *connection) error {
		for _, t := range w.format.tables.rows {
			if own[t.rowKind] {
				continue
			}
			err := c.each(context.Background(), "SELECT id, data FROM "+t.name+" ORDER BY id", func(r *scanner) error {
				id, data := r.int(), r.blob()
				if r.err != nil {
					return r.err
				}
				payload, err := unseal(t.name, id, data)
				if err != nil {
					return base.damagedRow(t.rowKind, id, err)
				}
				replaced, err := w.base.replace(t.rowKind, id)
				if err != nil {
					return invalidRow(t.noun(id), err)
				}
				if replaced != nil {
					payload = replaced
				}
				return w.insertRow(t.rowKind, id, payload)
			})
			if err != nil {
				return readError(base.path, t.name, err)
			}
		}
		return nil
	})
}

// copyColumns copies the columns of the extended file. It encodes those of
// renewed tables again.
func (w *writer) copyColumns(set *columnSet) error {
	base := w.base.file
	return base.cold.use(context.Background(), func(c *connection) error {
		all, decoded := base.columns(c), base.fresh()
		for i, t := range decoded.tables.resident {
			before := len(all.taken)
			if err := t.decode(all); all.failed != nil {
				return all.failed
			} else if err != nil {
				return base.damaged("%v", err)
			}
			if !w.base.renewed(t.name) {
				for _, c := range all.taken[before:] {
					set.add(c)
				}
			} else if err := w.tables[i].encode(set); err != nil {
				return err
			}
		}
		return nil
	})
}

// Abort removes what was written. After Finish or a first Abort it does
// nothing.
func (w *writer) abort() error {
	if w.done {
		return nil
	}
	w.done = true
	err := w.close()
	if now, statErr := os.Stat(w.part); statErr == nil && os.SameFile(now, w.own) {
		err = errors.Join(err, os.Remove(w.part))
	}
	if err != nil {
		return fmt.Errorf("dataset: removing %s: %w", w.part, err)
	}
	return nil
}

// close closes SQLite and removes the spool.
func (w *writer) close() error {
	var errs []error
	if w.db != nil {
		for _, s := range w.stmts {
			errs = append(errs, s.Close())
		}
		errs = append(errs, w.db.close())
		w.db, w.stmts = nil, nil
	}
	if w.spool != nil {
		errs = append(errs, w.spool.remove())
		w.spool = nil
	}
	return errors.Join(errs...)
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
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
