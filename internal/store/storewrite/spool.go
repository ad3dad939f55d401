package storewrite

import (
	"database/sql/driver"
	"errors"
	"io/fs"
	"os"
)

// The spool is a file of SQLite beside that of the dataset. It keeps rows until Finish
// writes them in the order of their numbers, so that the bytes do not depend on the order
// of adding tables. The 60 million records of the ZIP+4 product do not fit in memory.
const spoolTable = "CREATE TABLE spool.kept (name TEXT, id INTEGER, data BLOB)"

// keep keeps rows of a table for Finish. Rows of a number keep their order.
func (w *Writer) keep(table string, id int64, data []byte) error {
	return w.failed(w.db.Exec("INSERT INTO spool.kept VALUES (?, ?, ?)", table, id, data))
}

// spooled returns the numbers of the rows of a table, ascending.
func (w *Writer) spooled(table string) (ids []int64, err error) {
	err = w.db.Exec("CREATE INDEX IF NOT EXISTS spool.by_id ON kept (name, id)") // after all rows, which is faster
	if err == nil {
		err = w.db.Query("SELECT DISTINCT id FROM spool.kept WHERE name = ? ORDER BY id", func(v []driver.Value) error {
			ids = append(ids, v[0].(int64))
			return nil
		}, table)
	}
	return ids, w.failed(err)
}

// readSpooled decodes the rows of a number and appends them.
func readSpooled[T any](w *Writer, into []T, table string, id int64, decode func([]byte) ([]T, error)) ([]T, error) {
	err := w.db.Query("SELECT data FROM spool.kept WHERE name = ? AND id = ? ORDER BY rowid", func(v []driver.Value) error {
		rows, err := decode(v[0].([]byte))
		into = append(into, rows...)
		return err
	}, table, id)
	return into, w.failed(err)
}

// createFile makes a new file, in place of one that may be left from a build
// that died. A build that still runs keeps the file that it has open.
func createFile(path string) (*os.File, error) {
	if err := removeFile(path); err != nil {
		return nil, err
	}
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
}

func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
