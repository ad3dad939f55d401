package dataset

import (
	"context"
	"database/sql/driver"
	"errors"
)

// Reseal corrects the digests of a file that was changed by SQL: those of tables
// and of the manifest. Rows are sealed
// by who changes them.
func Reseal(path string) error {
	c, err := connect(path, fileURL(path)+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	if err != nil {
		return err
	}
	w := &writer{db: c, stmts: map[string]driver.Stmt{}}
	return errors.Join(w.reseal(), w.close())
}

func (w *writer) reseal() error {
	ctx := context.Background()
	hashes := map[string]*tableHash{}
	var err error
	for _, k := range newRooms().file.tables.kinds() {
		h := newTableHash()
		hashes[k.name] = h
		err = errors.Join(err, w.db.each(ctx, "SELECT id, data FROM "+k.name+" ORDER BY id", func(r *scanner) error {
			h.row(r.int(), r.blob())
			return nil
		}))
	}
	for name, h := range hashes {
		t := h.table(name)
		err = errors.Join(err, w.exec("UPDATE content SET row_count = ?, sha256 = ? WHERE name = ?", t.Rows, t.SHA256, name))
	}
	if err != nil {
		return err
	}
	m, _ := readManifest(ctx, w.db) // whose digest is wrong
	return w.exec("UPDATE manifest SET value = ? WHERE key = 'digest'", m.digest())
}
