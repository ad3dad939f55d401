package sqlite

import (
	"context"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/billing/book"
)

// Refunds implements billing.Store.
func (s *Store) Refunds(ctx context.Context, account string, since time.Time) ([]billing.RefundDay, error) {
	if err := s.w.settled(ctx); err != nil {
		return nil, err
	}
	list := book.NewRefundDays(s.o.Now())
	err := s.read(ctx, func(c *conn) error {
		if account != "" {
			if _, err := findAccount(c, account); err != nil {
				return err
			}
		}
		return c.query(func(r *row) error {
			list.Add(r.text(), r.time(), r.time(), billing.EntryKind(r.int()), billing.Tally{Credits: int(r.int()), Requests: int(r.int())})
			return nil
		}, `SELECT public, last_day, hour / 24 * 86400000, kind, sum(credits), sum(requests)
			FROM usage JOIN accounts ON accounts.id = account
			WHERE kind > 2 AND (?1 = '' OR public = ?1) AND hour >= ?2
			GROUP BY hour / 24, account, kind ORDER BY hour / 24 DESC, account, kind`, account, billing.Day(since).Start.Unix()/3600)
	})
	return list.Days(), err
}
