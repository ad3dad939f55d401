package sqlite

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/internal/book"
)

// Probe implements store.Engine. It writes to the journal, to the table of
// holds and to the disk, as requests do. It does not see that a disk has room
// for itself and for nothing more.
func (e *engine) Probe(ctx context.Context) error {
	return e.w.do(ctx, alone, func(w *writer) error {
		h := &book.Hold{ID: book.ProbeID, State: book.Settled, Time: w.o.Now()}
		h.Expires = h.Time.Add(billing.DefaultTTL)
		err := w.j.probe()
		if err == nil {
			err = w.c.exec("DELETE FROM holds WHERE id = ?", h.ID)
		}
		if err == nil {
			err = w.b.write(h)
		}
		return w.sql(err)
	})
}

// probeBytes is more than the settlements of most rounds take.
const probeBytes = 4096

// probe writes an end of the journal where its next entry goes, and the room
// behind it.
func (j *journal) probe() error {
	if _, err := j.f.WriteAt(make([]byte, probeBytes), j.at); err != nil {
		return fmt.Errorf("sqlite: journal of the accounts: %w", err)
	}
	return nil
}
