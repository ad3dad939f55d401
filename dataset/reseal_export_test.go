package dataset

import (
	"context"
	"database/sql/driver"
	"errors"
)

// Reseal makes right what guards a file that was changed by SQL: the checksums
// of columns, the digests of tables and that of the manifest. Rows are sealed
// by who changes them.
func Reseal(path string) error {
	c, err := connect(path, fileURL(path)+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	if err != nil {
		return err
	}
	w := Writer{db: c, stmts: map[string]driver.Stmt{}}
	return errors.Join(w.reseal(), w.close())
}

func (w *Writer) reseal() error {
	ctx := context.Background()
	hashes := map[string]*tableHash{"column_data": newTableHash()}
	checksums := map[int64]uint32{}
	err := w.db.each(ctx, "SELECT id, name, width, row_count, data FROM column_data ORDER BY id", func(r *scanner) error {
		id := r.int()
		c := column{name: r.text(), width: int(r.int()), rows: int(r.int()), data: r.blob()}
		checksums[id] = c.checksum()
		hashes["column_data"].column(id, c)
		return nil
	})
	for id, crc := range checksums {
		err = errors.Join(err, w.exec("UPDATE column_data SET crc32c = ? WHERE id = ?", int64(crc), id))
	}
	for _, t := range coldTables {
		h := newTableHash()
		hashes[t.name] = h
		err = errors.Join(err, w.db.each(ctx, "SELECT id, data FROM "+t.name+" ORDER BY id", func(r *scanner) error {
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
