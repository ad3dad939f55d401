// Package storewrite writes the dataset files that package store reads.
//
// A [Writer] takes the rows of the tables: states, metropolitan areas and divisions,
// counties and time zones come before the rows that refer to them, and layers before what
// codes share with them. Otherwise the order of adding does not affect the bytes of the
// file, because SQLite keeps rows by their keys. The schema states what a row may hold, and
// Finish runs the checks of package store.
//
// Most rows go into SQLite at once. Postal codes wait for Finish, which numbers their places.
// Streets, roads and survey rows wait in the spool, because their pages hold neighbors, which
// come in any order. Finish then does the following in this order:
//
//  1. It writes those rows, and the indexes of points and names.
//  2. It runs the checks, before anything is derived from the tables.
//  3. It writes the caches and loads every part as Open does. So no file gets its name that
//     could not be opened.
//  4. It digests the tables and writes the manifest, whose digest identifies the file.
//  5. It commits, vacuums, closes SQLite, and seals the pages with that identity.
//  6. It renames the file. Until then the path has the previous file or none.
package storewrite

import (
	"cmp"
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/internal/file"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// A Writer builds a dataset file. It is used by one goroutine.
type Writer struct {
	path   string
	part   string      // the file while it is being built
	info   os.FileInfo // of part
	db     *file.Connection
	format *store.Dataset // loads the caches as Open does
	base   *store.Dataset // that is extended, else nil
	done   bool

	// keys has, for tables whose identifiers are positions from 1, the keys of their rows. Rows of
	// other tables have a key in place of an identifier.
	keys      map[string][]driver.Value
	postal    []store.PostalRow
	census    map[postcode.PostalCode]censusPlace
	entities  []entity
	layers    []*layer
	nextArea  int64        // number of the next area of a layer of users
	roads     []store.Road // with one point or segment each
	records   []store.StreetRow
	acsTables []store.ACSTable // in the order of adding
}

// Create begins a dataset file. Two files with ".part" and ".rows.part" added to
// the path, which may exist, hold it until Finish has written everything. Close
// the writer with Finish or Abort, after an error of a row with Abort.
func Create(path string) (*Writer, error) {
	w := &Writer{
		path: path, part: path + ".part", format: store.New(sqlite.Engine()), nextArea: store.FirstOwnLayer * maxAreas,
		census: map[postcode.PostalCode]censusPlace{}, keys: map[string][]driver.Value{"state": nil, "county": nil, "cbsa": nil, "division": nil},
	}
	if err := w.create(); err != nil {
		return nil, errors.Join(fmt.Errorf("dataset: cannot create %s: %w", w.part, err), w.Abort())
	}
	return w, nil
}

// create makes both files and the tables. The first page is written by hand, because SQLite takes
// the size of the reserved bytes from it.
func (w *Writer) create() error {
	f, err := createFile(w.part)
	if err != nil {
		return err
	}
	_, err = f.Write(file.FirstPage())
	info, statErr := f.Stat()
	w.info = info
	if err := errors.Join(err, statErr, f.Close()); err != nil {
		return err
	}
	part, err := fileURL(w.part)
	if err != nil {
		return err
	}
	if w.db, err = file.Connect(sqlite.Engine(), w.part, part+"?mode=rwc"); err != nil {
		return err
	}
	rows, err := fileURL(w.rows())
	if err := errors.Join(err, removeFile(w.rows())); err != nil {
		return err
	}
	if err := w.db.Exec("ATTACH ? AS spool", rows); err != nil {
		return err
	}
	statements := []string{
		"PRAGMA journal_mode = OFF", // a build that fails is thrown away
		"PRAGMA synchronous = OFF",  // Finish syncs the file
		"PRAGMA locking_mode = EXCLUSIVE",
		fmt.Sprintf("PRAGMA application_id = %d", file.ApplicationID),
		fmt.Sprintf("PRAGMA user_version = %d", file.FormatVersion),
		"PRAGMA spool.journal_mode = OFF",
		"PRAGMA spool.synchronous = OFF",
		"BEGIN",
		spoolTable,
	}
	for _, t := range file.Schema {
		statements = append(statements, t.SQL)
	}
	for _, s := range statements {
		if err := w.db.Exec(s); err != nil {
			return err
		}
	}
	return nil
}

// rows returns the path of the spool.
func (w *Writer) rows() string { return w.path + ".rows.part" }

// fileURL returns the path as SQLite's file: URL.
func fileURL(path string) (string, error) {
	abs, err := filepath.Abs(path)
	p := filepath.ToSlash(abs)
	if !strings.HasPrefix(p, "/") { // C:/…
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String(), err
}

// Extend begins a copy of base that takes more tables. The path must differ from that
// of base. Roads and layers of users join those of base. Tables of the American Community
// Survey replace all of base, and census blocks those of the same counties. base must stay
// open until Finish or Abort.
func Extend(path string, base *store.Dataset) (*Writer, error) {
	w, err := Create(path)
	if err != nil {
		return nil, err
	}
	w.base = base
	if err := w.copyBase(); err != nil {
		return nil, errors.Join(err, w.Abort())
	}
	return w, nil
}

func (w *Writer) copyBase() error {
	if err := w.db.Exec("COMMIT"); err != nil { // a file is attached outside of transactions
		return err
	}
	err := w.base.Attached("base", w.db, func() error {
		for _, t := range file.Contents() {
			if t.Derived() {
				continue
			}
			if err := w.db.Exec("INSERT INTO " + t.Name + " SELECT * FROM base." + t.Name); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range w.base.States() {
		w.keys["state"] = append(w.keys["state"], s.Abbr)
	}
	var end []struct{ Area int64 }
	if err := w.db.Query("SELECT coalesce(max(id), 0) + 1 FROM area", file.Into(&end, 0)); err != nil {
		return err
	}
	w.nextArea = max(w.nextArea, end[0].Area)
	return w.db.Exec("BEGIN")
}

// Finish writes the remaining tables, gives the file its name and closes the
// writer. A reference to a row that no table holds is an error that matches
// [store.ErrInvalidRow]. After an error the part file is removed, and a previous file
// with the name is unchanged. The writer fills in Format, Tables and Digest of
// the manifest.
func (w *Writer) Finish(m dataset.Manifest) error {
	if err := w.usable(); err != nil {
		return err
	}
	if err := w.finish(m); err != nil {
		return errors.Join(err, w.Abort())
	}
	return nil
}

func (w *Writer) finish(m dataset.Manifest) error {
	steps := []func() error{w.writePostalCodes, w.writeStreets, w.writeRoads, w.writeACS}
	if w.base == nil {
		steps = append(steps, w.writeIndexes) // else they were copied, as an extension adds no codes or names
	}
	for _, write := range append(steps, w.check, w.writeCaches) {
		if err := write(); err != nil {
			return err
		}
	}
	m.Format, m.Tables = file.FormatVersion, nil
	for _, t := range file.Contents() {
		digest, err := file.DigestTable(context.Background(), w.db, t.Name)
		if err != nil {
			return fmt.Errorf("dataset: reading %s: %w", w.part, err)
		}
		m.Tables = append(m.Tables, digest)
	}
	digest, err := w.writeManifest(&m)
	if err != nil {
		return err
	}
	if err := w.settle(digest); err != nil {
		return fmt.Errorf("dataset: writing %s: %w", w.part, err)
	}
	w.done = true
	return nil
}

// check runs the checks that find nothing in a sound file.
func (w *Writer) check() error {
	return w.db.Check(func(sentence, row string) error { return file.Invalid("%s: %s", sentence, row) })
}

// writeCaches writes the results of the queries, and loads them as Open does, so that
// Finish refuses every value that Open would refuse.
func (w *Writer) writeCaches() error {
	err := w.format.EncodeCaches(w.db, func(name string, data []byte) error { return w.insert("cache", name, data) })
	if err != nil {
		return fmt.Errorf("dataset: writing %s: %w", w.part, err)
	}
	if err := w.format.LoadAll(w.db); err != nil {
		return fmt.Errorf("%w: %w", store.ErrInvalidRow, err)
	}
	return nil
}

// writeManifest writes the manifest and returns its digest.
func (w *Writer) writeManifest(m *dataset.Manifest) (digest string, err error) {
	built := ""
	if !m.Built.IsZero() {
		built = m.Built.UTC().Format(time.RFC3339Nano)
	}
	for _, v := range [][2]string{
		{"version", m.Version}, {"sample", strconv.FormatBool(m.Sample)}, {"built", built}, {"builder", m.Builder}, {"layers", strings.Join(m.Layers, "\n")},
	} {
		if err := w.insert("manifest", v[0], v[1]); err != nil {
			return "", err
		}
	}
	err = cmp.Or(insertAll(w, "source", m.Sources), insertAll(w, "gap", m.Gaps), insertAll(w, "content", m.Tables))
	if err == nil {
		digest, err = file.ManifestDigest(w.db)
	}
	if err == nil {
		err = w.insert("manifest", "digest", digest)
	}
	return digest, err
}

// settle closes the file and gives it its name.
func (w *Writer) settle(digest string) error {
	// Rows that come in order leave a tenth of the pages of their keys empty; VACUUM does not.
	// It also lays out the pages by the tables alone, whatever was inserted or cleared before, so
	// that equal tables give equal bytes.
	for _, sql := range []string{"COMMIT", "VACUUM"} {
		if err := w.db.Exec(sql); err != nil {
			return err
		}
	}
	if err := w.close(); err != nil {
		return err
	}
	if err := file.SealPages(w.part, file.ID(digest)); err != nil {
		return err
	}
	// Another build of the same path has removed this part file and made its own.
	if now, err := os.Stat(w.part); err != nil || !os.SameFile(now, w.info) {
		return errors.New("it was replaced while it was written; build one file at a time")
	}
	return disk.Settle(w.part, w.path)
}

// Abort removes the part file. It does nothing after Finish or a first Abort.
func (w *Writer) Abort() error {
	if w.done {
		return nil
	}
	w.done = true
	err := w.close()
	if now, statErr := os.Stat(w.part); statErr == nil && w.info != nil && os.SameFile(now, w.info) {
		err = errors.Join(err, os.Remove(w.part))
	}
	if err != nil {
		return fmt.Errorf("dataset: removing %s: %w", w.part, err)
	}
	return nil
}

// close closes SQLite and removes the spool.
func (w *Writer) close() error {
	if w.db == nil {
		return nil
	}
	err := errors.Join(w.db.Close(), removeFile(w.rows()))
	w.db = nil
	return err
}

// usable returns an error if no more rows may be added.
func (w *Writer) usable() error {
	if w.done {
		return fmt.Errorf("%w: the writer of %s", store.ErrClosed, w.path)
	}
	return nil
}
