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

// A Writer builds a dataset file. It is used by one goroutine. The tables may
// be given in any order; the bytes of the file depend only on what was given.
type Writer struct {
	path  string
	part  string // the file while it is being built
	own   os.FileInfo
	db    *connection
	stmts map[string]driver.Stmt
	done  bool
	err   error // of an earlier write; the file is of no use any more

	names     nameWriter
	states    []State
	counties  []County
	cbsas     []CBSA
	divisions []Division
	zones     []Zone

	zips        []ZIPRow
	fsas        []FSARow
	postalCodes []uint32
	postalRows  []byte
	places      []place
	placeIDs    map[place]uint32
	zip4        []StreetRecord // of the ZIP that is being added
	zip4Run     uint32         // counts the runs of records of one ZIP
	finances    map[zip4RunOf]uint32
	zip4ZIPs    []zip4ZIP // known in Finish
	zip4Firsts  []uint16
	zip4Filters []byte
	cityNames   []zipCities
	aliases     []uint32 // the ZIPs whose streets were given other names

	zipTexts    textPacker // of the details' qualities
	fsaTexts    textPacker
	zipDensity  densityWriter
	fsaDensity  densityWriter
	zipZones    zoneWriter
	fsaZones    zoneWriter
	zipAreas    *AreaLayer[ZIP]
	fsaAreas    *AreaLayer[FSA]
	stateAreas  *AreaLayer[StateID]
	countyAreas *AreaLayer[CountyID]
	zoneAreas   *AreaLayer[ZoneID]
	acs         acsWriter
	base        *Dataset           // of an extension, whose tables remain unless the extension replaces them; else nil
	details     map[ZIP]*ZIPDetail // replacements for those of base
	layers      [endOfLayers]*layerWriter
	zipOverlaps []uint32 // the ZIPs that were given overlaps
	fsaOverlaps []uint32
	postalAreas []uint32 // the FSAs whose postal codes were given areas
	postalPage  postalPage
	schools     bool // SetSchoolDistricts was called

	entities    []Entity
	entityNames []EntityNames

	spool  *spool // rows that wait for Finish
	hashes [numRowTables]*tableHash
}

// Create begins a dataset file. It is built beside the path, in files of the
// same name with ".part" and ".rows.part" added, which are replaced where they
// exist, and takes its name when Finish has written everything. Close the
// writer with Finish or Abort.
func Create(path string) (*Writer, error) {
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
	w := &Writer{
		path: path, part: part, own: own, db: db, spool: rows,
		stmts:    map[string]driver.Stmt{},
		names:    nameWriter{ids: map[string]nameID{}},
		placeIDs: map[place]uint32{}, finances: map[zip4RunOf]uint32{},
	}
	for i := range w.hashes {
		w.hashes[i] = newTableHash()
	}
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
	}, schema()...)
	for _, s := range statements {
		if err := w.exec(s); err != nil {
			return nil, errors.Join(fmt.Errorf("dataset: cannot write %s: %w", part, err), w.Abort())
		}
	}
	return w, nil
}

// open reports whether rows may still be added.
func (w *Writer) open() error {
	if w.done {
		return fmt.Errorf("%w: the writer of %s", ErrClosed, w.path)
	}
	return w.err
}

// setOnce takes a copy of a small table, which may be given once.
func setOnce[T any](w *Writer, name string, table *[]T, rows []T) error {
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

func (w *Writer) insert(table string, values ...driver.Value) error {
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
func (w *Writer) spoolRow(table int, id int64, payload []byte) error {
	if err := w.spool.add(table, id, 0, payload); err != nil {
		w.err = err
	}
	return w.err
}

func (w *Writer) insertRow(table int, id int64, payload []byte) error {
	name := coldTables[table].name
	data := seal(name, id, payload)
	w.hashes[table].row(id, data)
	return w.insert(name, id, data)
}

// Finish writes what is left, gives the file its name and closes the writer.
// A reference to a row that no table holds is an error that matches
// [ErrInvalidRow]. After an error the part file is gone and the file that had
// the name before, if any, is untouched. Format, Tables and Digest of the
// manifest are filled in by the writer.
func (w *Writer) Finish(m Manifest) error {
	if err := w.open(); err != nil {
		return err
	}
	err := w.finish(m)
	if err != nil {
		return errors.Join(err, w.Abort())
	}
	return nil
}

func (w *Writer) finish(m Manifest) error {
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
	hash := newTableHash()
	for i, c := range columns.list {
		hash.column(int64(i+1), c)
		if err := w.insert("column_data", int64(i+1), c.name, int64(c.width), int64(c.rows), int64(c.checksum()), c.data); err != nil {
			return err
		}
	}
	m.Format, m.Tables = formatVersion, nil
	for i, h := range w.hashes {
		m.Tables = append(m.Tables, h.table(coldTables[i].name))
	}
	m.Tables = append(m.Tables, hash.table("column_data"))
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
func (w *Writer) rows() error {
	if err := errors.Join(w.spoolZIP4(), w.spoolCodes(), w.spoolPostalPage()); err != nil {
		return err
	}
	if w.base != nil {
		if err := w.copyRows(); err != nil {
			return err
		}
		return w.writeACS()
	}
	for table, entries := range w.spool.entries {
		if table == zip4Rows || table == zip4AddOnRows || table == streetKeyRows || table == acsRows {
			continue
		}
		slices.SortFunc(entries, func(a, b spooled) int { return cmp.Compare(a.id, b.id) })
		for _, e := range entries {
			payload, err := w.spool.read(e)
			if err == nil {
				err = w.insertRow(table, e.id, payload)
			}
			if err != nil {
				return err
			}
		}
	}
	if err := w.writeZIP4(); err != nil {
		return err
	}
	return w.writeACS()
}

// columns encodes the resident tables, and decodes them as Open will: what it
// would refuse is refused here.
func (w *Writer) columns() (*columnSet, error) {
	set := &columnSet{}
	tables := residentTables()
	if w.base != nil {
		if err := w.copyColumns(set); err != nil {
			return nil, err
		}
		tables = nil
	}
	for _, t := range tables {
		if err := t.encode(w, set); err != nil {
			return nil, err
		}
	}
	if err := newDataset(w.path).decodeAll(&columnSet{list: set.list}); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidRow, err)
	}
	return set, nil
}

// Abort removes what was written. After Finish or a first Abort it does
// nothing.
func (w *Writer) Abort() error {
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
func (w *Writer) close() error {
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
