package postgres

import (
	"context"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

// Probe implements billing.Store. It sees a server that is away, that is
// read-only or that cannot write.
func (s *Store) Probe(ctx context.Context) error {
	return s.change(ctx, false, func(ctx context.Context, t *tx) error {
		now := s.o.Now()
		_, err := t.Exec(ctx, `INSERT INTO holds (id, account, state, held, used, time, expires, grants, parts_held, parts_used)
			VALUES ($1, 0, $2, 0, 0, $3, $4, '{}', '{}', '{}') ON CONFLICT (id) DO UPDATE SET time = excluded.time, expires = excluded.expires`,
			book.ProbeID, int16(book.Settled), now, now.Add(billing.DefaultTTL))
		return failed(err)
	})
}
