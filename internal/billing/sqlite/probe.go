package sqlite

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/internal/billing"
	"github.com/postgeo/postgeo/internal/billing/internal/book"
)

// Probe implements store.Engine. Like a request, it writes to the journal, to the
// table of holds and to the disk. It cannot detect a disk with room for the probe
// only.
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

// probeBytes exceeds the size of most rounds in the journal.
const probeBytes = 4096

// probe writes an end of the journal at its next entry, and the space after it.
func (j *journal) probe() error {
	if _, err := j.f.WriteAt(make([]byte, probeBytes), j.at); err != nil {
		return fmt.Errorf("sqlite: journal of the accounts: %w", err)
	}
	return nil
}
